"""Two runs beside each other: their numbers on the board's items, won and lost items.

The leader is compared with every other run and each run with the next by rank: so many
pages that all are there, and no more than twice the runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.comparison.cohorts import Asked, Rule
from jevdb.comparison.compare import lines_of
from jevdb.comparison.compare_request import Request
from jevdb.comparison.compared_line import Line
from jevdb.plots.won_lost_numbers import NO_GROUP
from jevdb.scoring.differences import Discordance
from jevdb.site.answers import Answer, Item

if TYPE_CHECKING:
    from jevdb.comparison.board import Leaderboard
    from jevdb.comparison.paired import Scores
    from jevdb.scoring.runs import Run
    from jevdb.site.answers import Answers


class Decided(NamedTuple):
    """An item that only one of two runs got right."""

    item: Item
    base: Answer
    other: Answer

    @property
    def outcome(self) -> str:
        """Won if the other run got it right, else lost."""
        return "won" if self.other.is_right else "lost"


class Pair(NamedTuple):
    """Two runs, every number of both, and the items that tell them apart.

    ``groups`` counts who got the items of each group of the first report row, ``by``
    family, or by type where no item has one.
    """

    base: Run
    other: Run
    lines: list[Line]
    decided: list[Decided]
    by: str
    groups: dict[str, Discordance]

    @property
    def report_rows(self) -> list[str]:
        """The report rows of the lines, in their order."""
        return list(dict.fromkeys(line.key.report_row for line in self.lines))

    @property
    def n_won(self) -> int:
        """How many items only the other run got right."""
        return sum(each.other.is_right for each in self.decided)


def paired_runs(board: Leaderboard) -> list[tuple[Run, Run]]:
    """Return who is compared: the leader with all, each with the next by rank."""
    ranked = [entry.run for entry in board.entries if entry.standing is not None]
    chosen = [(ranked[0], other) for other in ranked[1:]] if ranked else []
    return list(dict.fromkeys([*chosen, *pairwise(ranked)]))


def pairs(
    scores: Scores,
    answers: Answers,
    chosen: Sequence[tuple[Run, Run]],
    methods: Sequence[str],
) -> Iterator[Pair]:
    """Yield the comparison of each two runs *chosen*.

    Every number by the first method; by the others what they change, which is I.
    """
    cohort = set(scores.evidence.items.item_ids)
    has_families = any(answers.items[item_id].family for item_id in cohort)
    by = "family" if has_families else "type"
    main = scores.report_rows[0]
    asked = [each for each in _first(answers) if each.item_id in cohort]
    by_group = _Counting(answers, asked, lambda item: (getattr(item, by) or NO_GROUP,))
    for base, other in chosen:
        beside = _beside(answers, base, other, cohort)
        groups = by_group.counts(beside)
        yield Pair(
            base=base,
            other=other,
            lines=_lines(scores, base, other, methods),
            decided=[
                Decided(answers.items[one.item_id], one, two)
                for one, two in beside
                if one.is_right != two.is_right
            ],
            by=by,
            groups={name: n for (row, name), n in groups.items() if row == main},
        )


def _first(answers: Answers) -> Sequence[Answer]:
    """Return the answers of a run: those of every other stand in the same order."""
    return next(iter(answers.by_run.values()), ())


def _beside(
    answers: Answers, base: Run, other: Run, cohort: set[str]
) -> list[tuple[Answer, Answer]]:
    both = zip(answers.by_run[base.run_id], answers.by_run[other.run_id], strict=True)
    return [(one, two) for one, two in both if one.item_id in cohort]


def _lines(scores: Scores, base: Run, other: Run, methods: Sequence[str]) -> list[Line]:
    request = Request(base, [other], Asked(Rule.SHARED), methods)
    return [
        line
        for line in lines_of(request, scores.evidence, scores.values)
        if line.key.method_id == methods[0] or line.key.metric == "intelligence"
    ]


class _Counting:
    """Counts who got how many items right, by report row and group."""

    def __init__(
        self,
        answers: Answers,
        asked: Sequence[Answer],
        groups_of: Callable[[Item], Iterable[str]],
    ):
        rows = {
            stratum: [report_row for report_row, subset in places if subset == "all"]
            for stratum, places in answers.places.items()
        }
        members: dict[tuple[str, str], list[int]] = {}
        for place, answer in enumerate(asked):
            for report_row in rows[answer.stratum]:
                for group in groups_of(answers.items[answer.item_id]):
                    members.setdefault((report_row, group), []).append(place)
        self._members = {key: np.array(found) for key, found in members.items()}

    def counts(
        self, beside: Sequence[tuple[Answer, Answer]]
    ) -> dict[tuple[str, str], Discordance]:
        """Return the counts of two runs, whose answers to the items asked these are."""
        fates = np.array(
            [2 * (not one.is_right) + (not two.is_right) for one, two in beside]
        )
        return {
            key: Discordance(*np.bincount(fates[members], minlength=4).tolist())
            for key, members in self._members.items()
        }
