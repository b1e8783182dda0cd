"""How wide text is, without drawing it: what labels are placed and cut by.

The widths are those of Arial, which Liberation Sans and Helvetica share: pictures name
these fonts, so the measure holds on every machine. Other scripts are taken as wide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from jevdb.base.text import visible, width

Face = Mapping[str, int]
"""The advance of each ASCII character, in thousandths of the type size."""


def _face(widths: Mapping[int, str]) -> Face:
    return {char: size for size, chars in widths.items() for char in chars}


PLAIN = _face(
    {
        **{191: "'", 222: "ijl", 260: "|", 278: " !,./:;I[\\]ft", 333: "()-`r"},
        **{334: "{}", 355: '"', 389: "*", 469: "^", 500: "Jcksvxyz"},
        **{556: "#$0123456789?L_abdeghnopqu", 584: "+<=>~", 611: "FTZ"},
        **{667: "&ABEKPSVXY", 722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%"},
        **{944: "W", 1015: "@"},
    }
)
BOLD = _face(
    {
        **{238: "'", 278: " ,./I\\ijl", 280: "|", 333: "!()-:;[]`ft", 389: "*r{}"},
        **{474: '"', 500: "z", 556: "#$0123456789J_aceksvxy", 584: "+<=>^~"},
        **{611: "?FLTZbdghnopqu", 667: "EPSVXY", 722: "&ABCDHKNRU"},
        **{778: "GOQw", 833: "M", 889: "%m", 944: "W", 975: "@"},
    }
)
"""Both from Adobe's AFM files of Helvetica and Helvetica-Bold."""

OTHER_WIDTH, CELL_WIDTH = 778, 1000
SYMBOLS = 0x2000
"""From here on characters are no letters of alphabets near to Latin."""
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def text_width(text: str, size: float, *, face: Face = PLAIN) -> float:
    """Return the width of *text* in pixels at a type size."""
    return sum(_advance(char, face) for char in text) * size / 1000


def _advance(char: str, face: Face) -> int:
    cells = width(char)
    if cells == 1:
        return face.get(char, OTHER_WIDTH if ord(char) < SYMBOLS else CELL_WIDTH)
    return CELL_WIDTH if cells else 0


def fitted(text: str, room: float, size: float, *, face: Face = PLAIN) -> str:
    """Return *text* on one line of at most *room* pixels, cut in its middle.

    The ends stay, because names differ there.
    """
    shown = visible(text)
    if text_width(shown, size, face=face) <= room:
        return shown
    for kept in range(len(shown) - 1, 0, -1):
        tail = kept // 2
        cut = shown[: kept - tail] + ELLIPSIS + (shown[-tail:] if tail else "")
        if text_width(cut, size, face=face) <= room:
            return cut
    return ELLIPSIS


def wrapped(text: str, room: float, size: float, *, face: Face = PLAIN) -> list[str]:
    """Return *text* as lines of at most *room* pixels, broken at spaces."""
    return list(_lines(visible(text), room, size, face))


def _lines(text: str, room: float, size: float, face: Face) -> Iterator[str]:
    line = ""
    for word in re.split(r" +", text):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size, face=face) > room:
            yield fitted(line, room, size, face=face)
            line = word
        else:
            line = longer
    yield fitted(line, room, size, face=face)


def distinct(names: Sequence[str], ids: Sequence[str], room: float) -> list[str]:
    """Return names cut to *room* that still differ; equal ones end in their id."""
    shown = [fitted(name, room, TEXT) for name in names]
    tails = [f" {run_id[:8]}" for run_id in ids]
    return [
        name
        if shown.count(name) == 1
        else fitted(full, room - text_width(tail, TEXT), TEXT) + tail
        for name, full, tail in zip(shown, names, tails, strict=True)
    ]


TEXT = 11
"""The type size of labels."""
