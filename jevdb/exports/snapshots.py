"""Exports kept by name: the bytes that were published, and their digest."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from jevdb.base.errors import ConflictError, UnknownNameError, UsageError
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import record
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


def keep(connection: Connection, name: str, data: bytes) -> bool:
    """Keep *data*, UTF-8 text, under *name*; return whether it was not there already.

    Raises
    ------
    UsageError
        An empty name.
    ConflictError
        The name holds other bytes.
    """
    if not name.strip():
        raise UsageError("a snapshot needs a name")
    digest = hashlib.sha256(data).hexdigest()
    with transaction(connection):
        found = connection.execute(
            "select content_sha256 from snapshots where name = $name", {"name": name}
        ).fetchall()
        if found and found[0][0] == digest:
            return False
        if found:
            raise ConflictError(
                f"snapshot {name!r} holds other bytes (SHA-256 {found[0][0]}); what "
                "was published is kept: choose another name"
            )
        seq = record(connection, "snapshot", digest)
        connection.execute(
            query("exports/snapshots_insert"),
            {
                "snapshot_name": name,
                "bytes": data.decode(),
                "sha256": digest,
                "ingest": seq,
            },
        ).fetchall()
    return True


def kept(connection: Connection, name: str) -> bytes:
    """Return the bytes that were kept under *name*."""
    rows = connection.execute("select name, content from snapshots").fetchall()
    contents = {str(known): str(content) for known, content in rows}
    if name not in contents:
        raise UnknownNameError("snapshot", name, contents)
    return contents[name].encode()
