"""The top label where several options have the largest probability (SCORING.md §2).

Of a choice item it is the smallest option by code point, of ordered options the lowest
level, and of yes and no it is no. A level said as a number is the nearest one.
"""

from __future__ import annotations

from typing import Any

import pytest
from building import add_benchmark, add_run

from jevdb.base.connection import Connection

TIES = [
    # type, options, probabilities, the top label by hand
    ("choice", ["b", "a"], [0.5, 0.5], "a"),
    ("choice", ["a", "b"], [0.5, 0.5], "a"),
    ("choice", ["c", "b", "a"], [0.25, 0.375, 0.375], "a"),
    ("choice", ["a", "c", "b"], [0.25, 0.375, 0.375], "b"),
    ("choice", ["a", "c", "b"], [0.375, 0.375, 0.25], "a"),
    # By code point capitals come first, and z before é.
    ("choice", ["a", "B"], [0.5, 0.5], "B"),
    ("choice", ["é", "z"], [0.5, 0.5], "z"),
    ("choice", ["10", "9"], [0.5, 0.5], "10"),
    ("score", ["good", "fair", "bad"], [0.375, 0.25, 0.375], "good"),
    ("score", ["z", "y", "x"], [0.25, 0.375, 0.375], "y"),
    ("score", ["low", "high"], [0.5, 0.5], "low"),
    ("noul", None, [0.5, 0.5], "no"),
    # No tie: one probability is the largest.
    ("score", ["z", "y", "x"], [0.25, 0.25, 0.5], "x"),
    ("choice", ["c", "b", "a"], [0.5, 0.25, 0.25], "c"),
]


@pytest.fixture
def tops(warehouse: Connection) -> dict[str, tuple[str, bool]]:
    items: list[dict[str, Any]] = []
    rows = []
    for number, (kind, options, values, top) in enumerate(TIES):
        gold = {"choice": top, "noul": "no"}.get(kind) or options.index(top)
        item = {"item_id": f"{number:02d}", "type": kind, "gold": gold}
        items.append({**item, **({"options": options} if options else {})})
        rows.append({"item_id": f"{number:02d}", "probabilities": values})
    benchmark = add_benchmark(warehouse, items)
    add_run(warehouse, benchmark, rows)
    found = warehouse.execute(
        "select item_id, top_label, is_right from scored order by item_id"
    ).fetchall()
    return {item_id: (label, right) for item_id, label, right in found}


def test_the_top_label_of_a_tie(tops: dict[str, tuple[str, bool]]):
    expected = {f"{n:02d}": (top, True) for n, (*_, top) in enumerate(TIES)}
    assert tops == expected


def test_the_level_nearest_to_a_rating_between_two(warehouse: Connection):
    """Half-way it is the lower one."""
    said = {0.0: 0, 0.4: 0, 0.5: 0, 0.6: 1, 1.4: 1, 1.5: 1, 1.6: 2, 2.0: 2}
    items = [
        {"item_id": str(level), "type": "score", "options": ["a", "b", "c"], "gold": 0}
        for level in said
    ]
    benchmark = add_benchmark(warehouse, items)
    rows = [{"item_id": str(level), "answer": level} for level in said]
    add_run(warehouse, benchmark, rows)
    found = warehouse.execute("select item_id, top_index from scored").fetchall()
    assert dict(found) == {str(level): index for level, index in said.items()}
