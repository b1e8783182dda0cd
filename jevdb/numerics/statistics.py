"""Statistics over paired answers, as functions and as SQL functions named ``py_...``.

Pure functions over numpy; `register` makes them callable in ad-hoc SQL. No persisted
view calls them: a Python function dies with its process, and the view with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.base.errors import UsageError
from jevdb.numerics.resampling import (
    CONFIDENCE,
    REPLICATES,
    SEED,
    percentile_intervals,
    resampled,
)

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class Bounds(NamedTuple):
    """The two ends of an interval."""

    low: float
    high: float


def mcnemar_exact(n_only_a: int, n_only_b: int) -> float:
    """Return the two-sided exact McNemar p-value of a pair of runs, in (0, 1].

    Parameters
    ----------
    n_only_a, n_only_b : int, at least 0
        Items that only the one, or only the other, answered right.

    Returns
    -------
    float
        Probability that fair coins split the discordant items at least as unevenly: 2 x
        P(X <= min), X binomial(n_only_a + n_only_b, 1/2), at most 1; 1 when there are
        none. Exact integers, rounded once.

    References
    ----------
    McNemar (1947), Psychometrika 12, 153-157; exact form: Fagerland, Lydersen and Laake
    (2013), BMC Med. Res. Methodol. 13:91. SCORING.md §7, §8.

    Examples
    --------
    >>> mcnemar_exact(30, 12)
    0.007915897334896727
    >>> mcnemar_exact(0, 0)
    1.0
    """
    if n_only_a < 0 or n_only_b < 0:
        raise UsageError("a count of items cannot be negative")
    n = n_only_a + n_only_b
    ways, total = 1, 0
    for k in range(min(n_only_a, n_only_b) + 1):
        total += ways
        ways = ways * (n - k) // (k + 1)
    return min(1.0, 2 * total / (1 << n))


def wilson_interval(k: int, n: int, confidence: float = CONFIDENCE) -> Bounds:
    """Return the Wilson score interval of a share, within [0, 1].

    Parameters
    ----------
    k, n : int
        Successes and trials, 0 <= k <= n, n at least 1.
    confidence : float, in (0, 1)

    Returns
    -------
    Bounds
        The shares p that a two-sided normal test of k out of n does not refuse.

    References
    ----------
    Wilson (1927), JASA 22, 209-212.

    Examples
    --------
    >>> low, high = wilson_interval(191, 231)
    >>> round(low, 4), round(high, 4)
    (0.7728, 0.8702)
    """
    if not 0 <= k <= n or n == 0:
        raise UsageError(f"{k} of {n} is no share")
    _require_confidence(confidence)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = k / n, z * z / n
    middle = share + weight / 2
    half = z * math.sqrt(share * (1 - share) / n + weight / (4 * n))
    # At k = 0 and k = n the one end is 0 or 1 exactly, which rounding would miss.
    low = 0.0 if k == 0 else (middle - half) / (1 + weight)
    high = 1.0 if k == n else (middle + half) / (1 + weight)
    return Bounds(low, high)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for how many tests were made, in [0, 1].

    Parameters
    ----------
    p_values : sequence of float, shape (n_tests,)
        In [0, 1], any order.

    Returns
    -------
    list of float, shape (n_tests,)
        In the same order. Refusing where one is at most alpha keeps the chance of any
        false refusal in the family at most alpha.

    References
    ----------
    Holm (1979), Scand. J. Statist. 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        scaled = (len(p_values) - rank) * p_values[place]
        largest = max(largest, min(1.0, scaled))
        adjusted[place] = largest
    return adjusted


def paired_interval(
    base: Sequence[float],
    other: Sequence[float],
    blocks: Sequence[str] | None = None,
    *,
    confidence: float = CONFIDENCE,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> Bounds:
    """Return the bootstrap interval of the mean of other minus base, item by item.

    Parameters
    ----------
    base, other : sequence of float, shape (n_items,)
        A value per item of each run, in the same order of items.
    blocks : sequence of str, shape (n_items,), optional
        Items are resampled within these; all are one block without it.
    confidence, replicates, seed
        As in `jevdb.numerics.resampling`.

    Returns
    -------
    Bounds
        Percentile interval, in the values' unit; a statistical tie when 0 is inside.

    References
    ----------
    SCORING.md §7; Efron and Tibshirani (1993), An Introduction to the Bootstrap, ch.
    13.

    Examples
    --------
    >>> paired_interval([0.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0])
    Bounds(low=0.25, high=1.0)
    """
    if len(base) != len(other) or len(base) != len(blocks or base):
        raise UsageError("a paired interval needs the same items in every list")
    if not base:
        raise UsageError("a paired interval needs at least one item")
    _require_confidence(confidence)
    gaps = np.asarray(other, dtype=np.float64) - np.asarray(base, dtype=np.float64)
    counts, _ = resampled(
        list(blocks or [""] * len(base)), replicates=replicates, seed=seed
    )
    # One item after the other, not a matrix product: its order depends on the threads.
    totals = np.zeros(replicates)
    for gap, column in zip(gaps.tolist(), counts.T, strict=True):
        totals += gap * column
    means = totals / len(base)
    [interval] = percentile_intervals(means[np.newaxis], confidence)
    if interval.low is None or interval.high is None:
        raise UsageError("a paired interval needs numbers, not NaN")
    return Bounds(interval.low, interval.high)


def _require_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence is between 0 and 1, not {confidence}")


def _sql_wilson_interval(k: int, n: int, confidence: float) -> list[float]:
    return list(wilson_interval(k, n, confidence))


def _sql_paired_interval(
    base: list[float], other: list[float], blocks: list[str]
) -> list[float]:
    return list(paired_interval(base, other, blocks or None))


SQL_FUNCTIONS = (
    ("py_mcnemar_exact", mcnemar_exact, ("HUGEINT", "HUGEINT"), "DOUBLE"),
    (
        "py_wilson_interval",
        _sql_wilson_interval,
        ("HUGEINT", "HUGEINT", "DOUBLE"),
        None,
    ),
    ("py_holm", holm, ("DOUBLE[]",), None),
    (
        "py_paired_interval",
        _sql_paired_interval,
        ("DOUBLE[]", "DOUBLE[]", "VARCHAR[]"),
        None,
    ),
)
"""Name, function, types of arguments, type of result (DOUBLE[] where none is given).

Counts are HUGEINT because count_if gives that, and DuckDB casts no HUGEINT by itself.
"""


def register(connection: Connection) -> None:
    """Make the SQL functions callable on *connection*, once, before it is locked.

    ``py_mcnemar_exact(n_only_a, n_only_b)``; ``py_wilson_interval(k, n, confidence)``
    and ``py_paired_interval(base, other, blocks)`` return ``[low, high]`` (an empty
    list of blocks is one block); ``py_holm(p_values)``. A null argument gives null.
    """
    for name, function, arguments, result in SQL_FUNCTIONS:
        connection.create_function(
            name, function, list(arguments), result or "DOUBLE[]"
        )
