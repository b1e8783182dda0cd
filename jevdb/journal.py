"""The journal of a warehouse: one row of `ingests` for each thing stored."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from jevdb import __version__

if TYPE_CHECKING:
    from jevdb.database import Connection

NEXT_SEQ = """
insert into ingests
select
    max(seq) + 1,
    $ingest_id,
    greatest(max(ingested_at), cast(current_timestamp at time zone 'UTC' as timestamp)),
    $kind,
    $version,
    $content_sha256
from ingests
"""


def begin_entry(connection: Connection, kind: str, content_sha256: str | None) -> int:
    """Add the next entry, inside the caller's transaction, and return its sequence.

    Sequences have no gaps and times never run backwards, whatever the clock does.
    """
    ingest_id = uuid.uuid4().hex
    connection.execute(
        NEXT_SEQ,
        {
            "ingest_id": ingest_id,
            "kind": kind,
            "version": __version__,
            "content_sha256": content_sha256,
        },
    )
    found = connection.execute(
        "select seq from ingests where ingest_id = $ingest_id", {"ingest_id": ingest_id}
    ).fetchall()
    return int(found[0][0])
