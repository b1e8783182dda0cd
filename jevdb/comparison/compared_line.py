"""A line of a comparison: a number of two runs, their difference, its verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import REASONS, Number, sign
from jevdb.comparison.saying import ends
from jevdb.numerics.estimates import items_needed
from jevdb.scoring.differences import Contrast, Difference, Discordance, Unknown

if TYPE_CHECKING:
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.keys import Key
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run

HEADLINE, EXPLORATORY = "headline", "exploratory"


class Again(NamedTuple):
    """What a difference would be if the same items were asked again.

    ``most_gained`` is the share by which more answers to these items can at best narrow
    the interval of the line.
    """

    interval: Bounds
    most_gained: float


@dataclass(frozen=True, slots=True)
class Line:
    """A number of the base beside that of another run, and what is said of it.

    ``difference`` is other minus base over the items where both count; ``interval`` is
    at one minus ``level``. ``verdict`` is better, worse, not_resolved, equivalent,
    identical, or null where a number is missing. Of a headline ``p_adjusted`` allows
    for the other runs; of an exploratory line ``p_bh`` for the lines beside it.
    """

    key: Key
    other: Run
    base_value: Value
    other_value: Value
    difference: float | None
    contrast: Contrast | None
    interval: Bounds | None
    claim: str
    level: float
    verdict: str | None
    verdict_reason: str | None = None
    pairs: Discordance | None = None
    p_adjusted: float | None = None
    p_bh: float | None = None
    identical: bool = False
    cluster: str = "none"
    n_clusters: int | None = None
    equivalent_within: float | None = None
    again: Again | None = None
    """Of the headline, where both runs asked several times."""

    @property
    def tested(self) -> Discordance | Difference | None:
        """The contrast, where there is a test."""
        return None if isinstance(self.contrast, Unknown) else self.contrast

    @property
    def p_value(self) -> float | None:
        """The two-sided p-value, not adjusted."""
        return self.tested and self.tested.p_value

    @property
    def interval_reason(self) -> str | None:
        """Why there is no interval."""
        if self.interval is not None:
            return None
        if self.identical:
            return "identical_rows"
        if isinstance(self.contrast, Unknown):
            return self.contrast.reason
        return self.reason

    @property
    def reason(self) -> str | None:
        """Why there is no difference."""
        return self.base_value.reason or self.other_value.reason

    @property
    def items_needed(self) -> int | None:
        """How many items, mixed like these, would see this difference."""
        if self.tested is None or self.difference is None:
            return None
        return items_needed(self.tested.n, self.tested.mde, self.difference)

    @property
    def why(self) -> str:
        """Why there is no interval, in words."""
        if isinstance(self.contrast, Unknown):
            return self.contrast.words
        if self.identical:
            return Unknown("identical_rows").words
        return REASONS[self.reason] if self.reason else "no replicate has a value"

    @property
    def name(self) -> str:
        """The number's name as `--metric` takes it: ece alone would be pooled."""
        number = Number(self.key.metric, self.key.kind)
        return "ece_all" if number == ("ece", "all") else number.name


def verdict_of(
    metric: str, contrast: Contrast, interval: Bounds | None, level: float,
    within: float | None = None,
) -> tuple[str, str | None]:  # fmt: skip
    """Return the verdict of a tested difference, and why it is not resolved.

    *within* is the margin of equivalence in the metric's unit.
    """
    if isinstance(contrast, Unknown):
        return "not_resolved", contrast.reason
    if contrast.is_resolved(level):
        is_better = (contrast.point > 0) == (sign(metric) > 0)
        return ("better" if is_better else "worse"), None
    if within is not None and interval is not None:
        low, high = ends(interval)
        if -within < low and high < within:
            return "equivalent", None
    return "not_resolved", None
