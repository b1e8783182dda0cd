"""Small drawings in the text of a page: intervals on an axis, bars, points that lead.

They are a page's typography, not a chart library: SVG of a few marks, coloured by the
style sheet. What they show is in the table beside them too, so that those who see no
picture miss nothing. Everything from data goes through `text`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.site.cells import text

if TYPE_CHECKING:
    from jevdb.numerics.binomial import Bounds
    from jevdb.site.numbers import Bin

WIDTH = 220
"""Of a strip, in pixels."""
MARGIN = 12
HEIGHT = 14
TICKS = 4


class Axis(NamedTuple):
    """A scale of values along a strip, with round numbers on it."""

    low: float
    high: float
    step: float
    width: int = WIDTH

    def place(self, value: float) -> float:
        """Return where a value is, in pixels."""
        inner = self.width - 2 * MARGIN
        share = (value - self.low) / (self.high - self.low)
        return round(MARGIN + inner * min(max(share, 0.0), 1.0), 1)

    @property
    def ticks(self) -> list[float]:
        """The round numbers on the axis."""
        first = math.ceil(round(self.low / self.step, 9))
        last = math.floor(round(self.high / self.step, 9))
        return [round(n * self.step, 9) for n in range(first, last + 1)]


def axis_of(values: Iterable[float | None], width: int = WIDTH) -> Axis | None:
    """Return an axis on which the values lie; None where there are none.

    Examples
    --------
    >>> axis = axis_of([54.5, 82.7])
    >>> axis.ticks
    [50.0, 60.0, 70.0, 80.0, 90.0]
    """
    found = [value for value in values if value is not None]
    if not found:
        return None
    low, high = min(found), max(found)
    spread = high - low or abs(high) or 1.0
    raw = spread / TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= raw)
    first, last = math.floor(low / step), math.ceil(high / step)
    return Axis(first * step, max(last, first + 1) * step, step, width)


def scale(axis: Axis | None) -> str:
    """Return the head of a column of strips: the numbers on their axis."""
    if axis is None:
        return ""
    words = "".join(
        f"<text x={axis.place(tick)} y=9>{tick:g}</text>"
        f"<path d=M{axis.place(tick)},12v4 />"
        for tick in axis.ticks
    )
    return (
        f"<svg class=scale width={axis.width} height=16 aria-hidden=true>{words}</svg>"
    )


def strip(
    axis: Axis | None,
    value: float | None,
    interval: Bounds | None,
    zero: float | None = None,
) -> str:
    """Return a value as a dot on the axis, its interval as a stroke.

    Where there is a *zero*, a line marks it.
    """
    if axis is None or value is None:
        return ""
    mark = "" if zero is None else f"<path class=zero d=M{axis.place(zero)},0V14 />"
    low, high = interval or (value, value)
    start, end = axis.place(low), axis.place(high)
    return (
        f"<svg class=strip width={axis.width} height={HEIGHT} "
        f"aria-hidden=true>{mark}<path d=M{start},7H{end} />"
        f"<circle cx={axis.place(value)} cy=7 r=3.5 /></svg>"
    )


class Point(NamedTuple):
    """A point of the plane: a link, with what is said of it on hover and focus."""

    href: str
    name: str
    x: float
    y: float
    interval: Bounds | None
    leads: bool


PLANE_WIDTH, PLANE_HEIGHT, LEFT, BOTTOM = 560, 380, 46, 40


def plane(points: Sequence[Point], of_x: str, of_y: str) -> str:
    """Return points on two axes, each of them a link with its name."""
    x_axis = axis_of(
        [
            end
            for point in points
            for end in (point.x, *(point.interval or (None, None)))
        ],
        PLANE_WIDTH,
    )
    y_axis = axis_of(point.y for point in points)
    if x_axis is None or y_axis is None:
        return ""

    def at_x(value: float) -> float:
        share = (value - x_axis.low) / (x_axis.high - x_axis.low)
        return round(LEFT + (PLANE_WIDTH - LEFT - 14) * share, 1)

    def at_y(value: float) -> float:
        share = (value - y_axis.low) / (y_axis.high - y_axis.low)
        return round(PLANE_HEIGHT - BOTTOM - (PLANE_HEIGHT - BOTTOM - 14) * share, 1)

    floor = PLANE_HEIGHT - BOTTOM
    grid = "".join(
        f"<path class=grid d=M{at_x(tick)},14V{floor} />"
        f"<text class=mid x={at_x(tick)} y={floor + 16}>{tick:g}</text>"
        for tick in x_axis.ticks
    ) + "".join(
        f"<path class=grid d=M{LEFT},{at_y(tick)}H{PLANE_WIDTH - 14} />"
        f"<text class=end x={LEFT - 6} y={at_y(tick) + 4}>{tick:g}</text>"
        for tick in y_axis.ticks
    )
    marks = "".join(_point(point, at_x, at_y) for point in points)
    return (
        f'<svg class=plane viewBox="0 0 {PLANE_WIDTH} {PLANE_HEIGHT}" role=group '
        f'aria-label="{text(of_x)} against {text(of_y)}">{grid}'
        f"<text class=mid x={(PLANE_WIDTH + LEFT) // 2} y={PLANE_HEIGHT - 4}>"
        f"{text(of_x)}</text><text x=4 y=10>{text(of_y)}</text>{marks}</svg>"
    )


def _point(point: Point, at_x: object, at_y: object) -> str:
    assert callable(at_x) and callable(at_y)
    x, y = at_x(point.x), at_y(point.y)
    stroke = ""
    if point.interval:
        low, high = point.interval
        stroke = f"<path d=M{at_x(low)},{y}H{at_x(high)} />"
    side = "end" if x > PLANE_WIDTH * 0.6 else "start"
    shift = -9 if side == "end" else 9
    words = f"{point.name}: {point.x:.2f}, {point.y:.2f}"
    return (
        f'<a href="{text(point.href)}" aria-label="{text(words)}"'
        f"{' class=leads' if point.leads else ''}>{stroke}"
        f"<circle cx={x} cy={y} r=5 />"
        f'<text class="name {side}" x={x + shift} y={y - 8}>{text(words)}</text></a>'
    )


BAR_STEP, BAR_TALL, BAR_SHOWN = 5, 9, 20


def bars(heights: Sequence[float | None]) -> str:
    """Return probabilities as upright bars, one after the other; null leaves a gap.

    A bar is of nine steps, which the style sheet makes tall.
    """
    path = "".join(
        f"m{BAR_STEP} 0" if not height else f"v-{height}m{BAR_STEP} {height}"
        for height in (round(BAR_TALL * (each or 0.0)) for each in heights)
    )
    return (
        f'<svg class=bars viewBox="0 0 {BAR_STEP * len(heights) + 2} {BAR_SHOWN}" '
        f'aria-hidden=true><path d="M2 {BAR_TALL}{path}"/></svg>'
    )


SQUARE, PALE = 150, 10


def reliability(bins: Sequence[Bin], words: str) -> str:
    """Return the share true over the probability stated, bin by bin.

    Bins of fewer than ten rows are pale, and no line goes to them.
    """
    found = [
        (14 + 122 * each.mean_stated, 136 - 122 * each.share_true, each.n)
        for each in bins
        if each.mean_stated is not None and each.share_true is not None
    ]
    joined = "L".join(f"{x:.4g},{y:.4g}" for x, y, n in found if n >= PALE)
    dots = "".join(
        f"<circle{' class=pale' if n < PALE else ''} cx={x:.4g} cy={y:.4g} r=3.5 />"
        for x, y, n in found
    )
    line = f"<path d=M{joined} />" if joined else ""
    return (
        f"<svg class=reliability width={SQUARE} height={SQUARE} role=img "
        f'aria-label="{text(words)}"><path class=grid d=M14,14V136H136 />'
        f"<path class=ideal d=M14,136L136,14 />{line}{dots}</svg>"
    )
