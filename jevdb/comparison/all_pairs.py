"""Every pair of a board's runs tested at once: who is above whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.base.metrics import sign
from jevdb.numerics.cells import Cell, InestimableError, Influence
from jevdb.numerics.components import mean_influence
from jevdb.numerics.discordant import LEVEL
from jevdb.numerics.pairwise import (
    Spreads,
    clustered_pairs,
    discordant_pairs,
    mcnemar_resolved,
    mean_pairs,
    stratified_pairs,
    t_resolved,
)
from jevdb.scoring.differences import Unknown, untested
from jevdb.scoring.evidence_rows import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.scoring.evidence import Evidence
    from jevdb.scoring.keys import Key, Mean

    Booleans = NDArray[np.bool_]
    Doubles = NDArray[np.float64]

DIGITS = 9
"""Values that agree to so many decimals are equal: a rank is never a rounding error."""


class Pairwise(NamedTuple):
    """Which runs are above which, and the variances of their differences.

    ``above[i, j]`` where the better value of i is resolved against j at ``level``.
    ``variances`` (those of the rows alone) are null where the number has none; ``why``
    is the reason where no pair could be tested.
    """

    above: Booleans
    level: float
    variances: Doubles | None
    why: Unknown | None = None


def pair_level(count: int) -> float:
    """Return the level of each pair, so that all ranges hold together with 95 %."""
    return LEVEL / max(count * (count - 1) // 2, 1)


def all_pairs(
    evidence: Evidence, key: Key, run_ids: Sequence[str], values: Sequence[float]
) -> Pairwise:
    """Return which of the runs is above which, by the number *key*.

    Parameters
    ----------
    evidence : Evidence
    key : Key
        Accuracy, I or a component of it, or a mean; no pair is tested by C or ECE.
    run_ids : sequence of str, shape (n_runs,)
    values : sequence of float, shape (n_runs,)
        Their numbers.

    References
    ----------
    INFERENCE.md §5, §10.
    """
    return _Testing(evidence, key, run_ids, np.asarray(values)).tested()


class _Testing:
    """The pairs of some runs."""

    def __init__(
        self, evidence: Evidence, key: Key, run_ids: Sequence[str], values: Doubles
    ):
        self.evidence = evidence
        self.key = key
        self.run_ids = run_ids
        self.values = values
        self.level = pair_level(len(run_ids))
        self.gaps = values[:, np.newaxis] - values

    def tested(self) -> Pairwise:
        by_metric: dict[str, Callable[[], Pairwise]] = {
            "accuracy": self._accuracies,
            "intelligence": self._indices,
        }
        if self.key.metric in by_metric:
            return by_metric[self.key.metric]()
        if (mean := self.key.mean) is None:
            return self._none(untested(self.key.metric))
        return self._means(mean)

    def _none(self, why: Unknown) -> Pairwise:
        nobody = np.zeros(self.gaps.shape, dtype=np.bool_)
        return Pairwise(nobody, self.level, None, why)

    def _above(self, resolved: Booleans) -> Booleans:
        lead: Booleans = sign(self.key.metric) * self.gaps.round(DIGITS) > 0
        return resolved & lead

    def _accuracies(self) -> Pairwise:
        layout = self.evidence.accuracy_layout(self.key)
        if isinstance(layout, Unknown):
            return self._none(layout)
        influence = self.evidence.rights(self.key, self.run_ids)
        if layout.clusters is not None:
            return self._by_t(layout, influence)
        right = self.evidence.right(self.key, self.run_ids)
        n = right.shape[1]
        once = np.array(
            [not self.evidence.is_repeated([each]) for each in self.run_ids]
        )
        # The exact test needs one answer to an item from each.
        resolved = np.zeros(self.gaps.shape, dtype=np.bool_)
        resolved[np.ix_(once, once)] = mcnemar_resolved(
            discordant_pairs(right[once]), self.level
        )
        shares = self.evidence.shares_layout(self.key)
        if not once.all() and not isinstance(shares, Unknown):
            spreads = self._spreads(shares, influence)
            by_t = t_resolved(self.gaps, spreads, self.level, self._exactly)
            resolved |= by_t & ~(once[:, np.newaxis] & once)
        everything = np.arange(n)
        alone = Cell(everything, everything, everything, 1 / n)
        variances = None
        if n > 1:
            found = stratified_pairs([alone], lambda _: mean_influence(right))
            variances = found.variances
        return Pairwise(self._above(resolved), self.level, variances)

    def _indices(self) -> Pairwise:
        supported = [
            self.evidence.supported(self.key, run_id) for run_id in self.run_ids
        ]
        if len(set(supported)) == 1:
            layout = self.evidence.index_layout(self.key, supported[0])
            if isinstance(layout, Unknown):
                return self._none(layout)
            return self._by_t(layout, self.evidence.scored(self.key, self.run_ids))
        above = np.zeros(self.gaps.shape, dtype=np.bool_)
        for types in set(supported):
            mine = [place for place, each in enumerate(supported) if each == types]
            part = _Testing(
                self.evidence,
                self.key,
                [self.run_ids[place] for place in mine],
                self.values[mine],
            )
            part.level = self.level
            above[np.ix_(mine, mine)] = part.tested().above
        return Pairwise(above, self.level, None, Unknown("different_types"))

    def _by_t(self, layout: Layout, influence: Influence) -> Pairwise:
        try:
            spreads = self._spreads(layout, influence)
        except InestimableError as error:
            return self._none(Unknown(error.reason, error.about))
        resolved = t_resolved(self.gaps, spreads, self.level, self._exactly)
        variances = np.maximum(spreads.variances - layout.fixed, 0)
        return Pairwise(self._above(resolved), self.level, variances)

    def _spreads(self, layout: Layout, influence: Influence) -> Spreads:
        if layout.clusters is None:
            return stratified_pairs(layout.cells, influence, layout.fixed)
        return clustered_pairs(
            layout.cells, influence, layout.clusters.numbers, layout.fixed
        )

    def _means(self, mean: Mean) -> Pairwise:
        items = self.evidence.positions(self.key.report_row, mean.subset, mean.type)
        if self.evidence.belonging.of(items) is not None:
            return self._one_by_one()
        blocks = [self.evidence.items.blocks[item] for item in items.tolist()]
        counts = self.evidence.counting(self.key, mean, self.run_ids, items)
        values = self.evidence.values(self.key, mean, self.run_ids, items)
        found = mean_pairs(blocks, values, counts)
        gaps = self.gaps if counts.all() else found.gaps
        resolved = t_resolved(gaps, found.spreads, self.level, self._exactly)
        resolved &= np.sign(gaps) == np.sign(self.gaps)
        variances = found.spreads.variances if counts.all() else None
        return Pairwise(self._above(resolved), self.level, variances)

    def _one_by_one(self) -> Pairwise:
        """Test means of clustered items: which items count may differ by pair."""
        count = len(self.run_ids)
        resolved = np.zeros((count, count), dtype=np.bool_)
        for row in range(count):
            for column in range(row):
                found = self._exactly(row, column)
                resolved[row, column] = resolved[column, row] = found
        return Pairwise(self._above(resolved), self.level, None)

    def _exactly(self, row: int, column: int) -> bool:
        contrast = self.evidence.difference(
            self.key,
            self.run_ids[column],
            self.run_ids[row],
            float(self.gaps[row, column]),
        )
        if isinstance(contrast, Unknown):
            return False
        return contrast.is_resolved(self.level)
