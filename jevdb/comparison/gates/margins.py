"""How much worse is still good enough."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UsageError
from jevdb.base.text import counted
from jevdb.base.wording import option
from jevdb.comparison.saying import is_said_in_points, unit_of

if TYPE_CHECKING:
    from jevdb.base.metrics import Number


class Margin(NamedTuple):
    """How much worse is still good enough, in the metric's unit or of the baseline."""

    amount: float
    is_relative: bool

    @property
    def words(self) -> str:
        """``1.0`` or ``2%``."""
        return f"{self.amount * 100:g}%" if self.is_relative else f"{self.amount:g}"


MARGIN = re.compile(r"(\d+\.?\d*|\.\d+)(%?)")


def parse_margin(text: str) -> Margin:
    """Return the margin that ``1.0`` or ``2%`` means."""
    match = MARGIN.fullmatch(text)
    if match is None:
        raise UsageError(
            f"{option('margin')} {text!r}: give a number from 0, as 1.0 or 2%"
        )
    amount, percent = float(match[1]), bool(match[2])
    return Margin(amount / 100 if percent else amount, percent)


class MetricGate(NamedTuple):
    """A number that may not be worse than the baseline's by more than the margin."""

    number: Number
    margin: Margin


def margin_words(margin: Margin, metric: str) -> str:
    """Return a margin in words: points of accuracy, I or C, else the number's unit.

    Examples
    --------
    >>> margin_words(Margin(0.02, False), "accuracy"), margin_words(
    ...     Margin(0.02, True), "accuracy"
    ... )
    ('2 points', '2%')
    """
    if margin.is_relative:
        return margin.words
    if not is_said_in_points(metric):
        return margin.words
    return counted(margin.amount / unit_of(metric), "point", form="g")
