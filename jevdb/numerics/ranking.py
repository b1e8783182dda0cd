"""What tested pairs say of an order: who is above whom, which ranks are possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Booleans = NDArray[np.bool_]

LEAST_SHRUNK = 4
"""Runs from which a board says how far luck spreads its values."""


def closure(above: Booleans) -> Booleans:
    """Return who is above whom at last: also above what those below are above.

    Parameters
    ----------
    above : ndarray of bool, shape (n_runs, n_runs)
        Whether the run of the row is above that of the column.

    Examples
    --------
    >>> closure(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool))[0].tolist()
    [False, True, True]
    """
    known = above
    while True:
        steps = known.astype(np.float64)
        further: Booleans = known | (steps @ steps > 0)
        if (further == known).all():
            return known
        known = further


class Ranges(NamedTuple):
    """The best and the worst rank that each run may have, shape (n_runs,)."""

    low: Integers
    high: Integers


def rank_ranges(above: Booleans) -> Ranges:
    """Return the ranks that are possible, given who is above whom.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), Rev. Econ. Stud. 91, 476-518;
    INFERENCE.md §5.
    """
    count = len(above)
    return Ranges(1 + above.sum(axis=0), count - above.sum(axis=1))


def shrunk(values: Sequence[float], variances: Doubles) -> list[float] | None:
    """Return values drawn towards their mean as far as luck spreads them.

    Parameters
    ----------
    values : sequence of float, shape (n_runs,)
    variances : ndarray of float64, shape (n_runs, n_runs)
        Of the differences of each pair.

    Returns
    -------
    list of float, or None
        In the same order; None below `LEAST_SHRUNK` runs.

    References
    ----------
    Efron and Morris (1975), JASA 70, 311-319; INFERENCE.md §5.5.

    Examples
    --------
    >>> shrunk([1.0, 2.0, 3.0, 6.0], np.zeros((4, 4)))
    [1.0, 2.0, 3.0, 6.0]
    """
    count = len(values)
    if count < LEAST_SHRUNK:
        return None
    found = np.asarray(values, dtype=np.float64)
    away = found - found.mean()
    # Of a value minus the mean of all, from the variances of the differences.
    noise = np.maximum(variances.mean(axis=1) - variances.mean() / 2, 0)
    spread = max(0.0, float((away**2).sum() / (count - 1) - noise.mean()))
    below = spread + noise
    kept = np.divide(spread, below, out=np.zeros(count), where=below > 0)
    result: list[float] = (found.mean() + kept * away).tolist()
    return result
