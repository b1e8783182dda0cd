"""A run back as canonical JSON lines, which ingest to the same run again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jevdb.base.output import fetched, to_json
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


def dumped(connection: Connection, run_id: str) -> Iterator[str]:
    """Yield the run's predictions, a line each, by item id and repeat.

    What the model returned is written, not what became of it: a distribution as it was
    before rescaling, and an answer that could not be aligned as it came. How often an
    item was asked, and in which file it stood, are not part of the record.
    """
    connection.execute(query("bundles/run_rows"), {"run_id": run_id})
    rows = fetched(connection)
    for row in rows.plain():
        record = dict(zip(rows.columns, row, strict=True))
        yield to_json(
            {name: value for name, value in record.items() if value is not None}
        )
