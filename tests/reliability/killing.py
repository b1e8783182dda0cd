"""Processes that are killed: at a moment, or at a point of their way.

A point is where jevdb calls DuckDB or changes the disk: every `execute`, `close`,
`link`, `rename` and so on, before and after. They are counted in a run that is let
live, so that a seeded choice among them covers an operation from end to end.
"""

from __future__ import annotations

import os
import pkgutil
import random
import signal
import sys
import time
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from types import FrameType
from typing import NamedTuple

import jevdb

POINTS = {
    *("connect", "execute", "close", "fetchall", "unregister"),
    *("link", "rename", "replace", "unlink", "mkdir", "fsync", "write", "chmod"),
}
CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        *("alembic.command", "numpy", "platformdirs", "pyarrow.parquet"),
        *("pydantic", "typer._adapters"),
        *(
            module.name
            for module in pkgutil.walk_packages(jevdb.__path__, "jevdb.")
            if not module.name.endswith("__main__")
        ),
    ]
)
"""A command imports a part of it at every call otherwise, half of what it costs."""


class Kill(NamedTuple):
    """When to kill: at a point, or after some seconds."""

    point: int | None
    seconds: float


class Way(NamedTuple):
    """What an operation's own run was like: points passed, seconds, exit code."""

    points: int
    seconds: float
    exit_code: int


def measure(arguments: list[str]) -> Way:
    """Run a command to its end."""
    receiving, sending = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_live, args=(arguments, sending))
    process.start()
    sending.close()
    way: Way = receiving.recv()
    process.join()
    return way


def killed(arguments: list[str], kill: Kill) -> bool:
    """Run a command and kill it; return whether it was still running."""
    receiving, sending = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_die, args=(arguments, kill.point, sending))
    process.start()
    sending.close()
    receiving.recv()
    if kill.point is None:
        time.sleep(kill.seconds)
        process.kill()
    process.join(120)
    assert process.exitcode is not None
    return process.exitcode == -signal.SIGKILL


def kills(way: Way, count: int, seed: int) -> Iterator[Kill]:
    """Yield so many: half at points, half at moments, spread over the whole way."""
    dice = random.Random(seed)
    for number in range(count):
        part = (number // 2 + dice.random()) / ((count + 1) // 2)
        if number % 2:
            yield Kill(None, part * way.seconds)
        else:
            yield Kill(min(int(part * way.points), way.points - 1), 0)


class _Counter:
    """A profiler that counts the points passed, and dies at one."""

    def __init__(self, last: int | None):
        self.passed = 0
        self._last = last

    def __call__(self, frame: FrameType, event: str, called: object) -> None:
        if event not in ("c_call", "c_return"):
            return
        if getattr(called, "__name__", "") not in POINTS:
            return
        if isinstance(getattr(called, "__self__", None), str):
            return  # `str.replace`
        if self.passed == self._last:
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed += 1


def _live(arguments: list[str], sending: Pipe) -> None:
    start = time.monotonic()
    counter = _Counter(None)
    code = _run(arguments, counter)
    sending.send(Way(counter.passed, time.monotonic() - start, code))


def _die(arguments: list[str], point: int | None, sending: Pipe) -> None:
    sending.send(None)
    sys.exit(_run(arguments, None if point is None else _Counter(point)))


def _run(arguments: list[str], counter: _Counter | None) -> int:
    from jevdb.cli import app

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.setprofile(counter)
    try:
        app(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        sys.setprofile(None)
    return 0
