"""The calibration of a run in depth, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jevdb.base.text import aligned, short_id, visible
from jevdb.numerics.resampling import REPLICATES, SEED
from jevdb.scoring.calibration import Point
from jevdb.scoring.calibration_report import Depth
from jevdb.scoring.explain.number_place import Asked
from jevdb.scoring.report_text import REASONS, rounded

BAR = 20
STEPS = 10


def calibration_text(asked: Asked, row: str, found: Sequence[Depth]) -> str:
    """Return a section per kind: the ECE beside chance, its bins, the thresholds."""
    run = asked.run
    parts = [
        f"Calibration of {visible(run.name)} ({short_id(run.run_id)}) on "
        f"{run.benchmark_id}, report row {row}, method {asked.method_id}"
    ]
    for depth in found:
        parts.append("\n".join(_section(depth)))
    parts.append(
        f"Chance: a perfectly calibrated model at these probabilities, {REPLICATES} "
        f"simulations, seed {SEED}, 95 % band.\nOut of bag: the threshold chosen on a "
        "resample, judged on the rows it left out."
    )
    return "\n\n".join(parts) + "\n"


def _section(depth: Depth) -> Iterator[str]:
    yield f"{depth.kind}  ({depth.n} of {depth.n_scope} items have a distribution)"
    if depth.ece is None or depth.null is None:
        reason = depth.reason or ""
        yield f"  ECE N/A: {REASONS.get(reason, reason)}"
        return
    null = depth.null
    yield (
        f"  ECE {rounded(depth.ece, 4)}; chance alone gives {rounded(null.mean, 4)} "
        f"({rounded(null.low, 4)} to {rounded(null.high, 4)}), and at least this much "
        f"in {100 * null.share_at_least:.1f} %"
    )
    if depth.zero_gold_rate:
        yield f"  gold given a probability of 0: {100 * depth.zero_gold_rate:.2f} %"
    yield from _bins(depth)
    yield from _threshold(depth)
    yield from _curve(depth)


def _bins(depth: Depth) -> list[str]:
    rows = [["  from", "to", "n", "stated", "true", ""]]
    for each in depth.bins:
        rows.append(
            [
                *(f"  {each.lower:.2f}", f"{each.upper:.2f}", str(each.n)),
                *("" if each.n == 0 else rounded(each.mean_stated, 4),),
                *("" if each.n == 0 else rounded(each.share_true, 4),),
                "#" * round(BAR * (each.occupancy or 0)),
            ]
        )
    return aligned(rows, [True] * 5 + [False])


def _threshold(depth: Depth) -> Iterator[str]:
    goal = f"  accuracy {depth.target:g}"
    if depth.threshold is None:
        yield f"{goal}: no confidence threshold reaches it"
    else:
        point = depth.threshold
        yield (
            f"{goal}: from confidence {rounded(point.threshold, 4)} on, "
            f"{rounded(point.accuracy, 4)} of {point.n} rows (coverage "
            f"{rounded(point.coverage, 4)})"
        )
    if depth.out_of_bag and depth.out_of_bag.accuracy is not None:
        outside = depth.out_of_bag
        yield (
            f"    out of bag {rounded(outside.accuracy, 4)}, coverage "
            f"{rounded(outside.coverage, 4)}; reached in "
            f"{100 * outside.share_found:.1f} % of resamples"
        )


def _curve(depth: Depth) -> list[str]:
    """Return the accuracy-coverage curve at about ten coverages."""
    points: dict[float, Point] = {}
    for step in range(1, STEPS + 1):
        wanted = depth.n * step / STEPS
        nearest = min(depth.curve, key=lambda point: abs(point.n - wanted))
        points[nearest.threshold] = nearest
    rows = [["  confidence from", "n", "coverage", "accuracy"]]
    for point in points.values():
        rows.append(
            [
                *(f"  {rounded(point.threshold, 4)}", str(point.n)),
                *(rounded(point.coverage, 4), rounded(point.accuracy, 4)),
            ]
        )
    return aligned(rows, [True] * 4)
