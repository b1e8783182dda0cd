"""Options named by a letter or by their place, as prompts ask for it (DOOR.md §3)."""

from __future__ import annotations

import re
from typing import NamedTuple

LETTER = re.compile(
    r"(?:\((?P<round>[A-Za-z])\)|\[(?P<square>[A-Za-z])\]|(?P<bare>[A-Za-z])[.):]?)"
    r"(?:\s+(?P<text>\S.*))?",
    re.DOTALL,
)
PLACE = re.compile(r"([+-]?\d{1,15})(\.0*)?", re.ASCII)
FIRST = {"index0": 0, "index1": 1}


class Letter(NamedTuple):
    """A letter's place, from 0, and the text beside it, if there is one."""

    place: int
    beside: str | None
    is_upper: bool


def read_letter(text: str) -> Letter | None:
    """Return the letter of ``B``, ``(B)``, ``[B]``, ``B.``, ``B)``, ``B:``; else None.

    Examples
    --------
    >>> read_letter("(B) Oslo")
    Letter(place=1, beside='Oslo', is_upper=True)
    >>> read_letter("The answer is B") is None
    True
    """
    found = LETTER.fullmatch(text)
    if found is None:
        return None
    letter = found["round"] or found["square"] or found["bare"]
    return Letter(ord(letter.upper()) - ord("A"), found["text"], letter.isupper())


def read_place(value: object) -> int | None:
    """Return a whole number, or digits as text, as a number; else None.

    A data frame makes 2.0 of 2 where a column lacks some.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    found = PLACE.fullmatch(value.strip()) if isinstance(value, str) else None
    return None if found is None else int(found[1])
