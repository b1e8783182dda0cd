"""The variance of a number from what each item adds to it, and its degrees of freedom.

Sums are rounded once (`math.fsum`), so that no digit depends on the order of items.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.numerics.cells import (
    Cell,
    InestimableError,
    Influence,
    source_influences,
)
from jevdb.numerics.student import MOST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Integers = NDArray[np.int64]

LEAST_FREEDOM = 3
"""Clusters whose degrees of freedom are fewer give no interval."""


class Spread(NamedTuple):
    """A variance, in the square of the number's unit, and its degrees of freedom."""

    variance: float
    freedom: float


def stratified(
    cells: Sequence[Cell], influence: Influence, fixed: float = 0.0
) -> Spread:
    """Return the variance of a number whose items are drawn independently, by cell.

    Parameters
    ----------
    cells : sequence of Cell
        Where the items' spread is read from.
    influence : Influence
        Of one run, or of other minus base; shape (n,).
    fixed : float
        Added to the variance: `jevdb.numerics.cells.plus_two`, or 0.

    Returns
    -------
    Spread
        The sum over cells of weight^2 n s^2, s^2 the variance (n_source - 1) of the
        source's influences; Satterthwaite's degrees of freedom.

    References
    ----------
    Satterthwaite (1946), Biometrics Bulletin 2, 110-114. INFERENCE.md §1.3.
    """
    parts = []
    for cell, values in source_influences(cells, influence):
        n = len(cell.source)
        middle = math.fsum(values.tolist()) / n
        squares = math.fsum(((values - middle) ** 2).tolist())
        parts.append(Part(cell.weight, len(cell.items), squares, n))
    return satterthwaite(parts, fixed)


class Part(NamedTuple):
    """What a cell adds: the weight of an item, how many, and its source's squares.

    ``squares`` are the centred squares of the influences of ``n_source`` items.
    """

    weight: float
    n_items: int
    squares: float
    n_source: int


def satterthwaite(parts: Sequence[Part], fixed: float) -> Spread:
    """Return the variance that cells add up to, and its degrees of freedom."""
    found, freedoms = [], []
    for part in parts:
        freedom = part.n_source - 1
        mine = part.weight * part.weight * part.n_items * part.squares / freedom
        found.append(mine)
        freedoms.append(mine * mine / freedom)
    variance = math.fsum(found) + fixed
    below = math.fsum(freedoms)
    return Spread(variance, variance * variance / below if below else float(MOST))


def clustered(
    cells: Sequence[Cell],
    influence: Influence,
    clusters: Integers,
    fixed: float = 0.0,
) -> Spread:
    """Return the variance of a number whose items answer together within clusters.

    Parameters
    ----------
    cells, influence, fixed
        As in `stratified`; the cells were made with the same clusters.
    clusters : ndarray of int64, shape (n_items,)
        The cluster of each item.

    Raises
    ------
    InestimableError
        ``few_clusters``: fewer than `LEAST_FREEDOM` degrees of freedom; ``about`` says
        how much of the weight the two largest clusters hold.

    References
    ----------
    Bell and McCaffrey (2002), Survey Methodology 28, 169-181 (CR3, the jackknife);
    Cameron and Miller (2015), J. Human Resources 50, 317-372. INFERENCE.md §2.
    """
    totals = cluster_totals(cells, influence, clusters)
    count = len(totals.weights)
    share = (count - 1) / count
    freedom = cluster_freedom(totals.weights)
    squares = math.fsum((totals.influences**2).tolist())
    return Spread(share * squares + fixed, freedom)


class Totals(NamedTuple):
    """Per cluster: influences, shape (..., n_clusters), and the weight of its items."""

    influences: Doubles
    weights: Doubles


def cluster_totals(
    cells: Sequence[Cell], influence: Influence, clusters: Integers
) -> Totals:
    """Return what each cluster would change if it were left out, and its weight."""
    items = np.concatenate([cell.items for cell in cells])
    known, numbers = np.unique(clusters[items], return_inverse=True)
    place = dict(zip(known.tolist(), range(len(known)), strict=True))
    parts: list[Doubles] = []
    weights: list[float] = []
    for cell, values in source_influences(cells, influence):
        n = len(cell.source)
        _, index, sizes = np.unique(
            clusters[cell.source], return_inverse=True, return_counts=True
        )
        flat = values.reshape(-1, n)
        middle = np.array([math.fsum(row) for row in flat.tolist()]) / n
        centred = (flat - middle[:, np.newaxis]) / (1 - sizes[index] / n)
        mine = np.searchsorted(cell.source, cell.items)
        parts.append(cell.weight * centred[:, mine])
        weights += [cell.weight] * len(cell.items)
    joined = np.concatenate(parts, axis=1)
    members: list[list[int]] = [[] for _ in place]
    for position, number in enumerate(numbers.ravel().tolist()):
        members[number].append(position)
    sums = [[math.fsum(row) for row in joined[:, mine].tolist()] for mine in members]
    shape = values.shape[:-1]
    return Totals(
        np.array(sums).T.reshape(*shape, len(known)),
        np.array([math.fsum(weights[item] for item in mine) for mine in members]),
    )


def cluster_freedom(weights: Doubles) -> float:
    """Return degrees of freedom of clusters that each answer as one.

    Raises
    ------
    InestimableError
        ``few_clusters``.

    Examples
    --------
    >>> round(cluster_freedom(np.ones(6)), 10)
    5.0
    """
    squares = [weight * weight for weight in weights.tolist()]
    total, count = math.fsum(squares), len(squares)
    below = math.fsum(square * square for square in squares)
    freedom = (count - 1) / count * total * total / below if below else 0.0
    if freedom < LEAST_FREEDOM:
        largest = sorted(weights.tolist(), reverse=True)[:2]
        held = math.fsum(largest) / math.fsum(weights.tolist())
        number = "one cluster holds" if count == 1 else "two clusters hold"
        raise InestimableError("few_clusters", f"{number} {held:.0%} of the weight")
    return freedom
