"""Processes that publish runs, each a machine of its own, all at once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, NamedTuple

from places import Place, answer_rows, write_rows

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        *("jevdb.lake.publishing", "jevdb.ingest", "jevdb.ingest.layouts.registry"),
        *("jevdb.warehouse.schema", "pyarrow.parquet", "numpy", "places"),
    ]
)


class Job(NamedTuple):
    """A run to publish: its model's name, what its rows are drawn with, how many."""

    model: str
    seed: str
    size: int = 20


class Outcome(NamedTuple):
    """What became of a job, and how long it took with its waiting."""

    job: Job
    word: str
    seconds: float
    run_id: str | None = None


def prepare(job: Job, db: Path, folder: Path) -> Any:
    """Read, judge and digest a job's rows, against the benchmark as the file has it."""
    from jevdb.ingest import Model, RunOptions, load_benchmark, prepare_run
    from jevdb.warehouse.database import open_reader

    path = write_rows(folder / f"{job.seed}.jsonl", answer_rows(job.size, job.seed))
    with open_reader(db) as connection:
        benchmark = load_benchmark(connection, "small")
    return prepare_run(benchmark, [path], RunOptions("small", Model(job.model)))


def publish_prepared(dsn: str, job: Job, prepared: Any) -> Outcome:
    """Publish a run and say what became of it."""
    from jevdb.base.errors import ConflictError
    from jevdb.ingest import store_run
    from jevdb.lake import publish
    from jevdb.lake.target import resolve

    start = time.monotonic()
    try:
        # A machine under load is no reason to give up.
        done = publish(
            resolve(dsn), lambda found: store_run(found, prepared), lock_timeout=600
        )
    except ConflictError:
        return Outcome(job, "conflict", time.monotonic() - start)
    return Outcome(job, done.outcome, time.monotonic() - start, done.run_id)


def _work(dsn: str, cache: Path, jobs: Sequence[Job], starting: Any, results: Any):
    os.environ["JEVDB_CACHE"] = str(cache)
    from jevdb.lake.target import resolve

    mirror = resolve(dsn).mirror
    prepared = [prepare(job, mirror, cache) for job in jobs]
    starting.wait()
    for job, rows in zip(jobs, prepared, strict=True):
        try:
            results.put(publish_prepared(dsn, job, rows))
        except Exception as error:  # told to the test, which fails on it
            results.put(Outcome(job, f"{type(error).__name__}: {error}", 0))


class Writers:
    """Machines under way, and what became of their jobs so far."""

    def __init__(self, processes: list[ForkServerProcess], results: Any, count: int):
        self._processes = processes
        self._results = results
        self._count = count
        self.outcomes: list[Outcome] = []

    def are_busy(self) -> bool:
        """Whether any job is left; takes what became of others."""
        while not self._results.empty():
            self.outcomes.append(self._results.get())
        return len(self.outcomes) < self._count

    def wait(self) -> None:
        """Wait for all."""
        while len(self.outcomes) < self._count:
            self.outcomes.append(self._results.get(timeout=1800))
        for process in self._processes:
            process.join(60)
            assert process.exitcode == 0


@contextmanager
def publish_at_once_in_background(
    place: Place, jobs: Sequence[Sequence[Job]]
) -> Iterator[Writers]:
    """Let as many machines as there are lists publish them, started together."""
    starting = CONTEXT.Barrier(len(jobs))
    results = CONTEXT.Queue()
    processes = []
    for number, its in enumerate(jobs):
        cache = place.machine(str(number)).cache
        arguments = (place.dsn(), cache, its, starting, results)
        processes.append(start(_work, *arguments))
    writers = Writers(processes, results, sum(map(len, jobs)))
    yield writers
    writers.wait()


def publish_at_once(place: Place, jobs: Sequence[Sequence[Job]]) -> list[Outcome]:
    """Do so and return what became of every job."""
    with publish_at_once_in_background(place, jobs) as writers:
        pass
    return writers.outcomes


def start(work: Callable[..., object], *arguments: object) -> ForkServerProcess:
    """Start a process and return it."""
    process = CONTEXT.Process(target=work, args=arguments)
    process.start()
    return process
