"""Columns that line up, and that fit where they are shown.

A terminal has so many cells in a line; a file or a pipe has as many as it takes. Where
columns do not fit, cells are wrapped between words; where that is not enough, columns
are left out, those of long words first (a SHA-256, an address), and `Room.left_out`
keeps their names, so that they can be said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import zip_longest

from jevdb.base.text import visible, width

LEAST_ROOM = 40
LONG = 28
"""Cells of a word that no column is wide for; a time in UTC has 27."""
PROSE = 24
"""Cells that a column of sentences keeps at least."""
LEAST_COLUMNS = 2
STAYS = frozenset(
    {
        *("run_id", "run", "model", "item_id", "number", "metric", "rank", "note"),
        *("value", "low", "high", "difference", "interval", "verdict", "state"),
        *("n_runs", "n", "accuracy", "reason", "I", "Accuracy"),
        *("benchmark_id", "check", "outcome", "faults"),
    }
)
"""Columns that go last, by their heading."""
WORDS = re.compile(
    r"\[[^\[\]]{1,14}\]"  # an interval: [78.0, 82.5]
    r"|[-+.\d]+ to [-+.\d]+"
    r"|\d{4}-\d\d-\d\dT(?=\d\d:)"  # the date of a time, which may stand above it
    r"|\S+"
)
"""What of a cell stays in one line."""
HEADING_WORDS = re.compile(r"\S{3,}?_(?=[a-z])|\S+")
"""What of a heading does: it may be parted behind an underscore."""


@dataclass(slots=True)
class Room:
    """The cells of a line, and the columns that were left out for want of them."""

    cells: int
    left_out: dict[str, None] = field(default_factory=dict)

    @property
    def said(self) -> str:
        """What was left out and how to see it, or nothing."""
        if not self.left_out:
            return ""
        return (
            f"left out to fit {self.cells} columns: {', '.join(self.left_out)}; "
            "a wider window shows more, `| cat` all"
        )


_room: ContextVar[Room | None] = ContextVar("room", default=None)


@contextmanager
def room_of(cells: int) -> Iterator[Room]:
    """Have all tables made meanwhile fit into lines of so many cells."""
    room = Room(max(cells, LEAST_ROOM))
    token = _room.set(room)
    try:
        yield room
    finally:
        _room.reset(token)


def aligned(
    rows: Sequence[Sequence[str]], right: Sequence[bool], gap: str = "  "
) -> list[str]:
    """Return a text per row, cells padded to columns; numbers go to the right.

    The first row has the headings. Where there is only so much room (`room_of`), a row
    may take several lines.
    """
    safe = [[visible(cell) for cell in row] for row in rows]
    natural = [max(width(row[i]) for row in safe) for i in range(len(right))]
    room = _room.get()
    if room is None or _together(natural, gap) <= room.cells:
        return [_line(row, natural, right, gap) for row in safe]
    least = [_least([row[i] for row in safe]) for i in range(len(right))]
    least[0] = min(least[0], LONG)
    kept = _kept(safe[0], least, room, gap)
    widths = _shared_out(
        [least[i] for i in kept],
        [natural[i] for i in kept],
        room.cells - len(gap) * (len(kept) - 1),
    )
    to_right = [right[i] for i in kept]
    kept_rows = [[row[i] for i in kept] for row in safe]
    return [
        _wrapped(row, widths, to_right, gap, WORDS if place else HEADING_WORDS)
        for place, row in enumerate(kept_rows)
    ]


def _together(widths: Sequence[int], gap: str) -> int:
    return sum(widths) + len(gap) * (len(widths) - 1)


def _line(
    cells: Sequence[str], widths: Sequence[int], right: Sequence[bool], gap: str
) -> str:
    padded = [
        " " * (size - width(cell)) + cell
        if to_right
        else cell + " " * (size - width(cell))
        for cell, size, to_right in zip(cells, widths, right, strict=True)
    ]
    return gap.join(padded).rstrip()


def _least(cells: Sequence[str]) -> int:
    """Return the cells that a column needs if its texts are wrapped between words."""
    natural = max(map(width, cells))
    heading, *others = cells
    words = [
        *map(width, HEADING_WORDS.findall(heading)),
        *(
            _indent(each) + width(word)
            for each in others
            for word in WORDS.findall(each)
        ),
    ]
    has_sentences = natural > PROSE and max(words, default=0) <= PROSE
    return min(natural, max([*words, PROSE if has_sentences else 0]))


def _kept(
    headings: Sequence[str], least: Sequence[int], room: Room, gap: str
) -> list[int]:
    """Return the columns that fit; the first always does."""
    kept = list(range(len(least)))
    while (
        _together([least[i] for i in kept], gap) > room.cells
        and len(kept) > LEAST_COLUMNS
    ):
        gone = min(
            kept[1:],
            key=lambda i: (least[i] <= LONG, headings[i].strip() in STAYS, -i),
        )
        kept.remove(gone)
        room.left_out[headings[gone].strip()] = None
    return kept


def _shared_out(least: list[int], natural: list[int], cells: int) -> list[int]:
    """Return the columns' widths: what is over goes to those that lack least."""
    widths = list(least)
    over = cells - sum(widths)
    for i in sorted(range(len(widths)), key=lambda i: natural[i] - least[i]):
        more = max(0, min(over, natural[i] - widths[i]))
        widths[i] += more
        over -= more
    while over < 0 and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
        over += 1
    return widths


def _wrapped(
    cells: Sequence[str],
    widths: Sequence[int],
    right: Sequence[bool],
    gap: str,
    words: re.Pattern[str],
) -> str:
    parts = [
        _lines_of(cell, size, words) for cell, size in zip(cells, widths, strict=True)
    ]
    return "\n".join(
        _line(line, widths, right, gap) for line in zip_longest(*parts, fillvalue="")
    )


def _lines_of(cell: str, cells: int, words: re.Pattern[str]) -> list[str]:
    """Return a cell in lines of so many cells, its indentation before each."""
    if width(cell) <= cells:
        return [cell]
    indent = " " * min(_indent(cell), cells - 1)
    lines: list[str] = []
    line = indent
    end = len(indent)
    for found in words.finditer(cell):
        gap = " " * (found.start() - end) if lines or line.strip() else ""
        end = found.end()
        word = found.group()
        if line.strip() and width(line) + width(gap) + width(word) > cells:
            lines.append(line)
            line, gap = indent, ""
        line += gap if line.strip() else ""
        for char in word:
            if width(line) + width(char) > cells:
                lines.append(line)
                line = indent
            line += char
    return [*lines, line]


def _indent(cell: str) -> int:
    return len(cell) - len(cell.lstrip(" "))
