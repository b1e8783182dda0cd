"""The numbers of a published result: each with its n, its definition, its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from jevdb.ingest.results.checks import correct_rows, option_count
from jevdb.ingest.results.option_counts import OptionCounts
from jevdb.ingest.results.records import ECE_BINS, OVERALL, Result, View, number

OK_ROWS = "over the ok rows only"
DEFINITIONS = {
    "accuracy": f"share of rows whose most probable candidate (ties: the first) is the "
    f"gold, {OK_ROWS}",
    "nll": "soft cross-entropy with the gold probabilities, natural logarithm, "
    f"probabilities floored at 1e-15, {OK_ROWS}",
    "ece": "{bins} equal-width bins on the top probability, left-closed, 1.0 in the "
    f"last, weighted by rows, {OK_ROWS}",
    "latency_s": f"mean seconds a row as the adapter timed it, {OK_ROWS}",
    "coverage": "ok rows / requested rows",
    "primary_accuracy": "supported accuracy x coverage: a row that is not ok is wrong",
    "supported_accuracy": f"accuracy {OK_ROWS}",
}
VIEW_METRICS = {
    "accuracy": "accuracy",
    "nll": "mean_negative_log_likelihood",
    "ece": "expected_calibration_error",
    "latency_s": "mean_latency_seconds",
}
FORMULA = "100 (accuracy - c) / (1 - c), derived from the published counts"
NO_ROWS = "no_rows"
NOT_REPORTED = "not_reported"
NO_COUNTS = "no_candidate_counts"
UNKNOWN_DATASET = "unknown_option_counts"


class Number(NamedTuple):
    """One published or derived number; a null one has a reason."""

    view: str
    metric: str
    value: float | None
    n: int
    reason: str | None
    definition: str
    is_partial: bool


def numbers(result: Result, known: OptionCounts | None) -> Iterator[Number]:
    """Yield every number of a result, then the I that follows from its counts.

    *known* is how many of the requested items have how many options, if that is known
    of the result's data set.
    """
    is_partial = result.successful_rows < result.requested_rows
    for name, view in result.views.items():
        for metric, field in VIEW_METRICS.items():
            value = number(getattr(view, field))
            reason = _reason(value, view.rows)
            yield Number(
                *(name, metric, value, view.rows, reason),
                *(_definition(metric, view), is_partial),
            )
    requested, ok = result.requested_rows, result.successful_rows
    whole = {
        "coverage": (result.coverage, requested, False),
        "primary_accuracy": (result.primary_accuracy, requested, False),
        "supported_accuracy": (number(result.supported_accuracy), ok, is_partial),
    }
    for metric, (value, n, partial) in whole.items():
        reason = _reason(value, n)
        yield Number(OVERALL, metric, value, n, reason, DEFINITIONS[metric], partial)
    yield _requested(result, known)
    yield _supported(result, is_partial)


def _reason(value: float | None, n: int) -> str | None:
    if value is not None:
        return None
    return NOT_REPORTED if n else NO_ROWS


def _definition(metric: str, view: View) -> str:
    bins = view.ece_bins if isinstance(view.ece_bins, int) else ECE_BINS
    return DEFINITIONS[metric].format(bins=bins)


def _requested(result: Result, known: OptionCounts | None) -> Number:
    """Return I over all requested rows, of which those that are not ok are wrong."""
    n, own = result.requested_rows, _own_counts(result)
    counts, source = own, "the result's own candidate_count views"
    if sum(own.values()) != n:
        counts = known.items_by_option_count if known else {}
        source = known.source if known else "nothing known of this data set revision"
    definition = (
        f"{FORMULA}; accuracy over all requested rows, a row that is not ok is wrong; "
        f"c = mean(1 / option count) of all requested rows: {source}"
    )
    if sum(counts.values()) != n:
        reason = UNKNOWN_DATASET
        return Number(OVERALL, "intelligence", None, n, reason, definition, False)
    value = intelligence(_right(result), n, counts)
    return Number(OVERALL, "intelligence", value, n, None, definition, False)


def _supported(result: Result, is_partial: bool) -> Number:
    """Return I over the ok rows: not comparable where rows are not ok."""
    n, own = result.successful_rows, _own_counts(result)
    definition = (
        f"{FORMULA}; accuracy and c = mean(1 / option count) {OK_ROWS}: the result's "
        "own candidate_count views"
    )
    value, reason = None, None
    if not n:
        reason = NO_ROWS
    elif sum(own.values()) != n:
        reason = NO_COUNTS
    else:
        value = intelligence(_right(result), n, own)
    name = "intelligence_supported"
    return Number(OVERALL, name, value, n, reason, definition, is_partial)


def _right(result: Result) -> int:
    overall = result.views.get(OVERALL)
    return correct_rows(overall) if overall else 0


def _own_counts(result: Result) -> dict[int, int]:
    """Return how many ok rows have how many options."""
    counts = {}
    for name, view in result.views.items():
        kind, _, what = name.partition(":")
        if kind == "candidate_count" and (options := option_count(what)):
            counts[options] = view.rows
    return counts


def chance(counts: Mapping[int, int]) -> Fraction:
    """Return mean(1 / option count) over items counted by their number of options."""
    total = sum((Fraction(n, k) for k, n in counts.items()), Fraction())
    return total / sum(counts.values())


def intelligence(right: int, n: int, counts: Mapping[int, int]) -> float:
    """Return METRICS.md's I of *n* rows of which *right* are right, rounded once."""
    c = chance(counts)
    return float(100 * (Fraction(right, n) - c) / (1 - c))
