"""Which way a metric is better, and how it is shown."""

from __future__ import annotations

HIGHER_IS_BETTER = {
    "accuracy": True,
    "intelligence": True,
    "calibration": True,
    "coverage": True,
    "multi_select_f1": True,
    "ece": False,
    "tvd": False,
    "rps": False,
    "brier": False,
    "nll": False,
    "ordinal_mae": False,
}
HUNDREDS = ("intelligence", "calibration")
"""Metrics on the scale of 0 to 100, shown with two decimals; the others have four."""


def sign(metric: str) -> float:
    """Return 1 where higher is better, -1 where lower is."""
    return 1.0 if HIGHER_IS_BETTER[metric] else -1.0


def signed(value: float, metric: str) -> str:
    """Return a difference as it is shown: always with a sign, never minus zero."""
    return f"{value:+z.{decimals(metric)}f}"


def decimals(metric: str) -> int:
    """Return how many decimals a metric is shown with (SCORING.md §7)."""
    return 2 if metric in HUNDREDS else 4
