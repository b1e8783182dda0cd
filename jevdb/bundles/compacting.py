"""Rewriting a warehouse into a file without holes, in its place and in one step."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from jevdb.base.errors import JevdbError
from jevdb.scoring.adhoc import sql_error
from jevdb.warehouse.connecting import LOCK_TIMEOUT, log_of
from jevdb.warehouse.database import open_writer
from jevdb.warehouse.faults import is_of_disk
from jevdb.warehouse.files import as_private_as, sync
from jevdb.warehouse.new_files import drop_database
from jevdb.warehouse.sqlfiles import identifier, quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class Compacted(NamedTuple):
    """The size of the file before and after, in bytes."""

    before: int
    after: int


def compact(
    path: Path,
    *,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: Callable[[str], None] | None = None,
) -> Compacted:
    """Rewrite the warehouse at *path*; tables, views, comments and macros stay.

    The new file is whole before it takes the old one's name, and a kill leaves the one
    or the other. Each is locked while its name can be opened: nobody writes into the
    file that goes, or finds its log beside the file that comes.

    Raises
    ------
    BusyError
        Somebody, a reader too, held the file for longer than *lock_timeout* seconds.
    JevdbError
        There is no room for the new file, or the old one holds what DuckDB cannot copy.
    """
    target = Path(os.path.realpath(path))
    built = target.with_name(f".{target.name}.compacting")
    with open_writer(
        path, lock_timeout=lock_timeout, on_wait=on_wait, outward=True
    ) as connection:
        before = target.stat().st_size
        # We hold the lock, so a file of that name is of one that was killed.
        drop_database(built)
        try:
            _rewrite(connection, target, built)
        finally:
            drop_database(built)
    return Compacted(before, target.stat().st_size)


def _rewrite(connection: Connection, target: Path, built: Path) -> None:
    old = connection.execute("select current_database()").fetchall()[0][0]
    new = f"{old} compacted"
    connection.execute(f"attach {quoted(str(built))} as {identifier(new)}")
    as_private_as(target, built)
    try:
        connection.execute(f"copy from database {identifier(old)} to {identifier(new)}")
    except duckdb.Error as error:
        if is_of_disk(error) or isinstance(error, duckdb.OutOfMemoryException):
            raise
        raise JevdbError(f"{target}: cannot be copied: {sql_error(error)}") from error
    for database in (old, new):
        connection.execute(f"checkpoint {identifier(database)}")
    if log_of(target).exists() or log_of(built).exists():
        raise JevdbError(f"{target}: its log could not be written into it")
    shutil.copymode(target, built)
    built.replace(target)
    sync(target.parent)
    connection.execute(f"use {identifier(new)}")
    connection.execute(f"detach {identifier(old)}")
