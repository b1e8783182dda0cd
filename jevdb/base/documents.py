"""JSON objects, as results files and explanations are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

Json = dict[str, object]


def objects(connection: Connection, statement: str) -> list[Json]:
    """Return the rows of a query as objects, by column."""
    connection.execute(statement)
    columns = [str(column[0]) for column in connection.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in connection.fetchall()]
