"""A query that ends: when it is interrupted, and when its time is over.

DuckDB's queries listen to both, but not everywhere in them: what does not listen within
`GRACE` is left in a process that is ended. A reader leaves nothing behind.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import duckdb

from jevdb.base.errors import Interrupted, JevdbError
from jevdb.warehouse.interrupts import interrupt_queries

GRACE = 0.6
"""Seconds that a query has to end after it was asked to."""

UNATTENDED = 60.0
"""Seconds that a query may take where nobody sits before it to end it."""


@contextmanager
def ending(seconds: float | None) -> Iterator[None]:
    """Let what reads in the block end on an interrupt, and after some seconds.

    Raises
    ------
    JevdbError
        The time is over. Without *seconds* there is no limit.
    """
    is_over = threading.Event()
    done = threading.Event()
    with _interrupts_watched(done):
        clock = threading.Timer(seconds or 0, _end, (is_over, done, seconds))
        clock.daemon = True
        if seconds:
            clock.start()
        try:
            yield
        except (JevdbError, duckdb.Error) as error:
            if is_over.is_set():
                raise JevdbError(_told(seconds)) from error
            raise
        finally:
            done.set()
            clock.cancel()


def default_timeout() -> float | None:
    """Return the limit where none is given: none for a person at a terminal."""
    return None if sys.stdout.isatty() else UNATTENDED


def _told(seconds: float | None) -> str:
    return (
        f"the query took longer than {seconds:g} s; give it more with --timeout "
        "SECONDS (0 is no limit)"
    )


def _end(is_over: threading.Event, done: threading.Event, seconds: float) -> None:
    is_over.set()
    interrupt_queries()
    _end_by_force(done, 1, f"error: {_told(seconds)}")


def _end_by_force(done: threading.Event, code: int, message: str) -> None:
    if not done.wait(GRACE):
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
