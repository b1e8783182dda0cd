"""What a warehouse says of itself once it is open: makers, tables, room, checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.warehouse.checks import check_names, faults, read_whole
from jevdb.warehouse.contents import contents
from jevdb.warehouse.database import looked_into
from jevdb.warehouse.sqlfiles import query
from jevdb.warehouse.versions import Built, Fit, built_with

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class Table(NamedTuple):
    """A table: its rows, and the bytes of the blocks that hold some of them."""

    name: str
    rows: int
    bytes: int


class Inside(NamedTuple):
    """The contents of a file; ``faults`` counts them by check, None if none was run."""

    built: Built
    storage_version: str | None
    tables: tuple[Table, ...]
    free_bytes: int
    faults: dict[str, int] | None
    foreign: tuple[str, ...] = ()
    """Views, macros and others that stand where jevdb's should."""
    others: tuple[str, ...] = ()
    """Views, macros, tables and others of other names than jevdb's."""


def look_inside(connection: Connection, *, checking: bool) -> Inside:
    """Read the makers and sizes; where *checking*, also every cell, and run the checks.

    Checks are views, so they are run only where the file has those of this program.
    """
    held = contents(connection.execute)
    built = built_with(connection, held)
    seen = looked_into(connection) if built.fit is Fit.CURRENT else None
    foreign = () if seen is None else seen.strangers.in_the_way
    [(block_size, free_blocks)] = connection.execute(
        "select block_size, free_blocks from pragma_database_size()"
    ).fetchall()
    tables = tuple(_tables(connection, block_size))
    found = None
    if checking:
        read_whole(connection)
        if seen is not None and seen.is_own:
            found = {name: len(faults(connection, name)) for name in check_names()}
    storage = _storage_version(connection)
    return Inside(
        built,
        storage,
        tables,
        block_size * free_blocks,
        found,
        tuple(map(str, foreign)),
        () if seen is None else tuple(map(str, seen.strangers.others)),
    )


def _storage_version(connection: Connection) -> str | None:
    found = connection.execute(
        "select tags['storage_version'] from duckdb_databases() "
        "where database_name = current_database()"
    ).fetchall()
    return None if not found or found[0][0] is None else str(found[0][0])


def _tables(connection: Connection, block_size: int) -> list[Table]:
    names = connection.execute(
        "select table_name from duckdb_tables() where schema_name = 'main' "
        "and database_name = current_database() order by table_name"
    ).fetchall()
    tables = []
    for (name,) in names:
        [(rows, blocks)] = connection.execute(
            query("diagnosing/table_blocks"), {"table": name}
        ).fetchall()
        tables.append(Table(name, rows, blocks * block_size))
    return tables
