"""No label covers another, with 2, 8 or 30 runs; and the measure is the renderer's."""

from __future__ import annotations

import html
import json
import re

import pytest
import vl_convert
from made_up import NAMES, PICTURES
from scene import overlaps, scene_of

from jevdb.plots.grammar import PADDING
from jevdb.plots.listing import BROADEST
from jevdb.plots.measure import (
    BOLD,
    ELLIPSIS,
    PLAIN,
    distinct,
    fitted,
    text_width,
    wrapped,
)
from jevdb.plots.placement import Box, Dot, placed, spread
from jevdb.plots.theme import FONT

CASES = [(kind, count) for kind in PICTURES for count in (2, 30)]


def check_labels(kind: str, count: int) -> None:
    """Hold a picture to labels that cover nothing and stay inside."""
    scene = scene_of(PICTURES[kind](count))
    assert len(scene.texts) > count
    assert overlaps(scene.texts) == []
    frame = Box(0, 0, scene.width, scene.height)
    assert [text for text in scene.texts if not frame.holds(text.box)] == []


@pytest.mark.parametrize(("kind", "count"), CASES)
def test_no_label_covers_another_or_leaves_the_picture(kind: str, count: int):
    check_labels(kind, count)


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "count"),
    [(kind, count) for kind in PICTURES for count in (1, 5, 6, 8, 9, 10, 13)],
)
def test_no_label_covers_another_at_other_counts(kind: str, count: int):
    check_labels(kind, count)


def test_every_line_of_text_is_looked_at():
    picture = PICTURES["history"](8)
    drawn = re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", picture.svg())
    shown = [html.escape(text.text, quote=False) for text in scene_of(picture).texts]
    assert sorted(shown) == sorted(drawn)


def test_overlaps_are_seen():
    picture = PICTURES["indices"](2)
    texts = scene_of(picture).texts
    assert overlaps([*texts, texts[0]]) == [(texts[0].text, texts[0].text)]


def drawn_width(text: str, size: float, weight: str) -> float:
    """Return how wide vl-convert makes a picture of the text alone."""
    spec = {
        **{"width": 1, "height": 1, "padding": 0, "data": {"values": [{"text": text}]}},
        "mark": {"type": "text", "align": "left", "font": FONT, "fontSize": size}
        | {"fontWeight": weight},
        "encoding": {
            **{"x": {"value": 0}, "y": {"value": 0}},
            "text": {"field": "text", "type": "nominal"},
        },
        "config": {"view": {"stroke": None}},
    }
    svg = vl_convert.vegalite_to_svg(json.dumps(spec))
    return float(re.findall(r'width="(\d+)"', svg)[0])


@pytest.mark.parametrize("text", [*NAMES, "0123456789 . 64.24 to 78.90", "éàüß Ωж"])
def test_text_is_not_wider_than_measured(text: str):
    for face, name in ((PLAIN, "normal"), (BOLD, "bold")):
        measured = text_width(text, 40, face=face)
        drawn = drawn_width(text, 40, name)
        assert drawn <= measured * 1.03 + 2


def test_arial_is_measured_to_the_pixel():
    alphabet = "".join(map(chr, range(33, 127)))
    for face, name in ((PLAIN, "normal"), (BOLD, "bold")):
        measured = text_width(alphabet, 40, face=face)
        assert drawn_width(alphabet, 40, name) == pytest.approx(measured, abs=3)


def test_long_text_keeps_its_ends():
    shown = fitted("acme/decider-1-large@r17", 80, 11)
    assert shown.startswith("acme") and shown.endswith("r17") and ELLIPSIS in shown
    assert text_width(shown, 11) <= 80
    assert fitted("short", 80, 11) == "short"
    assert fitted("line\nbreak", 80, 11) == "line\\nbreak"


def test_wrapped_lines_fit_and_hold_every_word():
    lines = wrapped("one two three four five six", 60, 11)
    assert " ".join(lines) == "one two three four five six"
    assert all(text_width(line, 11) <= 60 for line in lines)


def test_names_cut_alike_end_in_their_ids():
    names = [f"the-same-start-{letter * 40}-the-same-end" for letter in "ab"]
    shown = distinct(names, ["1" * 64, "2" * 64], 100)
    assert [name[-8:] for name in shown] == ["1" * 8, "2" * 8]
    assert all(text_width(name, 11) <= 100 for name in shown)


def test_thirty_labels_at_one_place_all_find_room():
    dots = [Dot(200.0, 200.0, 14.0, 12.0)] * 30
    found = placed(dots, Box(0, 0, 440, 380), 5.0)
    boxes = [place.box for place in found if place]
    assert len(boxes) == 30
    assert not any(
        one.meets(other) for i, one in enumerate(boxes) for other in boxes[i + 1 :]
    )


def test_a_label_keeps_off_a_line_if_it_can():
    dot = Dot(50.0, 50.0, 20.0, 10.0)
    [free] = placed([dot], Box(0, 0, 100, 100), 5.0)
    assert free is not None
    [moved] = placed([dot], Box(0, 0, 100, 100), 5.0, lines=[free.box])
    assert moved is not None and not moved.box.meets(free.box)


def test_no_room_is_said():
    assert placed([Dot(5.0, 5.0, 50.0, 50.0)], Box(0, 0, 20, 20), 5.0) == [None]


def test_labels_at_the_ends_of_lines_are_spread_in_order():
    assert spread([10.0, 10.0, 50.0], 14, 0, 100) == [10.0, 24.0, 50.0]
    # The last three want the bottom: pushed up, 14 apart.
    assert spread([99.0, 98.0, 97.0], 14, 0, 100) == [100.0, 86.0, 72.0]


@pytest.mark.parametrize(
    ("kind", "count"),
    [("indices", 10), ("usage", 10), ("history", 10), ("risk-coverage", 2)],
)
def test_a_list_makes_no_picture_broader_than_a_page(kind: str, count: int):
    picture = scene_of(PICTURES[kind](count))
    assert picture.width <= BROADEST + 2 * PADDING
    assert picture.height > 500  # the list is below


def test_an_empty_diagram_has_the_axis_of_the_others():
    texts = [text.text for text in scene_of(PICTURES["reliability-one-kind"](2)).texts]
    # The first run has an axis upwards too, the second has no number.
    assert texts.count("0.2") == texts.count("0.6") == 3
