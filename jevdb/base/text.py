"""Text for people: visible, shortened, counted; tables in Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

SHOWN_ID = 12
SHOWN_VALUE = 40
MARKDOWN_SPECIAL = re.compile(r"[\\`*\[\]<>|~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def markdown_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]
) -> list[str]:
    """Return a Markdown table; the cells are Markdown already."""
    rule = ["---:" if to_right else "---" for to_right in right]
    return ["| " + " | ".join(cells) + " |" for cells in (header, rule, *rows)]


def markdown_text(text: str) -> str:
    """Return *text* so that Markdown shows it as it is, in one line."""
    return MARKDOWN_SPECIAL.sub(lambda match: "\\" + match.group(), visible(text))


def shortened(text: str, most: int) -> str:
    """Return *text*, its middle left out where it is longer than *most* characters.

    Examples
    --------
    >>> shortened("abcdefghijklmnop", 12)
    'abcdef...nop'
    """
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end - 3]}...{text[-end:]}"


def visible(text: str) -> str:
    """Return *text* with line breaks and control characters written as escapes.

    A name holding an escape sequence must not repaint the reader's terminal.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def cut(text: str) -> str:
    """Return a value as messages show it: visible, and at most 40 characters."""
    shown = visible(text)
    return shown if len(shown) <= SHOWN_VALUE else shown[: SHOWN_VALUE - 3] + "..."


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    """Return how many terminal cells *text* takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else _wide(char) for char in text)


def _wide(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def short_id(run_id: str) -> str:
    """Return the part of a run id that people read and type."""
    return run_id[:SHOWN_ID]


def counted(count: float, noun: str, plural: str = "", form: str = "") -> str:
    """Return ``1 run`` or ``2 runs``: the one place where a count gets its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(1500, "row", form=",")
    ('1 row', '1,500 rows')
    >>> counted(1, "row differs", "rows differ"), counted(0.5, "point", form="g")
    ('1 row differs', '0.5 points')
    """
    return f"{count:{form}} {noun if count == 1 else plural or noun + 's'}"
