"""New database files: built beside their place, and put there once they are whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.base.errors import JevdbError, SchemaError
from jevdb.warehouse.blank import fill, keep_blank, kept_blank
from jevdb.warehouse.connecting import connect, log_of, require_file_name
from jevdb.warehouse.faults import translated_errors
from jevdb.warehouse.files import clear_leftovers, put_new
from jevdb.warehouse.interrupts import interrupts_held

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.warehouse.inspection import Fill


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
    require_file_name(path)
    target = Path(os.path.realpath(path))
    built = target.with_name(f".{target.name}.{os.getpid()}")
    _require_room(path, target)
    clear_leftovers(target)
    drop_database(built)
    try:
        yield built
        put_new(built, target)
    finally:
        drop_database(built)


@contextmanager
def filling(built: Path, path: Path) -> Iterator[Connection]:
    """Open what is being built for *path*, and leave no log of it behind."""
    with (
        interrupts_held(),
        closing(connect(built, False, 0, None)) as connection,
        translated_errors(path),
    ):
        yield connection
        connection.execute("checkpoint")


@contextmanager
def filling_blank(built: Path, path: Path) -> Iterator[Connection]:
    """Open a blank warehouse that is made at *built*, to be filled for *path*."""
    _put_blank(built, path)
    with filling(built, path) as connection:
        yield connection


@contextmanager
def stored(fill: Fill | None) -> Iterator[Connection]:
    """Give a warehouse as a file has it: DuckDB writes views otherwise than it reads.

    It is a blank one, or what *fill* makes of that.
    """
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="jevdb-") as folder:
        path = Path(folder) / "made.duckdb"
        if fill is None:
            _put_blank(path, path)
        else:
            with filling_blank(path, path) as connection:
                fill(connection)
        with closing(connect(path, True, 0, None)) as connection:
            yield connection


def drop_database(path: Path) -> None:
    """Remove a database file that nobody else has seen, and its log."""
    path.unlink(missing_ok=True)
    log_of(path).unlink(missing_ok=True)


def _put_blank(built: Path, path: Path) -> None:
    if (data := kept_blank()) is None:
        with filling(built, path) as connection:
            fill(connection)
        keep_blank(built.read_bytes())
        return
    try:
        built.write_bytes(data)
    except OSError as error:
        raise JevdbError(f"cannot write {built}: {error.strerror}") from error


def _require_room(path: Path, target: Path) -> None:
    if target.exists():
        raise FileExistsError(path)
    if not target.parent.is_dir():
        raise SchemaError(f"{path}: no such folder")
    if log_of(target).exists():
        raise SchemaError(
            f"{log_of(path)}: the log of a database that is gone; move it away first"
        )
