"""Which data file cannot be read, and which run it holds, as the catalog knows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from jevdb.base.errors import JevdbError
from jevdb.base.text import short_id
from jevdb.lake.failures import Moved, first_line, is_lost
from jevdb.lake.tables import tables
from jevdb.warehouse.sqlfiles import quoted

if TYPE_CHECKING:
    from jevdb.lake.catalog import Catalog, Row

READ_ALL = "select count(*), bit_xor(hash(held)) from read_parquet({path}) as held"
FILES = """\
select f.path, f.record_count
from ducklake_data_file f
join ducklake_table t using (table_id)
where t.table_name = {table} and f.end_snapshot is null and t.end_snapshot is null"""
OWNERS = """\
select t.table_name, s.min_value, s.max_value
from ducklake_data_file f
join ducklake_table t using (table_id)
left join ducklake_column c
    on c.table_id = f.table_id and c.column_name = 'run_id' and c.end_snapshot is null
left join ducklake_file_column_stats s
    on s.data_file_id = f.data_file_id and s.column_id = c.column_id
where f.path = {name} or f.path like {ending}"""


class LakeFile(NamedTuple):
    """A data file, and how many rows the catalog says are in it."""

    path: str
    rows: int


def lake_files(lake: Catalog) -> Iterator[LakeFile]:
    """Give every data file of the lake's newest state."""
    for table in tables():
        rows = {
            PurePosixPath(str(path)).name: int(str(count))
            for path, count in lake.catalog_rows(FILES.format(table=quoted(table.name)))
        }
        for path in _paths(lake, table.name):
            yield LakeFile(path, rows[PurePosixPath(path).name])


def lake_paths(lake: Catalog) -> Iterator[str]:
    """Give where every data file of the lake's newest state is."""
    for table in tables():
        yield from _paths(lake, table.name)


def _paths(lake: Catalog, table: str) -> Iterator[str]:
    listed = lake.own("list_files", quoted(table))
    for (path,) in lake.rows(f"select data_file from {listed}"):
        yield str(path)


def read_whole(lake: Catalog, path: str) -> int:
    """Read every byte of a data file; return the number of its rows."""
    sql = READ_ALL.format(path=quoted(path))
    return int(lake.connection.execute(sql).fetchall()[0][0])


def unnamed_damage(lake: Catalog, error: duckdb.Error) -> JevdbError | None:
    """Return the error for a fault of which DuckDB does not say the file.

    Its Parquet reader names none where a page's own header is wrong ("Out of buffer").
    The first file that cannot be read is looked for: every file may be read.
    """
    if "ERROR:" in str(error) or is_lost(error):
        return None
    with suppress(JevdbError, Moved), lake.beside() as other:
        for path in list(lake_paths(other)):
            try:
                read_whole(other, path)
            except duckdb.Error as found:
                return damage(lake, path, first_line(found))
    return None


def damage(lake: Catalog, path: str, said: str) -> JevdbError:
    """Return the error for a data file that cannot be read: whose it is, what to do."""
    return JevdbError(
        f"{lake.target.name}: warehouse damaged: {owner(lake, path)}: file {path}: "
        f"{said}; restore the file from a backup of the lake's storage"
    )


def owner(lake: Catalog, path: str) -> str:
    """Return what a file holds: ``run ...``, several runs, or a table."""
    name = PurePosixPath(path).name
    found: Sequence[Row] = ()
    # The lake's own connection may be in a transaction that this fault has ended.
    with suppress(JevdbError, Moved), lake.beside() as other:
        found = other.catalog_rows(
            OWNERS.format(name=quoted(name), ending=quoted(f"%/{name}"))
        )
    if not found:
        return "a file the catalog does not know"
    table, first, last = found[0]
    if first is None:
        return f"table {table}"
    if first == last:
        return f"run {short_id(str(first))} in {table}"
    return f"runs from {short_id(str(first))} to {short_id(str(last))} in {table}"
