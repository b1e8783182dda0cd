"""How DuckDB is set: for good, and for the length of a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import duckdb

from jevdb.base.memory import address_space

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

Settings = dict[str, str | bool | int | float | list[str]]
SETTINGS: Settings = {"autoinstall_known_extensions": "false"}
ONE_THREAD: Settings = SETTINGS | {"threads": 1}
"""For what is little, and where more processes work than there are processors: several
threads wait for each other, and keep a processor busy while they wait."""
WHOLE = "1000TB"
"""More than any result: the limit of memory is what ends one that is too large."""

Wanted = dict[str, bool | str]
SHUT: Wanted = {
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "enable_external_access": False,
}
LOCKED: Wanted = {"timezone": "UTC", "lock_configuration": True}


def shut(connection: Connection) -> None:
    """Keep the connection from every other file, the network, extensions and Python."""
    _have(connection, SHUT)


def is_shut(connection: Connection) -> bool:
    """Whether the connection can reach no other file."""
    return _setting(connection, "enable_external_access") is False


def lock(connection: Connection) -> None:
    """Keep every statement from changing a setting, for good."""
    _have(connection, LOCKED)


def _have(connection: Connection, wanted: Wanted) -> None:
    """Set what is wanted, for every connection that this process has to the file.

    They share one database: another of them may have set and locked it before.
    """
    for name, value in wanted.items():
        try:
            connection.execute(f"set global {name} = '{value}'")
        except duckdb.InvalidInputException:
            if _setting(connection, name) != value:
                raise


def _setting(connection: Connection, name: str) -> object:
    asked = f"select system.main.current_setting('{name}')"
    return connection.execute(asked).fetchall()[0][0]


def limit_memory(connection: Connection, most: str) -> None:
    """Give a database no more memory than *most*; a lower limit stays."""
    sizes = "select parse_formatted_bytes($most) < parse_formatted_bytes("
    asked = f"{sizes}system.main.current_setting('memory_limit'))"
    if connection.execute(asked, {"most": most}).fetchall()[0][0]:
        connection.execute(f"set memory_limit = '{most}'")


def hide_progress(connection: Connection) -> None:
    """Keep DuckDB from drawing its progress bar on stdout, among the data.

    In a notebook without ipywidgets there is none, and the setting cannot be set; nor
    can it where another connection of this process locked the settings.
    """
    if _setting(connection, "enable_progress_bar"):
        with suppress(duckdb.InvalidInputException):
            connection.execute("set enable_progress_bar = false")


def hold_results(connection: Connection) -> None:
    """Let a result wait whole for its reader.

    Python reads results while they are computed, and DuckDB pauses what fills its
    buffer of a megabyte. The branches of a union come one after another, and DuckDB
    1.5.5 knows that the reader's turn has come only in the last of them: before it, a
    full buffer waits for ever and hears no interrupt, mostly with one thread, at times
    with more. Where another connection of this process locked the settings it cannot
    be set.
    """
    with suppress(duckdb.InvalidInputException):
        connection.execute(f"set streaming_buffer_size = '{WHOLE}'")


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


def use_processors(connection: Connection) -> None:
    """Have a database use every processor, unless addresses are too few for stacks."""
    if address_space() is None:
        connection.execute("reset threads")


@contextmanager
def all_threads(connection: Connection) -> Iterator[None]:
    """Have a database that works with one thread use every processor for a while."""
    use_processors(connection)
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
