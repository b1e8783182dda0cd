"""Several options written as one text."""

from __future__ import annotations

import json
from collections.abc import Sequence

from jevdb.ingest.converting.folding import folded

JSON = "json"
SEPARATORS = (",", ";", "|", "/", "tab", JSON, "&", "+", " ")
"""What people put between options, tried in this order."""
TABS = {"tab": "\t", "\\t": "\t"}
"""How a tab is typed in a shell."""


def split_text(text: str, separator: str) -> list[str] | None:
    """Return the parts of a text, without blanks around them.

    *separator* ``tab`` is one; ``json``: the text is a JSON list of texts, None where
    it is not.

    Examples
    --------
    >>> split_text("cold, wet", ",")
    ['cold', 'wet']
    >>> split_text('["late"]', "json")
    ['late']
    """
    if separator != JSON:
        stripped = text.strip()
        own = TABS.get(separator, separator)
        return [part.strip() for part in stripped.split(own)] if stripped else []
    try:
        parts = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(parts, list) and all(isinstance(part, str) for part in parts):
        return [part.strip() for part in parts]
    return None


def separators(texts: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return what splits every text into options of its item; folded ones count."""
    fitting = []
    for separator in SEPARATORS:
        parts = [(split_text(text, separator), options) for text, options in texts]
        if any(found is None for found, _ in parts):
            continue
        is_split = any(len(found or ()) > 1 for found, _ in parts)
        if (is_split or separator in (",", "json")) and all(
            {folded(part) for part in found or ()} <= set(map(folded, options))
            for found, options in parts
        ):
            fitting.append(separator)
    return fitting
