"""Statistics over paired answers, as functions and as SQL functions named ``py_...``.

Pure functions over numpy; `register` makes them callable in ad-hoc SQL. No persisted
view calls them: a Python function dies with its process, and the view with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from jevdb.base.errors import UsageError
from jevdb.numerics.binomial import (
    CONFIDENCE,
    Bounds,
    clopper_pearson,
    require_confidence,
    require_share,
)
from jevdb.numerics.cells import SMALLEST, Addend, cells_of
from jevdb.numerics.components import mean_influence
from jevdb.numerics.discordant import mcnemar_exact
from jevdb.numerics.estimates import Estimate
from jevdb.numerics.multiplicity import holm
from jevdb.numerics.variance import stratified

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


MOST_DISCORDANT = 100_000
"""Items that SQL may ask an exact McNemar test of; it then takes a second."""


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
    Wilson (1927), JASA 22, 209-212. Its coverage dips below what it states
    (INFERENCE.md §1.1): `jevdb.numerics.binomial.clopper_pearson` does not.

    Examples
    --------
    >>> low, high = wilson_interval(191, 231)
    >>> round(low, 4), round(high, 4)
    (0.7728, 0.8702)
    """
    require_share(k, n)
    require_confidence(confidence)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = k / n, z * z / n
    middle = share + weight / 2
    half = z * math.sqrt(share * (1 - share) / n + weight / (4 * n))
    # At k = 0 and k = n the one end is 0 or 1 exactly, which rounding would miss.
    low = 0.0 if k == 0 else (middle - half) / (1 + weight)
    high = 1.0 if k == n else (middle + half) / (1 + weight)
    return Bounds(low, high)


def paired_interval(
    base: Sequence[float],
    other: Sequence[float],
    blocks: Sequence[str] | None = None,
    *,
    confidence: float = CONFIDENCE,
) -> Bounds:
    """Return the interval of the mean of other minus base, item by item.

    Parameters
    ----------
    base, other : sequence of float, shape (n_items,)
        A value per item of each run, in the same order of items.
    blocks : sequence of str, shape (n_items,), optional
        Items vary within these; all are one block without it. One of fewer than five
        items takes the spread of all.
    confidence : float, in (0, 1)

    Returns
    -------
    Bounds
        Student's t with Satterthwaite's degrees of freedom, in the values' unit.

    Raises
    ------
    UsageError
        Lists of unequal length, fewer than five items, NaN, or differences that do not
        vary: there is no interval.

    References
    ----------
    INFERENCE.md §1.4.

    Examples
    --------
    >>> low, high = paired_interval([0.0, 0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0, 0])
    >>> round(low, 4), round(high, 4)
    (-0.0801, 1.2801)
    """
    if len(base) != len(other) or len(base) != len(blocks or base):
        raise UsageError("a paired interval needs the same items in every list")
    if any(each is None for values in (base, other, blocks or ()) for each in values):
        raise UsageError("a paired interval needs a value of every item, not null")
    require_confidence(confidence)
    gaps = np.asarray(other, dtype=np.float64) - np.asarray(base, dtype=np.float64)
    if np.isnan(gaps).any():
        raise UsageError("a paired interval needs numbers, not NaN")
    cells_by = [(block, None, "") for block in blocks or [""] * len(base)]
    everything = Addend(np.arange(len(base)), 1 / max(len(base), 1), 1.0)
    if len(base) < SMALLEST:
        raise UsageError(f"a paired interval needs {SMALLEST} items")
    cells = cells_of(cells_by, [everything], across_types=True)
    spread = stratified(cells, lambda items: mean_influence(gaps[items]))
    if spread.variance == 0:
        raise UsageError("a paired interval needs differences that vary")
    point = math.fsum(gaps.tolist()) / len(gaps)
    level = round(1 - confidence, 15)
    return Estimate(point, *spread).interval(level)


def _sql_mcnemar_exact(n_only_a: int, n_only_b: int) -> float:
    if n_only_a + n_only_b > MOST_DISCORDANT:
        raise UsageError(
            f"py_mcnemar_exact takes up to {MOST_DISCORDANT:,} items in all; beyond, "
            "the normal approximation is as good: z = (a - b) / sqrt(a + b)"
        )
    return mcnemar_exact(n_only_a, n_only_b)


def _sql_holm(p_values: list[float | None]) -> list[float]:
    given = [p for p in p_values if p is not None and 0 <= p <= 1]
    if len(given) < len(p_values):
        raise UsageError("a p-value is between 0 and 1, not null")
    return holm(given)


def _sql_wilson_interval(k: int, n: int, confidence: float) -> list[float]:
    return list(wilson_interval(k, n, confidence))


def _sql_clopper_pearson(k: int, n: int, confidence: float) -> list[float]:
    return list(clopper_pearson(k, n, confidence))


def _sql_paired_interval(
    base: list[float], other: list[float], blocks: list[str]
) -> list[float]:
    return list(paired_interval(base, other, blocks or None))


SQL_FUNCTIONS = (
    ("py_mcnemar_exact", _sql_mcnemar_exact, ("HUGEINT", "HUGEINT"), "DOUBLE"),
    (
        "py_wilson_interval",
        _sql_wilson_interval,
        ("HUGEINT", "HUGEINT", "DOUBLE"),
        None,
    ),
    (
        "py_clopper_pearson",
        _sql_clopper_pearson,
        ("HUGEINT", "HUGEINT", "DOUBLE"),
        None,
    ),
    ("py_holm", _sql_holm, ("DOUBLE[]",), None),
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

    ``py_mcnemar_exact(n_only_a, n_only_b)``; ``py_clopper_pearson(k, n, confidence)``,
    ``py_wilson_interval(k, n, confidence)`` and ``py_paired_interval(base, other,
    blocks)`` return ``[low, high]`` (an empty list of blocks is one block);
    ``py_holm(p_values)``. A null argument gives null.
    """
    for name, function, arguments, result in SQL_FUNCTIONS:
        connection.create_function(
            name, function, list(arguments), result or "DOUBLE[]"
        )
