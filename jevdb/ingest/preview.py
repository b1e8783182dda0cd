"""What a dry run shows: the first rows of a run as they would be stored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from jevdb.text import visible

if TYPE_CHECKING:
    from jevdb.ingest.prepared_run import PreparedRun

SHOWN = 5
JSON_COLUMNS = ("meta", "returned")
NOT_STORED = ("digest", "is_correct")


def first_rows(prepared: PreparedRun) -> list[dict[str, object]]:
    """Return the rows of the first lines of the first file, without their nulls."""
    import pyarrow.compute as pc

    name = prepared.summary.files[0]["name"]
    rows = prepared.rows.filter(pc.equal(prepared.rows["source_file"], name))
    order = [("source_line", "ascending"), ("item_id", "ascending")]
    first = rows.take(pc.select_k_unstable(rows, SHOWN, order))
    return [_stored(row) for row in first.drop_columns(NOT_STORED).to_pylist()]


def _stored(row: dict[str, object]) -> dict[str, object]:
    return {
        key: json.loads(str(value)) if key in JSON_COLUMNS else value
        for key, value in row.items()
        if value is not None
    }


def preview_in_words(rows: list[dict[str, object]], total: int) -> str:
    """Return the rows as JSON lines under a heading."""
    lines = [visible(json.dumps(row, ensure_ascii=False)) for row in rows]
    heading = f"the first {len(rows)} of {total:,} rows, as they would be stored:"
    return "\n".join([heading, *lines])
