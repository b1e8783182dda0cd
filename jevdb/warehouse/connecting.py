"""Connecting: the only module that does, to a file or to a database in memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from jevdb.base.errors import BusyError, SchemaError, UsageError
from jevdb.base.memory import for_duckdb
from jevdb.base.wording import either, option
from jevdb.warehouse.faults import no_database, translated_errors
from jevdb.warehouse.interrupts import follow, raise_if_interrupted
from jevdb.warehouse.private import is_private, spill_privately
from jevdb.warehouse.settings import SETTINGS, Settings, hide_progress, hold_results
from jevdb.warehouse.upgrading import create_macros

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

PLACE = "select path from system.main.duckdb_databases() where not internal"
LOCK_TIMEOUT = 30.0
POLL_SECONDS = 0.05
IN_MEMORY_NAME = ":memory:"

OnWait = Callable[[str], None]


def connect(
    path: Path,
    read_only: bool,
    lock_timeout: float,
    on_wait: OnWait | None,
    settings: Settings = SETTINGS,
) -> Connection:
    """Open a database file, once nobody else holds it; the caller closes it.

    Raises
    ------
    BusyError
        Another process held it for longer than *lock_timeout* seconds.
    SchemaError
        It is no database of DuckDB, or a folder, a pipe, a device.
    """
    if path.exists() and not path.is_file():
        # Opening a pipe would wait for whoever writes into it.
        raise no_database(path)
    deadline = time.monotonic() + lock_timeout
    told = False
    while True:
        before = _inode(path)
        try:
            with translated_errors(path):
                connection = duckdb.connect(
                    path, read_only=read_only, config=for_duckdb() | settings
                )
            _require_database(connection, path)
            if before is not None and _inode(path) != before:
                # `jevdb compact` put a new file in the place of the one we locked.
                connection.close()
                continue
            hide_progress(connection)
            hold_results(connection)
            follow(connection)
            if is_private(path):
                spill_privately(connection)
            return connection
        except BusyError as busy:
            raise_if_interrupted()
            if time.monotonic() >= deadline:
                raise
            if on_wait and not told:
                on_wait(f"waiting: {busy}")
                told = True
            time.sleep(POLL_SECONDS)


def in_memory(settings: Settings = SETTINGS) -> Connection:
    """Open a database in memory that holds nothing."""
    connection = duckdb.connect(config=for_duckdb() | settings)
    follow(connection)
    hide_progress(connection)
    hold_results(connection)
    spill_privately(connection)
    return connection


def open_scratch() -> Connection:
    """Open a database in memory that knows the program's macros and holds no data."""
    connection = in_memory()
    create_macros(connection)
    return connection


def log_of(path: Path) -> Path:
    """Return where DuckDB keeps what is committed and not yet in the file itself."""
    return path.with_name(f"{path.name}.wal")


def require_file_name(path: Path | str) -> None:
    """Refuse the name by which DuckDB means no file at all."""
    if str(path).startswith(IN_MEMORY_NAME):
        raise UsageError(
            f"{path}: a warehouse in memory would be gone with this command; name a "
            f"file with {option('path', shell='db')}"
        )


def require_file(path: Path) -> None:
    """Refuse a path where there is no file yet."""
    if not path.exists():
        raise SchemaError(
            f"{path}: no such warehouse; create it with "
            f"{either('read_only=False', '`jevdb init`')} or name another with "
            f"{option('path', shell='db')}"
        )


def _require_database(connection: Connection, path: Path) -> None:
    """Refuse what DuckDB opened in memory, as a view of a CSV or JSON file.

    We do not look into the file ourselves: closing it would give up the locks that
    another connection of this process has on it.
    """
    [(place,)] = connection.execute(PLACE).fetchall()
    if place is None:
        connection.close()
        raise no_database(path)


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None
