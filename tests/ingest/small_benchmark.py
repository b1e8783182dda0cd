"""A small benchmark with an item of every type, and rows that answer it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

Line = dict[str, Any] | str | bytes

ITEMS: list[dict[str, Any]] = [
    {"item_id": "c1", "type": "choice", "options": ["a", "b", "c"], "gold": "a"},
    {"item_id": "c2", "type": "choice", "options": ["b", "a"], "gold": "b"},
    {"item_id": "n1", "type": "noul", "gold": "yes"},
    {"item_id": "s1", "type": "score", "options": ["bad", "fair", "good"], "gold": 2},
    {
        "item_id": "m1",
        "type": "multi_select",
        "options": ["x", "y", "z"],
        "gold": ["x", "z"],
    },
]
OK_ROWS: list[dict[str, Any]] = [
    {"item_id": "c1", "probabilities": {"a": 0.5, "b": 0.25, "c": 0.25}},
    {"item_id": "c2", "answer": "b"},
    {"item_id": "n1", "probabilities": {"yes": 0.75}, "answer": "yes"},
    {"item_id": "s1", "probabilities": {"0": 0.125, "1": 0.125, "2": 0.75}},
    {"item_id": "m1", "answer": ["z", "x"], "step_probabilities": [0.9, 0.5]},
]


def as_bytes(lines: Iterable[Line]) -> bytes:
    """Return JSON lines; text and bytes stand as they are."""
    return b"".join(
        (
            line
            if isinstance(line, bytes)
            else (line if isinstance(line, str) else json.dumps(line)).encode()
        )
        + b"\n"
        for line in lines
    )
