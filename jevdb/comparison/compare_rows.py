"""A comparison as rows: every column for programs, the telling ones for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.base.metrics import REASONS, Number, decimals, signed
from jevdb.base.output import Rows
from jevdb.base.text import counted, short_id
from jevdb.comparison.cohorts import dropped_words
from jevdb.numerics.resampling import CONFIDENCE, REPLICATES, Interval
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jevdb.comparison.compare import Comparison, Line

COLUMNS = (
    *("base_run_id", "run_id", "benchmark_id", "cohort", "modality"),
    *("gold_revision", "report_row", "method_id", "metric", "kind"),
    *("n_base", "n", "base_value", "value", "difference", "low", "high", "verdict"),
    *(
        "wide_low",
        "wide_high",
        "replicate_mean",
        "n_null_replicates",
        "n_both",
        "n_only_base",
    ),
    *("n_only_other", "n_neither", "p_value", "p_holm", "reason", "resample_sha256"),
)
NOTHING = Interval(None, None, 0, None)


def comparison_rows(comparison: Comparison) -> Rows:
    """Return a row per number and other run, full precision."""
    return Rows(COLUMNS, [_row(comparison, line) for line in comparison.lines])


def _row(comparison: Comparison, line: Line) -> list[object]:
    request, (base, other) = comparison.request, (line.base_value, line.other_value)
    interval, wide = line.interval or NOTHING, line.wide or NOTHING
    pairs = line.pairs
    return [
        *(request.base.run_id, line.other.run_id, request.base.benchmark_id),
        *(request.asked.rule.value, request.asked.modality),
        *(comparison.gold_revision, *line.key),
        *(base.n, other.n, base.value, other.value, line.difference),
        *(interval.low, interval.high, line.verdict),
        *(wide.low, wide.high, interval.mean, line.interval and interval.n_null),
        *(pairs or [None] * 4),
        *(pairs and pairs.p_value, line.p_holm),
        base.reason or other.reason,
        comparison.resample_sha256,
    ]


def people_rows(comparison: Comparison) -> Rows:
    """Return the lines as people read them, rounded; what never applies is left out."""
    return Rows(
        (
            *("run", "row", "method", "metric", "base", "other", "difference"),
            *(
                "95 % interval",
                "wide interval",
                "verdict",
                "right: both/base/other/none",
            ),
            *("McNemar p", "Holm p"),
        ),
        [_people_row(comparison, line) for line in comparison.lines],
    ).used()


def _people_row(comparison: Comparison, line: Line) -> list[object]:
    request, places = comparison.request, decimals(line.key.metric)
    pairs = line.pairs
    return [
        line.other.name if len(request.others) > 1 else None,
        line.key.report_row,
        line.key.method_id if len(request.methods) > 1 else None,
        _name(line),
        rounded(line.base_value.value, places),
        rounded(line.other_value.value, places),
        None if line.difference is None else signed(line.difference, line.key.metric),
        _interval_words(line.interval, line.key.metric),
        _interval_words(line.wide, line.key.metric),
        line.verdict or _reason(line),
        pairs and "/".join(map(str, pairs)),
        pairs and f"{pairs.p_value:.4f}",
        None if line.p_holm is None else f"{line.p_holm:.4f}",
    ]


def _name(line: Line) -> str:
    """Return the number's name as `--metric` takes it: ece alone would be pooled."""
    number = Number(line.key.metric, line.key.kind)
    return "ece_all" if number == ("ece", "all") else number.name


def _reason(line: Line) -> str:
    reason = line.base_value.reason or line.other_value.reason
    return REASONS[reason] if reason else "no replicate has a value"


def _interval_words(interval: Interval | None, metric: str) -> str | None:
    if interval is None or interval.low is None or interval.high is None:
        return None
    return f"{signed(interval.low, metric)} to {signed(interval.high, metric)}"


def heading(comparison: Comparison) -> Iterator[str]:
    """Yield what the numbers are, line by line: runs, items, gold, resample."""
    request = comparison.request
    yield f"base   {request.base.name} ({short_id(request.base.run_id)})"
    for other in request.others:
        yield f"other  {other.name} ({short_id(other.run_id)})"
    yield (
        f"{request.base.benchmark_id}: {comparison.n_items} of "
        f"{counted(len(comparison.candidates.types), 'item')} "
        f"({request.asked.words}), gold revision {comparison.gold_revision}"
    )
    for words in dropped_words(comparison.candidates, request.runs):
        yield f"dropped for {words}"
    yield (
        f"difference = other - base; {CONFIDENCE:.0%} intervals of {REPLICATES} paired "
        f"replicates, resample {short_id(comparison.resample_sha256)}; wide: rescaled "
        "for small blocks"
    )
