"""Where the text of a picture stands, read from the scene that Vega draws."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import vl_convert

from jevdb.plots import Picture
from jevdb.plots.measure import BOLD, PLAIN, text_width
from jevdb.plots.placement import Box

SLACK = 0.75
"""Boxes may touch: a line of text is less high than its type size."""


class Text(NamedTuple):
    """A line of text and the box it fills."""

    text: str
    box: Box


class Scene(NamedTuple):
    """A drawn picture: its size, and every visible line of text with its box."""

    width: float
    height: float
    texts: list[Text]


def scene_of(picture: Picture) -> Scene:
    """Draw a picture and return its size and text, in pixels from its corner."""
    scene = vl_convert.vegalite_to_scenegraph(json.dumps(picture.spec))
    x, y = scene["origin"]
    texts = list(_texts(scene["scenegraph"], x, y))
    return Scene(scene["width"], scene["height"], texts)


def _texts(mark: dict[str, Any], x: float, y: float) -> Iterator[Text]:
    for item in mark.get("items", []):
        left, top = x + item.get("x", 0.0), y + item.get("y", 0.0)
        if mark.get("marktype") == "text":
            yield from _lines(item, left, top)
        else:
            for inner in item.get("items", []):
                yield from _texts(inner, left, top)


def _lines(item: dict[str, Any], x: float, y: float) -> Iterator[Text]:
    found = item.get("text", "")
    lines = found if isinstance(found, list) else [found]
    if item.get("opacity", 1) == 0:
        return
    size = item.get("fontSize", 11)
    for place, line in enumerate(map(str, lines)):
        if line.strip():
            lower = y + place * item.get("lineHeight", size + 2)
            yield Text(line, _box(item, line, x, lower, size))


def _box(item: dict[str, Any], line: str, x: float, y: float, size: float) -> Box:
    face = BOLD if item.get("fontWeight") == "bold" else PLAIN
    width = text_width(line, size, face=face)
    x, y = x + item.get("dx", 0.0), y + item.get("dy", 0.0)
    before = {"left": 0.0, "right": 1.0}.get(item.get("align", "left"), 0.5) * width
    baseline = item.get("baseline", "alphabetic")
    above = {"top": 0.0, "middle": 0.5, "bottom": 1.0}.get(baseline, 0.8) * size
    if item.get("angle") in (-90, 270):
        return Box(x - above, y - width + before, x - above + size, y + before)
    return Box(x - before, y - above, x - before + width, y - above + size)


def overlaps(texts: list[Text]) -> list[tuple[str, str]]:
    """Return the pairs of lines that cover each other."""
    small = [
        (text.text, Box(*text.box[:2], text.box.right - SLACK, text.box.bottom - SLACK))
        for text in texts
    ]
    return [
        (one, other)
        for place, (one, box) in enumerate(small)
        for other, other_box in small[place + 1 :]
        if box.meets(other_box)
    ]
