"""Two runs over the same items: what the items say that only one of them got right."""

from __future__ import annotations

import math
from statistics import NormalDist

from jevdb.base.errors import UsageError
from jevdb.base.text import counted
from jevdb.numerics.binomial import Bounds

LEVEL = 0.05
"""The error allowed, where it is not shared out."""
SEEN_IN_MOST = 2.801585218112968
"""Normal quantiles at 0.975 and 0.80 added: what is found in 80 % of the cases."""


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
    (2013), BMC Med. Res. Methodol. 13:91. SCORING.md §8, INFERENCE.md §1.2.

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


def difference_interval(
    n_only_base: int, n_only_other: int, n: int, level: float = LEVEL
) -> Bounds:
    """Return the interval of the difference of two accuracies, other minus base.

    Parameters
    ----------
    n_only_base, n_only_other, n : int
        Items that only the one, only the other got right, and all items, at least 1.
    level : float, in (0, 1)
        One minus the confidence.

    Returns
    -------
    Bounds
        In [-1, 1]. It leaves out 0 exactly where `mcnemar_exact` is at most the level:
        an end that the approximation puts on the wrong side of 0 becomes 0, and then
        counts as what the test says. No discordant item is no proof of no difference:
        the interval is never of width 0.

    References
    ----------
    Bonett and Price (2012), J. Educ. Behav. Stat. 37, 479-488. INFERENCE.md §1.2.

    Examples
    --------
    >>> low, high = difference_interval(30, 12, 220)
    >>> round(low, 10), round(high, 10)
    (-0.1386643902, -0.023497772)
    """
    if n < 1 or n_only_base + n_only_other > n:
        raise UsageError(
            f"{n_only_base} and {n_only_other} are more than {counted(n, 'item')}"
        )
    middle, spread = adjusted_difference(n_only_base, n_only_other, n)
    half = NormalDist().inv_cdf(1 - level / 2) * spread
    low, high = max(-1.0, middle - half), min(1.0, middle + half)
    is_higher = n_only_other > n_only_base
    crosses = low > 0 or high < 0
    if mcnemar_exact(n_only_base, n_only_other) > level:
        if crosses:
            low, high = min(low, 0.0), max(high, 0.0)
    elif is_higher:
        low = max(low, 0.0)
    else:
        high = min(high, 0.0)
    return Bounds(low, high)


def adjusted_difference(
    n_only_base: int, n_only_other: int, n: int
) -> tuple[float, float]:
    """Return the difference and its standard error with one item added each way."""
    p_base, p_other = (n_only_base + 1) / (n + 2), (n_only_other + 1) / (n + 2)
    middle = p_other - p_base
    return middle, math.sqrt((p_base + p_other - middle * middle) / (n + 2))


def detectable_difference(n_only_base: int, n_only_other: int, n: int) -> float:
    """Return the difference of accuracies that is found in 80 % of the cases.

    Items as discordant as these, at a level of 5 %.

    Examples
    --------
    >>> round(detectable_difference(30, 12, 220), 10)
    0.0837099729
    """
    return SEEN_IN_MOST * math.sqrt(n_only_base + n_only_other + 2) / (n + 2)
