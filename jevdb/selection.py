"""Reports over a part of the warehouse: some runs, a past gold, a breakdown, a date.

DuckDB resolves a name in a persisted view to a temp table of that name, if there is
one. So a selection is a set of temp tables that shadow what the views read: the views
stay one text, nothing is written, and what a view shows is exactly what the selection
holds. The inner views are stored the same way, once per selection, because DuckDB would
otherwise compute them anew for every metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from jevdb.database import Connection
from jevdb.sqlfiles import query, quoted

Dimension = Literal["tier", "family", "domain"]

DATED_TABLES = ("items", "golds", "gold_revisions", "runs", "run_events")
"""Tables whose rows an as-of leaves out when they were stored later."""

STORED_VIEWS = (
    *("golden_items", "scopes", "strata", "stratum_places", "frames", "scored"),
    *("tallies", "noul_tallies", "likelihood_tallies", "bins", "cells"),
)
"""Views computed once per selection, left to right."""

UNSTORED_COLUMNS = (
    "options, gold_labels, reference, probabilities, answer_labels, top_label"
)
"""Columns of `scored` that no view to its right reads: the lists and their like."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a report is over; None means everything.

    ``gold_revision`` pins the gold to that revision, ``as_of`` the whole warehouse to
    an ingest sequence; ``by`` adds a report row per tier, family or domain.
    """

    run_ids: Sequence[str] | None = None
    methods: Sequence[str] | None = None
    gold_revision: int | None = None
    as_of: int | None = None
    by: Dimension | None = None


@contextmanager
def selected(connection: Connection, selection: Selection) -> Iterator[None]:
    """Make every view of the connection show the selection, until the block ends."""
    catalog = connection.execute("select current_database()").fetchall()[0][0]
    shadows: list[str] = []

    def shadow(
        name: str, source: str, parameters: dict[str, str] | None = None
    ) -> None:
        connection.execute(f"create temp table {name} as {source}", parameters)
        shadows.append(name)

    try:
        for table, condition in _conditions(selection).items():
            shadow(table, f'select * from "{catalog}".main.{table} where {condition}')
        for view in STORED_VIEWS:
            if view == "scopes" and selection.by:
                shadow(view, query("sliced_scopes"), {"dimension": selection.by})
                continue
            columns = f"* exclude ({UNSTORED_COLUMNS})" if view == "scored" else "*"
            shadow(view, f'select {columns} from "{catalog}".main.{view}')
        yield
    finally:
        for name in reversed(shadows):
            connection.execute(f"drop table temp.{name}")


def _conditions(selection: Selection) -> dict[str, str]:
    """Return what each shadowed table is restricted to."""
    conditions: dict[str, list[str]] = {}
    if selection.as_of is not None:
        for table in DATED_TABLES:
            conditions.setdefault(table, []).append(f"seq <= {selection.as_of:d}")
    if selection.gold_revision is not None:
        for table in ("golds", "gold_revisions"):
            conditions.setdefault(table, []).append(
                f"gold_revision <= {selection.gold_revision:d}"
            )
    if selection.run_ids is not None:
        for table in ("runs", "predictions"):
            conditions.setdefault(table, []).append(_in("run_id", selection.run_ids))
    if selection.methods is not None:
        conditions["methods"] = [_in("method_id", selection.methods)]
    return {table: " and ".join(parts) for table, parts in conditions.items()}


def _in(column: str, values: Sequence[str]) -> str:
    listed = ", ".join(quoted(value) for value in values)
    return f"{column} in ({listed})" if listed else "false"
