"""JSON, times and numbers that a warehouse holds, which may be anybody's.

What jevdb stores it has looked through before. What another program wrote into a file
may be of any shape, nested without end, or a number that no computer holds.
"""

from __future__ import annotations

import json
import math

from jevdb.base.errors import JevdbError
from jevdb.base.text import shortened

MOST_DEEP = 200
"""Levels of lists and objects; of a line that is ingested it is half as many."""
MOST_SHOWN = 300
MOST_REPEATS = 1_000
"""How often a run may ask an item: a few bytes of a row say how many are scored."""
REMEDY = (
    "jevdb stores none such: restore a backup, or set it right with another client of "
    "DuckDB"
)
WORDS = {
    **{"dict": "an object", "list": "a list", "str": "a text", "bool": "true or false"},
    **{"int": "a number", "float": "a number", "NoneType": "null"},
}


class UnfitValue(JevdbError):
    """What a table holds cannot be read, or is not what belongs there.

    Whoever has the file open puts its name before the message.
    """

    def __init__(self, place: str, fault: str):
        super().__init__(f"{shortened(place, MOST_SHOWN)}: {fault}; {REMEDY}")


def read_json(text: str, place: str) -> object:
    """Return what JSON of a table holds; *place* says where it stands.

    Raises
    ------
    UnfitValue
        It is no JSON, nested deeper than `MOST_DEEP` levels, or a number too long.
    """
    try:
        found = json.loads(text)
    except RecursionError:
        raise UnfitValue(place, f"nested deeper than {MOST_DEEP} levels") from None
    except json.JSONDecodeError as error:
        raise UnfitValue(place, f"not JSON: {error}") from None
    except ValueError:
        raise UnfitValue(place, "a number of thousands of digits") from None
    if text.count("[") + text.count("{") > MOST_DEEP and _depth(found) > MOST_DEEP:
        raise UnfitValue(place, f"nested deeper than {MOST_DEEP} levels")
    return found


def read_object(text: str | None, place: str) -> dict[str, object]:
    """Return the object that JSON of a table is; null is one without keys.

    Raises
    ------
    UnfitValue
        It is none, or cannot be read.
    """
    return object_of(None if text is None else read_json(text, place), place)


def object_of(found: object, place: str) -> dict[str, object]:
    """Return JSON that was read as the object that it has to be; null is empty.

    Raises
    ------
    UnfitValue
        It is of another shape, or holds a number beyond all doubles.
    """
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UnfitValue(place, f"{_shape(found)} where an object belongs")
    _require_finite(found, place)
    return found


def list_of(found: object, place: str) -> list[object]:
    """Return JSON that was read as the list that it has to be; null is empty.

    Raises
    ------
    UnfitValue
        It is of another shape, or holds a number beyond all doubles.
    """
    if found is None:
        return []
    if not isinstance(found, list):
        raise UnfitValue(place, f"{_shape(found)} where a list belongs")
    _require_finite(found, place)
    return found


def require_time(found: object, place: str) -> None:
    """Refuse a time that Python has no date for: DuckDB gives it as text.

    Raises
    ------
    UnfitValue
        It is before the year 1, or after the year 9999.
    """
    if isinstance(found, str):
        raise UnfitValue(place, f"the time {found} is none of the years 1 to 9999")


def _shape(found: object) -> str:
    return WORDS[type(found).__name__]


def _require_finite(found: object, place: str) -> None:
    for each in _inner(found):
        if isinstance(each, float) and not math.isfinite(each):
            raise UnfitValue(place, "a number that is too large for a double")


def _inner(found: object) -> list[object]:
    """Return all values of a document that hold no others."""
    waiting, leaves = [found], []
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
        else:
            leaves.append(each)
    return leaves


def _depth(found: object) -> int:
    """Return how many lists and objects stand in one another."""
    depth, level = 0, [found]
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return depth
