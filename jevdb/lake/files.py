"""Data files of a lake: written under names nobody else uses, then registered.

DuckLake takes a commit whose answer was lost for failed and deletes the files that it
wrote itself. Files that were registered are not its own to delete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

import duckdb

from jevdb.lake.failures import refused_storage
from jevdb.lake.tables import REVISIONS
from jevdb.warehouse.files import shared_as, sync
from jevdb.warehouse.sqlfiles import quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.lake.connecting import Lake

COLUMNS = """\
select table_name, column_name, data_type, is_nullable
from duckdb_columns()
where database_name = current_database() and schema_name = 'main' and not internal
order by table_name, column_index"""
PARQUET = "(format parquet, compression zstd)"


class Column(NamedTuple):
    """A column, as both the warehouse and the lake declare it."""

    name: str
    kind: str
    is_nullable: bool


class DataFile(NamedTuple):
    """A file that was written, and whose it is."""

    table: str
    path: str

    @property
    def is_local(self) -> bool:
        """Whether the file is on a disk, and not in an object store."""
        return "://" not in self.path


def columns(warehouse: Connection) -> dict[str, list[Column]]:
    """Return the columns of jevdb's tables in a warehouse, in their order."""
    from jevdb.warehouse.schema import metadata

    known = {*metadata.tables, REVISIONS}
    found: dict[str, list[Column]] = {}
    for table, *column in warehouse.execute(COLUMNS).fetchall():
        if table in known:
            found.setdefault(table, []).append(Column(*column))
    return found


def write_file(lake: Lake, warehouse: Connection, table: str, sql: str) -> DataFile:
    """Write what *sql* finds in the warehouse as a data file of a table.

    The warehouse declares the columns as the lake does, which takes no others.
    """
    place = f"{lake.data.rstrip('/')}/main/{table}"
    written = DataFile(table, f"{place}/jevdb-{uuid4()}.parquet")
    try:
        if written.is_local:
            _make_folders(Path(lake.data), table)
            _copy(warehouse, sql, written.path)
            shared_as(Path(lake.data), Path(written.path))
            return written
        with TemporaryDirectory(prefix="jevdb-") as folder:
            passing = f"{folder}/{table}.parquet"
            _copy(warehouse, sql, passing)
            rows = f"from read_parquet({quoted(passing)})"
            _copy(lake.connection, rows, written.path)
    except OSError as error:
        raise refused_storage(place, error.strerror) from error
    except duckdb.Error as error:
        discard([written])
        raise refused_storage(place, error) from error
    return written


def _make_folders(data: Path, table: str) -> None:
    data.mkdir(parents=True, exist_ok=True)
    for folder in (data / "main", data / "main" / table):
        if not folder.is_dir():
            folder.mkdir(exist_ok=True)
            shared_as(data, folder)


def share(lake: Lake, paths: Iterable[str]) -> None:
    """Let the group of the lake's folder have files that DuckLake wrote itself."""
    for path in paths:
        if "://" not in path:
            with suppress(FileNotFoundError):
                shared_as(Path(lake.data), Path(path))


def _copy(connection: Connection, sql: str, path: str) -> None:
    connection.execute(f"copy ({sql}) to {quoted(path)} {PARQUET}").fetchall()


@contextmanager
def unless_it_fails(lake: Lake, files: list[DataFile]) -> Iterator[None]:
    """Remove the files if the block fails, unless a commit may know of them."""
    try:
        yield
    except BaseException:
        if not lake.may_stand:
            discard(files)
        raise


def keep_on_disk(files: Iterable[DataFile]) -> None:
    """Have the disk hold the files, before anybody is told of them."""
    paths = [Path(file.path) for file in files if file.is_local]
    with ThreadPoolExecutor(max_workers=8) as threads:
        list(threads.map(_sync, [*paths, *{path.parent for path in paths}]))


def _sync(path: Path) -> None:
    try:
        sync(path)
    except OSError as error:
        raise refused_storage(str(path), error.strerror) from error


def register(lake: Lake, files: Iterable[DataFile]) -> None:
    """Make the files part of their tables, in the transaction that is under way."""
    for table, path in files:
        lake.rows(f"call {lake.own('add_data_files', quoted(table), quoted(path))}")


def discard(files: Iterable[DataFile]) -> None:
    """Remove files that no commit knows of; in an object store they are orphans."""
    for file in files:
        if file.is_local:
            with suppress(OSError):
                Path(file.path).unlink()
