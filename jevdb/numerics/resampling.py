"""The resample that every comparison shares, and intervals read off its replicates.

Draws are whole numbers made from PCG64's raw stream, which numpy promises never to
change: the same items give the same resample on every machine and version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Doubles = NDArray[np.float64]

REPLICATES = 2000
SEED = 20260925
CONFIDENCE = 0.95


def resampled(
    blocks: Sequence[Hashable], *, replicates: int = REPLICATES, seed: int = SEED
) -> Counts:
    """Return how often each replicate draws each item, within blocks.

    Parameters
    ----------
    blocks : sequence, shape (n_items,)
        The block of each item. Blocks are drawn one after the other, in the order in
        which they first appear, each as many times as it has items.
    replicates : int
        B, the number of replicates.
    seed : int
        Seed of PCG64.

    Returns
    -------
    ndarray of int64, shape (replicates, n_items)
        Each row sums, within a block, to the number of its items.

    References
    ----------
    SCORING.md §7 (B = 2,000, PCG64, seed 20260925). An item is chosen by the upper 32
    bits of a raw draw times the number of items; the bias is below n / 2^32.

    Examples
    --------
    >>> counts = resampled(["a", "b", "b"], replicates=4)
    >>> counts[:, 0].tolist(), counts[:, 1:].sum(axis=1).tolist()
    ([1, 1, 1, 1], [2, 2, 2, 2])
    """
    members: dict[Hashable, list[int]] = {}
    for place, block in enumerate(blocks):
        members.setdefault(block, []).append(place)
    source = np.random.PCG64(seed)
    counts = np.zeros((replicates, len(blocks)), dtype=np.int64)
    offsets = np.arange(replicates, dtype=np.int64)[:, np.newaxis]
    for places in members.values():
        size = len(places)
        raw = source.random_raw(replicates * size).reshape(replicates, size)
        drawn = ((raw >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32)
        cells = drawn.astype(np.int64) + offsets * size
        found = np.bincount(cells.ravel(), minlength=replicates * size)
        counts[:, places] = found.reshape(replicates, size)
    return counts


def resample_digest(counts: Counts) -> str:
    """Return SHA-256 (hex) of the counts as little-endian 32-bit integers."""
    return hashlib.sha256(counts.astype("<u4").tobytes()).hexdigest()


class Interval(NamedTuple):
    """A percentile interval; ``n_null`` replicates had no value and are not in it.

    ``mean`` is that of the replicates: how far it lies from the number itself is what
    resampling adds to it, which is much for an ECE of few rows. All three are null when
    every replicate was.
    """

    low: float | None
    high: float | None
    n_null: int
    mean: float | None

    @property
    def holds_zero(self) -> bool:
        """Whether 0 is in the interval: of a difference, a statistical tie."""
        return (
            self.low is not None
            and self.high is not None
            and self.low <= ROUNDING
            and self.high >= -ROUNDING
        )


ROUNDING = 1e-12
"""Differences this small are the rounding of doubles, not of models."""


def percentile_intervals(
    values: Doubles, confidence: float = CONFIDENCE
) -> list[Interval]:
    """Return the percentile interval of each row of replicates.

    Parameters
    ----------
    values : ndarray of float64, shape (n, replicates)
        NaN where a replicate has no value.
    confidence : float
        Share of the replicates inside, in (0, 1).

    Returns
    -------
    list of Interval, length n
        Between the (1 - confidence) / 2 and (1 + confidence) / 2 quantiles, linear
        between order statistics (numpy's ``linear``), of the replicates with a value.

    References
    ----------
    SCORING.md §7.

    Examples
    --------
    >>> percentile_intervals(np.array([[0.0, 1.0, 2.0, np.nan, 3.0, 4.0]]), 0.5)
    [Interval(low=1.0, high=3.0, n_null=1, mean=2.0)]
    """
    ordered = np.sort(values, axis=-1)
    n_null = np.isnan(ordered).sum(axis=-1)
    last = np.maximum(values.shape[-1] - n_null - 1, 0)
    # Rounded, because (1 - 0.95) / 2 is not the double nearest to 0.025.
    tail = round((1 - confidence) / 2, 12)
    low = _quantile(ordered, last, tail)
    high = _quantile(ordered, last, 1 - tail)
    mean = np.nansum(ordered, axis=-1) / (last + 1)
    rows = zip(low.tolist(), high.tolist(), n_null.tolist(), mean.tolist(), strict=True)
    return [
        Interval(None, None, count, None)
        if count == values.shape[-1]
        else Interval(lower, upper, count, middle)
        for lower, upper, count, middle in rows
    ]


def _quantile(ordered: Doubles, last: Counts, share: float) -> Doubles:
    """Return the quantile of each sorted row, whose values end at *last*."""
    place = share * last
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, last)
    rows = np.arange(len(ordered))
    low, high = ordered[rows, below], ordered[rows, above]
    result: Doubles = low + (high - low) * (place - below)
    return result
