"""The calibration of a run in depth: bins, the band of chance, thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from jevdb.base.errors import UsageError
from jevdb.base.wording import option
from jevdb.scoring.calibration import (
    accuracy_coverage,
    null_band,
    out_of_bag,
    reaching,
)
from jevdb.scoring.calibration_depths import Bin, Calibration, Depth
from jevdb.scoring.explain.number_place import Asked, place_of, report_row_of
from jevdb.scoring.explain.written_out import Place, written_out
from jevdb.warehouse.sqlfiles import query
from jevdb.warehouse.writing_out import as_cte

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

KINDS = ("choice", "noul", "score", "pooled", "all")


def calibration(
    connection: Connection,
    asked: Asked,
    kinds: Sequence[str],
    target: float,
    *,
    with_out_of_bag: bool = True,
) -> Calibration:
    """Return the calibration of each kind that the report row has items of.

    Out of bag is what takes the time: a caller that does not show it can leave it out.

    Raises
    ------
    UsageError
        A target that is no accuracy, or a gold revision that there is not.
    UnknownNameError
        A method or report row that there is not.
    """
    if not 0 < target <= 1:
        raise UsageError(f"{option('target')} is above 0 and at most 1, not {target}")
    place = place_of(connection, asked)
    row = report_row_of(connection, place, asked)
    numbers = _by_kind(connection, place, "scoring/calibration_numbers", row)
    bins = _by_kind(connection, place, "scoring/calibration_bins", row)
    rows = _by_kind(connection, place, "scoring/calibration_rows", row)
    depths = [
        _depth(
            kind,
            numbers[kind][0],
            bins[kind],
            rows.get(kind, []),
            target,
            with_out_of_bag=with_out_of_bag,
        )
        for kind in kinds
        if numbers[kind][0][3]
    ]
    return Calibration(asked, row, depths)


def _by_kind(
    connection: Connection, place: Place, name: str, row: str
) -> dict[str, list[tuple[Any, ...]]]:
    """Return a query's rows by their first column, the kind, without it."""
    statement = written_out(place, as_cte(query(name)))
    connection.execute(statement, {"report_row": row})
    ordered = sorted(connection.fetchall(), key=itemgetter(0))
    return {
        kind: [tuple(rest) for _, *rest in group]
        for kind, group in groupby(ordered, key=itemgetter(0))
    }


def _depth(
    kind: str,
    number: tuple[Any, ...],
    bins: Sequence[tuple[Any, ...]],
    rows: Sequence[tuple[Any, ...]],
    target: float,
    *,
    with_out_of_bag: bool,
) -> Depth:
    n_bins, ece, n, n_scope, reason, zero_gold_rate = number
    stated = [row[1] for row in rows]
    confidences = [row[2] for row in rows]
    is_right = [row[3] for row in rows]
    curve = accuracy_coverage(confidences, is_right, n_scope)
    return Depth(
        kind=kind,
        ece=ece,
        n=n,
        n_scope=n_scope,
        reason=reason,
        zero_gold_rate=zero_gold_rate,
        null=None if ece is None else null_band(stated, n_bins, ece),
        target=target,
        threshold=reaching(curve, target),
        out_of_bag=out_of_bag(confidences, is_right, target)
        if rows and with_out_of_bag
        else None,
        bins=[
            Bin(place, low, high, count, said, true, count / n if n else None)
            for place, low, high, count, said, true in bins
        ],
        curve=curve,
    )
