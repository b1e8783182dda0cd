"""Student's t for whole degrees of freedom, by finite sums."""

from __future__ import annotations

import math
from functools import lru_cache

MOST = 200
"""Degrees of freedom above this are taken as this many."""
DIGITS = 12
"""Significant digits that are kept: the same on every machine."""
FAR = 1e-3
"""A tail below this is summed by itself: 1 minus a sum would lose its digits."""


def whole(df: float) -> int:
    """Return degrees of freedom as they are used: floored, from 1 to `MOST`.

    Twenty equal clusters have 19, not 18.999...: rounded before they are floored.
    """
    return math.floor(significant(min(max(df, 1), MOST)))


def two_sided(t: float, df: int) -> float:
    """Return P(abs(T) >= abs(*t*)), T with *df* degrees of freedom, from 1 to `MOST`.

    References
    ----------
    Abramowitz and Stegun (1964), 26.7.3 and 26.7.4; far out, what their sums leave of
    the series that they are the beginning of.

    Examples
    --------
    >>> two_sided(1.0, 1), round(two_sided(2.1098155778, 17), 9)
    (0.5, 0.05)
    """
    return significant(_beyond(abs(t), df))


def _beyond(t: float, df: int) -> float:
    if math.isinf(t):
        return 0.0
    sine, cosine_2 = t / math.hypot(t, math.sqrt(df)), df / (df + t * t)
    near = 1 - _near(t, df, sine, cosine_2)
    return near if near >= FAR else _far(df, sine, cosine_2)


def _near(t: float, df: int, sine: float, cosine_2: float) -> float:
    total, term = 0.0, _first(df, cosine_2)
    for place in range(df // 2):
        total += term
        term *= _ratio(place, df) * cosine_2
    if df % 2 == 0:
        return sine * total
    return (math.atan(t / math.sqrt(df)) + sine * total) * 2 / math.pi


def _far(df: int, sine: float, cosine_2: float) -> float:
    term = _first(df, cosine_2)
    for place in range(df // 2):
        term *= _ratio(place, df) * cosine_2
    total, place = 0.0, df // 2
    while term > total * 1e-18 and term > 0:
        total += term
        term *= _ratio(place, df) * cosine_2
        place += 1
    return sine * total * (1 if df % 2 == 0 else 2 / math.pi)


def _first(df: int, cosine_2: float) -> float:
    return 1.0 if df % 2 == 0 else math.sqrt(cosine_2)


def _ratio(place: int, df: int) -> float:
    if df % 2 == 0:
        return (2 * place + 1) / (2 * place + 2)
    return (2 * place + 2) / (2 * place + 3)


@lru_cache(maxsize=4096)
def quantile(share: float, df: int) -> float:
    """Return the t below which *share* of the distribution lies.

    Parameters
    ----------
    share : float
        In (0.5, 1).
    df : int
        From 1 to `MOST`.

    Examples
    --------
    >>> quantile(0.975, 17)
    2.10981557783
    """
    return critical(round(2 * (1 - share), 15), df)


@lru_cache(maxsize=4096)
def critical(level: float, df: int) -> float:
    """Return the t that is exceeded, on either side, with probability *level*."""
    low, high = 0.0, 1.0
    while _beyond(high, df) > level:
        low, high = high, 2 * high
    while high - low > 1e-14 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if _beyond(middle, df) > level:
            low = middle
        else:
            high = middle
    return significant((low + high) / 2)


def significant(value: float) -> float:
    """Return a number rounded to `DIGITS` significant digits."""
    return float(f"{value:.{DIGITS - 1}e}")
