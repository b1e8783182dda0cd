"""Listings as people read them: fewer columns, short ids, states in words."""

from __future__ import annotations

from jevdb.base.output import Rows
from jevdb.base.text import short_id

RUN_COLUMNS = (
    *("run_id", "benchmark_id", "model", "revision", "label", "started_at"),
    *("n_rows", "n_ok", "n_invalid", "n_unsupported", "n_error", "n_rejected"),
)
HISTORY_COLUMNS = (
    *("run_id", "revision", "label", "benchmark_id", "report_row", "started_at"),
    *("ingested_at", "state", "gold_revision_then", "value_then", "gold_revision"),
    *("value", "change", "reason"),
)


def runs_for_people(rows: Rows) -> Rows:
    """Return the columns people look at, ids short, the state in words."""
    place = {name: i for i, name in enumerate(rows.columns)}
    states = ("private", "superseded", "withdrawn")
    shown = []
    for row in rows.rows:
        words = [word for word in states if row[place[f"is_{word}"]]]
        values = [row[place[name]] for name in RUN_COLUMNS]
        values[0] = short_id(str(values[0]))
        values[-1] = values[-1] or None
        shown.append([*values, ", ".join(words) or None])
    return Rows((*RUN_COLUMNS, "state"), shown).used()


def history_for_people(rows: Rows) -> Rows:
    """Return the columns people look at, ids short, numbers with four decimals."""
    places = [rows.columns.index(name) for name in HISTORY_COLUMNS]
    shown = []
    for row in rows.rows:
        run_id, *values = (row[place] for place in places)
        numbers = [round(v, 4) if isinstance(v, float) else v for v in values]
        shown.append([short_id(str(run_id)), *numbers])
    return Rows(HISTORY_COLUMNS, shown).used()
