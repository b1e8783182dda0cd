"""Who leads, who ties, and how sure the ranks are: a ranking under resampling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.numerics.resampling import CONFIDENCE, percentile_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Integers = NDArray[np.int64]

LEAD = 0.95
"""Share of the replicates in which the first must beat the second (SCORING.md §7)."""

DIGITS = 9
"""Values that agree to so many decimals are equal: a rank is never a rounding error."""


class Standing(NamedTuple):
    """A run's place among others.

    ``rank`` counts from 1, exact ties share one (1, 1, 3). ``ties_above`` is whether
    the difference to the run above could be 0. ``title`` is "#1", "joint leader" or
    null. ``rank_shares`` has the share of replicates at each rank, a tie in a replicate
    split between its ranks; ``rank_low`` and ``rank_high`` hold 95 % of them.
    """

    rank: int
    ties_above: bool
    title: str | None
    rank_shares: list[float]
    rank_low: int
    rank_high: int


def standings(values: Sequence[float], replicates: Doubles) -> list[Standing]:
    """Return the standing of each run.

    Parameters
    ----------
    values : sequence of float, shape (n_runs,)
        The number ranked, higher is better, best first.
    replicates : ndarray of float64, shape (n_runs, replicates)
        The same number in every replicate, in the same order; NaN ranks last.

    Returns
    -------
    list of Standing, length n_runs

    References
    ----------
    SCORING.md §7.

    Examples
    --------
    >>> [s.rank for s in standings([62.5, 62.5, 60.0], np.zeros((3, 4)))]
    [1, 1, 3]
    """
    rounded = np.round(np.asarray(values, dtype=np.float64), DIGITS)
    drawn: Doubles = np.where(np.isnan(replicates), -np.inf, replicates)
    drawn = drawn.round(DIGITS)
    ranks = [int((rounded > value).sum()) + 1 for value in rounded]
    leaders = _leaders(drawn)
    shares = rank_shares(drawn)
    ties = _ties_above(replicates)
    lows, highs = _rank_range(shares)
    return [
        Standing(
            rank=rank,
            ties_above=ties[place],
            title=_title(place, leaders),
            rank_shares=shares[place].tolist(),
            rank_low=lows[place],
            rank_high=highs[place],
        )
        for place, rank in enumerate(ranks)
    ]


def _title(place: int, leaders: int) -> str | None:
    if place >= leaders:
        return None
    return "#1" if leaders == 1 else "joint leader"


def _leaders(drawn: Doubles) -> int:
    """Return how many lead: the first, and those below it that it does not beat."""
    for place in range(1, len(drawn)):
        if (drawn[0] > drawn[place]).mean() >= LEAD:
            return place
    return len(drawn)


def _ties_above(replicates: Doubles) -> list[bool]:
    gaps = replicates[:-1] - replicates[1:]
    return [False, *(interval.holds_zero for interval in percentile_intervals(gaps))]


def rank_shares(drawn: Doubles) -> Doubles:
    """Return the share of replicates (columns) in which each run has each rank.

    Parameters
    ----------
    drawn : ndarray of float64, shape (n_runs, replicates)
        Higher is better, no NaN.

    Returns
    -------
    ndarray of float64, shape (n_runs, n_runs)
        Row per run, column per rank from 1; runs that tie for m ranks have 1/m of each.

    Examples
    --------
    >>> rank_shares(np.array([[2.0, 1.0], [1.0, 1.0]])).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    n_runs, replicates = drawn.shape
    above, equal = _above_and_equal(drawn)
    places = np.arange(n_runs)[:, np.newaxis] * n_runs + above
    # The addends of a cell stay in the order of the replicates: the sum is exact only
    # where no three runs tie.
    repeats = equal.T.ravel()
    steps = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    cells = np.repeat(places.T.ravel(), repeats) + steps
    shares = np.bincount(cells, 1 / np.repeat(repeats, repeats), n_runs * n_runs)
    result: Doubles = shares.reshape(n_runs, n_runs) / replicates
    return result


def _above_and_equal(drawn: Doubles) -> tuple[Integers, Integers]:
    """Return how many runs are above each, and how many equal to it, itself too."""
    n_runs = len(drawn)
    order = np.argsort(-drawn, axis=0, kind="stable")
    ordered = np.take_along_axis(drawn, order, axis=0)
    place = np.arange(n_runs)[:, np.newaxis]
    is_new = np.ones_like(ordered, dtype=np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    first = np.maximum.accumulate(np.where(is_new, place, 0), axis=0)
    is_last = np.roll(is_new, -1, axis=0)
    ends = np.where(is_last, place, n_runs - 1)[::-1]
    last = np.minimum.accumulate(ends, axis=0)[::-1]
    above, equal = np.empty_like(order), np.empty_like(order)
    np.put_along_axis(above, order, first, axis=0)
    np.put_along_axis(equal, order, last - first + 1, axis=0)
    return above, equal


def _rank_range(shares: Doubles) -> tuple[list[int], list[int]]:
    """Return the ranks between which 95 % of the replicates lie, per run."""
    tail = round((1 - CONFIDENCE) / 2, 12)
    reached = np.round(np.cumsum(shares, axis=1), DIGITS)
    lows = (reached < tail).sum(axis=1) + 1
    highs = (reached < 1 - tail).sum(axis=1) + 1
    return lows.tolist(), highs.tolist()
