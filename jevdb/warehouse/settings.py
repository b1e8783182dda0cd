"""How DuckDB is set: for good, and for the length of a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jevdb.warehouse.database import Connection

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
}


def hide_progress(connection: Connection) -> None:
    """Keep DuckDB from drawing its progress bar on stdout, among the data.

    In a notebook without ipywidgets there is none, and the setting cannot be set.
    """
    is_drawn = "select current_setting('enable_progress_bar')"
    if connection.execute(is_drawn).fetchall()[0][0]:
        connection.execute("set enable_progress_bar = false")


@contextmanager
def one_thread(connection: Connection) -> Iterator[None]:
    """Have the whole database work with one thread: several wait for each other.

    They do so at a primary key's index: a million rows cost 1.7 seconds of processor
    time with one and 2.5 with two. They do so too, and keep the processor busy while
    they wait, where more processes work than there are processors.
    """
    [(before,)] = connection.execute("select current_setting('threads')").fetchall()
    if before == 1:
        yield
        return
    connection.execute("set threads = 1")
    try:
        yield
    finally:
        connection.execute(f"set threads = {before:d}")


@contextmanager
def without_log(connection: Connection) -> Iterator[None]:
    """Let a commit write the file itself, not a log that closing the file writes in."""
    connection.execute("set wal_autocheckpoint = '1B'")
    yield
    connection.execute("reset wal_autocheckpoint")
