"""Shares of right answers: tails of the binomial, and the interval they give."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from jevdb.base.errors import UsageError

CONFIDENCE = 0.95
DIGITS = 12
"""Decimals of an end; further ones are the rounding of doubles."""
STEPS = 200
"""More than a search by halves needs to reach the last bit of a share."""


class Bounds(NamedTuple):
    """The two ends of an interval."""

    low: float
    high: float


@lru_cache(maxsize=65536)
def clopper_pearson(k: int, n: int, confidence: float = CONFIDENCE) -> Bounds:
    """Return the exact interval of a share, within [0, 1].

    Parameters
    ----------
    k, n : int
        Successes and trials, 0 <= k <= n, n at least 1.
    confidence : float, in (0, 1)
        Held at least, whatever the true share.

    Returns
    -------
    Bounds
        The shares at which k or more, and k or fewer, have half of what the confidence
        leaves over; 0 at k = 0 and 1 at k = n.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, 404-413. INFERENCE.md §1.1.

    Examples
    --------
    >>> clopper_pearson(18, 20)
    Bounds(low=0.683017285981, high=0.98765147283)
    """
    require_share(k, n)
    require_confidence(confidence)
    tail = round((1 - confidence) / 2, 15)
    return Bounds(lowest_share(k, n, tail), highest_share(k, n, tail))


def lowest_share(k: int, n: int, tail: float) -> float:
    """Return the share at which *k* or more of *n* have the probability *tail*."""
    if k == 0:
        return 0.0
    return _crossing(lambda share: at_least(k, n, share) < tail, k / n)


def highest_share(k: int, n: int, tail: float) -> float:
    """Return the share at which *k* or fewer of *n* have the probability *tail*."""
    return round(1 - lowest_share(n - k, n, tail), DIGITS)


def _crossing(is_below: Callable[[float], bool], high: float) -> float:
    """Return where *is_below* turns false, between 0 and *high*."""
    low = 0.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if high - low < 10.0 ** -(DIGITS + 2) or middle in (low, high):
            break
        if is_below(middle):
            low = middle
        else:
            high = middle
    return round((low + high) / 2, DIGITS)


def at_least(k: int, n: int, share: float) -> float:
    """Return the probability of *k* or more of *n*, each with probability *share*.

    Examples
    --------
    >>> round(at_least(88, 90, 0.9), 10)
    0.0046044975
    """
    if k <= 0:
        return 1.0
    if share <= 0 or k > n:
        return 0.0
    if share >= 1:
        return 1.0
    if k <= n * share:
        return 1 - at_least(n - k + 1, n, 1 - share)
    odds = share / (1 - share)
    term = total = 1.0
    for successes in range(k, n):
        term *= odds * (n - successes) / (successes + 1)
        total += term
        if term < total * 1e-17:
            break
    return total * _probability(k, n, share)


def at_most(k: int, n: int, share: float) -> float:
    """Return the probability of *k* or fewer of *n*, each with probability *share*."""
    return at_least(n - k, n, 1 - share)


def _probability(k: int, n: int, share: float) -> float:
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + k * math.log(share) + (n - k) * math.log1p(-share))


def require_share(k: int, n: int) -> None:
    """Refuse counts that are no share: UsageError."""
    if not 0 <= k <= n or n == 0:
        raise UsageError(f"{k} of {n} is no share")


def require_confidence(confidence: float) -> None:
    """Refuse what is no confidence: UsageError."""
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence is between 0 and 1, not {confidence}")
