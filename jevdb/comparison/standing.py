"""Who may lead, and which ranks are possible: a ranking from tested pairs.

METHOD v1.5's rule, from replicates, is here too, for those who must follow it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.comparison.all_pairs import DIGITS
from jevdb.numerics.ranking import closure, rank_ranges, shrunk
from jevdb.numerics.resampling import CONFIDENCE
from jevdb.scoring.differences import UNTESTED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.comparison.all_pairs import Pairwise

    Booleans = NDArray[np.bool_]
    Doubles = NDArray[np.float64]
    Integers = NDArray[np.int64]

LEAD = 0.95
"""Share of the replicates in which the first must beat the second (METHOD v1.5)."""


class Standing(NamedTuple):
    """A run's place among others.

    ``rank`` counts from 1 in the order of values, exact ties share one (1, 1, 3).
    ``rank_low`` to ``rank_high`` are the ranks that are possible, all ranges together
    with 95 %; ``leads`` is whether nobody is above it. All three are null where no pair
    can be tested by this number. ``title`` is "#1", "joint leader" or null; ``shrunk``
    the value drawn towards the mean as far as luck spreads the board.
    """

    rank: int
    title: str | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    leads: bool | None = None
    shrunk: float | None = None


def ranks_of(values: Sequence[float]) -> list[int]:
    """Return ranks, higher is better.

    Examples
    --------
    >>> ranks_of([62.5, 62.5, 60.0])
    [1, 1, 3]
    """
    rounded = np.round(np.asarray(values, dtype=np.float64), DIGITS)
    return [int((rounded > value).sum()) + 1 for value in rounded]


def standings(
    values: Sequence[float], tested: Pairwise, shown: Sequence[float]
) -> list[Standing]:
    """Return the standing of each run.

    Parameters
    ----------
    values : sequence of float, shape (n_runs,)
        The number ranked, higher is better.
    tested : Pairwise
        Their pairs, in the same order.
    shown : sequence of float, shape (n_runs,)
        The numbers as they are shown, which are shrunk.

    References
    ----------
    INFERENCE.md §5.
    """
    ranks = ranks_of(values)
    if tested.why is not None and tested.why.reason in UNTESTED:
        return [Standing(rank) for rank in ranks]
    low, high = rank_ranges(closure(tested.above))
    leaders = int((low == 1).sum())
    drawn = None if tested.variances is None else shrunk(shown, tested.variances)
    return [
        Standing(
            rank=rank,
            title=_title(bool(low[place] == 1), leaders, len(ranks)),
            rank_low=int(low[place]),
            rank_high=int(high[place]),
            leads=bool(low[place] == 1),
            shrunk=None if drawn is None else drawn[place],
        )
        for place, rank in enumerate(ranks)
    ]


def _title(leads: bool, leaders: int, count: int) -> str | None:
    if not leads or count == 1:
        return None
    return "#1" if leaders == 1 else "joint leader"


def resampled_standings(values: Sequence[float], replicates: Doubles) -> list[Standing]:
    """Return the standing of each run by METHOD v1.5.

    Parameters
    ----------
    values : sequence of float, shape (n_runs,)
        The number ranked, higher is better, best first.
    replicates : ndarray of float64, shape (n_runs, replicates)
        The same number in every replicate, in the same order; NaN ranks last.

    Returns
    -------
    list of Standing, length n_runs
        The first leads, and those right below it that it does not beat in 95 % of the
        replicates; ranks hold 95 % of the replicates of each run alone.

    Examples
    --------
    >>> [s.rank for s in resampled_standings([62.5, 62.5, 60.0], np.zeros((3, 4)))]
    [1, 1, 3]
    """
    drawn: Doubles = np.where(np.isnan(replicates), -np.inf, replicates)
    drawn = drawn.round(DIGITS)
    leaders = _leaders(drawn)
    lows, highs = _rank_range(rank_shares(drawn))
    return [
        Standing(
            rank=rank,
            title=_title(place < leaders, leaders, len(values)),
            rank_low=lows[place],
            rank_high=highs[place],
            leads=place < leaders,
        )
        for place, rank in enumerate(ranks_of(values))
    ]


def _leaders(drawn: Doubles) -> int:
    """Return how many lead: the first, and those below it that it does not beat."""
    for place in range(1, len(drawn)):
        if (drawn[0] > drawn[place]).mean() >= LEAD:
            return place
    return len(drawn)


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
