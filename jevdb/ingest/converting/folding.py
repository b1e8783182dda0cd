"""Labels that differ in how they are written, not in what they say (DOOR.md §3).

Compatibility forms stay themselves: a circled 1, a superscript 2, full-width letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache

INVISIBLE = dict.fromkeys([*range(0x200B, 0x200E), 0x2060, 0xFEFF, 0x00AD], None)
"""Zero-width blanks and joiners, word joiner, byte order mark, soft hyphen."""
PAIRS = (
    *(('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u2018", "\u2019"), ("«", "»")),
    *(("`", "`"), ("**", "**"), ("*", "*")),
)
OPENING = frozenset(opens[0] for opens, _ in PAIRS)
END_MARKS = (".", "!", ":", ",")


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _visible(text: str) -> str:
    return text.translate(INVISIBLE)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _unquoted(text: str) -> str:
    if text[:1] not in OPENING:
        return text
    for opens, closes in PAIRS:
        is_long = len(text) > len(opens) + len(closes)
        if is_long and text.startswith(opens) and text.endswith(closes):
            return text[len(opens) : -len(closes)].strip()
    return text


def _unmarked(text: str) -> str:
    return text[:-1].rstrip() if len(text) > 1 and text.endswith(END_MARKS) else text


def _caseless(text: str) -> str:
    return unicodedata.normalize("NFC", text.casefold())


STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("Unicode form", _composed),
    ("invisible characters", _visible),
    ("blanks", _spaced),
    ("quotes", _unquoted),
    ("end marks", _unmarked),
    ("case", _caseless),
)
"""What folding takes away, in this order."""


@lru_cache(maxsize=1 << 16)
def folded(text: str) -> str:
    """Return a label without what folding takes away.

    Examples
    --------
    >>> folded(' "Oslo." '), folded("OSLO"), folded("①")
    ('oslo', 'oslo', '①')
    """
    for _, step in STEPS:
        text = step(text)
    return text


def differences(given: str, label: str) -> list[str]:
    """Return in which ways two labels of one folding differ.

    Examples
    --------
    >>> differences("oslo ", "Oslo")
    ['blanks', 'case']
    """
    if given.isascii() and label.isascii() and given.lower() == label.lower():
        return ["case"]  # Every other step does the same to both.
    found = []
    for name, step in STEPS:
        one, other = step(given), step(label)
        changes_one_only = (one != given) != (other != label)
        if given != label and (changes_one_only or (one == other != given)):
            found.append(name)
        given, label = one, other
    return found or ["case"]
