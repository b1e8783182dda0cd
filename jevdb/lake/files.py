"""Data files of a lake: written under names nobody else uses, then registered.

DuckLake takes a commit whose answer was lost for failed and deletes the files that it
wrote itself. Files that were registered are not its own to delete.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from jevdb.lake.tables import REVISIONS
from jevdb.warehouse.files import sync
from jevdb.warehouse.sqlfiles import identifier, quoted

if TYPE_CHECKING:
    from jevdb.lake.connecting import Lake
    from jevdb.warehouse.database import Connection

COLUMNS = """\
select table_name, column_name, data_type, is_nullable
from duckdb_columns()
where database_name = current_database() and schema_name = 'main' and not internal
order by table_name, column_index"""
NO_ROW = "nothing here"


class Column(NamedTuple):
    """A column, as both the warehouse and the lake declare it."""

    name: str
    kind: str
    is_nullable: bool


class DataFile(NamedTuple):
    """A file that was written, and whose it is."""

    table: str
    path: str


def columns(warehouse: Connection) -> dict[str, list[Column]]:
    """Return the columns of jevdb's tables in a warehouse, in their order."""
    from jevdb.schema import metadata

    known = {*metadata.tables, REVISIONS}
    found: dict[str, list[Column]] = {}
    for table, *column in warehouse.execute(COLUMNS).fetchall():
        if table in known:
            found.setdefault(table, []).append(Column(*column))
    return found


def write_file(
    lake: Lake, warehouse: Connection, table: str, sql: str, kinds: list[Column]
) -> DataFile | None:
    """Write what *sql* finds in the warehouse as a data file of a table, if anything.

    The file is whole, and on the disk, before anybody is told of it.
    """
    place = f"{lake.data.rstrip('/')}/main/{table}"
    is_local = "://" not in place
    written = DataFile(table, f"{place}/jevdb-{uuid4()}.parquet")
    casts = ", ".join(
        f"cast({identifier(name)} as {kind}) as {identifier(name)}"
        for name, kind, _ in kinds
    )
    rows = warehouse.execute(sql).to_arrow_reader()
    lake.connection.register("outgoing", rows)
    try:
        with lake.told():
            if is_local:
                _make_folder(Path(place))
            found = lake.connection.execute(
                f"copy (select {casts} from outgoing) to {quoted(written.path)} "
                "(format parquet, compression zstd)"
            ).fetchall()
    except BaseException:
        discard([written])
        raise
    finally:
        lake.connection.unregister("outgoing")
    if not found[0][0]:
        discard([written])
        return None
    if is_local:
        sync(Path(written.path))
        sync(Path(place))
    return written


def _make_folder(path: Path) -> None:
    from jevdb.errors import JevdbError

    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JevdbError(
            f"the lake's storage refused {path}: {error.strerror}; "
            "nothing was published"
        ) from error


def register(lake: Lake, files: Iterable[DataFile]) -> None:
    """Make the files part of their tables, in the transaction that is under way."""
    for table, path in files:
        lake.rows(f"call {lake.own('add_data_files', quoted(table), quoted(path))}")


def discard(files: Iterable[DataFile]) -> None:
    """Remove files that no commit can know of; in an object store they are orphans."""
    for _, path in files:
        if "://" not in path:
            with suppress(OSError):
                Path(path).unlink()
