"""A leaderboard as rows: every column for programs, the telling ones for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.directions import decimals
from jevdb.leaderboard import ALSO_SHOWN
from jevdb.metric_names import Number
from jevdb.output import Rows
from jevdb.report_text import rounded
from jevdb.resampling import REPLICATES
from jevdb.text import counted, short_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jevdb.leaderboard import Entry, Leaderboard

COLUMNS = (
    *("rank", "ties_above", "title", "run_id", "model", "revision", "label"),
    *("benchmark_id", "cohort", "modality", "gold_revision", "report_row"),
    *("method_id", "metric", "kind", "value", "n", "low", "high"),
    *("replicate_mean", "n_null_replicates"),
    *("rank_low", "rank_high", "rank_shares", "coverage", "unsupported_types", "note"),
)
TIE = "\N{ALMOST EQUAL TO}"


def leaderboard_rows(board: Leaderboard) -> Rows:
    """Return a row per run, full precision; the numbers beside the rank come last."""
    beside = [f"{metric}_{kind}".removesuffix("_all") for metric, kind in ALSO_SHOWN]
    return Rows(
        (*COLUMNS, *beside, "resample_sha256"),
        [_row(board, entry) for entry in board.entries],
    )


def _row(board: Leaderboard, entry: Entry) -> list[object]:
    request, run, standing = board.request, entry.run, entry.standing
    interval = entry.interval
    return [
        *(standing and standing.rank, standing and standing.ties_above),
        *(standing and standing.title, run.run_id, run.model, run.revision, run.label),
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


def people_rows(board: Leaderboard) -> Rows:
    """Return the board as people read it, rounded."""
    number = board.request.number
    shown = [pair for pair in ALSO_SHOWN if pair != tuple(number)]
    names = [Number(*pair).name for pair in shown]
    return Rows(
        (
            *("rank", "", "run", number.name, "95 % interval", "ranks", "first in"),
            *("coverage", "not supported", *names, "note"),
        ),
        [_people_row(board, entry, shown) for entry in board.entries],
    ).used()


def _people_row(
    board: Leaderboard, entry: Entry, shown: list[tuple[str, str]]
) -> list[object]:
    standing, places = entry.standing, decimals(board.request.number.metric)
    values = dict(zip(ALSO_SHOWN, entry.numbers, strict=True))
    return [
        standing and f"{TIE if standing.ties_above else ''}{standing.rank}",
        standing and standing.title,
        entry.run.name,
        rounded(entry.value.value, places) if entry.value.value is not None else None,
        _interval_words(entry, places),
        standing and _range_words(standing.rank_low, standing.rank_high),
        standing and f"{standing.rank_shares[0]:.1%}",
        f"{entry.coverage:.4f}",
        ", ".join(entry.unsupported_types) or None,
        *(
            None
            if values[pair].value is None
            else rounded(values[pair].value, decimals(pair[0]))
            for pair in shown
        ),
        entry.note,
    ]


def _interval_words(entry: Entry, places: int) -> str | None:
    if entry.interval is None or entry.interval.low is None:
        return None
    low, high = entry.interval.low, entry.interval.high
    return f"{rounded(low, places)} to {rounded(high, places)}"


def _range_words(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"


def heading(board: Leaderboard) -> Iterator[str]:
    """Yield what the ranks are by, line by line: number, items, who gave way."""
    request = board.request
    yield (
        f"{request.benchmark_id} / {board.report_row} by {request.number.name} "
        f"({request.method_id}), gold revision {board.gold_revision}"
    )
    yield (
        f"{board.n_items} of {counted(board.n_asked, 'item')} ({request.asked.words})"
    )
    for entry in board.entries:
        if entry.standing is None:
            name = f"{entry.run.name} ({short_id(entry.run.run_id)})"
            yield f"not ranked: {name}: {entry.note}"
    yield (
        f"{TIE}: may tie with the run above; ranks and intervals hold 95 % of "
        f"{REPLICATES} paired replicates, resample {short_id(board.resample_sha256)}"
    )
