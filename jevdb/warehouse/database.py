"""Opening, creating and upgrading a warehouse file: the only module that connects."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from jevdb.base.connection import Connection
from jevdb.base.errors import BusyError, SchemaError
from jevdb.base.wording import either, option
from jevdb.warehouse.faults import (
    first_line,
    no_database,
    told_what_is_gone,
    translated_errors,
)
from jevdb.warehouse.files import put_new
from jevdb.warehouse.settings import SETTINGS, Settings, hide_progress
from jevdb.warehouse.upgrading import create_macros, upgrade
from jevdb.warehouse.versions import is_outdated

LOCK_TIMEOUT = 30.0
POLL_SECONDS = 0.05

OnWait = Callable[[str], None]
Offer = Callable[[Connection], bool]
_offers: dict[int, Offer] = {}


@contextmanager
def open_reader(
    path: Path, *, lock_timeout: float = LOCK_TIMEOUT, on_wait: OnWait | None = None
) -> Iterator[Connection]:
    """Open a warehouse read-only, upgrading it first where it is older than we are.

    Raises
    ------
    SchemaError
        The file is missing, is no warehouse, is newer than this program, or is older
        and cannot be written to.
    BusyError
        A writer held the file for longer than *lock_timeout* seconds.
    """
    require_file(path)
    connection = _connect(path, True, lock_timeout, on_wait)
    try:
        with translated_errors(path):
            # Another program may upgrade, or compact, before we have the file again.
            while is_outdated(connection, path):
                connection.close()
                with open_writer(path, lock_timeout=lock_timeout, on_wait=on_wait):
                    pass
                connection = _connect(path, True, lock_timeout, on_wait)
            with told_what_is_gone(path):
                yield connection
    finally:
        connection.close()


@contextmanager
def open_as_it_is(path: Path) -> Iterator[Connection]:
    """Open a database read-only whatever it is, without waiting or upgrading.

    Raises the errors of `open_reader`, but not that its schema does not fit.
    """
    require_file(path)
    connection = _connect(path, True, 0, None)
    try:
        with translated_errors(path), told_what_is_gone(path):
            yield connection
    finally:
        connection.close()


@contextmanager
def open_writer(
    path: Path,
    *,
    create: bool = False,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
    settings: Settings = SETTINGS,
) -> Iterator[Connection]:
    """Open a warehouse for writing, at the newest schema and with today's views.

    Raises the errors of `open_reader`; a missing file is one unless *create*.
    """
    if create and not path.exists():
        # Two may create it at once: the second finds the first's.
        with suppress(FileExistsError), new_file(path) as created:
            upgrade(created)
    require_file(path)
    connection = _connect(path, False, lock_timeout, on_wait, settings)
    try:
        with translated_errors(path):
            if is_outdated(connection, path):
                _upgrade(connection, path)
            with told_what_is_gone(path):
                yield connection
    finally:
        connection.close()


def _upgrade(connection: Connection, path: Path) -> None:
    try:
        upgrade(connection)
    except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.FatalException):
        raise
    except duckdb.Error as error:
        raise SchemaError(
            f"{path}: its tables are not those of a jevdb warehouse, so it cannot be "
            f"brought up to date; it is as it was. {first_line(error)}"
        ) from error


@contextmanager
def new_file(path: Path) -> Iterator[Connection]:
    """Give an empty database to fill; the file stands at *path* once it is whole.

    Raises the errors of `building`.
    """
    with building(path) as built, filling(built, path) as connection:
        yield connection


@contextmanager
def building(path: Path) -> Iterator[Path]:
    """Give a place to build a database at; the file stands at *path* once it is whole.

    Raises
    ------
    FileExistsError
        There is a file by now, which stays as it is.
    SchemaError
        The log of another database lies where this one's would.
    """
    target = Path(os.path.realpath(path))
    built = target.with_name(f".{target.name}.{os.getpid()}")
    _require_room(path, target)
    drop_database(built)
    try:
        yield built
        put_new(built, target)
    finally:
        drop_database(built)


@contextmanager
def filling(built: Path, path: Path) -> Iterator[Connection]:
    """Open what is being built for *path*, and leave no log of it behind."""
    connection = _connect(built, False, 0, None)
    try:
        with translated_errors(path):
            yield connection
            connection.execute("checkpoint")
    finally:
        connection.close()


def _require_room(path: Path, target: Path) -> None:
    if target.exists():
        raise FileExistsError(path)
    if not target.parent.is_dir():
        raise SchemaError(f"{path}: no such folder")
    if log_of(target).exists():
        raise SchemaError(
            f"{log_of(path)}: the log of a database that is gone; move it away first"
        )


def log_of(path: Path) -> Path:
    """Return where DuckDB keeps what is committed and not yet in the file itself."""
    return path.with_name(f"{path.name}.wal")


def drop_database(path: Path) -> None:
    """Remove a database file that nobody else has seen, and its log."""
    path.unlink(missing_ok=True)
    log_of(path).unlink(missing_ok=True)


def open_scratch() -> Connection:
    """Open a database in memory that knows the program's macros and holds no data."""
    connection = duckdb.connect(config=SETTINGS)
    hide_progress(connection)
    create_macros(connection)
    return connection


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Commit what the block did, or nothing of it.

    Where it is offered elsewhere first (`offering`), the offer has to be taken.
    """
    connection.execute("begin transaction")
    try:
        yield
        offer = _offers.get(id(connection))
        is_kept = offer is None or offer(connection)
    except BaseException:
        # An error inside COMMIT has already ended the transaction, or the database.
        with suppress(duckdb.Error):
            connection.execute("rollback")
        raise
    connection.execute("commit" if is_kept else "rollback")


@contextmanager
def offering(connection: Connection, offer: Offer) -> Iterator[None]:
    """Let *offer* see every transaction of a connection before it commits.

    What it raises ends the transaction, and False takes it back: the rows stand
    elsewhere, and come from there.
    """
    _offers[id(connection)] = offer
    try:
        yield
    finally:
        del _offers[id(connection)]


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
    [(place,)] = connection.execute(
        "select path from duckdb_databases() where database_name = current_database()"
    ).fetchall()
    if place is None:
        connection.close()
        raise no_database(path)


def _connect(
    path: Path,
    read_only: bool,
    lock_timeout: float,
    on_wait: OnWait | None,
    settings: Settings = SETTINGS,
) -> Connection:
    deadline = time.monotonic() + lock_timeout
    told = False
    while True:
        before = _inode(path)
        try:
            with translated_errors(path):
                connection = duckdb.connect(path, read_only=read_only, config=settings)
            _require_database(connection, path)
            if before is not None and _inode(path) != before:
                # `jevdb compact` put a new file in the place of the one we locked.
                connection.close()
                continue
            hide_progress(connection)
            return connection
        except BusyError as busy:
            if time.monotonic() >= deadline:
                raise
            if on_wait and not told:
                on_wait(f"waiting: {busy}")
                told = True
            time.sleep(POLL_SECONDS)


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None
