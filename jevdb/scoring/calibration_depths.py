"""The calibration of a run in depth: its parts, as rows and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jevdb.base.metrics import REASONS
from jevdb.base.output import Rows
from jevdb.base.tabular import Told
from jevdb.base.text import aligned, short_id, visible
from jevdb.numerics.resampling import REPLICATES, SEED
from jevdb.scoring.calibration import NullBand, OutOfBag, Point
from jevdb.scoring.explain.number_place import Asked
from jevdb.scoring.report_text import rounded

BAR = 20
STEPS = 10


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


@dataclass(frozen=True, slots=True, repr=False)
class Calibration(Told):
    """How far a run's confidence can be trusted, by kind of ECE."""

    asked: Asked
    report_row: str
    depths: Sequence[Depth]

    def rows(self) -> Rows:
        """Return a row per kind; bins and curve are lists of objects."""
        return depth_rows(self.asked, self.report_row, self.depths)

    def text(self) -> str:
        """Return bins, the band of chance and thresholds as text."""
        return calibration_text(self.asked, self.report_row, self.depths)

    def markdown(self) -> str:
        """Return the text as a block of Markdown."""
        return f"```\n{self.text()}```\n"


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
