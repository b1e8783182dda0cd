"""Means over rows: losses, F1, coverage."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from jevdb.numerics import components
from jevdb.scoring.differences import Alone, Contrast, Difference, Unknown
from jevdb.scoring.evidence_rows import Layout, Rows, everything

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.scoring.evidence_rows import Doubles, Integers
    from jevdb.scoring.keys import Key, Mean

    Booleans = NDArray[np.bool_]

LEAST_ALONE = 30
"""Rows from which the mean of one run has an interval."""


class Means(Rows):
    """What is known of means."""

    def means(
        self, key: Key, mean: Mean, base: str, other: str, gap: float
    ) -> Contrast:
        """Return what is known of the difference of two means, which is *gap*.

        It is over the items that both count, and *gap* only where these are all.
        """
        items = self.positions(key.report_row, mean.subset, mean.type)
        counts = self.counting(key, mean, [base, other], items)
        both = items[counts.all(axis=0)]
        values = self.values(key, mean, [base, other], both)
        if len(both) < len(items[counts[0]]) or len(both) < len(items[counts[1]]):
            ends = [*values[1].tolist(), *(-values[0]).tolist()]
            gap = math.fsum(ends) / max(len(both), 1)
        layout = self._mean_layout(key, both)
        gaps = components.mean_influence((values[1] - values[0])[np.newaxis])

        low, high = mean.limits
        return self.tested(
            layout, gap, lambda places: gaps[:, places], (low - high, high - low)
        )

    def mean(self, key: Key, mean: Mean, run_id: str, value: float) -> Alone:
        """Return the interval of one run's mean."""
        items = self.positions(key.report_row, mean.subset, mean.type)
        mine = items[self.counting(key, mean, [run_id], items)[0]]
        if len(mine) < LEAST_ALONE:
            return Unknown("too_few_items", f"{len(mine)} of {LEAST_ALONE}")
        layout = self._mean_layout(key, mine)
        values = self.values(key, mean, [run_id], mine)
        influence = components.mean_influence(values)
        found = self.tested(layout, value, lambda places: influence[:, places])
        if isinstance(found, Unknown):
            return found
        if mean.is_loss:
            return found.estimate.log_interval(limits=mean.limits)
        return found.estimate.alone(mean.limits)

    def scaled_means(
        self, key: Key, mean: Mean, base: str, other: str, scale: Doubles
    ) -> Difference | Unknown:
        """Return what is known of other minus base, each times its *scale*."""
        items = self.positions(key.report_row, mean.subset, mean.type)
        both = items[self.counting(key, mean, [base, other], items).all(axis=0)]
        layout = self._mean_layout(key, both)
        if isinstance(layout, Unknown):
            return layout
        values = self.values(key, mean, [base, other], both) * scale
        first, second = components.mean(values)[:, 0].tolist()
        influence = components.mean_influence(values)
        return self.tested(layout, second - first, lambda places: influence[:, places])

    def counting(
        self, key: Key, mean: Mean, run_ids: Sequence[str], items: Integers
    ) -> Booleans:
        """Return which rows of some runs a mean is over, shape (n_runs, n)."""
        name = mean.counts
        if name is None:
            return np.ones((len(run_ids), len(items)), dtype=np.bool_)
        places = [self.place(run_id) for run_id in run_ids]
        counts: Booleans = self.terms(key).columns[name][places][:, items] > 0
        return counts

    def values(
        self, key: Key, mean: Mean, run_ids: Sequence[str], items: Integers
    ) -> Doubles:
        """Return what each row adds to a mean, in its unit, shape (n_runs, n)."""
        values: Doubles = self.column(key, mean.term, run_ids)[:, items]
        if mean.counts is not None and self.is_repeated(run_ids):
            # Averaged over the answers that count, not over all asked.
            counted = self.column(key, mean.counts, run_ids)[:, items]
            values = np.divide(
                values, counted, out=np.zeros_like(values), where=counted > 0
            )
        return values

    def _mean_layout(self, key: Key, items: Integers) -> Layout | Unknown:
        name = (key.report_row, items.tobytes())
        if name not in self.layouts:
            addends = [everything(len(items))] if len(items) else []
            self.layouts[name] = self.laid_out(items, addends, 0.0, across_types=True)
        return self.layouts[name]
