"""All pairs of runs at once, by matrix products that are exact in any order.

Influences become whole numbers of a small unit, so few bits that every partial sum of
their products is below 2^53: no digit depends on the machine or its threads. A standard
error keeps six digits; what that leaves open is for the pair alone to settle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.numerics.cells import SMALLEST, Block, Cell, Influence, source_influences
from jevdb.numerics.student import MOST, critical
from jevdb.numerics.variance import cluster_freedom, cluster_totals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Booleans = NDArray[np.bool_]

CLOSE = 1e-4
"""A ratio to the critical value as near to 1 as this is settled by the pair alone."""


class Spreads(NamedTuple):
    """Variances and degrees of freedom of all differences, shape (n_runs, n_runs)."""

    variances: Doubles
    freedoms: Doubles


class _Whole(NamedTuple):
    """Values as whole numbers of ``unit``."""

    values: Doubles
    unit: float


def _whole(values: Doubles) -> _Whole:
    largest = float(np.abs(values).max(initial=0))
    if largest == 0:
        return _Whole(np.zeros(values.shape), 1.0)
    bits = (52 - math.ceil(math.log2(max(values.shape[-1], 1)))) // 2
    unit = 2.0 ** (math.frexp(largest)[1] - bits)
    return _Whole(np.rint(values / unit), unit)


def squared_gaps(values: Doubles) -> Doubles:
    """Return the sum of squared differences of each pair of rows, centred.

    Parameters
    ----------
    values : ndarray of float64, shape (n_runs, n)

    Returns
    -------
    ndarray of float64, shape (n_runs, n_runs)
    """
    whole, unit = _whole(values)
    gaps = _plain_gaps(whole)
    sums = whole.sum(axis=1)
    centred = gaps - (sums[:, np.newaxis] - sums) ** 2 / values.shape[1]
    result: Doubles = np.maximum(centred, 0) * (unit * unit)
    return result


def _plain_gaps(whole: Doubles) -> Doubles:
    products = whole @ whole.T
    own = np.diagonal(products)
    result: Doubles = own[:, np.newaxis] + own - 2 * products
    return result


def stratified_pairs(
    cells: Sequence[Cell], influence: Influence, fixed: float = 0.0
) -> Spreads:
    """Return `jevdb.numerics.variance.stratified` of every pair of runs.

    *influence* gives those of all runs, shape (n_runs, n).
    """
    variance: Doubles | float = 0.0
    below: Doubles | float = 0.0
    for cell, values in source_influences(cells, influence):
        n = len(cell.source)
        scale = cell.weight * cell.weight * len(cell.items) / (n - 1)
        part = scale * squared_gaps(values)
        variance = variance + part
        below = below + part * part / (n - 1)
    return _spreads(np.asarray(variance) + fixed, np.asarray(below))


def _spreads(variance: Doubles, below: Doubles) -> Spreads:
    freedom = np.full(variance.shape, float(MOST))
    np.divide(variance * variance, below, out=freedom, where=below > 0)
    return Spreads(variance, freedom)


def clustered_pairs(
    cells: Sequence[Cell], influence: Influence, clusters: Integers, fixed: float = 0.0
) -> Spreads:
    """Return `jevdb.numerics.variance.clustered` of every pair of runs."""
    totals = cluster_totals(cells, influence, clusters)
    freedom = cluster_freedom(totals.weights)
    count = len(totals.weights)
    whole, unit = _whole(totals.influences)
    variance = _plain_gaps(whole) * (unit * unit) * ((count - 1) / count) + fixed
    return Spreads(variance, np.full(variance.shape, freedom))


class MeanPairs(NamedTuple):
    """Differences of means over the items where both rows count, and their spread.

    ``n`` is how many those are; ``gaps`` are row minus column. Where they are fewer
    than five, or do not vary, the variance is 0.
    """

    n: Doubles
    gaps: Doubles
    spreads: Spreads


def mean_pairs(blocks: Sequence[Block], values: Doubles, counts: Booleans) -> MeanPairs:
    """Return the spread of every difference of means.

    Parameters
    ----------
    blocks : sequence of Block, shape (n_items,)
    values : ndarray of float64, shape (n_runs, n_items)
    counts : ndarray of bool, the same shape
        Whether a run's row counts.

    References
    ----------
    INFERENCE.md §1.4; the chain of small cells goes on to the whole row.
    """
    whole, unit = _whole(np.where(counts, values, 0.0))
    known: dict[tuple[object, ...], tuple[Doubles, Doubles]] = {}

    def group(name: tuple[object, ...]) -> tuple[Doubles, Doubles]:
        if name not in known:
            mine = [block[: len(name)] == name for block in blocks]
            known[name] = _paired_squares(whole[:, mine], counts[:, mine])
        return known[name]

    n_pair, _ = group(())
    shared = counts.astype(np.float64)
    sums = whole @ shared.T
    gaps = (sums - sums.T) * unit / np.maximum(n_pair, 1)
    variance, below = np.zeros(n_pair.shape), np.zeros(n_pair.shape)
    for block in sorted(set(blocks), key=str):
        n_cell, _ = group(block)
        freedom, unit_variance = np.zeros(n_pair.shape), np.zeros(n_pair.shape)
        for length in (0, 1, 2, 3):
            n, squares = group(block[:length])
            is_enough = n >= SMALLEST
            freedom = np.where(is_enough, n - 1, freedom)
            found = squares / np.maximum(n - 1, 1)
            unit_variance = np.where(is_enough, found, unit_variance)
        part = n_cell * unit_variance * (unit * unit)
        part = part / np.maximum(n_pair * n_pair, 1)
        variance = variance + part
        below = below + part * part / np.maximum(freedom, 1)
    return MeanPairs(n_pair, gaps, _spreads(variance, below))


def _paired_squares(whole: Doubles, counts: Booleans) -> tuple[Doubles, Doubles]:
    """Return how many items both count, and the centred squares of their gaps."""
    shared = counts.astype(np.float64)
    n: Doubles = shared @ shared.T
    squares = (whole * whole) @ shared.T
    gaps = squares + squares.T - 2 * (whole @ whole.T)
    sums = whole @ shared.T
    lead = sums - sums.T
    return n, np.maximum(gaps - lead * lead / np.maximum(n, 1), 0)


class Discordant(NamedTuple):
    """Items that only the run of the row, or of the column, got right."""

    only_row: Integers
    only_column: Integers


def discordant_pairs(right: Doubles) -> Discordant:
    """Return the discordant items of every pair from 0 and 1, shape (n_runs, n)."""
    both = right @ right.T
    own = np.diagonal(both)
    return Discordant(
        (own[:, np.newaxis] - both).astype(np.int64),
        (own - both).astype(np.int64),
    )


def mcnemar_resolved(pairs: Discordant, level: float) -> Booleans:
    """Return which pairs `jevdb.numerics.discordant.mcnemar_exact` refuses."""
    totals = pairs.only_row + pairs.only_column
    fewer = np.minimum(pairs.only_row, pairs.only_column)
    sizes, places = np.unique(totals, return_inverse=True)
    most = np.array([largest_minority(int(size), level) for size in sizes])
    result: Booleans = fewer <= most[places.reshape(totals.shape)]
    return result


@lru_cache(maxsize=65536)
def largest_minority(n_discordant: int, level: float) -> int:
    """Return the largest smaller count that the exact test refuses, -1 for none.

    Examples
    --------
    >>> largest_minority(42, 0.05), largest_minority(5, 0.05)
    (14, -1)
    """
    ways = total = 1
    denominator = 1 << n_discordant
    k = -1
    while k < n_discordant // 2 and 2 * total / denominator <= level:
        k += 1
        ways = ways * (n_discordant - k) // (k + 1)
        total += ways
    return k


def t_resolved(
    gaps: Doubles,
    spreads: Spreads,
    level: float,
    exactly: Callable[[int, int], bool],
) -> Booleans:
    """Return which differences are refused to be 0 by Student's t at *level*.

    Parameters
    ----------
    gaps : ndarray of float64, shape (n_runs, n_runs)
    spreads : Spreads
        A variance of 0 or NaN is no test.
    level : float
    exactly : callable
        Settles one pair by its own full precision; asked where six digits do not.
    """
    known = spreads.variances > 0
    statistic = np.zeros(gaps.shape)
    np.divide(
        np.abs(gaps), np.sqrt(np.where(known, spreads.variances, 1)),
        out=statistic, where=known,
    )  # fmt: skip
    # Rounded first, as `jevdb.numerics.student.whole` does.
    freedom = np.floor(np.round(np.nan_to_num(spreads.freedoms), 9))
    freedom = np.clip(freedom, 1, MOST)
    freedom = freedom.astype(np.int64)
    least = [freedom - 1, freedom, freedom + 1]
    wanted = np.unique(np.clip(np.stack(least), 1, MOST)[:, known])
    table = np.full(MOST + 1, np.inf)
    table[wanted] = [critical(level, int(df)) for df in wanted]
    result: Booleans = known & (statistic >= table[freedom])
    easy = table[np.clip(freedom + 1, 1, MOST)] * (1 - CLOSE)
    hard = table[np.clip(freedom - 1, 1, MOST)] * (1 + CLOSE)
    doubtful = known & (statistic >= easy) & (statistic <= hard)
    for row, column in zip(*np.nonzero(np.triu(doubtful, 1)), strict=True):
        is_resolved = exactly(int(row), int(column))
        result[row, column] = result[column, row] = is_resolved
    return result
