"""What a gate knows of a change for the worse: is it more than the margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from jevdb.base.metrics import Number, number_named
from jevdb.base.metrics import sign as registered_sign
from jevdb.comparison.gates.looks import FIRST_LEVEL, Require
from jevdb.comparison.saying import SUITE_SCORE
from jevdb.numerics.binomial import Bounds, at_least
from jevdb.numerics.discordant import adjusted_difference
from jevdb.numerics.estimates import items_needed
from jevdb.numerics.student import significant, two_sided
from jevdb.scoring.differences import Difference, Discordance, Unknown

if TYPE_CHECKING:
    from jevdb.scoring.differences import Contrast

CALIBRATION_NUMBERS = ("gap", "ce2")
"""Numbers of the calibration beside the registered ones: lower is better."""


PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"


def gated_number(text: str) -> Number:
    """Return the number that a gate's metric means; gap and ce2 have the ECE's kinds.

    Raises the errors of `jevdb.base.metrics.number_named`.
    """
    metric, _, kind = text.lower().partition("_")
    if metric in CALIBRATION_NUMBERS:
        return Number(metric, number_named("ece", kind or None).kind)
    return number_named(text)


def gated_name(number: Number) -> str:
    """Return a number's name as `gated_number` takes it."""
    if number.metric in CALIBRATION_NUMBERS:
        return f"{number.metric}_{number.kind}"
    return number.name


def sign(metric: str) -> float:
    """Return 1 where higher is better, -1 where lower is."""
    if metric == SUITE_SCORE:
        return 1.0
    return -1.0 if metric in CALIBRATION_NUMBERS else registered_sign(metric)


@dataclass(frozen=True, slots=True)
class Harm:
    """The difference candidate minus baseline, and the evidence that it is harm.

    ``beyond`` is the same less what the margin allows, where the margin is a share of
    the baseline; ``margin`` is in the number's unit.
    """

    metric: str
    difference: float
    contrast: Contrast
    margin: float
    beyond: Contrast | None = None

    @property
    def tested(self) -> Discordance | Difference | None:
        """The difference, where there is a test."""
        return None if isinstance(self.contrast, Unknown) else self.contrast

    @property
    def reason(self) -> str | None:
        """Why nothing is tested."""
        for contrast in (self.contrast, self.beyond):
            if isinstance(contrast, Unknown):
                return contrast.reason
        return None

    @property
    def interval(self) -> Bounds | None:
        """The 95 % interval of the difference, candidate minus baseline."""
        return self.tested and self.tested.interval()

    @property
    def p_harm(self) -> float | None:
        """The one-sided p-value of "not worse by more than the margin"."""
        if self.tested is None or isinstance(self.beyond, Unknown):
            return None
        if self.beyond is not None:
            return _p_above(self.beyond, sign(self.metric), 0.0)
        return _p_above(self.tested, sign(self.metric), self.margin)

    @property
    def highest_drop(self) -> float | None:
        """The largest change for the worse inside the interval; 0 if all are better."""
        if self.interval is None:
            return None
        return max(0.0, _upper(self.interval, sign(self.metric)))

    @property
    def is_within(self) -> bool:
        """Whether the whole interval is better than the margin."""
        if self.reason is not None or self.interval is None:
            return False
        if self.beyond is not None and not isinstance(self.beyond, Unknown):
            return _upper(self.beyond.interval(), sign(self.metric)) < 0
        return _upper(self.interval, sign(self.metric)) < self.margin

    @property
    def items_needed(self) -> int | None:
        """How many items, mixed like these, would see the margin, or the difference.

        None of a suite: its benchmarks have items of their own.
        """
        if self.tested is None or self.tested.n == 0:
            return None
        seen = self.margin or abs(self.difference)
        return items_needed(self.tested.n, self.tested.mde, seen)

    def outcome(self, require: Require, level: float) -> str:
        """Return what the evidence says at a one-sided *level*; 0 can never fail.

        References
        ----------
        INFERENCE.md §6.1.
        """
        p_harm = self.p_harm
        if p_harm is None:
            return INCONCLUSIVE
        if level > 0 and p_harm <= level:
            return FAIL
        if require is Require.NON_INFERIOR:
            return PASS if self.is_within else INCONCLUSIVE
        return INCONCLUSIVE if p_harm <= FIRST_LEVEL else PASS


def _upper(interval: Bounds, direction: float) -> float:
    """Return the upper end of the change for the worse."""
    return max(-direction * interval.low, -direction * interval.high) + 0.0


def _p_above(
    contrast: Discordance | Difference, direction: float, margin: float
) -> float:
    """Return the p-value of a change for the worse of *margin* or less."""
    if isinstance(contrast, Difference):
        drop = -direction * contrast.point
        return _one_sided(contrast, drop - margin)
    lost, won = contrast.n_only_base, contrast.n_only_other
    if margin > 0:
        middle, spread = adjusted_difference(lost, won, contrast.n)
        return NormalDist().cdf((middle + margin) / spread)
    if lost > won:
        return contrast.p_value / 2
    return at_least(lost, lost + won, 0.5)


def _one_sided(contrast: Difference, excess: float) -> float:
    t = significant(excess / contrast.se)
    half = two_sided(t, contrast.df) / 2
    return half if t > 0 else 1 - half


def overall(outcomes: Sequence[str]) -> str:
    """Return what a gate says: fail if any check does, else inconclusive if any is.

    Examples
    --------
    >>> overall(["pass", "inconclusive"]), overall([])
    ('inconclusive', 'pass')
    """
    for outcome in (FAIL, INCONCLUSIVE):
        if outcome in outcomes:
            return outcome
    return PASS
