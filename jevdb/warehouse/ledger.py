"""The ledger: one row in ``ingests`` for each thing stored, in order."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from jevdb.base.version import __version__
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


def record(connection: Connection, kind: str, content_sha256: str | None = None) -> int:
    """Enter one more ingest of *kind* and return its sequence number.

    Call it inside the transaction that stores the thing itself. Its time is now, or the
    time of the entry before where the clock ran backwards.
    """
    found = connection.execute("select max(seq) + 1 from ingests").fetchall()
    seq = int(found[0][0])
    connection.execute(
        query("warehouse/ledger_entry"),
        {
            "seq": seq,
            "ingest_id": str(uuid.uuid4()),
            "now": datetime.now(UTC).replace(tzinfo=None),
            "kind": kind,
            "jevdb_version": __version__,
            "content_sha256": content_sha256,
        },
    ).fetchall()
    return seq


def insert_row(connection: Connection, table: str, row: Mapping[str, object]) -> None:
    """Insert one row given by column."""
    columns = ", ".join(row)
    places = ", ".join(f"${column}" for column in row)
    connection.execute(
        f"insert into {table} ({columns}) values ({places})", dict(row)
    ).fetchall()
