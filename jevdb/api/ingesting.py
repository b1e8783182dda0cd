"""Items, runs and published results into a warehouse, from files or from memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.api.base import Base
from jevdb.base.errors import require_word

if TYPE_CHECKING:
    from jevdb.api.run_details import Pairs
    from jevdb.api.sources import AnyPath, Inputs, Rows
    from jevdb.ingest.items.summary import ItemsSummary
    from jevdb.ingest.results.outcomes import PublishedOutcomes
    from jevdb.ingest.run_options import DuplicatePolicy, RunOptions
    from jevdb.ingest.runs.prepared import OnRows, PreparedRun
    from jevdb.ingest.runs.summary import RunSummary


class AskedRun(NamedTuple):
    """The files of a run, and what is said of it beside them."""

    files: Inputs
    options: RunOptions


class Ingesting(Base):
    """Storing items, runs and published results."""

    def prepare(self) -> None:
        """Bring the file up to date; if it is open for storing, create a missing one.

        `jevdb.open` has done it. A lake is made with `jevdb init`.
        """
        if not self.read_only and not self._store.is_lake:
            self._write(lambda connection: None, create=True)
        else:
            with self._reader():
                pass

    def ingest_items(
        self,
        source: Rows,
        *,
        benchmark: str,
        scoring: str | None = None,
        format: str | None = None,
        revise: bool = False,
        reason: str | None = None,
        new: bool = False,
        map: AnyPath | None = None,
        fields: Pairs = None,
        reading: Mapping[str, object] | None = None,
        dry_run: bool = False,
    ) -> ItemsSummary:
        """Store items and their gold.

        The same items again change nothing. An item keeps its type, options and facts
        for good; its gold can be corrected with *revise*.

        Parameters
        ----------
        source : path, paths, or rows
            Files as the command line takes them, or rows from memory: dicts, an Arrow
            table or reader, a pandas or polars data frame.
        benchmark : str
            Their benchmark; a new name makes a new one.
        scoring : str, optional
            How a new benchmark is scored; ``generic`` unless given.
        format : str, optional
            The layout of the rows; seen from their content unless given.
        revise : bool
            Store changed gold as a new revision.
        reason : str, optional
            Why the gold changes.
        new : bool
            Make a benchmark whose name is near that of another.
        map : path, optional
            A TOML file that says which field lies where in the rows.
        fields : mapping, optional
            The same for single fields: ``{"options": "choices.text"}``.
        reading : mapping, optional
            How values are to be read, by the names of the command's options with an
            underscore: ``{"tier": {"trivial": "easy"}}``.
        dry_run : bool
            Say what would be stored and store nothing.

        Returns
        -------
        ItemsSummary
            How many are new, changed, as before.

        Raises
        ------
        InputError
            Rows that do not fit; carries every problem with its place.
        ConflictError
            An item is stored otherwise.

        Examples
        --------
        >>> done = new.ingest_items(
        ...     [{"item_id": "q1", "type": "noul", "gold": "yes"}], benchmark="mine"
        ... )
        >>> done.outcome, done.new
        ('stored', 1)
        """
        from jevdb.api.run_details import mapped_items
        from jevdb.api.sources import inputs
        from jevdb.ingest.items.files import read_items
        from jevdb.ingest.items.storing import (
            ItemsOptions,
            foreseen_items,
            store_items,
        )
        from jevdb.ingest.names import check_name

        if not dry_run:
            self._require_writable()
        check_name(benchmark, "benchmark")
        mapping, said = mapped_items(map, fields, format, reading)
        options = ItemsOptions(
            benchmark, scoring, format, revise, reason, new, said, mapping
        )
        files = inputs(source)
        read = read_items(files.given, format, said, mapping)
        if dry_run:
            with self._reader() as connection:
                summary = foreseen_items(connection, read, options)
        else:
            summary = self._write(
                lambda connection: store_items(connection, read, options), create=True
            )
        for note in files.notes:
            self._notify(note)
        return summary

    def ingest_run(
        self,
        source: Rows,
        *,
        benchmark: str,
        model: str,
        revision: str | None = None,
        label: str | None = None,
        format: str | None = None,
        started: str | datetime | None = None,
        settings: Mapping[str, object] | None = None,
        model_meta: AnyPath | Mapping[str, object] | None = None,
        on_duplicate: DuplicatePolicy = "error",
        unsupported: Iterable[str] = (),
        keep_rejects: bool = False,
        allow_invalid: bool = False,
        private: bool = False,
        supersede: bool = False,
        map: AnyPath | None = None,
        fields: Pairs = None,
        where: Pairs = None,
        reading: Mapping[str, object] | None = None,
        dry_run: bool = False,
        on_rows: OnRows | None = None,
    ) -> RunSummary:
        """Store one run: a model's answers to one benchmark.

        A run is stored whole or not at all. The same rows again, in any order, from
        files or from memory, are the same run: nothing is added.

        Parameters
        ----------
        source : path, paths, or rows
            Files as the command line takes them, or rows from memory: dicts, an Arrow
            table or reader, a pandas or polars data frame.
        benchmark, model : str
            What was answered, and by whom.
        revision, label : str, optional
            The model's revision, and what tells runs of it apart.
        format : str, optional
            The layout of the rows; seen from their content unless given.
        started : str or datetime, optional
            When it began, with a time zone; a date is its midnight UTC.
        settings : mapping, optional
            What the run was set to.
        model_meta : path or mapping, optional
            provider, open_weights, parameters, requested_name, resolved_name and
            anything else about the model; a path of a JSON file.
        on_duplicate : {'error', 'first', 'last'}
            Which of an item's different ok answers is taken.
        unsupported : iterable of str
            Item types that the model cannot take.
        keep_rejects : bool
            Store the good rows and keep faulty ones beside them: see `rejects`.
        allow_invalid : bool
            Store a run most of whose labels do not fit.
        private : bool
            Leave the run out of exports.
        supersede : bool
            Take the place of the run of that name.
        map : path, optional
            A TOML file that says which field lies where in the rows.
        fields : mapping, optional
            The same for single fields: ``{"answer": "choices[0].text"}``; of several
            paths the first with a value counts.
        where : mapping, optional
            Only the rows whose paths have these values: ``{"epoch": "1"}``.
        reading : mapping, optional
            How values are to be read, by the names of the command's options with an
            underscore: ``{"scale": "percent", "alias": {"1": "yes"}}``.
        dry_run : bool
            Say what would be stored and store nothing.
        on_rows : callable, optional
            Told now and then how many rows are read.

        Returns
        -------
        RunSummary
            The run's id, what became of it, and counts that add up.

        Raises
        ------
        InputError
            Rows that do not fit; carries every problem with its place.
        ConflictError
            Other rows hold the name, and they are not to be superseded.

        Examples
        --------
        >>> answers = [{"item_id": "q1", "probabilities": {"yes": 0.75}}]
        >>> done = new.ingest_run(answers, benchmark="mine", model="my-model")
        >>> done.outcome, done.ok, done.missing
        ('stored', 1, 0)
        """
        asked = self._asked_run(
            source,
            benchmark=benchmark,
            model=model,
            revision=revision,
            label=label,
            format=format,
            started=started,
            settings=settings,
            model_meta=model_meta,
            on_duplicate=on_duplicate,
            unsupported=unsupported,
            keep_rejects=keep_rejects,
            allow_invalid=allow_invalid,
            private=private,
            supersede=supersede,
            map=map,
            fields=fields,
            where=where,
            reading=reading,
        )
        if not dry_run:
            self._require_writable()
        prepared = self._prepared(asked, on_rows)
        return self._foreseen(prepared) if dry_run else self._stored(prepared)

    def ingest_results(
        self, *paths: AnyPath, format: str | None = None, supersede: bool = False
    ) -> PublishedOutcomes:
        """Store results that others published: aggregates without rows.

        Each number keeps its definition and is always shown as reported.

        Parameters
        ----------
        *paths : path
            Decision Bench result files, model_meta.json, or folders of them; or tables.
        format : {'table'}, optional
            A line a number: benchmark, model, metric, value and what else is known.
        supersede : bool
            Take the place of the result of that model and tags.

        Returns
        -------
        PublishedOutcomes
            What became of every file.
        """
        from jevdb.ingest.results import read_published, store_published
        from jevdb.ingest.results.outcomes import PublishedOutcomes

        self._require_writable()
        if format is not None:
            return self._ingest_table([Path(each) for each in paths], format, supersede)
        published = read_published([Path(each) for each in paths])
        outcomes = self._write(
            lambda connection: store_published(
                connection, published, supersede=supersede
            ),
            create=True,
        )
        return PublishedOutcomes(outcomes, published.skipped)

    def _ingest_table(
        self, paths: Sequence[Path], format: str, supersede: bool
    ) -> PublishedOutcomes:
        from jevdb.base.errors import require_word
        from jevdb.ingest.results.outcomes import PublishedOutcomes
        from jevdb.ingest.results.table import FORMAT, read_table
        from jevdb.ingest.results.table_storing import store_table

        require_word("format", format, [FORMAT])
        results = read_table(paths)
        outcomes = self._write(
            lambda connection: store_table(connection, results, supersede=supersede),
            create=True,
        )
        return PublishedOutcomes(outcomes, [])

    def _asked_run(
        self,
        source: Rows,
        *,
        benchmark: str,
        model: str,
        revision: str | None = None,
        label: str | None = None,
        format: str | None = None,
        started: str | datetime | None = None,
        settings: Mapping[str, object] | None = None,
        model_meta: AnyPath | Mapping[str, object] | None = None,
        on_duplicate: DuplicatePolicy = "error",
        unsupported: Iterable[str] = (),
        keep_rejects: bool = False,
        allow_invalid: bool = False,
        private: bool = False,
        supersede: bool = False,
        map: AnyPath | None = None,
        fields: Pairs = None,
        where: Pairs = None,
        reading: Mapping[str, object] | None = None,
    ) -> AskedRun:
        """Return a run as it is asked for; nothing is read yet."""
        from jevdb.api.run_details import described, moment, selected
        from jevdb.api.sources import inputs
        from jevdb.ingest.names import check_name
        from jevdb.ingest.run_options import DATE, ON_DUPLICATE, RunOptions

        require_word("on_duplicate", on_duplicate, ON_DUPLICATE)
        files = inputs(source)
        chosen = selected(map, fields, where, format, reading)
        asked = described(model, revision, model_meta)
        check_name(benchmark, "benchmark")
        if label is not None:
            check_name(label, "label")
        options = RunOptions(
            benchmark_id=benchmark,
            model=asked.requested(files.requested_model),
            label=label,
            layout=format,
            started_at=moment(started),
            settings={**files.settings, **(settings or {})},
            on_duplicate=on_duplicate,
            unsupported=tuple(unsupported),
            keep_rejects=keep_rejects,
            allow_invalid=allow_invalid,
            is_private=private,
            supersede=supersede,
            where=chosen.where,
            mapping=chosen.mapping,
            reading=chosen.reading,
        )
        if isinstance(started, str) and DATE.fullmatch(started):
            self._notify(f"started {started} is taken as midnight UTC of that day")
        return AskedRun(files, options)

    def _prepared(self, asked_run: AskedRun, on_rows: OnRows | None) -> PreparedRun:
        """Read and judge the rows; the file is not held meanwhile."""
        from jevdb.ingest.benchmark import loading_benchmark
        from jevdb.ingest.runs.prepared import prepare_run

        files, options = asked_run
        with loading_benchmark(self._reader(), options.benchmark_id) as asked:
            options = replace(options, benchmark_id=asked.benchmark_id)
            prepared = prepare_run(asked, files.given, options, on_rows or _unheard)
        for note in files.notes:
            self._notify(note)
        return prepared

    def _stored(self, prepared: PreparedRun) -> RunSummary:
        from jevdb.ingest.runs.store import store_run

        return self._write(lambda connection: store_run(connection, prepared))

    def _foreseen(self, prepared: PreparedRun) -> RunSummary:
        from jevdb.ingest.runs.preview import first_rows
        from jevdb.ingest.runs.store import foreseen

        with self._reader() as connection:
            summary = foreseen(connection, prepared)
        return replace(summary, first_rows=first_rows(prepared))


def _unheard(rows: int) -> None:
    """Let progress go by."""
