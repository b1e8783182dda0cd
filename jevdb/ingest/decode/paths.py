"""Paths into JSON records, as people write them: ``usage.input``, ``preds[0].p``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec import UNSET

from jevdb.ingest.decode.strict import member

STEP = re.compile(r'\.?([^.\[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')
OPTIONAL = "?"
STAR = "*"


class Path(NamedTuple):
    """A path, its steps, and whether every record may lack it (a ``?`` at its end)."""

    text: str
    steps: tuple[str | int, ...]
    is_optional: bool


def parse_path(text: str) -> Path:
    """Return the steps of a path; raises ValueError where it is none."""
    is_optional = text.endswith(OPTIONAL)
    rest = bare = text.removesuffix(OPTIONAL)
    steps: list[str | int] = []
    while rest:
        match = STEP.match(rest)
        if not match or (not steps and rest.startswith(".")):
            raise ValueError(f"{text!r} is not a path like usage.input or preds[0].p")
        name, index, quoted = match.groups()
        steps.append(name or (json.loads(quoted) if quoted else int(index)))
        rest = rest[match.end() :]
    if not steps:
        raise ValueError("a path is empty")
    if bare.count(STAR) > 1:
        raise ValueError(f"{text!r} has more than one *; a path has at most one")
    return Path(bare, tuple(steps), is_optional)


def find(record: Mapping[str, object], path: Path) -> object:
    """Return what lies at the path, UNSET if nothing does.

    A top-level key spelt just like the path comes first: columns of CSV files.
    """
    if path.text in record:
        return record[path.text]
    value: object = record
    for step in path.steps:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step in range(len(value)):
            value = value[int(step)]
        else:
            return UNSET
    return value


def has_star(path: Path) -> bool:
    """Whether a part of the path stands for any text."""
    return STAR in path.text


def matches(record: Mapping[str, object], path: Path) -> list[tuple[str, object]]:
    """Return what the ``*`` of a path stands for, with the value there, in file order.

    A top-level key that fits the whole path comes first: columns of CSV files.
    """
    found = _fitting(record, path.text)
    if found:
        return found
    values: list[tuple[str, object]] = [("", record)]
    for step in path.steps:
        is_pattern = isinstance(step, str) and STAR in step
        values = [
            (name or star, inner)
            for name, value in values
            for star, inner in (
                _fitting(value, str(step)) if is_pattern else _inside(value, step)
            )
        ]
    return values


def _fitting(value: object, pattern: str) -> list[tuple[str, object]]:
    """Return the members whose key fits a pattern, each with what the * stands for."""
    before, _, after = pattern.partition(STAR)
    if isinstance(value, list) and not before and not after:
        return [(str(place), inner) for place, inner in enumerate(value)]
    if not isinstance(value, dict):
        return []
    least = len(before) + len(after)
    return [
        (key[len(before) : len(key) - len(after)], inner)
        for key, inner in value.items()
        if len(key) > least and key.startswith(before) and key.endswith(after)
    ]


def _inside(value: object, step: str | int) -> list[tuple[str, object]]:
    if isinstance(value, dict) and step in value:
        return [("", value[step])]
    if isinstance(value, list) and step in range(len(value)):
        return [("", value[int(step)])]
    return []


@lru_cache(maxsize=4096)
def json_path(steps: tuple[str | int, ...], start: str = "$") -> str:
    """Return the JSON path of the steps, for messages."""
    for step in steps:
        start = f"{start}[{step}]" if isinstance(step, int) else member(start, step)
    return start
