"""Two runs beside each other: their numbers on the board's items, won and lost items.

The first is compared with those that may be first too, and each run with the next by
rank: so many pages that all are there, and no more than twice the runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from jevdb.comparison.cohorts import Asked, Rule
from jevdb.comparison.compare import lines_of
from jevdb.comparison.compare_request import Request
from jevdb.comparison.compared import Comparison
from jevdb.comparison.compared_line import Line
from jevdb.comparison.saying import in_points, is_said_in_points
from jevdb.numerics.binomial import Bounds
from jevdb.site.charts import Axis, axis_of, scale, strip

if TYPE_CHECKING:
    from jevdb.comparison.board import Leaderboard
    from jevdb.comparison.cohorts import Candidates
    from jevdb.comparison.paired import Scores
    from jevdb.scoring.runs import Run
    from jevdb.site.answers import Answer, Answers, Item

MOST_LEADERS = 3
"""Of the runs that may be first, those that have a page with the first."""
MOST_ITEMS = 20
"""Items that one run won of another, each named with a link."""
ALONE = "no family"


class Decided(NamedTuple):
    """An item that one of two runs got right, or right more often.

    ``outcome`` is won if that was the other run, else lost.
    """

    item: Item
    outcome: str


class Branch(NamedTuple):
    """A difference of the forest: its number, and the difference drawn."""

    line: Line
    words: str
    strip: str


class Group(NamedTuple):
    """The items of a family that one run won, or lost."""

    name: str
    items: list[Item]


class Pair(NamedTuple):
    """Two runs, every number of both, and the items that tell them apart."""

    base: Run
    other: Run
    comparison: Comparison
    decided: list[Decided]

    @property
    def lines(self) -> list[Line]:
        """Every number of both."""
        return self.comparison.lines

    @property
    def report_rows(self) -> list[str]:
        """The report rows of the lines, in their order."""
        return list(dict.fromkeys(line.key.report_row for line in self.lines))

    @property
    def n_won(self) -> int:
        """How many items only the other run got right."""
        return sum(each.outcome == "won" for each in self.decided)

    def groups(self, outcome: str) -> list[Group]:
        """Return the first items that were won, or lost, by family."""
        found = sorted(
            (each.item.family or ALONE, each.item.item_id, each.item)
            for each in self.decided
            if each.outcome == outcome
        )[:MOST_ITEMS]
        return [
            Group(name, [item for _, _, item in items])
            for name, items in groupby(found, key=lambda each: each[0])
        ]

    def n_more(self, outcome: str) -> int:
        """Return how many items were won, or lost, beside those of the groups."""
        n_items = sum(each.outcome == outcome for each in self.decided)
        return max(n_items - MOST_ITEMS, 0)

    @property
    def axis(self) -> Axis | None:
        """The axis of the forest, in points; 0 is on it."""
        ends = [end for line in self._drawn for end in _in_points(line)]
        return axis_of([0.0, *ends], 320) if ends else None

    @property
    def scale(self) -> str:
        """The head of the forest."""
        return scale(self.axis)

    @property
    def forest(self) -> list[Branch]:
        """The differences in points on the largest report row, drawn on one axis."""
        axis = self.axis
        found = []
        for line in self._drawn:
            low, middle, high = _in_points(line)
            drawn = strip(axis, middle, Bounds(low, high), zero=0.0)
            words = f"{middle:+z.1f} ({low:+z.1f} to {high:+z.1f})"
            found.append(Branch(line, words, drawn))
        return found

    @property
    def _drawn(self) -> list[Line]:
        main = self.report_rows[0] if self.lines else None
        return [
            line
            for line in self.lines
            if line.key.report_row == main
            and is_said_in_points(line.key.metric)
            and line.interval is not None
            and line.difference is not None
        ]


def _in_points(line: Line) -> tuple[float, float, float]:
    assert line.interval is not None and line.difference is not None
    low, high = line.interval
    metric = line.key.metric
    middle = in_points(line.difference, metric)
    return in_points(low, metric), middle, in_points(high, metric)


def paired_runs(board: Leaderboard) -> list[tuple[Run, Run]]:
    """Return who is compared: the first with other leaders, each with the next."""
    ranked = [entry for entry in board.entries if entry.standing is not None]
    runs = [entry.run for entry in ranked]
    leaders = [e.run for e in ranked if e.standing and e.standing.leads][:MOST_LEADERS]
    chosen = [(leaders[0], other) for other in leaders[1:]]
    return list(dict.fromkeys([*chosen, *pairwise(runs)]))


def pairs(
    scores: Scores,
    answers: Answers,
    chosen: Sequence[tuple[Run, Run]],
    method_id: str,
    candidates: Candidates,
) -> Iterator[Pair]:
    """Yield the comparison of each two runs *chosen*, by one method."""
    cohort = set(scores.evidence.items.item_ids)
    clusters = scores.evidence.clusters(scores.report_rows[0])
    for base, other in chosen:
        request = Request(base, [other], Asked(Rule.SHARED), [method_id])
        lines = lines_of(request, scores.evidence, scores.values)
        yield Pair(
            base=base,
            other=other,
            comparison=Comparison(
                request=request,
                candidates=candidates,
                n_items=len(cohort),
                gold_revision=scores.gold_revision,
                clusters=clusters.words if clusters else "items as independent",
                lines=lines,
            ),
            decided=list(_decided(answers, base, other, cohort)),
        )


def _decided(
    answers: Answers, base: Run, other: Run, cohort: set[str]
) -> Iterator[Decided]:
    shares = _right(answers.by_run[other.run_id])
    for item_id, share in _right(answers.by_run[base.run_id]).items():
        if item_id in cohort and shares[item_id] != share:
            outcome = "won" if shares[item_id] > share else "lost"
            yield Decided(answers.items[item_id], outcome)


def _right(answers: Sequence[Answer]) -> dict[str, float]:
    """Return the share of its answers to each item that a run got right."""
    found: dict[str, list[bool]] = {}
    for answer in answers:
        found.setdefault(answer.item_id, []).append(answer.is_right)
    return {item_id: sum(right) / len(right) for item_id, right in found.items()}
