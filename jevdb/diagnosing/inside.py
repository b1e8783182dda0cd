"""What a warehouse says of itself once it is open: makers, tables, room, checks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from jevdb.warehouse.checks import check_names, faults, read_whole
from jevdb.warehouse.contents import Strangers, Thing, contents
from jevdb.warehouse.database import looked_into
from jevdb.warehouse.sqlfiles import query
from jevdb.warehouse.versions import Built, Fit, built_with

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


UNREAD = (Fit.EMPTY, Fit.FOREIGN)
NOTHING_SEEN = Strangers()


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
    seen = NOTHING_SEEN if built.fit in UNREAD else looked_into(connection).strangers
    if seen.hiding:
        # Every statement of ours could come upon them.
        return Inside(built, None, (), 0, None, told(seen.in_the_way))
    [(block_size, free_blocks)] = connection.execute(
        "select block_size, free_blocks from pragma_database_size()"
    ).fetchall()
    tables = tuple(_tables(connection, block_size))
    found = None
    shown = seen if built.fit is Fit.CURRENT else NOTHING_SEEN
    if checking and not seen.tables:
        read_whole(connection)
        if built.fit is Fit.CURRENT and not seen.in_the_way:
            found = {name: len(faults(connection, name)) for name in check_names()}
    storage = _storage_version(connection)
    free_bytes = block_size * free_blocks
    foreign, others = told(shown.in_the_way), told(shown.others)
    return Inside(built, storage, tables, free_bytes, found, foreign, others)


def told(things: Iterable[Thing]) -> tuple[str, ...]:
    """Return what strangers are called in words."""
    return tuple(map(str, things))


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
