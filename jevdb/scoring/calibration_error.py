"""How far stated probabilities lie from what happens: the signed gap, and ce2.

Unlike the ECE both are centred on their truth, so that they have intervals and tests.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.numerics.cells import (
    SMALLEST,
    Addend,
    Block,
    Cell,
    InestimableError,
    cells_of,
)
from jevdb.numerics.components import mean_influence
from jevdb.numerics.estimates import Estimate
from jevdb.numerics.variance import clustered, stratified
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.clusters import Belonging
from jevdb.scoring.differences import Difference, Unknown
from jevdb.scoring.evidence_means import LEAST_ALONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.numerics.binomial import Bounds

    Doubles = NDArray[np.float64]
    Integers = NDArray[np.int64]


class SquaredError(NamedTuple):
    """ce2, and how many bins of one row it cannot see into."""

    value: float
    n_alone: int


def places(stated: Doubles, bins: int) -> Integers:
    """Return the bin of each probability: equal widths, left-closed, 1 in the last."""
    found: Integers = np.minimum(np.floor(stated * bins), bins - 1).astype(np.int64)
    return found


def gap_of(stated: Doubles, is_true: Doubles) -> float:
    """Return mean stated probability less the share true; above 0 says too much."""
    return math.fsum((stated - is_true).tolist()) / len(stated)


def squared_error(stated: Doubles, is_true: Doubles, bins: int) -> SquaredError:
    """Return the mean squared gap of the bins, unbiased; below 0 is possible.

    Parameters
    ----------
    stated, is_true : ndarray of float64, shape (n,), n at least 1
        Probabilities in [0, 1] and what happened, 0 or 1.
    bins : int
        Equal-width bins, as those of the ECE.

    Returns
    -------
    SquaredError
        (1/n) x sum over bins of two rows or more of (G^2 - Q) / (rows - 1), G the sum
        of stated less true, Q the sum of their squares. Bins of one row add 0.

    References
    ----------
    Kumar, Liang and Ma (2019), Verified uncertainty calibration, NeurIPS 32.
    INFERENCE.md §7.2.

    Examples
    --------
    >>> said = np.array([0.8] * 5 + [0.6] * 4)
    >>> true = np.array([1.0] * 4 + [0.0, 1.0] + [0.0] * 3)
    >>> round(squared_error(said, true, 10).value, 10)
    0.0044444444
    """
    gaps = stated - is_true
    terms, n_alone = [], 0
    for _, mine in _binned(stated, bins):
        inside = gaps[mine].tolist()
        if len(inside) == 1:
            n_alone += 1
            continue
        total = math.fsum(inside)
        squares = math.fsum(gap * gap for gap in inside)
        terms.append((total * total - squares) / (len(inside) - 1))
    return SquaredError(math.fsum(terms) / len(gaps), n_alone)


def squared_influence(stated: Doubles, is_true: Doubles, bins: int) -> Doubles:
    """Return what each row adds to ce2, times n; the influences add up to 0.

    References
    ----------
    Sun, Chaudhari, Barnett and Dobriban (2024). INFERENCE.md §7.2.
    """
    gaps = stated - is_true
    found = np.zeros(len(gaps))
    for _, mine in _binned(stated, bins):
        if len(mine) > 1:
            middle = math.fsum(gaps[mine].tolist()) / len(mine)
            found[mine] = 2 * middle * gaps[mine] - middle * middle
    return mean_influence(found)


def _binned(stated: Doubles, bins: int) -> list[tuple[int, Integers]]:
    place = places(stated, bins)
    return [(int(one), np.flatnonzero(place == one)) for one in np.unique(place)]


class StatedRow(NamedTuple):
    """What a row states of its item, and whether it came true; null where nothing.

    ``is_binned``: the ECE of this kind is over the item.
    """

    run_id: str
    kind: str
    item_id: str
    repeat: int
    stated: float | None
    confidence: float | None
    is_right: bool
    is_true: bool
    is_binned: bool
    type: str
    tier: str | None
    modality: str
    family: str | None
    domain: str | None
    group: str | None

    @property
    def block(self) -> Block:
        """The cell that the item is of."""
        return self.type, self.tier, self.modality


class Pairs(NamedTuple):
    """Rows of the same items, by what their spread is read from."""

    blocks: Sequence[Block]
    belonging: Belonging

    def estimate(self, point: float, influence: Doubles) -> Estimate | Unknown:
        """Return a mean with its variance, from influences of shape (n,)."""
        n = len(self.blocks)
        if n < SMALLEST:
            return Unknown("too_few_items", f"{n} of {SMALLEST}")
        clusters = self.belonging.of(np.arange(n))
        numbers = None if clusters is None else clusters.numbers
        try:
            cells = self._cells(numbers)
            if numbers is None:
                spread = stratified(cells, lambda items: influence[items])
            else:
                spread = clustered(cells, lambda items: influence[items], numbers)
        except InestimableError as error:
            return Unknown(error.reason, error.about)
        if spread.variance <= 0:
            return Unknown("no_variation")
        return Estimate(point, *spread)

    def _cells(self, clusters: Integers | None) -> list[Cell]:
        n = len(self.blocks)
        everything = Addend(np.arange(n), 1 / n, 1.0)
        return cells_of(self.blocks, [everything], clusters=clusters, across_types=True)


def pairs_of(rows: Sequence[StatedRow], cluster: ClusterBy | None = None) -> Pairs:
    """Return how the items of rows vary; *cluster* is as in `read_belonging`."""
    values: dict[ClusterBy, Sequence[str | None]] = {
        ClusterBy.FAMILY: [row.family for row in rows],
        ClusterBy.DOMAIN: [row.domain for row in rows],
        ClusterBy.GROUP: [row.group for row in rows],
    }
    return Pairs([row.block for row in rows], Belonging(values, cluster))


class Gap(NamedTuple):
    """The signed gap of one run, and its interval of 95 % or why there is none."""

    value: float
    interval: Bounds | None
    reason: str | None


def gap_alone(rows: Sequence[StatedRow], cluster: ClusterBy | None = None) -> Gap:
    """Return the gap of rows that all state something; at least one.

    References
    ----------
    INFERENCE.md §7.1: from 30 rows.
    """
    stated, is_true = arrays(rows)
    point = gap_of(stated, is_true)
    items = first_rows(rows)
    if len(items) < LEAST_ALONE:
        return Gap(point, None, "too_few_items")
    influence = of_items(rows, mean_influence(stated - is_true))
    found = pairs_of(items, cluster).estimate(point, influence)
    if isinstance(found, Unknown):
        return Gap(point, None, found.reason)
    return Gap(point, found.alone((-1.0, 1.0)), None)


def first_rows(rows: Sequence[StatedRow]) -> list[StatedRow]:
    """Return the first row of each item, by item: the items are what is sampled."""
    found: dict[str, StatedRow] = {}
    for row in rows:
        found.setdefault(row.item_id, row)
    return [found[item_id] for item_id in sorted(found)]


def of_items(rows: Sequence[StatedRow], influence: Doubles) -> Doubles:
    """Return influences of rows added up by item, as influences on a mean of items.

    Answers to one item are no sample of items; where each has one, nothing changes.
    """
    parts: dict[str, list[float]] = {}
    for row, added in zip(rows, influence.tolist(), strict=True):
        parts.setdefault(row.item_id, []).append(added)
    scale = len(parts) / len(rows) if rows else 1.0
    sums = [math.fsum(parts[item_id]) for item_id in sorted(parts)]
    return np.array(sums, dtype=np.float64) * scale


def arrays(rows: Sequence[StatedRow]) -> tuple[Doubles, Doubles]:
    """Return what rows state and whether it came true."""
    return (
        np.array([row.stated for row in rows], dtype=np.float64),
        np.array([row.is_true for row in rows], dtype=np.float64),
    )


def number_of(metric: str, rows: Sequence[StatedRow], bins: int) -> float | None:
    """Return the gap or ce2 of rows that all state something; null for none."""
    if not rows:
        return None
    stated, is_true = arrays(rows)
    if metric == "gap":
        return gap_of(stated, is_true)
    return squared_error(stated, is_true, bins).value


def difference_of(
    metric: str,
    base: Sequence[StatedRow],
    other: Sequence[StatedRow],
    bins: int,
    *,
    weight: float = 1.0,
    cluster: ClusterBy | None = None,
) -> Difference | Unknown:
    """Return the gap or ce2 of *other* less *weight* times that of *base*.

    Both are of the same items, which may have several answers.
    """
    sides = [arrays(rows) for rows in (base, other)]
    items = first_rows(base)
    if metric == "gap":
        gaps = [stated - is_true for stated, is_true in sides]
        values = [gap_of(*side) for side in sides]
        influences = [mean_influence(gap) for gap in gaps] if base else gaps
    else:
        values = [squared_error(*side, bins).value if base else 0.0 for side in sides]
        influences = [squared_influence(*side, bins) for side in sides] if base else []
    if len(items) < SMALLEST:
        return Unknown("too_few_items", f"{len(items)} of {SMALLEST}")
    first, second = of_items(base, influences[0]), of_items(other, influences[1])
    found = pairs_of(items, cluster).estimate(
        values[1] - weight * values[0], second - weight * first
    )
    return found if isinstance(found, Unknown) else Difference(found, len(items))
