"""The calibration of a run in depth: its parts, as rows and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jevdb.base.aligning import aligned
from jevdb.base.metrics import REASONS
from jevdb.base.output import Rows
from jevdb.base.tabular import Told
from jevdb.base.text import counted, short_id, visible
from jevdb.numerics.promised import NOT_SHOWN, REPEATS, RISK, least_rows
from jevdb.numerics.resampling import SEED
from jevdb.scoring.calibration import REPLICATES, NullBand, Point
from jevdb.scoring.calibration_error import Gap, SquaredError
from jevdb.scoring.explain.number_place import Asked
from jevdb.scoring.report_text import rounded
from jevdb.scoring.thresholds import ItemsTaken, Thresholds
from jevdb.scoring.thresholds_file import thresholds_file, without_threshold

BAR = 20
STEPS = 10
SMALLEST_PERCENT = 1.0
LEAST_SHOWN = 0.1


class Bin(NamedTuple):
    """A bin of the reliability diagram; occupancy is its share of the answers."""

    bin: int
    lower: float
    upper: float
    n: int
    mean_stated: float | None
    share_true: float | None
    occupancy: float | None


class Depth(NamedTuple):
    """Everything about the calibration of one kind in a report row.

    ``n`` of ``n_scope`` items of the ECE have a distribution; the thresholds may be
    over more items.
    """

    kind: str
    ece: float | None
    n: int
    n_scope: int
    reason: str | None
    zero_gold_rate: float | None
    null: NullBand | None
    gap: Gap | None
    squared: SquaredError | None
    thresholds: Thresholds
    bins: list[Bin]
    bin_items: Sequence[int] | None = None
    """How many items the answers of each bin are to; None: each to one of its own."""


@dataclass(frozen=True, slots=True, repr=False)
class Calibration(Told):
    """How far a run's confidence can be trusted, by kind of ECE."""

    asked: Asked
    report_row: str
    gold_revision: int
    rows_sha256: str
    items_sha256: str
    depths: Sequence[Depth]

    def sentences(self) -> list[str]:
        """Return what is said first: of all kinds together where they were asked."""
        if not self.depths:
            return []
        together = [depth for depth in self.depths if depth.kind == "all"]
        return list(sentences_of((together or list(self.depths))[0]))

    def rows(self) -> Rows:
        """Return a row per kind; bins and curve are lists of objects."""
        return depth_rows(self.asked, self.report_row, self.depths)

    def text(self) -> str:
        """Return bins, the band of chance and thresholds as text."""
        return calibration_text(self)

    def thresholds_file(self, kinds: Sequence[str] | None = None) -> str:
        """Return the thresholds that keep their promise, as JSON for people to deploy.

        Parameters
        ----------
        kinds : sequence of str, optional
            Kinds that must all have one; unless given, those without are left out.

        Raises
        ------
        JevdbError
            Too few rows to promise anything, or none is shown to keep the promise.
        """
        run = self.asked.run
        found_on = {
            "run_id": run.run_id,
            "model": run.model,
            "revision": run.revision,
            "label": run.label,
            "benchmark_id": run.benchmark_id,
            "report_row": self.report_row,
            "gold_revision": self.gold_revision,
            "rows_sha256": self.rows_sha256,
            "items_sha256": self.items_sha256,
        }
        found = [(depth.kind, depth.thresholds) for depth in self.depths]
        return thresholds_file(found_on, found, asked_kinds=kinds)

    def without_threshold(self) -> list[str]:
        """Return the kinds that have no threshold, each with the reason."""
        return without_threshold(
            [(depth.kind, depth.thresholds) for depth in self.depths]
        )

    def markdown(self) -> str:
        """Return the text as a block of Markdown."""
        return f"```\n{self.text()}```\n"


def calibration_text(found: Calibration) -> str:
    """Return what is said, then a section per kind: chance, bins, thresholds."""
    asked, run = found.asked, found.asked.run
    parts = [
        "\n".join(
            [
                *found.sentences(),
                f"Calibration of {visible(run.name)} ({short_id(run.run_id)}) on "
                f"{run.benchmark}, report row {found.report_row}, method "
                f"{asked.method_id}",
            ]
        )
    ]
    for depth in found.depths:
        parts.append("\n".join(_section(depth)))
    parts.append(
        f"Chance: a perfectly calibrated model at these probabilities, {REPLICATES:,} "
        f"simulations, seed {SEED}, 95 % band. Consistent with it is not calibrated."
    )
    return "\n\n".join(parts) + "\n"


def sentences_of(depth: Depth) -> Iterator[str]:
    """Yield what is said of a kind: the gap, the ECE beside chance, the promise."""
    if depth.ece is None:
        yield f"ECE N/A: {REASONS.get(depth.reason or '', depth.reason)}"
    else:
        if depth.gap is not None:
            yield gap_words(depth.gap)
        yield chance_words(depth.ece, depth.null)
    if depth.thresholds.n:
        yield promise_words(depth.thresholds)


def gap_words(gap: Gap) -> str:
    """Return the signed gap in points, its interval the way it is said."""
    value = 100 * gap.value
    word = "less" if value < 0 else "more"
    said = f"Says {abs(value):.1f} points {word} than it gets right"
    if gap.interval is None:
        reason = (gap.reason or "").replace("_", " ")
        return f"{said} (no interval: {reason})."
    low, high = (100 * end for end in gap.interval)
    if low < 0 < high:
        return f"{said} ({low:+z.1f} to {high:+z.1f})."
    ends = sorted((abs(low), abs(high)))
    return f"{said} ({ends[0]:.1f} to {ends[1]:.1f})."


def chance_words(ece: float, null: NullBand | None) -> str:
    """Return the ECE beside what chance alone gives, which repeats do not tell."""
    if null is None:
        return f"ECE {ece:.3f}: what chance gives is not known of repeated answers."
    said = (
        f"ECE {ece:.3f}: chance alone gives {null.mean:.3f} ({null.low:.3f} to "
        f"{null.high:.3f})"
    )
    if null.share_at_least is None:
        return f"{said}."
    return f"{said}; as much or more in {_percent(null.share_at_least)} %."


def _percent(share: float) -> str:
    """Return a share as percent: whole, or below 1 % with one decimal, never 0."""
    percent = 100 * share
    if percent < LEAST_SHOWN / 2:
        return f"<{LEAST_SHOWN}"
    return f"{percent:.0f}" if percent >= SMALLEST_PERCENT else f"{percent:.1f}"


def promise_words(found: Thresholds) -> str:
    """Return the threshold that keeps the promise, or why there is none."""
    goal = f"{100 * found.target:g} %"
    if found.held is not None:
        confidence = f"{found.held.threshold:.4f}".rstrip("0").rstrip(".")
        return (
            f"From confidence {confidence}: at least {goal} right, 95 % sure (coverage "
            f"{found.coverage:.2f})."
        )
    if found.promise == NOT_SHOWN:
        return f"At least {goal} right: not shown with {counted(found.n, 'row')}."
    if found.promise == REPEATS:
        return f"At least {goal} right: no promise is made of repeated answers."
    least = least_rows(found.target)
    needed = "no number can promise it" if least is None else f"{least} needed"
    return f"At least {goal} right: too few rows, {found.n} ({needed})."


def _section(depth: Depth) -> Iterator[str]:
    scope = counted(depth.n_scope, "item has", "items have")
    yield f"{depth.kind}  ({depth.n} of {scope} a distribution)"
    for sentence in sentences_of(depth):
        yield f"  {sentence}"
    if depth.ece is not None and depth.squared is not None:
        alone = depth.squared.n_alone
        note = f", {counted(alone, 'bin')} of one row left out" if alone else ""
        yield f"  ECE {rounded(depth.ece, 4)}, ce2 {depth.squared.value:.6f}{note}"
    if depth.zero_gold_rate:
        yield f"  gold given a probability of 0: {100 * depth.zero_gold_rate:.2f} %"
    if depth.ece is not None:
        yield from _bins(depth)
    if depth.thresholds.curve:
        yield from _threshold(depth)
        yield from _curve(depth.thresholds)


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
    found = depth.thresholds
    whose = "all items of the type" if found.taken is ItemsTaken.ALL else "the ECE's"
    if depth.kind in ("pooled", "all") and found.taken is ItemsTaken.ALL:
        whose = "all items of these types"
    asked = "answer" if found.promise == REPEATS else "item"
    yield (
        f"  thresholds over {whose}: {counted(found.n, 'row')} of "
        f"{counted(found.n_scope, asked)}"
    )
    if found.held is not None:
        held = found.held
        yield (
            f"    at {rounded(held.threshold, 4)}: {held.n_right} of {held.n} right, "
            f"at least {rounded(held.accuracy_low, 4)}, 95 % sure"
        )
    if found.in_sample is not None:
        point = found.in_sample
        yield (
            f"    in sample {rounded(point.threshold, 4)} looks as good "
            f"({rounded(point.accuracy, 4)} of {counted(point.n, 'row')}), but "
            "promises nothing"
        )


def _curve(found: Thresholds) -> list[str]:
    """Return the accuracy-coverage curve at about ten coverages."""
    points: dict[float, Point] = {}
    for step in range(1, STEPS + 1):
        wanted = found.n * step / STEPS
        nearest = min(found.curve, key=lambda point: abs(point.n - wanted))
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


COLUMNS = (
    *("run_id", "model", "revision", "label", "benchmark_id", "report_row"),
    *("method_id", "kind", "ece", "n", "n_scope", "reason", "zero_gold_rate"),
    *("null_mean", "null_low", "null_high", "share_at_least", "seed", "replicates"),
    *("target", "threshold", "threshold_n", "coverage", "accuracy", "bins", "curve"),
    *("gap", "gap_low", "gap_high", "gap_reason", "ce2", "n_alone", "null_verdict"),
    *("accuracy_low", "threshold_in_sample", "threshold_reason", "threshold_risk"),
    *("threshold_items", "threshold_rows", "threshold_n_scope"),
)


def depth_rows(asked: Asked, row: str, found: Sequence[Depth]) -> Rows:
    """Return a row per kind; bins and curve are lists of objects."""
    return Rows(COLUMNS, [_row(asked, row, depth) for depth in found])


def _row(asked: Asked, row: str, depth: Depth) -> list[object]:
    run, bought = asked.run, depth.thresholds
    held, gap, squared = bought.held, depth.gap, depth.squared
    interval = gap.interval if gap else None
    return [
        *(run.run_id, run.model, run.revision, run.label, run.benchmark_id, row),
        *(asked.method_id, depth.kind, depth.ece, depth.n, depth.n_scope),
        *(depth.reason, depth.zero_gold_rate),
        *(depth.null or [None] * len(NullBand._fields)),
        *(SEED, REPLICATES, bought.target),
        *((held.threshold, held.n) if held else (None, None)),
        *(bought.coverage, held and held.n_right / held.n),
        [each._asdict() for each in depth.bins],
        [each._asdict() for each in bought.curve],
        *(gap and gap.value, *(interval or (None, None)), gap and gap.reason),
        *(squared or (None, None)),
        depth.null and depth.null.verdict,
        *(held and held.accuracy_low, bought.in_sample and bought.in_sample.threshold),
        *(bought.reason, RISK, bought.taken.value, bought.n, bought.n_scope),
    ]
