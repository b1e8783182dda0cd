"""What is compared with what, and which number of it is asked first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

from jevdb.base.errors import UsageError, near_names
from jevdb.base.wording import option
from jevdb.comparison.rules import IntervalRule
from jevdb.scoring.selection import Breakdown

if TYPE_CHECKING:
    from jevdb.comparison.cohorts import Asked
    from jevdb.scoring.cluster_by import ClusterBy
    from jevdb.scoring.runs import Run

BY = {"accuracy": "accuracy", "i": "intelligence", "intelligence": "intelligence"}
"""Words for the headline's first number."""


def headline_order(
    metric: str, by: str | None, break_down: Breakdown | None
) -> tuple[str, Breakdown | None]:
    """Return the headline's first number and the breakdown that the words mean.

    *by* and *break_down* are two words for the breakdown; *by* was the headline's
    number once, and such a word still means it.

    Raises
    ------
    UsageError
        A word that is neither; two breakdowns.
    """
    if by is not None and by.lower() in BY:
        return BY[by.lower()], break_down
    if metric.lower() not in BY:
        raise UsageError(
            f"{option('metric')} {metric!r}: the headline is by accuracy or I"
        )
    if by is not None and by not in get_args(Breakdown):
        known = (*get_args(Breakdown), "accuracy", "I")
        raise UsageError(
            f"{option('by')} {by!r}: rows are added by "
            f"{', '.join(get_args(Breakdown))}; the headline is by accuracy or I, "
            f"see {option('metric')}; {near_names(by, known)}"
        )
    if by is not None and break_down not in (None, by):
        raise UsageError(
            f"two breakdowns, {by} and {break_down}: name one with {option('by')}"
        )
    return BY[metric.lower()], cast("Breakdown | None", by or break_down)


class Request(NamedTuple):
    """What is compared with what, on which items, and what is asked of it first.

    ``by`` is the headline's first number, accuracy or I; ``row`` its report row, the
    one with most items unless given; ``break_down`` adds rows per type, tier, ..., or
    repeat, each compared alone; ``equivalent_within`` is in points: hundredths of
    accuracy, or units of I.
    """

    base: Run
    others: Sequence[Run]
    asked: Asked
    methods: Sequence[str]
    by: str = "accuracy"
    row: str | None = None
    break_down: Breakdown | None = None
    cluster: ClusterBy | None = None
    equivalent_within: float | None = None
    rule: IntervalRule = IntervalRule.ANALYTIC
    shows_all: bool = False

    @property
    def runs(self) -> list[Run]:
        """The base and the others, in this order."""
        return [self.base, *self.others]
