"""How far confidence can be trusted: ECE against chance, and what a threshold buys.

Pure functions over numpy. Draws come from PCG64's raw stream; probabilities are whole
units of 2^-53 and distances whole numbers, so that ties are ties and a seed gives the
same digits on any machine with any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from jevdb.numerics.resampling import SEED, percentile_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Doubles = NDArray[np.float64]

REPLICATES = 9_999
"""Simulated models: a share of them has steps of one in 10,000."""
BITS = 53
UNIT = 1 << BITS
DRAWN_AT_ONCE = 1 << 20
CONSISTENT, MISCALIBRATED = "consistent", "miscalibrated"
LEAST_SHARE = 0.05
"""Chance that gives as much at most this often does not explain an ECE."""


class NullBand(NamedTuple):
    """The ECE that a perfectly calibrated model shows at these probabilities.

    ``share_at_least`` is the share of models, simulated and the one observed, whose
    ECE is at least the one observed; small means that chance does not explain it. Null
    where nothing was observed.
    """

    mean: float
    low: float
    high: float
    share_at_least: float | None

    @property
    def verdict(self) -> str | None:
        """Consistent with what is stated, which is not calibrated, or miscalibrated."""
        if self.share_at_least is None:
            return None
        is_common = self.share_at_least > LEAST_SHARE
        return CONSISTENT if is_common else MISCALIBRATED


class Point(NamedTuple):
    """What is accepted at a threshold: rows that state at least it, and their accuracy.

    ``coverage`` is of all items of the scope; rows without a distribution are never
    accepted.
    """

    threshold: float
    n: int
    coverage: float
    accuracy: float


class Distances(NamedTuple):
    """Sums over bins of how far stated and true lie apart, in units of 2^-53.

    A sum is ``whole`` x 2^53 + ``rest``; the rest is from 0 to below 2^53.
    """

    whole: Counts
    rest: Counts


def null_band(
    stated: Sequence[float],
    bins: int,
    is_true: Sequence[bool] | None = None,
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> NullBand:
    """Return the ECE expected of a perfectly calibrated model, by simulation.

    Parameters
    ----------
    stated : sequence of float, shape (n,), n at least 1
        Stated probabilities in [0, 1], as binned.
    bins : int
        Number of equal-width bins.
    is_true : sequence of bool, shape (n,), optional
        What happened; without it there is no ``share_at_least``.
    replicates, seed : int
        Simulated models; seed of PCG64.

    Returns
    -------
    NullBand
        Mean and 95 % percentile interval of the simulated ECE.

    References
    ----------
    Outcomes are drawn true with the stated probability ("consistency resampling":
    Bröcker and Smith 2007, Weather and Forecasting 22, 651-661). The ECE is biased
    upwards at small n; this is by how much. INFERENCE.md §7.3.
    """
    values = np.asarray(stated, dtype=np.float64)
    rows = _Binned.of(values, bins)
    drawn = rows.simulated(replicates, seed)
    simulated = (drawn.whole + drawn.rest * 2.0**-BITS) / len(values)
    (band,) = percentile_intervals(simulated[np.newaxis, :])
    assert band.low is not None and band.high is not None
    share = None
    if is_true is not None:
        count = _at_least(drawn, rows.distances(np.asarray([is_true])), len(values))
        share = (count + 1) / (replicates + 1)
    whole = sum(drawn.whole.tolist()) * UNIT + sum(drawn.rest.tolist())
    return NullBand(
        mean=float(Fraction(whole, UNIT * len(values) * replicates)),
        low=band.low,
        high=band.high,
        share_at_least=share,
    )


class _Binned(NamedTuple):
    """Probabilities in whole units, the rows of each bin, and what each bin states."""

    units: NDArray[np.uint64]
    bins: list[Counts]
    totals: list[tuple[int, int]]

    @classmethod
    def of(cls, values: Doubles, bins: int) -> Self:
        units = np.floor(values * 2.0**BITS).astype(np.uint64)
        places = np.minimum(np.floor(values * bins), bins - 1).astype(np.int64)
        found = [np.flatnonzero(places == place) for place in np.unique(places)]
        totals = [divmod(sum(units[mine].tolist()), UNIT) for mine in found]
        return cls(units, found, totals)

    def simulated(self, replicates: int, seed: int) -> Distances:
        """Return the distances of models that mean what they say."""
        source, n = np.random.PCG64(seed), len(self.units)
        # A few at a time: memory does not grow with the number of rows.
        step = max(1, DRAWN_AT_ONCE // n)
        parts = []
        for first in range(0, replicates, step):
            count = min(step, replicates - first)
            raw = source.random_raw(count * n).reshape(count, n)
            parts.append(self.distances((raw >> np.uint64(64 - BITS)) < self.units))
        return Distances(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def distances(self, is_true: NDArray[np.bool_]) -> Distances:
        """Return the distances of outcomes, shape (replicates, n)."""
        wholes = np.zeros(len(is_true), dtype=np.int64)
        rests = np.zeros(len(is_true), dtype=np.int64)
        for mine, (whole, rest) in zip(self.bins, self.totals, strict=True):
            over = whole - is_true[:, mine].sum(axis=1, dtype=np.int64)
            # Below the outcomes by -over - rest/2^53: one whole less, and what is left.
            is_below = over < 0
            borrows = is_below & (rest > 0)
            wholes += np.where(is_below, -over - borrows, over)
            rests += np.where(borrows, UNIT - rest, rest)
            wholes += rests >> BITS
            rests &= UNIT - 1
        return Distances(wholes, rests)


def _at_least(drawn: Distances, observed: Distances, slack: int) -> int:
    """Return how many are at least the one observed less *slack* units."""
    least = int(observed.whole[0]) * UNIT + int(observed.rest[0]) - slack
    whole, rest = divmod(least, UNIT)
    is_reached = (drawn.whole > whole) | ((drawn.whole == whole) & (drawn.rest >= rest))
    return int(is_reached.sum())


def accuracy_coverage(
    confidences: Sequence[float], is_right: Sequence[bool], n_scope: int
) -> list[Point]:
    """Return the accuracy-coverage curve: a point per threshold, the strictest first.

    Parameters
    ----------
    confidences, is_right : sequences, shape (n,)
        The top label's probability, and whether it is right, of the rows that have one.
    n_scope : int
        Items of the scope, at least n.

    Returns
    -------
    list of Point
        One per distinct confidence; risk is 1 - accuracy.

    References
    ----------
    El-Yaniv and Wiener (2010), JMLR 11, 1605-1641.

    Examples
    --------
    >>> for point in accuracy_coverage([0.9, 0.6, 0.9], [True, False, True], 4):
    ...     print(point.threshold, point.n, point.coverage, round(point.accuracy, 4))
    0.9 2 0.5 1.0
    0.6 3 0.75 0.6667
    """
    points: list[Point] = []
    n_right = 0
    rows = sorted(zip(confidences, is_right, strict=True), reverse=True)
    for n, (confidence, right) in enumerate(rows, start=1):
        n_right += right
        point = Point(confidence, n, n / n_scope, n_right / n)
        if points and points[-1].threshold == confidence:
            points[-1] = point
        else:
            points.append(point)
    return points


def reaching(points: Sequence[Point], target: float) -> Point | None:
    """Return the point of most coverage whose accuracy is at least *target*."""
    return next((point for point in reversed(points) if point.accuracy >= target), None)
