"""A candidate held to a baseline by the score of a suite."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from jevdb.base.errors import UsageError
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.wording import option
from jevdb.scoring.differences import Unknown
from jevdb.suites.report import SuiteComparison, compare

if TYPE_CHECKING:
    from jevdb.suites.leaderboard import Made

Outcome = Literal["passed", "failed", "inconclusive"]


@dataclass(frozen=True, slots=True, repr=False)
class SuiteVerdict(Tabular):
    """Whether a candidate is good enough: its score against the baseline's.

    ``margin`` is in points. Not worse: it fails on evidence that it is worse by more
    than the margin. Non-inferior: it passes on evidence that it is not.
    """

    comparison: SuiteComparison
    require: str
    margin: float
    outcome: Outcome

    @property
    def passed(self) -> bool:
        """Whether the gate lets the candidate through."""
        return self.outcome == "passed"

    def rows(self) -> Rows:
        """Return the one row of the verdict."""
        found, suite = self.comparison, self.comparison.scores.request.suite
        low = high = p_value = reason = None
        if isinstance(found.difference, Unknown):
            reason = found.difference.reason
        else:
            low, high = found.difference.interval()
            p_value = found.difference.p_value
        return Rows(
            (
                *("suite", "version", "baseline", "candidate", "require", "margin"),
                *("difference", "low", "high", "p_value", "reason", "outcome"),
            ),
            [
                [
                    *(suite.name, suite.version, found.base.name, found.other.name),
                    *(self.require, self.margin, found.gap, low, high, p_value),
                    *(reason, self.outcome),
                ]
            ],
        )

    def heading(self) -> list[str]:
        """Return the verdict in a line."""
        return [*self.comparison.heading(), f"gate {self.summary}"]

    @property
    def summary(self) -> str:
        """What was asked, and the outcome."""
        return f"{self.outcome}: {self.require} by {self.margin:g} points"


def gate(
    made: Made, baseline: str, candidate: str, margin: float, require: str
) -> SuiteVerdict:
    """Return whether a candidate is good enough.

    Raises
    ------
    UsageError
        The margin is below 0.
    """
    if not 0 <= margin < math.inf:
        raise UsageError(f"{option('margin')} is a number of points of at least 0")
    found = compare(made, baseline, candidate)
    return SuiteVerdict(found, require, margin, _outcome(found, margin, require))


def _outcome(found: SuiteComparison, margin: float, require: str) -> Outcome:
    if found.gap is None or isinstance(found.difference, Unknown):
        is_same = isinstance(found.difference, Unknown) and found.gap == 0
        return "passed" if is_same else "inconclusive"
    low, high = found.difference.interval()
    if high < -margin:
        return "failed"
    if require == "non-inferior" and low < -margin:
        return "inconclusive"
    return "passed"
