"""Where tallies are counted: here, in other processes, on Ray or on Dask.

An engine does tasks of bytes (`jevdb.scoring.tallying`) and gives back what came of
each, in any order. It is never given a file, a catalog or a secret.
"""

from __future__ import annotations

import multiprocessing
import re
import socket
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple

from jevdb.base.errors import JevdbError, UsageError
from jevdb.base.installing import require_module
from jevdb.base.wording import option
from jevdb.scoring.tallying import Map, Tallied, Tally, Task, in_this_process

ATTEMPTS = 3
PROCESSES = re.compile(r"processes:([1-9][0-9]{0,3})")
WORDS = "processes:N, ray, ray:ADDRESS or dask:ADDRESS"
SECONDS = 10
"""How long an engine has to answer."""


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
    JevdbError
        It is not installed, or nothing answers at its address.
    """
    name, _, place = (on or "").partition(":")
    if on is None:
        yield Engine(in_this_process)
    elif PROCESSES.fullmatch(on):
        with _Processes(int(place)) as processes:
            yield Engine(processes, int(place), threads=1)
    elif name == "ray" and (place or on == name):
        with _on_ray(place) as engine:
            yield engine
    elif name == "dask" and place:
        with _on_dask(place) as engine:
            yield engine
    else:
        raise UsageError(f"{option('on')} {on!r}: it is {WORDS}")


@contextmanager
def _on_ray(address: str) -> Iterator[Engine]:
    """Give a Ray cluster, or one of this machine alone that is started for it."""
    require_module("ray", "ray")
    import ray

    is_ours = not ray.is_initialized()
    if is_ours:
        if address:
            _require_answer("ray", address)
        try:
            ray.init(address or "local", log_to_driver=False, configure_logging=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise _silent("ray", address, error) from error
    try:
        n_workers = int(ray.cluster_resources().get("CPU", 1))
        yield Engine(_ray_map, max(1, n_workers), threads=1)
    finally:
        if is_ours:
            ray.shutdown()


def _ray_map(tally: Tally, tasks: Iterable[Task]) -> Iterator[Tallied]:
    import ray

    remote = ray.remote(num_cpus=1, max_retries=ATTEMPTS)(tally)
    left = [remote.remote(task) for task in tasks]
    while left:
        done, left = ray.wait(left)
        try:
            yield ray.get(done[0])
        except ray.exceptions.RayTaskError as error:
            raise _told(error.cause or error) from error
        except ray.exceptions.RayError as error:
            raise _told(error) from error


@contextmanager
def _on_dask(address: str) -> Iterator[Engine]:
    """Give a Dask cluster that is there."""
    require_module("distributed", "dask")
    from distributed import Client

    _require_answer("dask", address)
    try:
        client = Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise _silent("dask", address, error) from error
    with client:

        def spread(tally: Tally, tasks: Iterable[Task]) -> Iterator[Tallied]:
            from distributed import as_completed as completed

            given = [
                client.submit(tally, task, pure=False, retries=ATTEMPTS)
                for task in tasks
            ]
            for future in completed(given, loop=client.loop):
                error = future.exception()
                if error is not None:
                    raise _told(error) from error
                yield future.result()

        yield Engine(spread, max(1, sum(client.ncores().values())), threads=1)


def _require_answer(name: str, address: str) -> None:
    """Refuse an address at which nothing listens: engines would wait for minutes."""
    host, _, port = address.rpartition("//")[2].rpartition(":")
    if not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), SECONDS).close()
    except OSError as error:
        raise _silent(name, address, error) from error


def _silent(name: str, address: str, error: Exception) -> JevdbError:
    said = str(error).partition("\n")[0]
    place = f"{name}:{address}" if address else name
    return JevdbError(f"{option('on')} {place}: nothing answers there: {said}")


def _told(error: BaseException) -> BaseException:
    """Return an error of a worker as what the user can do about it."""
    if isinstance(error, JevdbError):
        return error
    if isinstance(error, ModuleNotFoundError):
        return JevdbError(
            f"a worker has no {error.name}: install the same jevdb on all machines"
        )
    said = str(error).strip().rpartition("\n")[2]
    return JevdbError(f"a worker could not count: {type(error).__name__}: {said}")


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
