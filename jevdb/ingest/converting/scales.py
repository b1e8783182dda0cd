"""Values of distributions that are no fractions: percent, logarithms, logits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

NEAR_ONE = 0.02 + 1e-9
HUNDRED = 100.0
NEAR_HUNDRED = 2.0 + 1e-9


def from_percent(value: float) -> float:
    """Return a hundredth."""
    return value / HUNDRED


def from_logarithm(value: float) -> float:
    """Return e to the power of *value*; what no double holds is infinite."""
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def from_logarithm_2(value: float) -> float:
    """Return 2 to the power of *value*."""
    try:
        return float(2.0**value)
    except OverflowError:
        return math.inf


def sigmoid(value: float) -> float:
    """Return 1 / (1 + e^-value): P(yes) of a single logit."""
    if value >= 0:
        return 1.0 / (1.0 + math.exp(-value))
    return math.exp(value) / (1.0 + math.exp(value))


def softmax(values: Sequence[float]) -> list[float] | None:
    """Return the distribution of logits; None where every one is -inf."""
    largest = max(values, default=-math.inf)
    if not math.isfinite(largest):
        return None
    weights = [math.exp(value - largest) for value in values]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


SINGLE: dict[str, Callable[[float], float]] = {
    "percent": from_percent,
    "logprob": from_logarithm,
    "log2": from_logarithm_2,
    "logit": sigmoid,
}
"""What a single value is, by the scale it is on."""


def total(values: Sequence[float]) -> float:
    """Return the sum of doubles in their order."""
    found = 0.0
    for value in values:
        found += value
    return found


def is_near_one(values: Sequence[float], function: Callable[[float], float]) -> bool:
    """Whether the values on a scale sum to 1 within 0.02."""
    return abs(total([function(value) for value in values]) - 1) <= NEAR_ONE


def looks_like(values: Sequence[float]) -> str | None:
    """Return the scale that values can only be on, None where they may be fractions.

    Logarithms: none above 0, one below. Percent: none below 0, one above 1, and a sum
    within 98..102.
    """
    if not values:
        return None
    low, high = min(values), max(values)
    if high <= 0 > low:
        is_natural = is_near_one(values, from_logarithm)
        is_binary = is_near_one(values, from_logarithm_2)
        return "log2" if is_binary and not is_natural else "logprob"
    if low >= 0 and high > 1 and abs(total(values) - HUNDRED) <= NEAR_HUNDRED:
        return "percent"
    return None


def other_scale(values: Sequence[float], scale: str) -> str | None:
    """Return the scale a row is on that is not the one asked for; None: it may be it.

    A scale holds for a file: rows of another are faults of their lines.
    """
    if len(values) < 2 or scale == "logit":  # noqa: PLR2004 (one value shows no scale)
        return None
    seen = looks_like(values)
    if seen is None:
        is_one = abs(total(values) - 1) <= NEAR_ONE
        return "fraction" if is_one and min(values) >= 0 else None
    if (seen == "percent") != (scale == "percent"):
        return seen
    if seen == "percent" or is_near_one(values, SINGLE[scale]):
        return None
    rival = "log2" if scale == "logprob" else "logprob"
    return rival if is_near_one(values, SINGLE[rival]) else None
