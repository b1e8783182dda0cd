"""What is said of a number, and of the difference of two: intervals, tests, reasons."""

from __future__ import annotations

import math
from typing import NamedTuple

from jevdb.numerics.binomial import Bounds
from jevdb.numerics.discordant import (
    LEVEL,
    adjusted_difference,
    detectable_difference,
    difference_interval,
    mcnemar_exact,
)
from jevdb.numerics.estimates import NO_LIMITS, Estimate


class Unknown(NamedTuple):
    """There is no valid interval: the word for why, and what it is about."""

    reason: str
    about: str = ""

    @property
    def words(self) -> str:
        """The reason as people read it."""
        about = f" ({self.about})" if self.about else ""
        return f"{INTERVAL_REASONS.get(self.reason, self.reason)}{about}"


INTERVAL_REASONS = {
    "no_rows": "no rows: no interval",
    "too_few_items": "too few items for an interval",
    "few_clusters": "too few clusters for an interval",
    "cluster_is_cell": "a cluster is a whole cell: no interval",
    "no_variation": "no variation: no interval",
    "biased_statistic": "biased statistic: see gap, ce2 or brier",
    "not_a_mean": "no mean over items: no interval",
    "identical_rows": "the same answers",
    "different_types": "the indices are means over different types",
    "gated": "not counted: the first number is not resolved",
}
"""Why there is no interval or verdict, in words."""
BIASED = ("ece", "calibration")
UNTESTED = ("biased_statistic", "not_a_mean")
"""Reasons of numbers of which nothing is inferred, whatever the rows."""


def untested(metric: str, about: str = "") -> Unknown:
    """Return why nothing is inferred of a metric: it is biased, or no mean over items.

    A calibration error is an absolute value of noise. An F1 of classes, a skill, or
    what repeats show is a function of several means, whose linearisation is not tested.
    """
    return Unknown(UNTESTED[0] if metric in BIASED else UNTESTED[1], about)


class Discordance(NamedTuple):
    """Items that two runs both, one alone or neither got right: the exact test."""

    n_both: int
    n_only_base: int
    n_only_other: int
    n_neither: int

    @property
    def n(self) -> int:
        """How many items both were asked."""
        return sum(self)

    @property
    def point(self) -> float:
        """The difference of the accuracies, other minus base."""
        return (self.n_only_other - self.n_only_base) / self.n

    @property
    def test(self) -> str:
        """The name of the test."""
        return "mcnemar_exact"

    @property
    def p_value(self) -> float:
        """The exact McNemar p-value, two-sided."""
        return mcnemar_exact(self.n_only_base, self.n_only_other)

    @property
    def se(self) -> float:
        """The standard error with one item added each way."""
        return adjusted_difference(self.n_only_base, self.n_only_other, self.n)[1]

    @property
    def df(self) -> None:
        """None: the test is exact."""
        return

    @property
    def mde(self) -> float:
        """The difference that is found in 80 % of the cases."""
        return detectable_difference(self.n_only_base, self.n_only_other, self.n)

    def is_resolved(self, level: float = LEVEL) -> bool:
        """Return whether the test refuses no difference."""
        return self.p_value <= level

    def interval(self, level: float = LEVEL) -> Bounds:
        """Return the interval that agrees with the test."""
        return difference_interval(self.n_only_base, self.n_only_other, self.n, level)


class Difference(NamedTuple):
    """Other minus base over ``n`` items, with its variance: Student's t."""

    estimate: Estimate
    n: int
    limits: tuple[float, float] = NO_LIMITS

    @property
    def point(self) -> float:
        """The difference."""
        return self.estimate.point

    @property
    def test(self) -> str:
        """The name of the test."""
        return "t"

    @property
    def p_value(self) -> float:
        """The p-value of Student's t, two-sided."""
        return self.estimate.p_value

    @property
    def se(self) -> float:
        """The standard error."""
        return self.estimate.se

    @property
    def df(self) -> int:
        """The degrees of freedom."""
        return self.estimate.df

    @property
    def mde(self) -> float:
        """The difference that is found in 80 % of the cases."""
        return self.estimate.detectable

    def is_resolved(self, level: float = LEVEL) -> bool:
        """Return whether the test refuses no difference."""
        return self.estimate.is_resolved(level)

    def interval(self, level: float = LEVEL) -> Bounds:
        """Return the interval that agrees with the test."""
        return self.estimate.interval(level, self.limits)


Contrast = Discordance | Difference | Unknown
"""What is known of a difference."""

Alone = Bounds | Unknown
"""What is known of one run's number: an interval of 95 %."""

HIGHEST_INDEX = (-math.inf, 100.0)
