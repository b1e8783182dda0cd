"""What a dry run shows: the first rows of a run as they would be stored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from jevdb.base.arrow import register
from jevdb.base.text import counted, visible
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.ingest.runs.prepared import PreparedRun

SHOWN = 5
JSON_COLUMNS = ("meta", "returned")


def first_rows(prepared: PreparedRun) -> list[dict[str, object]]:
    """Return the rows of the first lines of the first file, without their nulls."""
    from jevdb.warehouse.connecting import open_scratch

    name = prepared.summary.files[0]["name"]
    with open_scratch() as scratch:
        register(scratch, "incoming", prepared.rows.rows())
        named = {"source_file": name, "shown": SHOWN}
        first = scratch.execute(query("ingest/preview"), named).to_arrow_table()
    rows = [_stored(row) for row in first.to_pylist()]
    if prepared.summary.repeats == 1:
        for row in rows:
            del row["repeat"]
    return rows


def _stored(row: dict[str, object]) -> dict[str, object]:
    return {
        key: json.loads(str(value)) if key in JSON_COLUMNS else value
        for key, value in row.items()
        if value is not None
    }


def preview_in_words(rows: list[dict[str, object]], total: int) -> str:
    """Return the rows as JSON lines under a heading."""
    lines = [visible(json.dumps(row, ensure_ascii=False)) for row in rows]
    all_rows = counted(total, "row", form=",")
    heading = f"the first {len(rows)} of {all_rows}, as they would be stored:"
    return "\n".join([heading, *lines])
