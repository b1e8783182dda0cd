"""How differences are said: points, intervals, p-values, how many items.

Points are hundredths of an accuracy, or units of I and C; one decimal.
"""

from __future__ import annotations

from collections.abc import Sequence

from jevdb.base.metrics import BY_NAME
from jevdb.numerics.binomial import Bounds

BOOTSTRAP_WORDS = (
    "METHOD v1.5's percentile bootstrap: its 95 % intervals of I held the truth in "
    "87 to 92 % of simulated worlds of 231 items"
)
SMALLEST_P = 0.001
SUITE_SCORE = "score"
"""What the score of a suite is called; it counts points, and more is better."""


def is_in_points(metric: str) -> bool:
    """Return whether the metric itself counts points, as I, C and suites' scores do.

    The gate's own numbers, gap and ce2, are no metrics of the registry, and do not.

    Examples
    --------
    >>> is_in_points("intelligence"), is_in_points("accuracy"), is_in_points("ce2")
    (True, False, False)
    """
    if metric == SUITE_SCORE:
        return True
    known = BY_NAME.get(metric)
    return known is not None and known.unit == "points"


def is_said_in_points(metric: str) -> bool:
    """Return whether differences are said in points: all above, and the accuracy."""
    return is_in_points(metric) or metric == "accuracy"


def in_points(value: float, metric: str) -> float:
    """Return a difference in points."""
    return value if is_in_points(metric) else 100 * value


def unit_of(metric: str) -> float:
    """Return what a point is in the metric's own unit."""
    return 1.0 if is_in_points(metric) else 0.01


def points(value: float, metric: str) -> str:
    """Return a difference in points, always with a sign, never minus zero."""
    return f"{in_points(value, metric):+z.1f}"


def interval_words(interval: Bounds, metric: str) -> str:
    """Return an interval in points; signs where it has both, or is below 0."""
    low, high = (in_points(end, metric) for end in interval)
    if low < 0 < high:
        return f"{low:+z.1f} to {high:+z.1f}"
    return f"{low:z.1f} to {high:z.1f}"


def ends(interval: Bounds) -> tuple[float, float]:
    """Return the ends of an interval as they are compared with a margin."""
    return interval.low, interval.high


def p_words(p_value: float) -> str:
    """Return a p-value to three decimals, none of them a trailing zero.

    Examples
    --------
    >>> p_words(0.0112), p_words(0.29), p_words(0.0002), p_words(1.0)
    ('0.011', '0.29', '<0.001', '1')
    """
    if p_value < SMALLEST_P:
        return "<0.001"
    return f"{p_value:.3f}".rstrip("0").rstrip(".")


def about(count: int) -> str:
    """Return a count to two digits.

    Examples
    --------
    >>> about(1387), about(94), about(938)
    ('1,400', '94', '940')
    """
    digits = max(len(str(count)) - 2, 0)
    return f"{round(count, -digits):,}"


def joined(names: Sequence[str], most: int = 10) -> str:
    """Return names, or none; of many the first and how many more."""
    if not names:
        return "none"
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
