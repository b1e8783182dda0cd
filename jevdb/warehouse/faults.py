"""DuckDB's faults of file, lock and disk, in jevdb's words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from jevdb.base.errors import BusyError, JevdbError, SchemaError
from jevdb.base.stored_values import UnfitValue
from jevdb.base.wording import either, option
from jevdb.warehouse.cache import is_mirror

DISK = re.compile(r'Could not (write|truncate|sync|fsync) file "([^"]*)": ([^"\n]*)')
RESTORE = "restore a backup into a new file: " + either(
    "`jevdb.restore`", "`jevdb --db NEW restore BUNDLE`"
)
VERSION = either("`jevdb.__version__`", "`jevdb --version`")
REBUILD = "delete it: it mirrors a lake, and is made anew"
IN_MEMORY = "Cannot launch in-memory database in read-only mode"
"""What DuckDB says of a file that it would show as a view, were it to write."""
NO_DATABASE = ("not a valid DuckDB database file", "sqlite_scanner", IN_MEMORY)
"""DuckDB would open a file of SQLite with an extension, which jevdb never loads."""
CUT_SHORT = "Could not read enough bytes"


@contextmanager
def translated_errors(path: Path) -> Iterator[None]:
    """Turn DuckDB's faults of file, lock and disk into jevdb's; leave the others."""
    try:
        yield
    except UnfitValue as error:
        raise _named(path, error) from error
    except duckdb.Error as error:
        message = str(error)
        if is_of_disk(error) or IN_MEMORY in message:
            raise _io_error(path, message) from error
        if isinstance(error, duckdb.FatalException):
            raise SchemaError(f"{path}: {first_line(message)}") from error
        if isinstance(error, duckdb.OutOfMemoryException):
            raise JevdbError(
                f"{path}: out of memory or temporary disk: {first_line(message)}"
            ) from error
        raise


@contextmanager
def told_what_is_gone(path: Path, lacks: Callable[[], bool]) -> Iterator[None]:
    """Say of a statement of ours that DuckDB cannot bind whose fault that is.

    The file is damaged where it *lacks* a table, view or macro as jevdb makes it; where
    it does not, the statement is wrong.
    """
    try:
        yield
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        if lacks():
            raise _damaged(path, error) from error
        raise JevdbError(
            f"{path}: the file is whole, but a statement of jevdb's does not fit it: "
            f"{first_line(error)}; this is a fault of jevdb: report it with what you "
            f"asked and {VERSION}"
        ) from error


def is_of_disk(error: duckdb.Error) -> bool:
    """Whether the disk failed, or is full: a commit says so in an error of its own."""
    return isinstance(error, duckdb.IOException) or bool(DISK.search(str(error)))


def no_database(path: Path) -> SchemaError:
    """Return the error of a file that DuckDB does not know."""
    with_path = option("path", shell="db")
    told = REBUILD if is_mirror(path) else f"name a warehouse with {with_path}"
    return SchemaError(f"{path}: not a DuckDB file; {told}")


def remedy(path: Path) -> str:
    """Return what brings a damaged warehouse back."""
    return REBUILD if is_mirror(path) else RESTORE


def _named(path: Path, error: UnfitValue) -> SchemaError:
    """Put the file's name before what is wrong with its JSON, unless it is there."""
    told = error.in_shell
    return SchemaError(told if told.startswith(f"{path}: ") else f"{path}: {told}")


def _damaged(path: Path, error: object) -> JevdbError:
    return JevdbError(f"{path}: damaged: {first_line(error)}; {remedy(path)}")


def _io_error(path: Path, message: str) -> JevdbError:
    if "Could not set lock" in message:
        pid = re.search(r"PID (\d+)", message)
        program = re.search(r"Conflicting lock is held in (.*?) \(PID ", message)
        who = f"process {pid[1]}" if pid else "another process"
        detail = f" ({Path(program[1]).name})" if program else ""
        return BusyError(f"{path}: held by {who}{detail}; try again when it is done")
    if any(sign in message for sign in NO_DATABASE):
        return no_database(path)
    if "version number" in message and "can only read" in message:
        return SchemaError(f"{path}: written by a newer DuckDB; upgrade duckdb")
    if failed := DISK.search(message):
        return JevdbError(f"cannot {failed[1]} {failed[2]}: {failed[3]}")
    if "Corrupt database file" in message or CUT_SHORT in message:
        return _damaged(path, message)
    is_forbidden = "Permission denied" in message
    told = _forbidden(path) if is_forbidden else first_line(message)
    return JevdbError(f"{path}: {told}")


def _forbidden(path: Path) -> str:
    """Return what this user may not do with a file, and what to do about it."""
    if os.access(path, os.R_OK):
        return (
            "this user may not write to it, which to store and to upgrade an older "
            "file needs; ask its owner, or work on a copy"
        )
    return "this user may not read it; ask its owner, or have the owner make a bundle"


def first_line(error: object) -> str:
    """Return what an error says before its details."""
    return str(error).strip().splitlines()[0]
