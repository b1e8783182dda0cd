"""The calibration of a run in depth: bins, the band of chance, thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from jevdb.base.errors import UsageError
from jevdb.base.wording import option
from jevdb.numerics.promised import REPEATS, promised
from jevdb.scoring.calibration import accuracy_coverage, null_band, reaching
from jevdb.scoring.calibration_depths import (
    Bin,
    Calibration,
    Depth,
)
from jevdb.scoring.calibration_error import (
    StatedRow,
    arrays,
    gap_alone,
    places,
    squared_error,
)
from jevdb.scoring.explain.number_place import Asked, place_of, report_row_of
from jevdb.scoring.explain.written_out import Place, written_out
from jevdb.scoring.thresholds import ItemsTaken, Thresholds
from jevdb.warehouse.sqlfiles import query
from jevdb.warehouse.writing_out import as_cte

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


def calibration(
    connection: Connection,
    asked: Asked,
    kinds: Sequence[str],
    target: float,
    taken: ItemsTaken = ItemsTaken.ALL,
) -> Calibration:
    """Return the calibration of each kind that the report row has items of.

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
    rows = _rows(connection, place, row)
    depths = [
        _depth(kind, numbers[kind][0], bins[kind], rows.get(kind, []), target, taken)
        for kind in kinds
        if numbers[kind][0][3]
    ]
    [(rows_sha256, items_sha256)] = connection.execute(
        "select runs.rows_sha256, benchmark_states.items_sha256 from runs "
        "join benchmark_states using (benchmark_id) where run_id = $run_id",
        {"run_id": asked.run.run_id},
    ).fetchall()
    return Calibration(
        asked, row, place.gold_revision, rows_sha256, items_sha256, depths
    )


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


def _rows(connection: Connection, place: Place, row: str) -> dict[str, list[StatedRow]]:
    """Return what the rows state, by kind, in the order of the items."""
    statement = written_out(place, as_cte(query("scoring/calibration_rows")))
    connection.execute(statement, {"report_row": row})
    found: dict[str, list[StatedRow]] = {}
    for each in sorted(map(StatedRow._make, connection.fetchall()), key=_by_item):
        found.setdefault(each.kind, []).append(each)
    return found


def _by_item(row: StatedRow) -> tuple[str, str]:
    return row.kind, row.item_id


def _depth(
    kind: str,
    number: tuple[Any, ...],
    bins: Sequence[tuple[Any, ...]],
    rows: Sequence[StatedRow],
    target: float,
    taken: ItemsTaken,
) -> Depth:
    n_bins, ece, n, n_scope, reason, zero_gold_rate = number
    binned = [row for row in rows if row.is_binned and row.stated is not None]
    stated, is_true = arrays(binned)
    n_answers = sum(count for _, _, _, count, *_ in bins)
    return Depth(
        kind=kind,
        ece=ece,
        n=n,
        n_scope=n_scope,
        reason=reason,
        zero_gold_rate=zero_gold_rate,
        null=None
        if ece is None or is_repeated(rows)
        else null_band(stated.tolist(), n_bins, [row.is_true for row in binned]),
        gap=gap_alone(binned) if binned else None,
        squared=squared_error(stated, is_true, n_bins) if binned else None,
        thresholds=_thresholds(rows, target, taken),
        bins=[
            Bin(place, low, high, count, said, true, count / n_answers if n else None)
            for place, low, high, count, said, true in bins
        ],
        bin_items=_bin_items(binned, n_bins) if is_repeated(rows) else None,
    )


def _bin_items(binned: Sequence[StatedRow], n_bins: int) -> list[int]:
    """Return how many items the answers of each bin are to."""
    stated, _ = arrays(binned)
    inside: list[set[str]] = [set() for _ in range(n_bins)]
    for row, place in zip(binned, places(stated, n_bins).tolist(), strict=True):
        inside[place].add(row.item_id)
    return [len(items) for items in inside]


def is_repeated(rows: Sequence[StatedRow]) -> bool:
    """Whether some item has several answers."""
    return any(row.repeat > 0 for row in rows)


def _thresholds(
    rows: Sequence[StatedRow], target: float, taken: ItemsTaken
) -> Thresholds:
    mine = [row for row in rows if row.is_binned or taken is ItemsTaken.ALL]
    said = [(row.confidence, row.is_right) for row in mine]
    confident = [(given, right) for given, right in said if given is not None]
    confidences = [given for given, _ in confident]
    is_right = [right for _, right in confident]
    curve = accuracy_coverage(confidences, is_right, len(mine))
    return Thresholds(
        taken=taken,
        target=target,
        n=len(confident),
        n_scope=len(mine),
        promise=REPEATS
        if is_repeated(mine)
        else promised(confidences, is_right, target),
        in_sample=reaching(curve, target),
        curve=curve,
    )
