"""What is drawn without Vega says and shows what Vega would draw."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from made_up import METHOD, PICTURES, depths, no_depth
from scene import Text, overlaps

from jevdb.plots import Picture, reliability
from jevdb.plots.depths import RunDepth
from jevdb.plots.measure import BOLD, PLAIN, text_width
from jevdb.plots.placement import Box
from jevdb.plots.theme import BLUE, VERMILLION

SVG = "{http://www.w3.org/2000/svg}"
BOX = re.compile(r"M[-0-9.]+,[-0-9.]+h([0-9.]+)v([0-9.]+)h-[0-9.]+[zZ]")
DOT = re.compile(r'<circle cx="([-0-9.]+)" cy="([-0-9.]+)" r="([0-9.]+)"')
VEGA_DOT = re.compile(r'translate\(([-0-9.]+),([-0-9.]+)\)" d="M([0-9.]+),0A')
MOVE = re.compile(r"translate\(([-0-9.]+),([-0-9.]+)\)")


def empty() -> Picture:
    """A run of which one type has no number."""
    [found] = depths(1, ("choice",))
    return reliability(
        [RunDepth(found.run, found.report_row, [*found.depths, no_depth("noul")])],
        METHOD,
    )


def some(name: str) -> Picture:
    return empty() if name == "empty" else PICTURES[name](2)


def words_of(root: ElementTree.Element) -> list[str]:
    return sorted(
        text.strip()
        for each in root.iter(f"{SVG}text")
        for text in each.itertext()
        if text.strip()
    )


def boxes_of(svg: str) -> list[tuple[float, float]]:
    """Return width and height of every bar and square, rounded to a tenth."""
    found = []
    for tag in re.findall(r"<path [^>]*>", svg):
        if f'fill="{BLUE}"' in tag or f'fill="{VERMILLION}"' in tag:
            found += [
                (round(float(wide), 1), round(float(high), 1))
                for wide, high in BOX.findall(tag)
            ]
    return sorted(found)


def texts_of(
    element: ElementTree.Element, x: float = 0, y: float = 0
) -> Iterator[Text]:
    """Yield the upright lines of text with their boxes."""
    transform = element.get("transform", "")
    if "rotate" in transform:
        return
    if moved := MOVE.search(transform):
        x, y = x + float(moved[1]), y + float(moved[2])
    if element.tag == f"{SVG}text":
        line, size = element.text or "", float(element.get("font-size", 0))
        face = BOLD if element.get("font-weight") else PLAIN
        wide = text_width(line, size, face=face)
        before = {"middle": 0.5, "end": 1.0}.get(element.get("text-anchor", ""), 0)
        left = x + float(element.get("x", 0)) - before * wide
        top = y + float(element.get("y", 0)) - 0.79 * size
        yield Text(line, Box(left, top, left + wide, top + size))
    for child in element:
        yield from texts_of(child, x, y)


@pytest.mark.parametrize("name", ["reliability", "won-lost", "empty"])
def test_it_has_the_words_and_shapes_of_vega(name: str):
    picture = some(name)
    plain, vega = picture.page_svg(), picture.svg()
    ours, theirs = map(ElementTree.fromstring, (plain, vega))
    assert words_of(ours) == words_of(theirs)
    assert len(boxes_of(plain)) >= 7
    for one, other in zip(boxes_of(plain), boxes_of(vega), strict=True):
        assert one == pytest.approx(other, abs=0.11)
    for dot, same in zip(DOT.findall(plain), VEGA_DOT.findall(vega), strict=True):
        assert [*map(float, dot)] == pytest.approx([*map(float, same)], abs=0.02)
    for side in ("width", "height"):
        size = float(theirs.get(side, 0))
        assert float(ours.get(side, 0)) == pytest.approx(size, rel=0.02), side
    for tag in ("title", "desc"):
        assert ours.findtext(f"{SVG}{tag}") == theirs.findtext(f"{SVG}{tag}")
    assert "prefers-color-scheme:dark" in plain


@pytest.mark.parametrize("name", ["reliability", "won-lost", "empty"])
@pytest.mark.parametrize("count", [2, 30])
def test_no_label_covers_another_or_leaves_the_picture(name: str, count: int):
    picture = empty() if name == "empty" else PICTURES[name](count)
    root = ElementTree.fromstring(picture.page_svg())
    texts = list(texts_of(root))
    assert len(texts) > 10
    assert overlaps(texts) == []
    frame = Box(0, 0, float(root.get("width", 0)), float(root.get("height", 0)))
    assert [text for text in texts if not frame.holds(text.box)] == []
