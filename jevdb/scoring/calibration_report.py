"""The calibration of a run in depth: bins, the band of chance, thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from jevdb.base.errors import UsageError
from jevdb.base.output import Rows
from jevdb.base.wording import option
from jevdb.numerics.resampling import REPLICATES, SEED
from jevdb.scoring.calibration import (
    NullBand,
    OutOfBag,
    Point,
    accuracy_coverage,
    null_band,
    out_of_bag,
    reaching,
)
from jevdb.scoring.explain.number_place import Asked, place_of, report_row_of
from jevdb.scoring.explain.written_out import Place, written_out
from jevdb.warehouse.sqlfiles import query
from jevdb.warehouse.writing_out import as_cte

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

KINDS = ("choice", "noul", "score", "pooled", "all")


class Bin(NamedTuple):
    """A bin of the reliability diagram; occupancy is its share of the rows."""

    bin: int
    lower: float
    upper: float
    n: int
    mean_stated: float | None
    share_true: float | None
    occupancy: float | None


class Depth(NamedTuple):
    """Everything about the calibration of one kind in a report row.

    The threshold is the top label's probability from which on answers reach the target
    accuracy; ``out_of_bag`` is what such a threshold gives on rows it never saw.
    """

    kind: str
    ece: float | None
    n: int
    n_scope: int
    reason: str | None
    zero_gold_rate: float | None
    null: NullBand | None
    target: float
    threshold: Point | None
    out_of_bag: OutOfBag | None
    bins: list[Bin]
    curve: list[Point]


def calibration(
    connection: Connection,
    asked: Asked,
    kinds: Sequence[str],
    target: float,
    *,
    with_out_of_bag: bool = True,
) -> tuple[str, list[Depth]]:
    """Return the report row, and the calibration of each kind that it has items of.

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
    return row, [
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


def depth_rows(asked: Asked, row: str, found: Sequence[Depth]) -> Rows:
    """Return a row per kind; bins and curve are lists of objects."""
    head = ("run_id", "model", "revision", "label", "benchmark_id", "report_row")
    tail = (
        *("method_id", "kind", "ece", "n", "n_scope", "reason", "zero_gold_rate"),
        *("null_mean", "null_low", "null_high", "share_at_least", "seed", "replicates"),
        *("target", "threshold", "threshold_n", "coverage", "accuracy"),
        *("oob_share_found", "oob_accuracy", "oob_coverage", "bins", "curve"),
    )
    return Rows((*head, *tail), [_row(asked, row, depth) for depth in found])


def _row(asked: Asked, row: str, depth: Depth) -> list[object]:
    run = asked.run
    return [
        *(run.run_id, run.model, run.revision, run.label, run.benchmark_id, row),
        *(asked.method_id, depth.kind, depth.ece, depth.n, depth.n_scope),
        *(depth.reason, depth.zero_gold_rate),
        *(depth.null or [None] * len(NullBand._fields)),
        *(SEED, REPLICATES, depth.target),
        *(depth.threshold or [None] * len(Point._fields)),
        *(depth.out_of_bag or [None] * len(OutOfBag._fields)),
        [each._asdict() for each in depth.bins],
        [each._asdict() for each in depth.curve],
    ]
