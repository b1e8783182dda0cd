"""Where tallies are counted: here, in other processes, on Ray or on Dask.

An engine does tasks of bytes (`jevdb.scoring.tallying`) and gives back what came of
each, in any order. It is never given a file, a catalog or a secret.
"""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple

from jevdb.base.errors import JevdbError, UsageError
from jevdb.base.wording import option
from jevdb.scoring.tallying import Map, Tallied, Tally, Task, in_this_process

ATTEMPTS = 3
PROCESSES = re.compile(r"processes:([1-9][0-9]{0,3})")
WORDS = "processes:N"


class Engine(NamedTuple):
    """What does tasks, how many at a time, and with how many threads each."""

    map: Map
    n_workers: int = 1
    threads: int | None = None


@contextmanager
def engine_of(on: str | None) -> Iterator[Engine]:
    """Give the engine of a name, and let go of it afterwards.

    Raises
    ------
    UsageError
        No engine is called so.
    """
    if on is None:
        yield Engine(in_this_process)
    elif found := PROCESSES.fullmatch(on):
        n_workers = int(found[1])
        with _Processes(n_workers) as processes:
            yield Engine(processes, n_workers, threads=1)
    else:
        raise UsageError(f"{option('on')} {on!r}: it is {WORDS}")


class _Processes:
    """Processes of this machine; one that is killed has its tasks done by another."""

    def __init__(self, n_workers: int):
        self._n_workers = n_workers
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def __call__(self, tally: Tally, tasks: Iterable[Task]) -> Iterator[Tallied]:
        left = list(tasks)
        for _ in range(ATTEMPTS):
            lost: list[Task] = []
            pool = self._opened()
            given = {pool.submit(tally, task): task for task in left}
            for future in as_completed(given):
                try:
                    found = future.result()
                except BrokenProcessPool:
                    lost.append(given[future])
                else:
                    yield found
            if not lost:
                return
            self._close()
            left = lost
        raise JevdbError(
            f"a process that counts was ended {ATTEMPTS} times, perhaps for want of "
            "memory; try fewer processes"
        )

    def _opened(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A copy of this process would have its locks and DuckDB's threads.
            spawning = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._n_workers, mp_context=spawning)
        return self._pool

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
