"""A leaderboard: its entries, its sentence, and its forms for people and programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import REPORT_COLUMNS, Number, decimals, sign
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import counted, short_id
from jevdb.comparison.all_pairs import DIGITS
from jevdb.comparison.cohorts import Asked, Rule
from jevdb.comparison.entrants import LEAST_SHARE
from jevdb.comparison.leaderboard_reported import Reported
from jevdb.comparison.rules import IntervalRule
from jevdb.comparison.saying import BOOTSTRAP_WORDS, joined
from jevdb.numerics.binomial import Bounds
from jevdb.scoring.differences import Unknown
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from jevdb.comparison.standing import Standing
    from jevdb.scoring.cluster_by import ClusterBy
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run

ALSO_SHOWN = tuple(number for number in REPORT_COLUMNS if number.metric != "coverage")
"""Metrics and kinds that stand beside the one ranked by."""

COLUMNS = (
    *("origin", "rank", "title", "run_id", "model", "revision", "label"),
    *("benchmark_id", "cohort", "modality", "gold_revision", "report_row"),
    *("method_id", "metric", "kind", "value", "n", "low", "high"),
    *("rank_low", "rank_high", "coverage", "unsupported_types", "note"),
)
LAST_COLUMNS = (
    *("leading_set", "level", "interval_reason", "value_shrunk", "own_rank"),
    *("warnings", "n_invalid", "cluster"),
)
"""Columns after the numbers beside the rank."""
NAMED = 10
"""Runs named in the heading; every run is named in the rows."""
OWN_REVERSES = "own_reverses"
"""The warning that all items, not only those shared, give another order."""


class Request(NamedTuple):
    """Which runs are ranked by which number, and on which items.

    Runs that miss many items are unranked until ``least_share`` of them stay; 0 ranks
    every run.
    ``unshown`` are other runs of the models, which the board does not rank.
    """

    benchmark_id: str
    runs: Sequence[Run]
    asked: Asked
    number: Number
    method_id: str
    report_row: str | None = None
    as_of: int | None = None
    least_share: float = LEAST_SHARE
    cluster: ClusterBy | None = None
    rule: IntervalRule = IntervalRule.ANALYTIC
    unshown: Sequence[Run] = ()
    shows_all: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A run on the board; without a standing it is not ranked, and ``note`` says why.

    ``coverage`` is the share of the items asked for that it has a usable row for;
    ``interval`` is of this run alone, null for ``interval_reason``; ``own_rank`` the
    rank if every item asked for counted; ``n_invalid`` its rows of the cohort that were
    answered invalidly and count wrong; ``numbers`` are those of `ALSO_SHOWN`.
    """

    run: Run
    coverage: float
    unsupported_types: Sequence[str]
    value: Value
    interval: Bounds | None
    interval_reason: str | None
    standing: Standing | None
    note: str | None
    numbers: Sequence[Value]
    n_invalid: int = 0
    own_rank: int | None = None
    warnings: Sequence[str] = ()


class Line(NamedTuple):
    """A run or a published result, and its rank.

    ``standing`` is null on a board that ranks published results: those cannot be tested
    against runs.
    """

    item: Entry | Reported
    rank: int | None = None
    standing: Standing | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Leaderboard(Tabular):
    """The entries, best first, then those not ranked; and what they were made from.

    ``level`` is that of each pair; ``clusters`` says what items were taken together;
    ``why`` is the reason where no pair can be tested. ``reported`` are published
    results that stand below the runs, or among them by value alone, as ``placed`` says.
    """

    request: Request
    report_row: str
    n_items: int
    n_asked: int
    gold_revision: int
    level: float
    cluster: str
    clusters: str
    why: Unknown | None
    entries: list[Entry]
    reported: Sequence[Reported] = ()
    placed: Placing | None = None

    @property
    def lines(self) -> list[Line]:
        """The lines, in their order."""
        return (self.placed or listed_below)(self, self.reported)

    @property
    def ranked(self) -> list[Entry]:
        """The entries that have a rank."""
        return [entry for entry in self.entries if entry.standing is not None]

    @property
    def reversed(self) -> list[str]:
        """The names of the runs that every item asked for puts in another order."""
        return [
            entry.run.name for entry in self.entries if OWN_REVERSES in entry.warnings
        ]

    def sentences(self) -> list[str]:
        """Return who leads, in a line."""
        return list(_sentences(self))

    def rows(self) -> Rows:
        """Return a row per run, full precision; published results follow.

        ``origin`` is computed, or reported for a published result.
        """
        beside = [
            f"{metric}_{kind}".removesuffix("_all") for metric, kind in ALSO_SHOWN
        ]
        return Rows(
            (*COLUMNS, *beside, *LAST_COLUMNS),
            [
                _reported_row(self, line, line.item)
                if isinstance(line.item, Reported)
                else _row(self, line, line.item)
                for line in self.lines
            ],
        )

    def people_rows(self) -> Rows:
        """Return the board as people read it, rounded."""
        number = self.request.number
        shown = [
            each for each in ALSO_SHOWN if self.request.shows_all and each != number
        ]
        return Rows(
            (
                *("rank", "ranks", "", "run", number.name, "95 % interval"),
                *("coverage", "not supported"),
                *(each.name for each in shown),
                "note",
            ),
            [
                _people_reported(self, line, line.item, shown)
                if isinstance(line.item, Reported)
                else _people_row(self, line, line.item, shown)
                for line in self.lines
            ],
        ).used()

    def heading(self) -> list[str]:
        """Return who leads, and what the ranks are by: number, items, who gave way."""
        return [*self.sentences(), *_heading(self)]


Placing = Callable[[Leaderboard, Sequence[Reported]], list[Line]]
"""How published results are placed: `listed_below` or `ranked_together`."""


def listed_below(board: Leaderboard, reported: Sequence[Reported]) -> list[Line]:
    """Return the runs as they are ranked, then the published results."""
    runs = [
        Line(entry, entry.standing and entry.standing.rank, entry.standing)
        for entry in board.entries
    ]
    return [*runs, *map(Line, reported)]


def ranked_together(board: Leaderboard, reported: Sequence[Reported]) -> list[Line]:
    """Return runs and published results by value; exact ties share a rank.

    Runs that gave way, and results without the number, follow without a rank.
    """
    direction = sign(board.request.number.metric)
    items: list[Entry | Reported] = [*board.entries, *reported]
    values = [_value(item) for item in items]
    ranked = sorted(
        (round(-direction * value, DIGITS), place)
        for place, value in enumerate(values)
        if value is not None
    )
    lines = [
        Line(items[place], 1 + sum(other < value for other, _ in ranked))
        for value, place in ranked
    ]
    left = [item for item, value in zip(items, values, strict=True) if value is None]
    return lines + [Line(item) for item in left]


def _value(item: Entry | Reported) -> float | None:
    """Return what an item is ranked by; None where it is not ranked."""
    if isinstance(item, Reported):
        return item.value
    return None if item.standing is None else item.value.value


def _row(board: Leaderboard, line: Line, entry: Entry) -> list[object]:
    request, run, standing = board.request, entry.run, line.standing
    return [
        *("computed", line.rank, standing and standing.title),
        *(run.run_id, run.model, run.revision, run.label),
        *(request.benchmark_id, request.asked.rule.value, request.asked.modality),
        *(board.gold_revision, board.report_row, request.method_id, *request.number),
        *(entry.value.value, entry.value.n, *(entry.interval or (None, None))),
        *(standing and standing.rank_low, standing and standing.rank_high),
        *(entry.coverage, list(entry.unsupported_types), entry.note),
        *(number.value for number in entry.numbers),
        *(standing and standing.leads, board.level, entry.interval_reason),
        *(standing and standing.shrunk, entry.own_rank, list(entry.warnings)),
        *(entry.n_invalid, board.cluster),
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
        *(known.get(name) for name in LAST_COLUMNS),
    ]


def _people_row(
    board: Leaderboard, line: Line, entry: Entry, shown: list[Number]
) -> list[object]:
    standing, places = line.standing, decimals(board.request.number.metric)
    values = dict(zip(ALSO_SHOWN, entry.numbers, strict=True))
    return [
        line.rank and str(line.rank),
        standing and _range_words(standing),
        standing and standing.title,
        entry.run.name,
        _shown(entry.value.value, board.request.number.metric),
        _interval_words(entry, places),
        f"{entry.coverage:.4f}",
        ", ".join(entry.unsupported_types) or None,
        *(_shown(values[each].value, each.metric) for each in shown),
        entry.note,
    ]


def _people_reported(
    board: Leaderboard, line: Line, result: Reported, shown: list[Number]
) -> list[object]:
    numbers = {"accuracy": result.accuracy, "intelligence": result.intelligence}
    metric = board.request.number.metric
    return [
        *(line.rank and str(line.rank), None, "reported", result.name),
        *(_shown(result.value, metric), None),
        *(_shown(result.coverage, "coverage"), None),
        *(_shown(numbers.get(name), name) for name, _ in shown),
        result.note,
    ]


def _shown(value: float | None, metric: str) -> str | None:
    return None if value is None else rounded(value, decimals(metric))


def _interval_words(entry: Entry, places: int) -> str | None:
    if entry.interval is None:
        return None
    return " to ".join(rounded(end, places) for end in entry.interval)


def _range_words(standing: Standing) -> str | None:
    low, high = standing.rank_low, standing.rank_high
    if low is None:
        return None
    return str(low) if low == high else f"{low}-{high}"


def _sentences(board: Leaderboard) -> Iterator[str]:
    ranked, name = board.ranked, _named(board.request.number)
    if not ranked or board.placed is ranked_together:
        return
    leaders = [entry for entry in ranked if entry.standing and entry.standing.leads]
    by_method = board.request.rule is IntervalRule.BOOTSTRAP
    if len(ranked) == 1:
        yield f"Only {ranked[0].run.name} is ranked by {name}."
    elif not leaders:
        yield f"By {name} in the order of values: no pair of runs can be tested."
    elif len(leaders) == 1:
        rule = " by METHOD v1.5" if by_method else ": it is above every other run"
        yield f"{leaders[0].run.name} is #1 of {len(ranked)} by {name}{rule}."
    else:
        together = "By METHOD v1.5" if by_method else "95 % for all ranks at once"
        yield (
            f"{len(leaders)} of {len(ranked)} runs may be first by {name}: "
            f"{joined([entry.run.name for entry in leaders], NAMED)}. {together}."
        )


def _named(number: Number) -> str:
    short = {"intelligence": "I", "calibration": "C"}
    return short.get(number.name, number.name)


def _heading(board: Leaderboard) -> Iterator[str]:
    """Yield what the ranks are by, line by line: number, items, who gave way."""
    request = board.request
    name = request.runs[0].benchmark if request.runs else request.benchmark_id
    yield (
        f"{name} / {board.report_row} by {request.number.name} "
        f"({request.method_id}), gold revision {board.gold_revision}"
    )
    yield (
        f"{board.n_items} of {counted(board.n_asked, 'item')} ({request.asked.words})"
    )
    yield from _repeated(board)
    yield from _not_ranked(board)
    yield from _unshown(board)
    yield from _warned(board)
    if board.placed is ranked_together:
        yield (
            "reported results are ranked by what was published of all their rows: no "
            "interval, and nobody leads or holds a range of ranks against them"
        )
    yield from _rule_words(board)


def _repeated(board: Leaderboard) -> Iterator[str]:
    """Yield how often the runs asked each item, where one asked several times."""
    runs = [entry.run for entry in board.entries]
    if any(run.n_repeats > 1 for run in runs):
        asked = joined([f"{run.name} x{run.n_repeats}" for run in runs], NAMED)
        yield f"asked {asked}: an item counts by the mean of its answers"


def _rule_words(board: Leaderboard) -> Iterator[str]:
    if board.request.rule is IntervalRule.BOOTSTRAP:
        yield BOOTSTRAP_WORDS
        return
    if board.why is not None:
        yield board.why.words
    yield (
        f"ranks: which are possible, {board.clusters}; an interval is of its run "
        "alone: that two overlap decides nothing"
    )


def _unshown(board: Leaderboard) -> Iterator[str]:
    """Yield the other runs of the models that the board does not show."""
    if board.request.unshown:
        names = [
            f"{run.name} ({short_id(run.run_id)})" for run in board.request.unshown
        ]
        yield f"not shown, other runs of these models: {joined(names, NAMED)}"


def _warned(board: Leaderboard) -> Iterator[str]:
    invalid = [entry for entry in board.entries if entry.n_invalid]
    for entry in invalid[:NAMED]:
        name = f"{entry.run.name} ({short_id(entry.run.run_id)})"
        yield f"counted wrong: {name}: {counted(entry.n_invalid, 'invalid row')}"
    if reversed_ones := board.reversed:
        yield (
            f"{OWN_REVERSES}: over every item asked for, and not only those shared, "
            f"the order is another: {joined(reversed_ones, NAMED)}"
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
