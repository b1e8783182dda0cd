"""What the SQL says of a run, in the oracle's shape, and how the two are held equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import oracle

from jevdb.base.connection import Connection
from jevdb.scoring.selection import Dimension, Selection, selected

TOLERANCE = 1e-12
OF_REPEATS = ("flip_rate", "pass_all", "pass_any", "accuracy_sd", "disagreement")
"""Null where a run asked once; tests/test_numbers_of_repeats.py has their values."""
Table = dict[str, dict[tuple[str, str], oracle.Value]]


def sql_reports(
    connection: Connection, run_ids: Sequence[str], by: Dimension | None = None
) -> dict[tuple[str, str], Table]:
    """Every row of ``report_metrics`` of some runs, by run and method."""
    tables: dict[tuple[str, str], Table] = {}
    with selected(connection, Selection(run_ids=run_ids, by=by)):
        rows = connection.execute(
            "select run_id, method_id, report_row, metric, kind, value, n, n_scope, "
            "reason from report_metrics"
        ).fetchall()
    for run_id, method, report_row, metric, kind, *value in rows:
        if metric in OF_REPEATS:
            continue
        table = tables.setdefault((run_id, method), {})
        values = table.setdefault(report_row, {})
        assert (metric, kind) not in values, "one row per metric and kind"
        values[metric, kind] = oracle.Value(*value)
    return tables


def sql_report(connection: Connection, run_id: str, method: str) -> Table:
    """Every row of ``report_metrics`` of one run and method."""
    return sql_reports(connection, [run_id])[run_id, method]


def disagreements(found: Table, expected: Table) -> list[tuple[Any, ...]]:
    """Where two reports differ: report row, metric, kind, found, expected."""
    rows = sorted(found.keys() | expected.keys())
    return [
        (row, *key, found.get(row, {}).get(key), expected.get(row, {}).get(key))
        for row in rows
        for key in sorted(found.get(row, {}).keys() | expected.get(row, {}).keys())
        if not is_same(found.get(row, {}).get(key), expected.get(row, {}).get(key))
    ]


def is_same(found: oracle.Value | None, expected: oracle.Value | None) -> bool:
    if found is None or expected is None or found[1:] != expected[1:]:
        return False
    if found.value is None or expected.value is None:
        return found.value is expected.value
    # A skill against a small constant may be far below -1.
    return abs(found.value - expected.value) <= TOLERANCE * max(1, abs(expected.value))
