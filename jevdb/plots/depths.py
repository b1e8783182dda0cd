"""The calibration of runs, as `jevdb calibration` has it, for the pictures of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.defaults import TARGET
from jevdb.base.errors import UsageError
from jevdb.base.metrics import Number
from jevdb.plots.asking import AS_REPORTED, Scored, one_benchmark

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.calibration_depths import Depth
    from jevdb.scoring.runs import Run

KINDS = ("choice", "noul", "score")


class RunDepth(NamedTuple):
    """A run's calibration, kind by kind, in one report row."""

    run: Run
    report_row: str
    depths: Sequence[Depth]


def read_depths(
    connection: Connection,
    runs: Sequence[Run],
    *,
    kinds: Sequence[str] = KINDS,
    scored: Scored = AS_REPORTED,
    target: float = TARGET,
) -> list[RunDepth]:
    """Return the calibration of runs of one benchmark, as `jevdb calibration` has it.

    Raises
    ------
    UsageError, UnknownNameError
        See `jevdb.scoring.calibration_report.calibration`; or several benchmarks, or
        no items of these kinds.
    """
    from jevdb.scoring.calibration_report import calibration
    from jevdb.scoring.explain.number_place import Asked
    from jevdb.scoring.thresholds import ItemsTaken

    one_benchmark(runs)
    found = []
    for run in runs:
        asked = Asked(
            run,
            Number("ece", "pooled"),
            scored.report_row,
            scored.method_id,
            scored.gold_revision,
        )
        made = calibration(connection, asked, kinds, target, ItemsTaken.ECE)
        found.append(RunDepth(run, made.report_row, made.depths))
    if not any(each.depths for each in found):
        rows = ", ".join(sorted({each.report_row for each in found}))
        raise UsageError(f"report row {rows} has no items of kind {', '.join(kinds)}")
    return found
