"""A query that ends: when it is interrupted, has taken its time, or its memory.

DuckDB's queries listen to an interrupt, but not everywhere in them: what does not
listen within `GRACE` is left in a process that is ended. A reader leaves nothing.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import duckdb

from jevdb.base.errors import Interrupted, JevdbError, UsageError
from jevdb.base.memory import held, total, with_causes
from jevdb.warehouse.interrupts import interrupt_queries

GRACE = 0.6
"""Seconds that a query has to end after it was asked to."""

LITTLE_GRACE = 0.1
"""The same where it takes more memory all the while."""

UNATTENDED = 60.0
"""Seconds that a query may take where nobody sits before it to end it."""

LOOKS = 0.02
"""Seconds between two looks at the memory that is taken."""

OF_MACHINE = 0.5
"""The part of the machine's memory that a query may take unless told otherwise."""

FOR_DUCKDB = 0.75
"""The part of a query's memory that DuckDB's tables and sorts may take; then they go to
disk. The rest is for the result, and for texts and lists, which DuckDB does not count.
"""

UNITS = {
    **{"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12},
    **{"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40},
}
SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)


@contextmanager
def ending(seconds: float | None, memory: int | None = None) -> Iterator[None]:
    """Let what reads in the block end on an interrupt, and at its limits.

    Parameters
    ----------
    seconds : float or None
        How long it may take.
    memory : int or None
        How many bytes the process may take more than it has now.

    Raises
    ------
    JevdbError
        It took longer, or more.
    """
    end = _End()
    with _interrupts_watched(end.done):
        watchers = [
            *([threading.Timer(seconds, end.of_time, (seconds,))] if seconds else []),
            *([threading.Thread(target=end.at, args=(memory,))] if memory else []),
        ]
        for each in watchers:
            each.daemon = True
            each.start()
        try:
            yield
        except (JevdbError, duckdb.Error, MemoryError) as error:
            if end.told is None and memory and _is_of_memory(error):
                end.told = _took_memory(memory)
            if end.told is not None:
                raise JevdbError(end.told) from error
            raise
        finally:
            end.done.set()
            for each in watchers:
                if isinstance(each, threading.Timer):
                    each.cancel()
                each.join()


class _End:
    """How a query comes to its end, and what is said if that is not its own."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.told: str | None = None

    def of_time(self, seconds: float) -> None:
        """End the query, whose time is over."""
        self._ask(_took_long(seconds), GRACE)

    def at(self, memory: int) -> None:
        """End the query when the process has taken so many bytes more."""
        before = held()
        while not self.done.wait(LOOKS):
            if held() - before > memory:
                self._ask(_took_memory(memory), LITTLE_GRACE)
                return

    def _ask(self, told: str, grace: float) -> None:
        self.told = told
        interrupt_queries()
        _end_by_force(self.done, 1, f"error: {told}", grace)


def default_timeout() -> float | None:
    """Return the limit where none is given: none for a person at a terminal."""
    return None if sys.stdout.isatty() else UNATTENDED


def memory_of(size: str | None) -> int | None:
    """Return the bytes that a size of memory means; None where there is no limit.

    Examples
    --------
    >>> memory_of("1.5GB"), memory_of("512 MiB"), memory_of("0")
    (1500000000, 536870912, None)

    Raises
    ------
    UsageError
        It is no size.
    """
    if size is None:
        machine = total()
        return int(OF_MACHINE * machine) if machine else None
    found = SIZE.fullmatch(size)
    unit = UNITS.get(found[2].upper()) if found else None
    if found is None or unit is None:
        raise UsageError(f"--memory {size!r} is no size; give one as 500MB or 2GB")
    return int(float(found[1]) * unit) or None


def _is_of_memory(error: BaseException) -> bool:
    missing = (MemoryError, duckdb.OutOfMemoryException)
    return any(isinstance(each, missing) for each in with_causes(error))


def _took_long(seconds: float) -> str:
    return (
        f"the query took longer than {seconds:g} s; give it more with --timeout "
        "SECONDS (0 is no limit)"
    )


def _took_memory(memory: int) -> str:
    return (
        f"the query took more than {memory / 10**6:,.0f} MB of memory; give it more "
        "with --memory SIZE (0 is no limit)"
    )


def _end_by_force(
    done: threading.Event, code: int, message: str, grace: float = GRACE
) -> None:
    if not done.wait(grace):
        os.write(2, f"{message}\n".encode())
        os._exit(code)


@contextmanager
def _interrupts_watched(done: threading.Event) -> Iterator[None]:
    """Have another thread see interrupts: this one may be where none reaches it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard, told = socket.socketpair()
    told.setblocking(False)
    before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(heard, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)
        told.close()
        watcher.join()
        heard.close()


def _watch(heard: socket.socket, done: threading.Event) -> None:
    for number in iter(partial(_one_byte, heard), None):
        if number == signal.SIGINT:
            interrupt_queries()
            _end_by_force(done, Interrupted.exit_code, f"\n{Interrupted(None)}")
            return


def _one_byte(heard: socket.socket) -> int | None:
    data = heard.recv(1)
    return data[0] if data else None
