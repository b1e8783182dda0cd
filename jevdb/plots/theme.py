"""Colours, shapes and type: one set of roles, each with a light and a dark value.

A specification is written in the light colours. Dark is the same specification with
each colour replaced by its partner, and an SVG that is good on both carries the
partners as a style rule. The hues are Okabe and Ito's, each darkened for white paper
or lightened for black until it stands out by 3 to 1 (text by 4.5 to 1); runs also
differ in shape, so that no reading depends on hue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

PAPER = "#ffffff"
INK = "#1c1f24"
MUTED = "#5a616b"
FAINT = "#8b929c"
GRID = "#e6e9ed"
BLUE = "#0072b2"
VERMILLION = "#c9540a"
GREEN = "#00845c"
PURPLE = "#b0558a"
OCHRE = "#946b00"
SKY = "#2b8bc6"
BROWN = "#7d4a2d"
BLACK = "#33383f"

DARK = {
    PAPER: "#14171c",
    INK: "#eceef1",
    MUTED: "#aab1bb",
    FAINT: "#79818c",
    GRID: "#2a2f37",
    BLUE: "#5fb0f2",
    VERMILLION: "#ff8f52",
    GREEN: "#3ecb9f",
    PURPLE: "#e79cc9",
    OCHRE: "#e9b949",
    SKY: "#a5dcff",
    BROWN: "#c99b7f",
    BLACK: "#d5d9de",
}
"""The partner of each light colour on dark paper."""

SERIES = (BLUE, VERMILLION, GREEN, PURPLE, OCHRE, BLACK, SKY, BROWN)
SHAPES = (
    *("circle", "square", "triangle-up", "diamond"),
    *("cross", "triangle-down", "triangle-right", "triangle-left"),
)
CROWD = len(SERIES)
"""More runs than this share one colour and are told apart by their number."""

FONT = (
    "Arial, 'Liberation Sans', Helvetica, "
    "'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"
)
"""Three of the same widths, then what has Chinese, Japanese and Korean."""
TITLE_SIZE, SUBTITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 15, 12, 11, 10


class Theme(StrEnum):
    """Which paper a picture is for; ``auto`` follows the reader's setting."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"


class Look(NamedTuple):
    """How a run is drawn: its colour and the shape of its marks."""

    colour: str
    shape: str


def look(place: int, count: int) -> Look:
    """Return the look of run number *place* of *count*, counted from 0."""
    if count > CROWD:
        return Look(BLUE, "circle")
    return Look(SERIES[place], SHAPES[place])


def config() -> dict[str, object]:
    """Return what every picture's specification has in common, in light colours."""
    heading = {"color": INK, "subtitleColor": MUTED}
    sizes = {"fontSize": TITLE_SIZE, "subtitleFontSize": SUBTITLE_SIZE}
    return {
        "aria": False,
        "background": PAPER,
        "font": FONT,
        "axis": {
            **{"domainColor": FAINT, "gridColor": GRID, "tickColor": FAINT},
            **{"labelColor": MUTED, "titleColor": INK, "titleFontWeight": "normal"},
            **{"labelFontSize": SMALL_SIZE, "titleFontSize": TEXT_SIZE},
        },
        "view": {"stroke": None},
        "text": {"color": INK, "fontSize": TEXT_SIZE},
        "title": {
            **{**heading, **sizes, "anchor": "start", "frame": "group"},
            **{"subtitlePadding": 5, "offset": 12, "lineHeight": 19},
            "subtitleLineHeight": 16,
        },
    }


TEXTS = frozenset({"text", "subtitle", "domain", "field", "tooltip"})
"""Where a string is words or data: a run may be called ``#ffffff``."""


def darkened(spec: object) -> object:
    """Return a specification with every light colour replaced by its partner."""
    if isinstance(spec, str):
        return DARK.get(spec, spec)
    if isinstance(spec, list | tuple):
        return [darkened(part) for part in spec]
    if isinstance(spec, Mapping):
        return {
            key: _darkened_rows(part)
            if key == "values"
            else part
            if _is_text(key, part)
            else darkened(part)
            for key, part in spec.items()
        }
    return spec


def _darkened_rows(rows: object) -> object:
    """Return data with the colours that it names; an axis's values stay."""
    if not isinstance(rows, list):
        return rows
    return [
        {**row, "colour": DARK.get(row["colour"], row["colour"])}
        if isinstance(row, Mapping) and "colour" in row
        else row
        for row in rows
    ]


def _is_text(key: str, part: object) -> bool:
    """Return whether *part* is words; ``text`` is also a mark's and an axis's look."""
    return key in TEXTS and not (key == "text" and isinstance(part, Mapping))


def dark_rules(within: str) -> Iterator[str]:
    """Yield the style rules that turn the light picture *within* a selector dark."""
    for light, dark in DARK.items():
        for attribute in ("fill", "stroke"):
            yield f'{within} [{attribute}="{light}"]{{{attribute}:{dark}}}'
