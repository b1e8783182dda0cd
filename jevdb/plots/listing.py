"""The list beside or below a picture: what each mark is called, and its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jevdb.plots.grammar import Record, Spec, as_is, layer, pixels, view, words
from jevdb.plots.measure import BOLD, text_width
from jevdb.plots.theme import INK, MUTED, SMALL_SIZE, TEXT_SIZE, Look

ROW_HEIGHT = 17.0
GAP = 14.0
MARK_ROOM = 18.0
NAME_ROOM = 210.0
"""Names in the list are cut to this many pixels."""
BROADEST = 900.0
"""A picture that would be broader with its list beside it has the list below it: in the
room that a page has, its text would be too small to read."""
BESIDE, BELOW = 30, 24


class Column(NamedTuple):
    """A heading and the text under it; numbers stand to the right."""

    title: str
    cells: Sequence[str]
    is_number: bool = True

    @property
    def room(self) -> float:
        """The width of its widest text."""
        cells = max((text_width(cell, TEXT_SIZE) for cell in self.cells), default=0.0)
        return max(cells, text_width(self.title, SMALL_SIZE, face=BOLD))


class Listing(NamedTuple):
    """A drawn list and its size."""

    spec: Spec
    width: float
    height: float


def listing(columns: Sequence[Column], looks: Sequence[Look | None]) -> Listing:
    """Return a list, a row per run, its mark in front where it is drawn.

    Columns without any text are left out.
    """
    used = [column for column in columns if any(column.cells)]
    texts = list(_texts(used))
    width = MARK_ROOM + sum(column.room + GAP for column in used)
    height = ROW_HEIGHT * (len(looks) + 1)
    marks: list[Record] = [
        {"x": 5.0, "y": _middle(row), "colour": look.colour, "shape": look.shape}
        for row, look in enumerate(looks)
        if look is not None
    ]
    layers = [
        layer(
            "point",
            marks,
            {
                **{"x": pixels("x"), "y": pixels("y")},
                **{"color": as_is("colour"), "shape": as_is("shape")},
            },
            **{"filled": True, "size": 60, "opacity": 1},
        )
    ]
    layers += [
        layer(
            "text",
            [text for text in texts if text["align"] == align],
            {"x": pixels("x"), "y": pixels("y"), "text": words("text")},
            **{"align": align, "baseline": "middle", "color": INK},
            **{"fontSize": TEXT_SIZE},
        )
        for align in ("left", "right")
    ]
    layers.append(_heads(used))
    return Listing(view(width, height, layers), width, height)


def listed(drawn: Sequence[Spec], width: float, shown: Listing) -> tuple[Spec, float]:
    """Return drawings of *width* pixels with their list, and the width of all."""
    together = width + BESIDE + shown.width
    if together <= BROADEST:
        return {"hconcat": [*drawn, shown.spec], "spacing": BESIDE}, together
    above = drawn[0] if len(drawn) == 1 else {"hconcat": list(drawn), "spacing": BESIDE}
    return {"vconcat": [above, shown.spec], "spacing": BELOW}, max(width, shown.width)


def _middle(row: int) -> float:
    return ROW_HEIGHT * (row + 1.5)


def _columns(columns: Sequence[Column]) -> Iterator[tuple[Column, float, str]]:
    """Yield each column with the place of its text and how it is aligned."""
    left = MARK_ROOM
    for column in columns:
        if column.is_number:
            yield column, left + column.room, "right"
        else:
            yield column, left, "left"
        left += column.room + GAP


def _texts(columns: Sequence[Column]) -> Iterator[Record]:
    for column, x, align in _columns(columns):
        for row, cell in enumerate(column.cells):
            if cell:
                yield {"x": x, "y": _middle(row), "text": cell, "align": align}


def _heads(columns: Sequence[Column]) -> Spec:
    heads: list[Record] = [
        {"x": x, "y": ROW_HEIGHT / 2, "text": column.title, "align": align}
        for column, x, align in _columns(columns)
    ]
    return {
        "layer": [
            layer(
                "text",
                [head for head in heads if head["align"] == align],
                {"x": pixels("x"), "y": pixels("y"), "text": words("text")},
                **{"align": align, "baseline": "middle", "color": MUTED},
                **{"fontSize": SMALL_SIZE, "fontWeight": "bold"},
            )
            for align in ("left", "right")
        ]
    }
