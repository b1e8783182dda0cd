"""What others want to know of our metrics: the bounds in their words."""

from __future__ import annotations

import math

from jevdb.base.metrics import Metric

Bound = float | str


def bound(value: float) -> Bound:
    """Return an end of what a metric can be; an unbounded one is a word."""
    if math.isfinite(value):
        return value
    return "Infinity" if value > 0 else "-Infinity"


def range_words(metric: Metric) -> str:
    """Return what a metric can be, by its unit where all values of it are alike."""
    low, high = metric.bounds
    if metric.unit == "points":
        return f"at most {high:g}"
    return f"{low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}"
