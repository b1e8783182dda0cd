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


@lru_cache(maxsize=4096)
def json_path(steps: tuple[str | int, ...], start: str = "$") -> str:
    """Return the JSON path of the steps, for messages."""
    for step in steps:
        start = f"{start}[{step}]" if isinstance(step, int) else member(start, step)
    return start
