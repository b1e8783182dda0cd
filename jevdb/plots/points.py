"""Runs as points over two axes, with intervals, and labels that cover nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jevdb.plots.grammar import (
    Record,
    Spec,
    as_is,
    layer,
    number,
    pixels,
    tips,
    view,
    words,
)
from jevdb.plots.measure import distinct, text_width, wrapped
from jevdb.plots.placement import RINGS, Box, Dot, Place, placed
from jevdb.plots.scales import Scale
from jevdb.plots.theme import FAINT, INK, MUTED, PAPER, TEXT_SIZE, Look

RADIUS = 5.0
LABEL_HEIGHT = 12.0
LABEL_ROOM = 150.0
NAMED = 12
"""More points than this are called by their number: names would hide them."""
NAME_RINGS = RINGS[:5]
"""A name further away than this is harder to follow than a number."""


class Spread(NamedTuple):
    """A value, and the interval around it where there is one."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def ends(self) -> list[float]:
        """Everything an axis has to hold."""
        return [each for each in (self.value, self.low, self.high) if each is not None]


class Point(NamedTuple):
    """A run on the plane: its number in the list, its name, its id, its look."""

    number: int
    name: str
    run_id: str
    x: Spread
    y: Spread
    look: Look


STRIP = Scale("", 0.0, 1.0, [])
STRIP_HEIGHT = 48.0
MIDDLE = Spread(0.5)
"""Where in a strip its points lie."""


def strip(points: Sequence[Point], x: Scale, title: str, width: float) -> Spec:
    """Return points that have only an x; *title* says what they lack."""
    flat = [point._replace(y=MIDDLE) for point in points]
    drawn = plane(flat, x, STRIP._replace(title=title), width, STRIP_HEIGHT)
    return {**drawn, "view": {"stroke": FAINT, "strokeDash": [2, 3]}}


def plane(
    points: Sequence[Point], x: Scale, y: Scale, width: float, height: float
) -> Spec:
    """Return the points with their intervals and labels, in a frame of this size.

    They are called by name where every name finds room near its point, else by their
    number in the list.
    """
    aside = {"titleAngle": 0, "titleAlign": "right", "titleBaseline": "middle"}
    turned = {} if y.ticks else aside
    at = {
        "x": number("x", scale=x.scale, axis=x.axis()),
        "y": number("y", scale=y.scale, axis=y.axis(**turned)),
    }
    rows = [_row(point) for point in points]
    tooltip = tips(run="run", x=x.title, x_words=" ", y=y.title, y_words=" ")
    layers = [
        *_intervals(rows, at, _faintness(points)),
        *_labels(points, x, y, width, height),
        layer(
            "point",
            rows,
            {**at, "color": as_is("colour"), "shape": as_is("shape")}
            | {"tooltip": tooltip},
            **{"filled": True, "size": 80, "opacity": 1},
            **{"stroke": PAPER, "strokeWidth": 1},
        ),
    ]
    return view(width, height, layers)


def _intervals(
    rows: Sequence[Record], at: dict[str, Spec], opacity: float
) -> Iterator[Spec]:
    """Yield the intervals to the right, and those upwards."""
    for way in ("x", "y"):
        yield layer(
            "rule",
            [row for row in rows if row[f"{way}_low"] is not None],
            {
                **at,
                way: {**at[way], "field": f"{way}_low"},
                f"{way}2": {"field": f"{way}_high"},
                "color": as_is("colour"),
            },
            **{"opacity": opacity, "strokeWidth": 1.5},
        )


def _faintness(points: Sequence[Point]) -> float:
    return 0.55 if len(points) <= 8 else 0.3  # noqa: PLR2004


def _row(point: Point) -> Record:
    return {
        **{"number": point.number, "run": point.name, "run_id": point.run_id},
        **{"x": point.x.value, "x_low": point.x.low, "x_high": point.x.high},
        **{"y": point.y.value, "y_low": point.y.low, "y_high": point.y.high},
        **{"x_words": _ends(point.x), "y_words": _ends(point.y)},
        **{"colour": point.look.colour, "shape": point.look.shape},
    }


def _ends(spread: Spread) -> str:
    if spread.low is None or spread.high is None:
        return "no interval"
    return f"{spread.low:.4g} to {spread.high:.4g}"


def _labels(
    points: Sequence[Point], x: Scale, y: Scale, width: float, height: float
) -> list[Spec]:
    """Return the labels and the lines from those that stand apart to their points."""
    spots = [
        (x.share(point.x.value) * width, (1 - y.share(point.y.value)) * height)
        for point in points
    ]
    lines = list(_lines(points, x, y, width, height))
    frame = Box(0, 0, width, height)
    ids = [point.run_id for point in points]
    texts = distinct([point.name for point in points], ids, LABEL_ROOM)
    found = placed(_dots(spots, texts), frame, RADIUS, NAME_RINGS, lines)
    if len(points) > NAMED or None in found:
        texts = [str(point.number) for point in points]
        found = placed(_dots(spots, texts), frame, RADIUS, RINGS, lines)
    rows: list[Record] = []
    leaders: list[Record] = []
    for text, spot, place in zip(texts, spots, found, strict=True):
        if place is None:
            continue
        box = place.box
        middle = (box.top + box.bottom) / 2
        rows.append({"x": box.left, "y": middle, "text": text})
        if place.has_leader:
            leaders.append(_leader(spot, place))
    return [_leaders(leaders), _texts(rows)]


def _lines(
    points: Sequence[Point], x: Scale, y: Scale, width: float, height: float
) -> Iterator[Box]:
    """Yield where the intervals are drawn."""
    for point in points:
        across = [x.share(end) * width for end in point.x.ends]
        down = [(1 - y.share(end)) * height for end in point.y.ends]
        yield Box(min(across), down[0] - 1, max(across), down[0] + 1)
        yield Box(across[0] - 1, min(down), across[0] + 1, max(down))


def _leaders(rows: Sequence[Record]) -> Spec:
    return layer(
        "rule",
        rows,
        {
            **{"x": pixels("x"), "y": pixels("y")},
            **{"x2": {"field": "x2"}, "y2": {"field": "y2"}},
        },
        **{"color": FAINT, "strokeWidth": 0.75},
    )


def _texts(rows: Sequence[Record]) -> Spec:
    return layer(
        "text",
        rows,
        {"x": pixels("x"), "y": pixels("y"), "text": words("text")},
        **{"align": "left", "baseline": "middle", "fontSize": TEXT_SIZE},
        **{"color": INK},
    )


def _dots(spots: Sequence[tuple[float, float]], texts: Sequence[str]) -> list[Dot]:
    return [
        Dot(x, y, text_width(text, TEXT_SIZE), LABEL_HEIGHT)
        for (x, y), text in zip(spots, texts, strict=True)
    ]


def _leader(spot: tuple[float, float], place: Place) -> Record:
    """Return the line from a point to the nearest place on its label's edge."""
    box = place.box
    return {
        **{"x": spot[0], "y": spot[1]},
        "x2": min(max(spot[0], box.left), box.right),
        "y2": min(max(spot[1], box.top), box.bottom),
    }


def nothing(text: str, width: float, height: float) -> Spec:
    """Return an empty frame that says why it is empty."""
    rows: list[Record] = [
        {"x": width / 2, "y": height / 2 + 14 * place, "text": line}
        for place, line in enumerate(wrapped(text, width - 40, TEXT_SIZE))
    ]
    drawn = layer(
        "text",
        rows,
        {"x": pixels("x"), "y": pixels("y"), "text": words("text")},
        color=MUTED,
    )
    return view(width, height, [drawn], view={"stroke": FAINT, "strokeDash": [2, 3]})
