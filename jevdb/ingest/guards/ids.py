"""Ids that no item has, and the ones that are meant: ids are never folded."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from jevdb.base.errors import Problem
from jevdb.base.wording import how

UNKNOWN = "no item "


def unknown_id(problem: Problem) -> str | None:
    """Return the id of which a problem says that no item has it; else None."""
    message = problem.message
    if problem.field != "$.item_id":
        return None
    if message.startswith(UNKNOWN):
        try:
            text, _ = json.JSONDecoder().raw_decode(message, len(UNKNOWN))
        except ValueError:
            return None
        return str(text)
    return None


def about_float_id(problem: Problem) -> Problem:
    """Return a problem with the remedy, if an id is a number with a fraction."""
    is_type = problem.message.startswith("expected a")
    is_id = problem.field == "$.item_id"
    if not (is_id and is_type and "got the number" in problem.message):
        return problem
    message = f"{problem.message}; {how('ids', 'integer')} reads 1.0 as 1"
    return replace(problem, message=message)


def _bare(item_id: str) -> str:
    """Return an id without case, blanks and Unicode form."""
    composed = unicodedata.normalize("NFC", item_id)
    return "".join(composed.split()).casefold()


class NearIds:
    """The ids of a benchmark, found by what is left of them without case and blanks."""

    def __init__(self, ids: Iterable[str]):
        self._ids = set(ids)
        self._bare: dict[str, str] = {}
        for item_id in self._ids:
            self._bare.setdefault(_bare(item_id), item_id)

    def hint(self, unknown: str) -> str:
        """Return which known id is meant by an unknown one; empty for none."""
        whole, dot, zeros = unknown.rpartition(".")
        if dot and zeros and not zeros.strip("0") and whole in self._ids:
            return f"; {how('ids', 'integer')} reads it as {whole!r}"
        found = self._bare.get(_bare(unknown))
        return "" if found is None else f"; did you mean {found!r}?"
