"""Reliability diagrams: is what a run states true as often as it says.

A panel per run and kind of ECE: the share that is true in each bin over what was
stated, with Wilson intervals, the diagonal of perfect calibration, and how many rows
each of the bins holds. The numbers are those of `jevdb calibration`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.text import counted
from jevdb.plots.asking import (
    distinct_names,
    no_value,
    scored_words,
)
from jevdb.plots.depths import RunDepth
from jevdb.plots.grammar import (
    Heading,
    Record,
    Spec,
    fixed,
    layer,
    number,
    pixels,
    tips,
    view,
    whole,
    words,
)
from jevdb.plots.measure import BOLD, fitted, text_width, wrapped
from jevdb.plots.picture import Picture
from jevdb.plots.reliability_words import Panel, facts_of, line_of, table_of
from jevdb.plots.theme import BLUE, FAINT, INK, MUTED, PAPER, SMALL_SIZE, TEXT_SIZE

if TYPE_CHECKING:
    from jevdb.scoring.calibration_depths import Bin, Depth

SIZES = ((3, 240), (9, 190), (16, 160))
"""Up to so many panels are so large; more are smaller, without titles at their axes."""
SMALLEST = 124
WIDEST = 1080
AXIS_ROOM, BARE_AXIS_ROOM = 62, 46
BARS_SHARE = 0.22
"""The height of the bars, of that of the diagram."""
FEW = 10
"""A bin of fewer items says little: its dot is pale and not joined to others."""
PALE = 0.35
"""How strong what says little is drawn, of what says much."""


def reliability(found: Sequence[RunDepth], method_id: str) -> Picture:
    """Return the diagrams of `read_depths`, a panel per run and kind, all to scale."""
    names = distinct_names([each.run for each in found])
    panels = [
        Panel(name, each.run, depth)
        for name, each in zip(names, found, strict=True)
        for depth in each.depths
    ]
    kinds = list(dict.fromkeys(panel.depth.kind for panel in panels))
    title = (
        f"Reliability of {names[0]}"
        if len(found) == 1
        else f"Reliability of {counted(len(found), 'run')}"
    )
    where = scored_words(found[0].run.benchmark, found[0].report_row, method_id)
    body, width = _drawn(panels, _Named(len(found) > 1, len(kinds) > 1), len(kinds))
    lines = (
        where,
        "Dots: share true (upwards) over stated probability (to the right), with 95 % "
        f"Wilson intervals, pale and unjoined under {FEW} rows; dashed: perfect "
        "calibration; bars: rows in each bin. "
        "Chance: the ECE of a perfectly calibrated model, 95 % band.",
    )
    return Picture(
        kind="reliability",
        title=title,
        alt=f"{title} on {where}: {counted(len(panels), 'diagram')} of ten bins. "
        + line_of(panels[0]),
        description="\n".join([f"{title} on {where}.", *map(line_of, panels)]),
        spec=whole(Heading(title, lines), body, width),
        table=table_of(panels, found, method_id),
    )


def _drawn(panels: Sequence[Panel], named: _Named, n_kinds: int) -> tuple[Spec, float]:
    """Return the diagrams in rows, and how wide they are together."""
    size = next((size for most, size in SIZES if len(panels) <= most), SMALLEST)
    columns = _columns(len(panels), n_kinds, size)
    lines_above = [_panel_lines(panel.depth, named, size + 14) for panel in panels]
    body: Spec = {
        "concat": [
            _panel(panel, size, named, lines, max(map(len, lines_above)))
            for panel, lines in zip(panels, lines_above, strict=True)
        ],
        "columns": columns,
        "spacing": {"row": 26, "column": 18},
    }
    return body, columns * size + (columns - 1) * _axis_room(size)


def _columns(n_panels: int, n_kinds: int, size: float) -> int:
    """Return how many panels stand side by side: whole runs, where they fit."""
    most = max(1, int(WIDEST // (size + _axis_room(size))))
    together = most - most % n_kinds if 1 < n_kinds <= most else most
    return max(1, min(together, n_panels))


def _axis_room(size: float) -> float:
    return AXIS_ROOM if size > SMALLEST else BARE_AXIS_ROOM


class _Named(NamedTuple):
    """What panels differ in, and so are called by."""

    by_run: bool
    by_kind: bool


def _panel(
    panel: Panel, size: float, named: _Named, lines: Sequence[str], n_lines: int
) -> Spec:
    """Return a diagram over its bars, under as many lines as its neighbours."""
    name = panel.name if named.by_run else panel.depth.kind
    diagram = (
        _empty(panel.depth, size) if panel.depth.ece is None else _diagram(panel, size)
    )
    return {
        "vconcat": [diagram, _bars(panel.depth, size)],
        "spacing": 6,
        "title": {
            "text": fitted(name, size + 14, TEXT_SIZE + 1, face=BOLD),
            "subtitle": [*lines, *[" "] * (n_lines - len(lines))],
            **{"fontSize": TEXT_SIZE + 1, "subtitleFontSize": SMALL_SIZE},
            **{"offset": 6, "subtitlePadding": 3, "subtitleLineHeight": 13},
        },
    }


def _panel_lines(depth: Depth, named: _Named, room: float) -> list[str]:
    """Return kind, ECE, chance and n on as few lines as they fit on."""
    ece, *rest = facts_of(depth)
    kind = [depth.kind] if named.by_run and named.by_kind else []
    facts = [*kind, *rest] if depth.ece is None else [*kind, ece, *rest]
    lines: list[list[str]] = [[]]
    for fact in facts:
        if text_width(_joined([*lines[-1], fact]), SMALL_SIZE) > room and lines[-1]:
            lines.append([])
        lines[-1].append(fact)
    return [fitted(_joined(line), room, SMALL_SIZE) for line in lines]


def _joined(facts: Sequence[str]) -> str:
    return " \N{MIDDLE DOT} ".join(facts)


def _empty(depth: Depth, size: float) -> Spec:
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


def _diagram(panel: Panel, size: float) -> Spec:
    rows = [_dot(panel, each) for each in panel.depth.bins if each.n]
    joined = list(_stretches(rows))
    unit = fixed(0, 1)
    x = number("stated", scale=unit, axis=_axis(None, size, labels=False))
    y = number("true", scale=unit, axis=_axis("share true", size))
    diagonal: list[Record] = [{"stated": 0, "true": 0}, {"stated": 1, "true": 1}]
    tooltip = tips(
        **{"run": "run", "kind": "kind", "bin": "bin", "n": "rows"},
        **{"stated": "mean stated", "true": "share true"},
    )
    return view(
        size,
        size,
        [
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
                    **{"x": x, "y": y, "tooltip": tooltip},
                    "opacity": number("strength", scale=None, legend=None),
                },
                **{"color": BLUE, "filled": True, "size": 42},
                **{"stroke": PAPER, "strokeWidth": 1},
            ),
        ],
    )


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


def _bars(depth: Depth, size: float) -> Spec:
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
