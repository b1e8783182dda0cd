"""What applies where nothing else is asked for."""

from __future__ import annotations

DEFAULT_METHOD = "metrics-md"
"""The scoring method of METRICS.md."""
BOARD_METHODS = ("jevals-0.1", "s1mb-1")
"""The methods of other people's boards, which a site shows only if it is asked to."""

TARGET = 0.95
"""The share of right answers, above 0 and at most 1, that a threshold shall reach."""
