"""Where a run is right: its accuracy by type, tier, family, ... with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from jevdb.numerics.binomial import Bounds
from jevdb.numerics.statistics import wilson_interval
from jevdb.site.answers import PROPERTIES
from jevdb.site.charts import Axis, strip

if TYPE_CHECKING:
    from jevdb.site.answers import Answers


class Share(NamedTuple):
    """How many of the answers to the items of one kind are right."""

    value: str
    n_right: int
    n: int
    n_items: int

    @property
    def accuracy(self) -> float:
        """The share that is right."""
        return self.n_right / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share.

        Several answers to an item are no sample of items, and count as one.
        """
        right = round(self.n_right * self.n_items / self.n)
        low, high = wilson_interval(right, self.n_items)
        return low, high

    @property
    def strip(self) -> str:
        """The interval, drawn from 0 to 1."""
        return strip(UNIT, self.accuracy, Bounds(*self.interval))


UNIT = Axis(0.0, 1.0, 0.25, 120)


class Profile(NamedTuple):
    """The shares of a run by one property of the items."""

    dimension: str
    shares: list[Share]


def profiles(answers: Answers, run_id: str, report_row: str) -> Iterator[Profile]:
    """Yield the profiles of a run over the items of a report row."""
    placed = {
        stratum
        for stratum, places in answers.places.items()
        if (report_row, "all") in places
    }
    for dimension in PROPERTIES:
        counts: dict[str, tuple[int, int]] = {}
        items: dict[str, set[str]] = {}
        for answer in answers.by_run[run_id]:
            value = getattr(answers.items[answer.item_id], dimension)
            if value is None or answer.stratum not in placed:
                continue
            n_right, n = counts.get(value, (0, 0))
            counts[value] = (n_right + answer.is_right, n + 1)
            items.setdefault(value, set()).add(answer.item_id)
        if len(counts) > 1:
            yield Profile(
                dimension,
                [
                    Share(value, n_right, n, len(items[value]))
                    for value, (n_right, n) in sorted(counts.items())
                ],
            )
