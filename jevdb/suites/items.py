"""An item of a member's number, and what gold says of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Item(NamedTuple):
    """An item of a member's number."""

    item_id: str
    unit: str
    type: str
    weighted_tier: str | None
    options: Sequence[str]
    gold_index: int
    reference: Sequence[float] | None
    chance_rating_error: float | None
    level_values: Sequence[float] | None = None
    positive: str | None = None

    @property
    def expected_value(self) -> float:
        """The mean value of the target, from 0 at the lowest level to 1."""
        last = len(self.options) - 1
        values = np.array(self.level_values or range(last + 1), dtype=np.float64)
        scaled = (values - values[0]) / (values[-1] - values[0])
        return float(np.dot(scaled, self.target(soft=True)))

    @property
    def largest_rating_error(self) -> float:
        """What a rating that is not ok errs by, of K - 1; SCORING.md §4."""
        last = len(self.options) - 1
        return max(self.gold_index, last - self.gold_index) / max(last, 1)

    def target(self, soft: bool) -> list[float]:
        """Return what gold gives each option: one-hot, or its distribution."""
        if soft and self.reference is not None:
            return list(self.reference)
        return [float(place == self.gold_index) for place in range(len(self.options))]
