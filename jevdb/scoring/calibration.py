"""How far confidence can be trusted: ECE against chance, and what a threshold buys.

Pure functions over numpy. Draws come from PCG64's raw stream and are counted in whole
numbers, so that a seed gives the same digits on any machine with any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.base.errors import UsageError
from jevdb.numerics.resampling import REPLICATES, SEED, percentile_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


class NullBand(NamedTuple):
    """The ECE that a perfectly calibrated model shows at these probabilities.

    ``share_at_least`` is the share of simulated models whose ECE is at least the one
    observed; small means that chance does not explain it.
    """

    mean: float
    low: float
    high: float
    share_at_least: float


class Point(NamedTuple):
    """What is accepted at a threshold: rows that state at least it, and their accuracy.

    ``coverage`` is of all items of the scope; rows without a distribution are never
    accepted.
    """

    threshold: float
    n: int
    coverage: float
    accuracy: float


class OutOfBag(NamedTuple):
    """What a threshold chosen on a resample gives on the rows the resample left out.

    ``share_found`` is the share of resamples in which some threshold reached the
    target; the others are not in the accuracy and coverage. They are null when no row
    left out was ever accepted.
    """

    share_found: float
    accuracy: float | None
    coverage: float | None


def null_band(
    stated: Sequence[float],
    bins: int,
    observed: float,
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
    observed : float
        The ECE to compare with.
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
    upwards at small n; this is by how much.
    """
    values = np.asarray(stated, dtype=np.float64)
    places = np.minimum(np.floor(values * bins), bins - 1).astype(np.int64)
    raw = np.random.PCG64(seed).random_raw(replicates * len(values))
    uniform = (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53
    is_true = uniform.reshape(replicates, len(values)) < values
    gaps = np.zeros(replicates)
    for place in np.unique(places):
        inside = places == place
        total = math.fsum(values[inside].tolist())
        gaps += np.abs(total - is_true[:, inside].sum(axis=1))
    simulated = gaps / len(values)
    (band,) = percentile_intervals(simulated[np.newaxis, :])
    assert band.low is not None and band.high is not None
    return NullBand(
        mean=math.fsum(simulated.tolist()) / replicates,
        low=band.low,
        high=band.high,
        share_at_least=int((simulated >= observed).sum()) / replicates,
    )


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


def out_of_bag(
    confidences: Sequence[float],
    is_right: Sequence[bool],
    target: float,
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> OutOfBag:
    """Return what thresholds chosen for *target* give on rows they were not chosen on.

    Parameters
    ----------
    confidences, is_right : sequences, shape (n,), n at least 1
        As in `accuracy_coverage`.
    target : float, in (0, 1]
        The accuracy to reach on each resample.

    Returns
    -------
    OutOfBag
        Accuracy and coverage of the rows left out, added up over the resamples.

    References
    ----------
    Efron (1983), JASA 78, 316-331 (the bootstrap's left-out rows). A threshold fitted
    and judged on the same rows promises too much; this is the honest figure.
    """
    if not 0 < target <= 1:
        raise UsageError(f"a target accuracy is above 0 and at most 1, not {target}")
    order = np.argsort(-np.asarray(confidences), kind="stable")
    ordered = np.asarray(confidences)[order]
    right = np.asarray(is_right, dtype=np.int64)[order]
    weights = _draws(len(right), replicates, seed)
    # A threshold takes all rows of one confidence: judge at the last of each.
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    kept = weights.cumsum(axis=1)[:, ends]
    kept_right = (weights * right).cumsum(axis=1)[:, ends]
    # ... and is the confidence of a row that was drawn.
    is_drawn = np.diff(kept, axis=1, prepend=0) > 0
    reaches = is_drawn & (kept_right >= target * kept)
    found = reaches.any(axis=1)
    last = len(ends) - 1 - reaches[:, ::-1].argmax(axis=1)
    outside = (weights == 0).astype(np.int64)
    rows = np.flatnonzero(found)
    n_outside = outside[rows].sum()
    n_kept = outside.cumsum(axis=1)[:, ends][rows, last[rows]].sum()
    n_right = (outside * right).cumsum(axis=1)[:, ends][rows, last[rows]].sum()
    return OutOfBag(
        share_found=len(rows) / replicates,
        accuracy=int(n_right) / int(n_kept) if n_kept else None,
        coverage=int(n_kept) / int(n_outside) if n_outside else None,
    )


def _draws(n: int, replicates: int, seed: int) -> Counts:
    """Return how often each replicate draws each of n rows, with replacement.

    A row is chosen by the upper 32 bits of a raw draw times n.
    """
    raw = np.random.PCG64(seed).random_raw(replicates * n).reshape(replicates, n)
    drawn = (((raw >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)).astype(np.int64)
    cells = drawn + np.arange(replicates, dtype=np.int64)[:, np.newaxis] * n
    counts: Counts = np.bincount(cells.ravel(), minlength=replicates * n)
    return counts.reshape(replicates, n)
