"""A reliability diagram: the bins of a run and kind, and how many rows each holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jevdb.plots.asking import no_value
from jevdb.plots.grammar import (
    Record,
    Spec,
    fixed,
    layer,
    number,
    pixels,
    tips,
    view,
    words,
)
from jevdb.plots.measure import text_width, wrapped
from jevdb.plots.reliability_words import Panel
from jevdb.plots.theme import BLUE, FAINT, INK, MUTED, PAPER, TEXT_SIZE

if TYPE_CHECKING:
    from jevdb.scoring.calibration_depths import Bin, Depth

SMALLEST = 124
"""Diagrams that small have no titles at their axes."""
BARS_SHARE = 0.22
"""The height of the bars, of that of the diagram."""
FEW = 10
"""A bin of fewer items says little: its dot is pale and not joined to others."""
PALE = 0.35
"""How strong what says little is drawn, of what says much."""
TOOLTIP = tips(
    **{"run": "run", "kind": "kind", "bin": "bin", "n": "rows"},
    **{"stated": "mean stated", "true": "share true"},
)


def empty(depth: Depth, size: float) -> Spec:
    """Return a frame that says why there are no bins to draw."""
    lines = wrapped(no_value(depth.reason), size - 20, TEXT_SIZE)
    top = size / 2 - 7 * (len(lines) - 1)
    rows: list[Record] = [
        {"x": size / 2, "y": top + 14 * place, "text": line}
        for place, line in enumerate(lines)
    ]
    text = layer(
        "text",
        rows,
        {"x": pixels("x"), "y": pixels("y"), "text": words("text")},
        **{"color": MUTED, "fontSize": TEXT_SIZE, "baseline": "middle"},
    )
    return view(size, size, [text], view={"stroke": FAINT, "strokeDash": [2, 3]})


def _axis(title: str | None, size: float, **more: object) -> Spec:
    is_bare = size <= SMALLEST
    values = [0, 0.5, 1] if is_bare else [0, 0.2, 0.4, 0.6, 0.8, 1]
    shown = None if is_bare else title
    return {
        "values": values,
        "title": shown,
        "format": ".1f",
        "labelOverlap": False,
        **more,
    }


def diagram(panel: Panel | None, size: float, behind: Sequence[Panel] = ()) -> Spec:
    """Return the dots of a panel with their whiskers and line, over others in grey."""
    rows = _dots(panel) if panel is not None else []
    joined = list(_stretches(rows))
    unit = fixed(0, 1)
    x = number("stated", scale=unit, axis=_axis(None, size, labels=False))
    y = number("true", scale=unit, axis=_axis("share true", size))
    diagonal: list[Record] = [{"stated": 0, "true": 0}, {"stated": 1, "true": 1}]
    return view(
        size,
        size,
        [
            *_behind(behind, x, y),
            layer("line", diagonal, {"x": x, "y": y}, color=FAINT, strokeDash=[4, 3]),
            layer(
                "rule",
                rows,
                {
                    **{"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
                    "opacity": number("faintness", scale=None, legend=None),
                },
                **{"color": BLUE, "strokeWidth": 1.5},
            ),
            layer(
                "line",
                joined,
                {"x": x, "y": y, "detail": words("stretch")},
                **{"color": BLUE, "strokeWidth": 1.5},
            ),
            layer(
                "point",
                rows,
                {
                    **{"x": x, "y": y, "tooltip": TOOLTIP},
                    "opacity": number("strength", scale=None, legend=None),
                },
                **{"color": BLUE, "filled": True, "size": 42},
                **{"stroke": PAPER, "strokeWidth": 1},
            ),
        ],
    )


def _behind(panels: Sequence[Panel], x: Spec, y: Spec) -> Iterator[Spec]:
    """Yield the bins of panels that hold enough, grey, and what joins them."""
    rows: list[Record] = [
        {**dot, "line": f"{place} {dot['stretch']}"}
        for place, panel in enumerate(panels)
        for dot in _stretches(_dots(panel))
    ]
    if not rows:
        return
    looks = {"color": FAINT, "opacity": 0.6}
    yield layer(
        "line",
        rows,
        {"x": x, "y": y, "detail": words("line")},
        **{**looks, "strokeWidth": 1},
    )
    yield layer(
        "point",
        rows,
        {"x": x, "y": y, "tooltip": TOOLTIP},
        **{**looks, "filled": True, "size": 10, "shape": "circle"},
    )


def _dots(panel: Panel) -> list[Record]:
    return [_dot(panel, each) for each in panel.depth.bins if each.n]


def _stretches(dots: Sequence[Record]) -> Iterator[Record]:
    """Yield the dots that are joined: those at full strength, to their neighbours."""
    stretch, before = 0, None
    for dot in dots:
        if dot["strength"] == 1:
            stretch += dot["place"] != before
            before = int(str(dot["place"])) + 1
            yield {**dot, "stretch": stretch}


def _dot(panel: Panel, each: Bin) -> Record:
    from jevdb.numerics.statistics import wilson_interval

    assert each.share_true is not None
    n = _items_in(panel.depth, each)
    low, high = wilson_interval(round(each.share_true * n), n)
    strength = 1 if n >= FEW else PALE
    return {
        **{"run": panel.name, "kind": panel.depth.kind, "n": each.n},
        "place": each.bin,
        **{"bin": f"{each.lower:g} to {each.upper:g}", "stated": each.mean_stated},
        **{"true": each.share_true, "low": low, "high": high},
        **{"strength": strength, "faintness": 0.55 * strength},
    }


def _items_in(depth: Depth, each: Bin) -> int:
    """Return how many items a bin has: answers to one item are no sample of items."""
    return each.n if depth.bin_items is None else depth.bin_items[each.bin]


def bars(depth: Depth, size: float) -> Spec:
    """Return how many rows each bin holds, under a diagram of this size."""
    most = max((each.n for each in depth.bins), default=0) or 1
    height = round(size * BARS_SHARE)
    rows: list[Record] = [
        {
            **{"lower": each.lower, "upper": each.upper, "n": each.n},
            **{"middle": (each.lower + each.upper) / 2, "none": 0},
            "strength": 0.75 if _items_in(depth, each) >= FEW else 0.75 * PALE,
        }
        for each in depth.bins
    ]
    x = number("lower", scale=fixed(0, 1), axis=_axis("stated probability", size))
    y = number(
        "n",
        scale=fixed(0, most * 1.35),
        axis={"values": [0, most], "title": None, "format": "d", "grid": False},
    )
    return view(
        size,
        height,
        [
            layer(
                "bar",
                rows,
                {
                    **{"x": {**x, "bin": "binned"}, "x2": {"field": "upper"}, "y": y},
                    **{"y2": {"field": "none"}},
                    "tooltip": tips(lower="from", upper="to", n="rows"),
                    "opacity": number("strength", scale=None, legend=None),
                },
                **{"color": BLUE, "stroke": PAPER, "strokeWidth": 0.5},
            ),
            *_counts(depth, rows, size, x, y),
        ],
    )


def _counts(
    depth: Depth, rows: Sequence[Record], size: float, x: Spec, y: Spec
) -> Iterator[Spec]:
    """Yield the numbers over the bars, where all of them have room."""
    room = size / max(len(depth.bins), 1) - 2
    if max((text_width(str(each.n), 9) for each in depth.bins), default=0) > room:
        return
    yield layer(
        "text",
        rows,
        {"x": {**x, "field": "middle"}, "y": y, "text": number("n")},
        **{"color": INK, "fontSize": 9, "baseline": "bottom", "dy": -2},
    )
