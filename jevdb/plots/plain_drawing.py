"""SVG without Vega: for pages that hold hundreds of pictures.

Vega takes a tenth of a second for each, this a hundredth of that. It knows the layers,
axes and headings that reliability diagrams and won and lost items are made of, and
places them as Vega does; a test holds the two to the same words and shapes.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jevdb.plots.measure import BOLD, PLAIN, text_width
from jevdb.plots.plain_marks import Axis, Frame, axis_of, marks
from jevdb.plots.plain_marks import number as n
from jevdb.plots.theme import FONT
from jevdb.text import visible

Spec = Mapping[str, Any]

TICK, LABEL_GAP, TITLE_GAP = 5.0, 2.0, 4.0
UNDER_TOP, UNDER_MIDDLE = 0.79, 0.3
"""From the top, or the middle, of a line of text to its baseline, in type sizes."""


class Piece(NamedTuple):
    """Some SVG and the room it takes, from the corner of its own frame."""

    svg: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The width of the room, in pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height of the room, in pixels."""
        return self.bottom - self.top


def plain_svg(spec: Spec) -> str:
    """Return a specification as SVG, in light colours."""
    config, padding = spec["config"], float(spec["padding"])
    body = _body(spec, config)
    heading = _heading(spec["title"], config["title"], body.top)
    left, right = min(body.left, heading.left), max(body.right, heading.right)
    top, bottom = min(body.top, heading.top), body.bottom
    wide = math.ceil(right - left + 2 * padding)
    high = math.ceil(bottom - top + 2 * padding)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="{wide}" '
        f'height="{high}" viewBox="0 0 {wide} {high}">'
        f'<rect width="{wide}" height="{high}" fill="{config["background"]}"/>'
        f'<g fill="none" font-family="{html.escape(FONT)}" '
        f'transform="translate({n(padding - left)},{n(padding - top)})">'
        f"{heading.svg}{body.svg}</g></svg>"
    )


def _body(spec: Spec, config: Spec) -> Piece:
    if "concat" in spec:
        return _grid(spec, config)
    if "vconcat" in spec:
        return _column(spec, config)
    return _view(spec, config)


def _grid(spec: Spec, config: Spec) -> Piece:
    """Return panels in rows; all take the room of the widest and the highest."""
    panels = [_body(panel, config) for panel in spec["concat"]]
    left, top = min(each.left for each in panels), min(each.top for each in panels)
    right = max(each.right for each in panels)
    bottom = max(each.bottom for each in panels)
    across = right - left + spec["spacing"]["column"]
    down = bottom - top + spec["spacing"]["row"]
    columns = min(spec["columns"], len(panels))
    rows = -(-len(panels) // columns)
    moved = (
        _moved(panel, across * (place % columns), down * (place // columns))
        for place, panel in enumerate(panels)
    )
    return Piece(
        "".join(each.svg for each in moved),
        *(left, top, right + across * (columns - 1), bottom + down * (rows - 1)),
    )


def _column(spec: Spec, config: Spec) -> Piece:
    """Return views under each other, and the heading of their panel."""
    below, pieces = 0.0, []
    for view in spec["vconcat"]:
        piece = _view(view, config)
        pieces.append(_moved(piece, 0, below - min(piece.top, 0)))
        below = pieces[-1].bottom + spec["spacing"]
    found = _together(pieces)
    return _together([_heading(spec["title"], config["title"], found.top), found])


def _view(spec: Spec, config: Spec) -> Piece:
    frame = Frame(float(spec["width"]), float(spec["height"]))
    axes = [axis for name in "xy" if (axis := axis_of(spec["layer"], name, frame))]
    border = spec.get("view", {})
    around = ""
    if border.get("stroke"):
        dashes = ",".join(map(str, border["strokeDash"]))
        around = (
            f'<rect width="{n(frame.width)}" height="{n(frame.height)}" '
            f'stroke="{border["stroke"]}" stroke-dasharray="{dashes}"/>'
        )
    shapes = "".join(marks(layer, frame) for layer in spec["layer"])
    words = [
        _words(spec_text.lines, spec_text.x, spec_text.y, **spec_text.looks)
        for layer in spec["layer"]
        for spec_text in _text_marks(layer, frame, config["text"])
    ]
    whole = Piece("", 0, 0, frame.width, frame.height)
    drawn = [_axis(axis, frame, config["axis"]) for axis in axes]
    grids = "".join(axis.grid(frame, config["axis"]["gridColor"]) for axis in axes)
    return _together(
        [whole._replace(svg=around + grids), *drawn, whole._replace(svg=shapes), *words]
    )


class _Text(NamedTuple):
    """A mark of text: what it says, and where."""

    lines: Sequence[str]
    x: float
    y: float
    looks: dict[str, Any]


def _text_marks(layer: Spec, frame: Frame, config: Spec) -> Iterator[_Text]:
    mark, at = layer["mark"], layer["encoding"]
    if mark["type"] != "text":
        return
    size = mark.get("fontSize", config["fontSize"])
    drop = {"middle": UNDER_MIDDLE, "top": UNDER_TOP, "bottom": UNDER_TOP - 1}
    down = mark.get("dy", 0) + size * drop[mark["baseline"]]
    looks = {
        "size": size,
        "colour": mark.get("color", config["color"]),
        "anchor": {"left": "start", "right": "end"}.get(mark.get("align"), "middle"),
        "is_bold": mark.get("fontWeight") == "bold",
    }
    for row in layer["data"]["values"]:
        x, y = frame.x(at["x"], row), frame.y(at["y"], row)
        yield _Text([str(row[at["text"]["field"]])], x, y + down, looks)


def _axis(axis: Axis, frame: Frame, config: Spec) -> Piece:
    """Return line, ticks, labels and title of an axis."""
    is_x = axis.name == "x"
    size = config["labelFontSize"]
    pieces = [Piece(axis.line(frame, TICK, config), 0, 0, frame.width, frame.height)]
    away = TICK + LABEL_GAP
    for place, (value, words) in enumerate(axis.labels):
        at = axis.place(value)
        is_end = place in (0, len(axis.labels) - 1)
        anchor = ("start" if place == 0 else "end") if is_end else "middle"
        x, y = (
            (at, frame.height + away + UNDER_TOP * size)
            if is_x
            else (-away, at + UNDER_MIDDLE * size)
        )
        anchor = anchor if is_x else "end"
        looks = {"size": size, "colour": config["labelColor"], "anchor": anchor}
        pieces.append(_words([words], x, y, **looks))
    found = _together(pieces)
    if not axis.title:
        return found
    looks = {"size": config["titleFontSize"], "colour": config["titleColor"]}
    looks["anchor"] = "middle"
    if is_x:
        y = found.bottom + TITLE_GAP + UNDER_TOP * looks["size"]
        return _together([found, _words([axis.title], frame.width / 2, y, **looks)])
    title = _words([axis.title], 0, 0, **looks)
    x = found.left - TITLE_GAP
    turned = (
        f'<g transform="translate({n(x)},{n(frame.height / 2)}) rotate(-90)">'
        f"{title.svg}</g>"
    )
    return _together([found, Piece(turned, x - looks["size"], 0, x, frame.height)])


def _heading(title: Spec, config: Spec, above: float) -> Piece:
    """Return a title and the lines below it, over what starts at *above*."""
    looks = {**config, **title}
    text = title["text"]
    lines = [text] if isinstance(text, str) else list(text)
    under = list(title["subtitle"])
    small, big = looks["subtitleFontSize"], looks["fontSize"]
    step, gap = looks["subtitleLineHeight"], looks["subtitlePadding"]
    y = above - looks["offset"] - (small - UNDER_TOP * small)
    first = y - step * (len(under) - 1)
    over = first - UNDER_TOP * small - gap - (1 - UNDER_TOP) * big
    start = over - looks["lineHeight"] * (len(lines) - 1)
    of_title = {"size": big, "colour": looks["color"], "step": looks["lineHeight"]}
    of_rest = {"size": small, "colour": looks["subtitleColor"], "step": step}
    return _together(
        [
            _words(lines, 0, start, anchor="start", is_bold=True, **of_title),
            _words(under, 0, first, anchor="start", **of_rest),
        ]
    )


def _words(
    lines: Iterable[str],
    x: float,
    y: float,
    *,
    size: float,
    colour: str,
    anchor: str,
    is_bold: bool = False,
    step: float = 0,
) -> Piece:
    """Return lines of text whose first has its baseline at *y*."""
    face = BOLD if is_bold else PLAIN
    shown = [visible(line) for line in lines]
    wide = max((text_width(line, size, face=face) for line in shown), default=0.0)
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
    weight = ' font-weight="bold"' if is_bold else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    svg = "".join(
        f'<text x="{n(x)}" y="{n(y + step * at)}" font-size="{n(size)}" '
        f'fill="{colour}"{weight}{place}>{html.escape(line, quote=False)}</text>'
        for at, line in enumerate(shown)
        if line.strip()
    )
    last = y + step * (len(shown) - 1)
    return Piece(svg, left, y - UNDER_TOP * size, left + wide, last + 0.21 * size)


def _moved(piece: Piece, x: float, y: float) -> Piece:
    svg = f'<g transform="translate({n(x)},{n(y)})">{piece.svg}</g>'
    return Piece(svg, piece.left + x, piece.top + y, piece.right + x, piece.bottom + y)


def _together(pieces: Sequence[Piece]) -> Piece:
    return Piece(
        "".join(each.svg for each in pieces),
        min(each.left for each in pieces),
        min(each.top for each in pieces),
        max(each.right for each in pieces),
        max(each.bottom for each in pieces),
    )
