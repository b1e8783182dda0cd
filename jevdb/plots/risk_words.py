"""Risk-coverage curves in words, and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.output import Rows
from jevdb.base.text import short_id
from jevdb.plots.asking import no_value
from jevdb.plots.theme import (
    Look,
)
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from jevdb.plots.depths import RunDepth
    from jevdb.scoring.calibration import Point
    from jevdb.scoring.calibration_depths import Depth
    from jevdb.scoring.runs import Run


POINTS = 240
"""A curve of more points is drawn through so many of them, at even coverages."""


class Curve(NamedTuple):
    """A run's curve, its number in the list and its look."""

    number: int
    name: str
    run: Run
    depth: Depth
    look: Look

    @property
    def last(self) -> Point:
        """All rows with a distribution."""
        return self.depth.thresholds.curve[-1]


def risk_words(curve: Curve) -> str:
    """Return the risk of all answers."""
    if not curve.depth.thresholds.curve:
        return "no value"
    return rounded(1 - curve.last.accuracy, 4)


def n_words(depth: Depth) -> str:
    """Return how many rows have a distribution, of how many where some lack it."""
    return f"{depth.n}" if depth.n == depth.n_scope else f"{depth.n} of {depth.n_scope}"


def target_words(curve: Curve) -> str:
    """Return the coverage at the target accuracy."""
    point = curve.depth.thresholds.in_sample
    if point is not None:
        return rounded(point.coverage, 4)
    return "not reached" if curve.depth.thresholds.curve else ""


def threshold_words(curve: Curve) -> str:
    """Return the confidence from which on the target is reached."""
    point = curve.depth.thresholds.in_sample
    return "" if point is None else rounded(point.threshold, 4)


def line_of(curve: Curve) -> str:
    """Return what a curve says in a sentence."""
    if not curve.depth.thresholds.curve:
        return f"{curve.name}: {no_value(curve.depth.reason)}, n 0."
    point = curve.depth.thresholds.in_sample
    goal = f"accuracy {curve.depth.thresholds.target:g}"
    reached = (
        f"{goal} not reached"
        if point is None
        else f"{goal} at coverage {rounded(point.coverage, 4)}, from confidence "
        f"{rounded(point.threshold, 4)}"
    )
    return (
        f"{curve.name}: risk {rounded(1 - curve.last.accuracy, 4)} at coverage "
        f"{rounded(curve.last.coverage, 4)}, n {n_words(curve.depth)}; {reached}."
    )


def thinned(curve: Curve) -> list[Point]:
    """Return the points that are drawn: all of them, or `POINTS`."""
    points = curve.depth.thresholds.curve
    if len(points) <= POINTS:
        return points
    step = (len(points) - 1) / (POINTS - 1)
    return [points[round(step * place)] for place in range(POINTS)]


TABLE = (
    *("run_id", "run", "benchmark_id", "report_row", "method_id", "kind", "n_scope"),
    *("threshold", "n", "coverage", "accuracy", "risk", "is_target", "note"),
)


def table_of(
    curves: Sequence[Curve], found: Sequence[RunDepth], method_id: str
) -> Rows:
    """Return a row per run and point drawn, full precision."""
    places = {each.run.run_id: each.report_row for each in found}
    return Rows(
        TABLE, [row for curve in curves for row in _rows(curve, places, method_id)]
    )


def _rows(
    curve: Curve, places: dict[str, str], method_id: str
) -> Iterator[list[object]]:
    run, depth = curve.run, curve.depth
    head = (
        *(short_id(run.run_id), curve.name, run.benchmark_id, places[run.run_id]),
        *(method_id, depth.kind, depth.n_scope),
    )
    if not depth.thresholds.curve:
        yield [*head, None, 0, None, None, None, None, no_value(depth.reason)]
    for point in thinned(curve):
        at_target = (
            depth.thresholds.in_sample is not None
            and point == depth.thresholds.in_sample
        )
        yield [
            *(*head, point.threshold, point.n, point.coverage, point.accuracy),
            *(1 - point.accuracy, at_target, None),
        ]
