"""Axes whose places are known before anything is drawn, so that labels can be put."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from jevdb.base.metrics import BY_NAME
from jevdb.plots.grammar import Spec

STEPS = (1.0, 2.0, 5.0, 10.0)
PADDING = 0.06
TICKS = 6
LOG_FROM = 20.0
"""A range of this ratio is shown on a logarithmic axis."""


class Scale(NamedTuple):
    """An axis: its ends, its ticks, and whether it is logarithmic.

    ``constant`` is for a logarithmic axis that also has to show 0: below it the axis is
    near to linear.
    """

    title: str
    low: float
    high: float
    ticks: Sequence[float]
    form: str = "linear"
    constant: float = 1.0

    def share(self, value: float) -> float:
        """Return where a value lies, 0 at the low end and 1 at the high one."""
        low, high, at = (self._bent(each) for each in (self.low, self.high, value))
        return (at - low) / (high - low)

    def _bent(self, value: float) -> float:
        if self.form == "log":
            return math.log(value)
        if self.form == "symlog":
            return math.copysign(math.log1p(abs(value) / self.constant), value)
        return value

    @property
    def scale(self) -> Spec:
        """The scale as Vega-Lite has it."""
        spec: Spec = {
            **{"type": self.form, "domain": [self.low, self.high]},
            **{"nice": False, "zero": False},
        }
        if self.form == "symlog":
            spec["constant"] = self.constant
        return spec

    def axis(self, **more: object) -> Spec:
        """Return the axis as Vega-Lite has it."""
        marks: Spec = {"title": self.title, "values": list(self.ticks)}
        if self.form == "linear":
            marks["format"] = f".{max(map(_places, self.ticks), default=0)}f"
        else:
            marks["format"] = "~r"
        return {**marks, **more}


def _places(tick: float) -> int:
    """Return how many decimals a tick has."""
    return len(f"{tick:.10f}".rstrip("0").partition(".")[2])


def linear(
    title: str,
    values: Sequence[float],
    least: float = -math.inf,
    most: float = math.inf,
) -> Scale:
    """Return an axis around *values*, its ends at round numbers, inside the bounds."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = (high - low) * PADDING or abs(high) * PADDING or 0.5
    low, high = max(low - room, least), min(high + room, most)
    if high <= low:
        low, high = low - 0.5, high + 0.5
    step = _step(high - low)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    count = round((high - low) / step)
    ticks = [round(low + step * place, 10) for place in range(count + 1)]
    return Scale(title, ticks[0], ticks[-1], ticks)


def metric_axis(title: str, values: Sequence[float], metric: str) -> Scale:
    """Return an axis around values of a metric, inside what it can be."""
    return linear(title, values, *BY_NAME[metric].bounds)


def _step(width: float) -> float:
    """Return a round distance between about six ticks."""
    unit = 10.0 ** math.floor(math.log10(width / TICKS))
    return next(step * unit for step in STEPS if width / (step * unit) <= TICKS)


def wide(title: str, values: Sequence[float]) -> Scale:
    """Return an axis for amounts of at least 0, logarithmic where they differ much."""
    positive = [value for value in values if value > 0]
    if not positive or max(positive) < LOG_FROM * min(positive):
        return linear(title, values, least=0.0)
    low, high = min(positive) / 1.3, max(positive) * 1.3
    ticks = _decades(low, high)
    if len(positive) == len(values):
        return Scale(title, low, high, ticks, "log")
    return Scale(title, 0.0, high, [0.0, *ticks], "symlog", min(positive))


def _decades(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times powers of ten, or the powers alone over a wide range."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    digits = (1, 2, 5) if len(powers) <= 3 else (1,)  # noqa: PLR2004
    listed = [float(f"{digit}e{power}") for power in powers for digit in digits]
    return [tick for tick in listed if low <= tick <= high]
