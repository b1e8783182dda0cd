"""A starter mapping for a file, held against the items of a benchmark."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.api.base import Base
from jevdb.base.errors import UsageError

if TYPE_CHECKING:
    from jevdb.api.sources import AnyPath
    from jevdb.ingest.benchmark import Benchmark
    from jevdb.ingest.guessing.proposal import Proposal, Read
    from jevdb.ingest.guessing.sample import Sample
    from jevdb.ingest.reading_options import ReadingOptions

ITEMS_NEED = ("item_id", "gold")
MODEL = "guess"


class Guessing(Base):
    """Proposals of how a file may be read."""

    def guess(
        self,
        file: AnyPath,
        *,
        benchmark: str | None = None,
        items: bool = False,
        reading: Mapping[str, object] | None = None,
    ) -> Proposal:
        """Propose a mapping for a file of answers, or of items; nothing is stored.

        Parameters
        ----------
        file : path
            The file; its first 2,000 records are looked at.
        benchmark : str, optional
            Whose items were answered. Without it only fields are guessed, by names.
        items : bool
            The file holds items and not answers.
        reading : mapping, optional
            What is known already of how values are read.

        Returns
        -------
        Proposal
            A mapping in TOML, what speaks for each line, and whether all is known.
        """
        from jevdb.ingest.files.table_forms import FileForm
        from jevdb.ingest.guessing.fields import item_fields, run_fields
        from jevdb.ingest.guessing.proposal import propose, under
        from jevdb.ingest.guessing.sample import look_at, sample_of
        from jevdb.ingest.guessing.trying import Guess, guess
        from jevdb.ingest.layouts.mapping import ITEMS, RUNS
        from jevdb.ingest.reading_options import reading_options

        said = dict(reading or {})
        options = reading_options(said)
        form = FileForm(options.delimiter, options.decimal, options.encoding)
        path = Path(file)
        _require_bare(path, items)
        seen, sample = look_at(path, form), sample_of(path, form)
        asked = None if items or benchmark is None else self._asked(benchmark)
        kind = ITEMS if items else RUNS
        if items:
            fields, needed = item_fields(seen), list(ITEMS_NEED)
            trial = under(fields, _items_of(sample))
        else:
            fields = run_fields(seen, _ids(asked))
            needed = ["item_id", *_answer_of([each.name for each in fields])]
            if asked is None:
                return propose(path, seen, fields, needed, Guess(said), kind)
            trial = under(fields, self._run_of(sample, asked))
        if not {"item_id", *needed} <= {each.name for each in fields}:
            return propose(path, seen, fields, needed, Guess(said), kind)
        return propose(path, seen, fields, needed, guess(trial, said), kind)

    def _asked(self, benchmark_id: str) -> Benchmark:
        from jevdb.ingest.benchmark import load_benchmark

        with self._reader() as connection:
            found = self._benchmark_id(connection, benchmark_id)
            return load_benchmark(connection, found)

    def _run_of(self, sample: Sample, benchmark: Benchmark) -> Read:
        from jevdb.api.run_details import selected
        from jevdb.ingest.run_options import Model, RunOptions
        from jevdb.ingest.runs.prepared import prepare_run
        from jevdb.ingest.runs.preview import first_rows
        from jevdb.ingest.runs.store import foreseen

        def read(map_file: Path) -> list[dict[str, object]]:
            chosen = selected(map_file, None, None, None)
            options = RunOptions(
                benchmark.benchmark_id,
                Model(MODEL),
                where=chosen.where,
                mapping=chosen.mapping,
                reading=chosen.reading,
            )
            prepared = prepare_run(
                benchmark, [_formed(sample, chosen.reading)], options
            )
            with self._reader() as connection:
                foreseen(connection, prepared)
            return first_rows(prepared)

        return read


def _formed(sample: Sample, said: ReadingOptions) -> Sample:
    """Return the sample in the form that the options say."""
    from jevdb.ingest.files.table_forms import FileForm
    from jevdb.ingest.guessing.sample import sample_of

    return sample_of(sample.path, FileForm(said.delimiter, said.decimal, said.encoding))


def _items_of(sample: Sample) -> Read:
    from jevdb.api.run_details import mapped_items
    from jevdb.ingest.guessing.sample import sample_of
    from jevdb.ingest.items.files import read_items
    from jevdb.ingest.items.storing import PREVIEWED, stored_item

    def read(map_file: Path) -> list[dict[str, object]]:
        mapping, said = mapped_items(map_file, None, None, None)
        again = sample_of(sample.path, sample.form)
        rows = read_items([again], None, said, mapping).rows
        return [stored_item(rows[item_id]) for item_id in list(rows)[:PREVIEWED]]

    return read


def _ids(benchmark: Benchmark | None) -> Collection[str]:
    if benchmark is None:
        return ()
    return set(benchmark.items["item_id"].to_pylist())


def _answer_of(fields: Collection[str]) -> list[str]:
    """Return what answers still need: a label, or a distribution."""
    given = {"answer", "probabilities", "probabilities.*", "p_yes", "label"}
    return [] if given & set(fields) else ["answer"]


def _require_bare(path: Path, items: bool) -> None:
    """Refuse a file of a layout that is read without a mapping."""
    from jevdb.ingest.layouts.registry import ITEMS, PREDICTIONS
    from jevdb.ingest.reading import layout_of

    layouts = ITEMS if items else PREDICTIONS
    found = layout_of(path, layouts)
    if found.name != layouts[-1].name:
        raise UsageError(
            f"{path.name}: of the format {found.name!r}, which needs no mapping"
        )
