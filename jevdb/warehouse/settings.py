"""How DuckDB is set: for good, and for the length of a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import duckdb

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

Settings = dict[str, str | bool | int | float | list[str]]
SETTINGS: Settings = {"autoinstall_known_extensions": "false"}
ONE_THREAD: Settings = SETTINGS | {"threads": 1}
"""For what is little, and where more processes work than there are processors: several
threads wait for each other, and keep a processor busy while they wait."""


SHUT = (
    "set autoload_known_extensions = false",
    "set python_enable_replacements = false",
    "set enable_external_access = false",
)
LOCKED = ("set timezone = 'UTC'", "set lock_configuration = true")


def shut(connection: Connection) -> None:
    """Keep the connection from every other file, the network, extensions and Python."""
    for statement in SHUT:
        connection.execute(statement)


def lock(connection: Connection) -> None:
    """Keep every statement from changing a setting, for good."""
    for statement in LOCKED:
        connection.execute(statement)


def hide_progress(connection: Connection) -> None:
    """Keep DuckDB from drawing its progress bar on stdout, among the data.

    In a notebook without ipywidgets there is none, and the setting cannot be set.
    """
    is_drawn = "select system.main.current_setting('enable_progress_bar')"
    if connection.execute(is_drawn).fetchall()[0][0]:
        connection.execute("set enable_progress_bar = false")


@contextmanager
def one_thread(connection: Connection) -> Iterator[None]:
    """Have the whole database work with one thread: several wait for each other.

    They do so at a primary key's index: a million rows cost 1.7 seconds of processor
    time with one and 2.5 with two.
    """
    [(before,)] = connection.execute("select current_setting('threads')").fetchall()
    if before == 1:
        yield
        return
    connection.execute("set threads = 1")
    try:
        yield
    finally:
        _set_threads(connection, before)


@contextmanager
def all_threads(connection: Connection) -> Iterator[None]:
    """Have a database that works with one thread use every processor for a while."""
    connection.execute("reset threads")
    try:
        yield
    finally:
        _set_threads(connection, 1)


def _set_threads(connection: Connection, number: int) -> None:
    # What broke the database for good has been said already.
    with suppress(duckdb.Error):
        connection.execute(f"set threads = {number:d}")


@contextmanager
def without_log(connection: Connection) -> Iterator[None]:
    """Let a commit write the file itself, not a log that closing the file writes in."""
    connection.execute("set wal_autocheckpoint = '1B'")
    yield
    connection.execute("reset wal_autocheckpoint")
