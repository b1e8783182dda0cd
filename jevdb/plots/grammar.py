"""Pieces of Vega-Lite specifications, as plain dictionaries.

The specification is the published grammar itself: no names are made up on the way and
no global theme enters, so the same data give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jevdb.plots.measure import BOLD, wrapped
from jevdb.plots.theme import SUBTITLE_SIZE, TITLE_SIZE, config

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
"""A name, not an address: nothing is fetched."""
PADDING = 14
LEAST_WIDTH = 420.0
"""Titles may take at least this much room, however small the picture."""

Spec = dict[str, object]
Record = dict[str, object]


def layer(mark: str, rows: Iterable[Record], at: Spec, **looks: object) -> Spec:
    """Return one kind of mark, drawn once per row; *at* is its encoding."""
    return {
        "data": {"values": list(rows)},
        "mark": {"type": mark, **looks},
        "encoding": at,
    }


def number(field: str, **more: object) -> Spec:
    """Return the encoding of a number."""
    return {"field": field, "type": "quantitative", **more}


def pixels(field: str) -> Spec:
    """Return the encoding of a place in pixels, from the left or the top."""
    return {"field": field, "type": "quantitative", "scale": None, "axis": None}


def words(field: str) -> Spec:
    """Return the encoding of text."""
    return {"field": field, "type": "nominal"}


def as_is(field: str) -> Spec:
    """Return the encoding of a field that holds a colour or a shape itself."""
    return {"field": field, "type": "nominal", "scale": None, "legend": None}


def fixed(low: float, high: float) -> Spec:
    """Return a scale that ends exactly there."""
    return {"domain": [low, high], "nice": False, "zero": False}


def tips(**titles: str) -> list[Spec]:
    """Return what is shown on hovering: a title per field."""
    return [
        {"field": field, "type": "nominal", "title": title}
        for field, title in titles.items()
    ]


def view(width: float, height: float, layers: Sequence[Spec], **more: object) -> Spec:
    """Return layers over each other in a frame of this size."""
    return {"width": width, "height": height, "layer": list(layers), **more}


class Heading(NamedTuple):
    """A title, and lines below it that say what the numbers are."""

    title: str
    lines: Sequence[str]


def whole(heading: Heading, body: Spec, width: float) -> Spec:
    """Return a complete specification; the heading is wrapped to *width*."""
    room = max(width, LEAST_WIDTH)
    return {
        "$schema": SCHEMA,
        "title": {
            "text": wrapped(heading.title, room, TITLE_SIZE, face=BOLD),
            "subtitle": [
                part
                for line in heading.lines
                for part in wrapped(line, room, SUBTITLE_SIZE)
            ],
        },
        **body,
        "padding": PADDING,
        "config": config(),
    }
