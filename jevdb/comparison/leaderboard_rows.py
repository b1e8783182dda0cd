"""A leaderboard as rows: every column for programs, the telling ones for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.base.metrics import Number, decimals
from jevdb.base.output import Rows
from jevdb.base.text import counted, short_id
from jevdb.comparison.cohorts import Rule
from jevdb.comparison.leaderboard import ALSO_SHOWN
from jevdb.comparison.leaderboard_lines import (
    Line,
    Placing,
    listed_below,
    ranked_together,
)
from jevdb.comparison.leaderboard_reported import Reported
from jevdb.numerics.resampling import REPLICATES
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jevdb.comparison.leaderboard import Entry, Leaderboard

COLUMNS = (
    *("origin", "rank", "ties_above", "title", "run_id", "model", "revision"),
    "label",
    *("benchmark_id", "cohort", "modality", "gold_revision", "report_row"),
    *("method_id", "metric", "kind", "value", "n", "low", "high"),
    *("replicate_mean", "n_null_replicates"),
    *("rank_low", "rank_high", "rank_shares", "coverage", "unsupported_types", "note"),
)
TIE = "\N{ALMOST EQUAL TO}"
NAMED = 10
"""Runs named in the heading; every run is named in the rows."""


def leaderboard_rows(
    board: Leaderboard,
    reported: Sequence[Reported] = (),
    placed: Placing = listed_below,
) -> Rows:
    """Return a row per line, full precision; the numbers beside the rank come last.

    ``origin`` is computed, or reported for a published result.
    """
    beside = [f"{metric}_{kind}".removesuffix("_all") for metric, kind in ALSO_SHOWN]
    return Rows(
        (*COLUMNS, *beside, "resample_sha256"),
        [
            _reported_row(board, line, line.item)
            if isinstance(line.item, Reported)
            else _row(board, line, line.item)
            for line in placed(board, reported)
        ],
    )


def _row(board: Leaderboard, line: Line, entry: Entry) -> list[object]:
    request, run, standing = board.request, entry.run, line.standing
    interval = entry.interval
    return [
        *("computed", line.rank, line.ties_above, standing and standing.title),
        *(run.run_id, run.model, run.revision, run.label),
        *(request.benchmark_id, request.asked.rule.value, request.asked.modality),
        *(board.gold_revision, board.report_row, request.method_id, *request.number),
        *(entry.value.value, entry.value.n, interval and interval.low),
        *(interval and interval.high, interval and interval.mean),
        interval and interval.n_null,
        *(standing and standing.rank_low, standing and standing.rank_high),
        standing and standing.rank_shares,
        *(entry.coverage, list(entry.unsupported_types), entry.note),
        *(number.value for number in entry.numbers),
        board.resample_sha256,
    ]


def _reported_row(board: Leaderboard, line: Line, result: Reported) -> list[object]:
    request = board.request
    known = {
        **{"origin": "reported", "rank": line.rank, "model": result.model},
        **{"revision": result.revision, "label": ",".join(result.tags) or None},
        **{"benchmark_id": request.benchmark_id, "metric": request.number.metric},
        **{"kind": request.number.kind, "value": result.value, "n": result.n},
        **{"coverage": result.coverage, "note": result.note},
    }
    numbers = {"accuracy": result.accuracy, "intelligence": result.intelligence}
    return [
        *(known.get(name) for name in COLUMNS),
        *(numbers.get(metric) for metric, _ in ALSO_SHOWN),
        None,
    ]


def people_rows(
    board: Leaderboard,
    reported: Sequence[Reported] = (),
    placed: Placing = listed_below,
) -> Rows:
    """Return the board as people read it, rounded."""
    number = board.request.number
    shown = [pair for pair in ALSO_SHOWN if pair != tuple(number)]
    names = [Number(*pair).name for pair in shown]
    return Rows(
        (
            *("rank", "", "run", number.name, "95 % interval", "ranks", "first in"),
            *("coverage", "not supported", *names, "note"),
        ),
        [
            _people_reported(board, line, line.item, shown)
            if isinstance(line.item, Reported)
            else _people_row(board, line, line.item, shown)
            for line in placed(board, reported)
        ],
    ).used()


def _people_row(
    board: Leaderboard, line: Line, entry: Entry, shown: list[Number]
) -> list[object]:
    standing, places = line.standing, decimals(board.request.number.metric)
    values = dict(zip(ALSO_SHOWN, entry.numbers, strict=True))
    return [
        line.rank and f"{TIE if line.ties_above else ''}{line.rank}",
        standing and standing.title,
        entry.run.name,
        _shown(entry.value.value, board.request.number.metric),
        _interval_words(entry, places),
        standing and _range_words(standing.rank_low, standing.rank_high),
        standing and f"{standing.rank_shares[0]:.1%}",
        f"{entry.coverage:.4f}",
        ", ".join(entry.unsupported_types) or None,
        *(_shown(values[pair].value, pair[0]) for pair in shown),
        entry.note,
    ]


def _people_reported(
    board: Leaderboard, line: Line, result: Reported, shown: list[Number]
) -> list[object]:
    numbers = {"accuracy": result.accuracy, "intelligence": result.intelligence}
    metric = board.request.number.metric
    return [
        *(line.rank and str(line.rank), "reported", result.name),
        *(_shown(result.value, metric), None, None, None),
        *(_shown(result.coverage, "coverage"), None),
        *(_shown(numbers.get(name), name) for name, _ in shown),
        result.note,
    ]


def _shown(value: float | None, metric: str) -> str | None:
    return None if value is None else rounded(value, decimals(metric))


def _interval_words(entry: Entry, places: int) -> str | None:
    if entry.interval is None or entry.interval.low is None:
        return None
    low, high = entry.interval.low, entry.interval.high
    return f"{rounded(low, places)} to {rounded(high, places)}"


def _range_words(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"


def heading(board: Leaderboard, placed: Placing = listed_below) -> Iterator[str]:
    """Yield what the ranks are by, line by line: number, items, who gave way."""
    request = board.request
    yield (
        f"{request.benchmark_id} / {board.report_row} by {request.number.name} "
        f"({request.method_id}), gold revision {board.gold_revision}"
    )
    yield (
        f"{board.n_items} of {counted(board.n_asked, 'item')} ({request.asked.words})"
    )
    yield from _not_ranked(board)
    if placed is ranked_together:
        yield (
            "reported results are ranked by what was published of all their rows: no "
            "interval, no tie, and nobody leads or holds a range of ranks against them"
        )
    yield (
        f"{TIE}: may tie with the run above; ranks and intervals hold 95 % of "
        f"{REPLICATES} paired replicates, resample {short_id(board.resample_sha256)}"
    )


def _not_ranked(board: Leaderboard) -> Iterator[str]:
    """Yield who is not ranked and why, and what to do when that is most of them."""
    left_out = [entry for entry in board.entries if entry.standing is None]
    for entry in left_out[:NAMED]:
        name = f"{entry.run.name} ({short_id(entry.run.run_id)})"
        yield f"not ranked: {name}: {entry.note}"
    if len(left_out) > NAMED:
        yield f"not ranked: {len(left_out) - NAMED} more, named below"
    if 2 * len(left_out) > len(board.entries) and board.request.asked.rule != Rule.OWN:
        yield "most runs gave way: the cohort own ranks each over all items"
