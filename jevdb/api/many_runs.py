"""Many runs in one call: each whole or absent, the faulty ones named at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jevdb.api.ingesting import Ingesting, _unheard
from jevdb.base.errors import BusyError, JevdbError, UsageError
from jevdb.base.wording import option

if TYPE_CHECKING:
    from jevdb.api.sources import AnyPath
    from jevdb.base.connection import Connection
    from jevdb.ingest.benchmark import Benchmark
    from jevdb.ingest.judge.pool import JudgePool
    from jevdb.ingest.runs.manifest import PlannedRun
    from jevdb.ingest.runs.prepared import PreparedRun
    from jevdb.ingest.runs.summary import RunSummary

SMALL_FILE = 1 << 23
"""Up to so many bytes nothing of a run is ever sorted on disk."""
ROWS_AT_ONCE = 200_000
RUNS_AT_ONCE = 20
"""So many are held until the warehouse is opened to store them."""

OnRun = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What became of one of several runs: its summary, or what refused it."""

    file: str
    name: str
    summary: RunSummary | None = None
    error: JevdbError | None = None

    def to_json(self) -> dict[str, object]:
        """Return the outcome as a JSON object."""
        summary = self.summary.to_json() if self.summary else None
        error = str(self.error) if self.error else None
        return {"file": self.file, "run": self.name, "summary": summary, "error": error}


class ManyRuns(Ingesting):
    """Storing one run, or many."""

    def ingest_runs(
        self,
        files: AnyPath | Iterable[AnyPath],
        *,
        benchmark: str,
        model: str | None = None,
        revision: str | None = None,
        label: str | None = None,
        dry_run: bool = False,
        on_run: OnRun | None = None,
        **options: Any,
    ) -> list[RunOutcome]:
        """Store many runs, a file each, or those that a manifest names.

        Each run is stored whole or not at all; a faulty one does not keep the others.

        Parameters
        ----------
        files : path or paths
            A file for each run; without *model* the one file is a manifest: CSV or
            TOML with file, model, revision, label and started.
        benchmark : str
            What was answered.
        model, revision, label : str, optional
            Names, in which ``{stem}``, ``{name}`` and ``{folder}`` stand for parts of
            the file's name.
        dry_run : bool
            Say what would be stored and store nothing.
        on_run : callable, optional
            Told after each run how many are done, and of how many.
        **options
            As `ingest_run` takes them; they hold for every run.

        Returns
        -------
        list of RunOutcome
            One for each run, in the order given.

        Examples
        --------
        >>> new.ingest_runs([], benchmark="mine", model="{stem}")
        []
        """
        if not dry_run:
            self._require_writable()
        runs = _plan(files, model, revision, label)
        asked = self._benchmark(benchmark)
        outcomes: dict[PlannedRun, RunOutcome] = {}

        def note(run: PlannedRun, **what: Any) -> None:
            outcomes[run] = RunOutcome(str(run.file), run.name, **what)
            if on_run:
                on_run(len(outcomes), len(runs))

        with _judges_for(runs, asked) as judges:
            prepared = self._prepared_runs(runs, asked, options, note, judges)
            for some in _batches(prepared):
                if dry_run:
                    for run, ready in some:
                        self._note_stored(run, partial(self._foreseen, ready), note)
                else:
                    self._store_some(some, note)
        return [outcomes[run] for run in runs]

    def _benchmark(self, benchmark_id: str) -> Benchmark:
        from jevdb.ingest.benchmark import load_benchmark

        with self._reader() as connection:
            found = self._benchmark_id(connection, benchmark_id)
            return load_benchmark(connection, found)

    def _prepared_runs(
        self,
        runs: Sequence[PlannedRun],
        benchmark: Benchmark,
        options: Mapping[str, Any],
        note: Callable[..., None],
        judges: JudgePool | None,
    ) -> Iterator[tuple[PlannedRun, PreparedRun]]:
        from jevdb.ingest.runs.prepared import prepare_run

        for run in runs:
            given = {**options, "started": run.started or options.get("started")}
            try:
                asked = self._asked_run(
                    run.file,
                    benchmark=benchmark.benchmark_id,
                    model=run.model,
                    revision=run.revision,
                    label=run.label,
                    **given,
                )
                files = asked.files.given
                prepared = prepare_run(
                    benchmark, files, asked.options, _unheard, judges
                )
            except UsageError:
                # It lies in what is said of all runs, not in this file.
                raise
            except JevdbError as error:
                note(run, error=error)
            else:
                yield run, prepared

    def _store_some(
        self,
        some: Sequence[tuple[PlannedRun, PreparedRun]],
        note: Callable[..., None],
    ) -> None:
        """Store runs while the file is open once; to a lake each goes on its own."""
        if self._store.is_lake:
            for run, prepared in some:
                self._note_stored(run, partial(self._stored, prepared), note)
            return

        def store(connection: Connection) -> None:
            from jevdb.ingest.runs.store import store_run

            for run, prepared in some:
                self._note_stored(run, partial(store_run, connection, prepared), note)

        self._write(store)

    def _note_stored(
        self,
        run: PlannedRun,
        store: Callable[[], RunSummary],
        note: Callable[..., None],
    ) -> None:
        try:
            note(run, summary=store())
        except (BusyError, UsageError):
            raise
        except JevdbError as error:
            note(run, error=error)


def _plan(
    files: AnyPath | Iterable[AnyPath],
    model: str | None,
    revision: str | None,
    label: str | None,
) -> list[PlannedRun]:
    from os import PathLike

    from jevdb.ingest.runs.manifest import planned, read_manifest

    listed = [files] if isinstance(files, str | PathLike) else list(files)
    paths = [Path(each) for each in listed]
    if model is not None:
        return planned(paths, model, revision, label)
    if len(paths) != 1 or revision is not None or label is not None:
        raise UsageError(
            f"say {option('model', '{stem}')} for files of runs, or give one manifest "
            "that names file and model of each"
        )
    return read_manifest(paths[0])


@contextmanager
def _judges_for(
    runs: Sequence[PlannedRun], benchmark: Benchmark
) -> Iterator[JudgePool | None]:
    """Have small runs judged in one scratch database; a large one has its own."""
    from jevdb.ingest.judge.pool import JudgePool

    if not all(
        not run.file.is_file() or run.file.stat().st_size <= SMALL_FILE for run in runs
    ):
        yield None
        return
    with closing(JudgePool(benchmark)) as judges:
        yield judges


def _batches(
    prepared: Iterator[tuple[PlannedRun, PreparedRun]],
) -> Iterator[list[tuple[PlannedRun, PreparedRun]]]:
    some: list[tuple[PlannedRun, PreparedRun]] = []
    n_rows = 0
    for run, ready in prepared:
        some.append((run, ready))
        n_rows += ready.summary.read
        if len(some) >= RUNS_AT_ONCE or n_rows >= ROWS_AT_ONCE:
            yield some
            some, n_rows = [], 0
    if some:
        yield some
