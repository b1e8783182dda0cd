"""Values and places of a file in the words of a guard."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence

from jevdb.base.text import visible

PLACES = 3
CUT = 40
CODE_POINTS = 6


def quoted(value: object, label: str | None = None) -> str:
    """Return a value as JSON, cut; one that looks like *label* with its code points."""
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, default=str)[:CUT]
    text = value if len(value) <= CUT else value[: CUT - 3] + "..."
    plain = visible(json.dumps(text, ensure_ascii=False))
    if label is None or value == label or not _is_alike(value, label):
        return plain
    return f"{plain} ({_points(value)})"


def _is_alike(value: str, label: str) -> bool:
    """Whether two labels look the same on a screen, or nearly so."""
    from jevdb.ingest.converting.folding import INVISIBLE

    def bare(text: str) -> str:
        composed = unicodedata.normalize("NFC", text).translate(INVISIBLE)
        return " ".join(composed.split())

    return bare(value) == bare(label)


def _points(text: str) -> str:
    odd = [char for char in text if not (char.isascii() and char.isprintable())]
    listed = " ".join(f"U+{ord(char):04X}" for char in odd[:CODE_POINTS])
    is_decomposed = not unicodedata.is_normalized("NFC", text)
    form = "NFD " if is_decomposed else ""
    if not odd:
        return f"blanks around it, {len(text)} characters"
    return f"{form}{listed}{' ...' if len(odd) > CODE_POINTS else ''}"


def places(found: Sequence[tuple[str, int, str]]) -> str:
    """Return the first three places with what stands there; one file is named once.

    Examples
    --------
    >>> places([("a.jsonl", 5, '"Oslo."'), ("a.jsonl", 9, '"lima"')])
    'a.jsonl:5 "Oslo.", :9 "lima"'
    """
    parts = []
    before = None
    for source, line, what in found[:PLACES]:
        place = f":{line}" if source == before else f"{source}:{line}"
        parts.append(f"{place} {what}".rstrip())
        before = source
    return ", ".join(parts)
