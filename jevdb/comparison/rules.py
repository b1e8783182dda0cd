"""By which rule intervals are made, and who is above whom."""

from __future__ import annotations

from enum import StrEnum


class IntervalRule(StrEnum):
    """By which rule intervals are made: exact and delta, or METHOD v1.5's bootstrap."""

    ANALYTIC = "analytic"
    BOOTSTRAP = "bootstrap"
