"""The numbers of runs, and the one reader of ``report_metrics``.

What a number is (`jevdb.base.metrics.Number`) is the key, its metric and kind; what a
run has for it is a `Value`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import Number
from jevdb.warehouse.sqlfiles import filled, query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class Value(NamedTuple):
    """A number: how many rows of its scope it averages, or why there is none."""

    value: float | None
    n: int
    n_scope: int
    reason: str | None


NO_ROWS = Value(None, 0, 0, "no_rows")
"""What a report row has for a number that it has no items of."""


class Placed(NamedTuple):
    """A number of a run in one report row, by one method and gold revision."""

    run_id: str
    report_row: str
    method_id: str
    gold_revision: int
    number: Number
    value: Value


def read_numbers(connection: Connection, metric: str | None = None) -> list[Placed]:
    """Return every number of the selection that the connection shows, in their order.

    They are by run, report row, method, metric, then kind; of one *metric*, if given.
    """
    statement = filled(query("scoring/numbers"), {"metric": metric})
    return [
        Placed(run_id, row, method_id, gold, Number(name, kind), Value(*value))
        for run_id, row, method_id, gold, name, kind, *value in connection.execute(
            statement
        ).fetchall()
    ]
