"""A number with its variance: the interval, the test, and what they could have seen."""

from __future__ import annotations

import math
from typing import NamedTuple

from jevdb.numerics.binomial import Bounds
from jevdb.numerics.discordant import LEVEL
from jevdb.numerics.student import critical, quantile, significant, two_sided, whole

POWER = 0.80
NO_LIMITS = (-math.inf, math.inf)


class Estimate(NamedTuple):
    """A number, or a difference of two, whose error has Student's t distribution.

    ``variance`` is above 0, in the square of the number's unit; ``freedom`` are
    Satterthwaite's degrees of freedom, of which the whole part is used.
    """

    point: float
    variance: float
    freedom: float

    @property
    def df(self) -> int:
        """The degrees of freedom as they are used, from 1 to 200."""
        return whole(self.freedom)

    @property
    def se(self) -> float:
        """The standard error, in the number's unit."""
        return math.sqrt(self.variance)

    @property
    def t(self) -> float:
        """How many standard errors the number is away from 0, at least 0."""
        return significant(abs(self.point) / self.se)

    @property
    def p_value(self) -> float:
        """The chance of a number as far from 0, were the truth 0; two-sided."""
        return two_sided(self.t, self.df)

    def is_resolved(self, level: float = LEVEL) -> bool:
        """Return whether 0 is refused at *level*: rounded numbers, equality counts."""
        return self.t >= critical(level, self.df)

    def interval(
        self, level: float = LEVEL, limits: tuple[float, float] = NO_LIMITS
    ) -> Bounds:
        """Return the interval at one minus *level*, cut at the range of the number.

        It holds the point, and leaves out 0 exactly where `is_resolved`: an end of 0
        then counts as leaving it out.
        """
        half = critical(level, self.df) * self.se
        low, high = self.point - half, self.point + half
        if not self.is_resolved(level):
            low, high = min(low, 0.0), max(high, 0.0)
        elif self.point > 0:
            low = max(low, 0.0)
        else:
            high = min(high, 0.0)
        return self._cut(low, high, limits)

    def alone(
        self, limits: tuple[float, float] = NO_LIMITS, level: float = LEVEL
    ) -> Bounds:
        """Return the interval of one run's number: 0 is a value like any other."""
        half = critical(level, self.df) * self.se
        return self._cut(self.point - half, self.point + half, limits)

    def _cut(self, low: float, high: float, limits: tuple[float, float]) -> Bounds:
        return Bounds(
            min(max(low, limits[0]), self.point), max(min(high, limits[1]), self.point)
        )

    def log_interval(
        self, level: float = LEVEL, limits: tuple[float, float] = NO_LIMITS
    ) -> Bounds:
        """Return the interval on the scale of the logarithm; the number is above 0."""
        factor = math.exp(critical(level, self.df) * self.se / self.point)
        return Bounds(self.point / factor, min(self.point * factor, limits[1]))

    def logit_interval(self, level: float = LEVEL) -> Bounds:
        """Return the interval on the scale of the log odds; the number is a share."""
        share = self.point
        middle = math.log(share / (1 - share))
        half = critical(level, self.df) * self.se / (share * (1 - share))
        return Bounds(_share(middle - half), _share(middle + half))

    @property
    def detectable(self) -> float:
        """The difference that is found in 80 % of the cases at a level of 5 %."""
        return (critical(LEVEL, self.df) + quantile(POWER, self.df)) * self.se


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def items_needed(n: int, detectable: float, difference: float) -> int | None:
    """Return how many items, mixed like these *n*, would see a difference; null for 0.

    References
    ----------
    INFERENCE.md §6.3.

    Examples
    --------
    >>> items_needed(231, 6.4, 2.6)
    1400
    """
    if difference == 0:
        return None
    return math.ceil(significant(n * (detectable / difference) ** 2))
