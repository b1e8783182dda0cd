"""What counts now: states of runs by their events, and of benchmarks by their gold."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from building import add_benchmark, add_gold_revision, add_run
from commandline import add_event

from jevdb.base.connection import Connection

ITEM = {"item_id": "x", "type": "choice", "options": ["a", "b"], "gold": "a"}
PRIVATE, WITHDRAWN, SUPERSEDED = "private", "withdrawn", "superseded"

EVENTS: list[tuple[list[tuple[str, str | None]], str | None, set[str]]] = [
    # events in their order; then the label, and what the run is
    ([], "first", set()),
    ([("private", None)], "first", {PRIVATE}),
    ([("private", None), ("public", None)], "first", set()),
    ([("public", None), ("private", None)], "first", {PRIVATE}),
    ([("withdrawn", None)], "first", {WITHDRAWN}),
    ([("superseded", "other")], "first", {SUPERSEDED}),
    # A reinstatement ends what it names, and no other state.
    ([("withdrawn", None), ("reinstated", "withdrawn")], "first", set()),
    ([("superseded", "other"), ("reinstated", None)], "first", set()),
    ([("withdrawn", None), ("reinstated", None)], "first", {WITHDRAWN}),
    ([("superseded", "o"), ("reinstated", "withdrawn")], "first", {SUPERSEDED}),
    (
        [("superseded", "o"), ("withdrawn", None), ("reinstated", "withdrawn")],
        "first",
        {SUPERSEDED},
    ),
    (
        [("withdrawn", None), ("superseded", "o"), ("reinstated", None)],
        "first",
        {WITHDRAWN},
    ),
    (
        [("withdrawn", None), ("reinstated", "withdrawn"), ("withdrawn", None)],
        "first",
        {WITHDRAWN},
    ),
    ([("private", None), ("withdrawn", None)], "first", {PRIVATE, WITHDRAWN}),
    # The last label counts, none too.
    ([("relabelled", "second")], "second", set()),
    ([("relabelled", "second"), ("relabelled", "third")], "third", set()),
    ([("relabelled", "second"), ("relabelled", None)], None, set()),
    ([("relabelled", "second"), ("private", None)], "second", {PRIVATE}),
    # What a run is approved as is none of its states.
    ([("baseline_set", "second")], "first", set()),
]


@pytest.mark.parametrize(("events", "label", "states"), EVENTS)
def test_what_events_make_of_a_run(
    warehouse: Connection,
    events: list[tuple[str, str | None]],
    label: str | None,
    states: set[str],
):
    """Those of another run, before and after, are none of its."""
    benchmark = add_benchmark(warehouse, [ITEM])
    run, other = (
        add_run(warehouse, benchmark, [], model=model, label="first")
        for model in ("m", "n")
    )
    add_event(warehouse, other, "withdrawn")
    for event, value in events:
        add_event(warehouse, run, event, value)
    add_event(warehouse, other, "relabelled", "last")
    found = warehouse.execute(
        "select label, is_private, is_withdrawn, is_superseded, is_current "
        f"from run_states where run_id = '{run}'"
    ).fetchall()
    names = (PRIVATE, WITHDRAWN, SUPERSEDED)
    is_current = not states & {WITHDRAWN, SUPERSEDED}
    assert found == [(label, *(name in states for name in names), is_current)]


def sha256(*row: object) -> str:
    text = json.dumps(row, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_digest_of_a_benchmark_is_of_its_items_and_their_newest_gold(
    warehouse: Connection,
):
    """By hand: SHA-256 over the digests of its items, by id (DESIGN.md §5)."""
    one = [ITEM, {**ITEM, "item_id": "w", "group": "g"}]
    add_benchmark(warehouse, one, benchmark_id="one")
    add_benchmark(warehouse, [{**ITEM, "gold": "b"}], benchmark_id="two")
    add_gold_revision(warehouse, "one", 2, [{**ITEM, "gold": "b"}])
    found = warehouse.execute(
        "select benchmark_id, gold_revision, n_items, items_sha256 "
        "from benchmark_states where benchmark_id in ('one', 'two') order by all"
    ).fetchall()

    def digest(item_id: str, gold: int, *group: str) -> str:
        given = (item_id, "choice", "text", None, None, None, ["a", "b"], None)
        return sha256(*given, gold, None, None, *group)

    of_one = digest("w", 0, "g") + digest("x", 1)
    assert found == [
        ("one", 2, 2, hashlib.sha256(of_one.encode()).hexdigest()),
        ("two", 1, 1, hashlib.sha256(digest("x", 1).encode()).hexdigest()),
    ]


NOUL: dict[str, Any] = {"item_id": "n", "type": "noul", "gold": "yes"}
GIVEN = {"reference": [0.5, 0.5]}
SCORE: dict[str, Any] = {"item_id": "s", "type": "score", "options": ["l", "h"]}
LEVEL = {**SCORE, "gold": 0}
REFERENCES: list[tuple[str, list[dict[str, Any]], dict[str, str | None]]] = [
    # scoring, items, what TVD compares each with (SCORING.md §3)
    ("generic", [ITEM], {"x": "one_hot"}),
    ("generic", [ITEM | GIVEN], {"x": "given"}),
    # One-hot gold only where no choice or yes-or-no item has a reference.
    ("generic", [ITEM, NOUL], {"x": "one_hot", "n": None}),
    ("generic", [ITEM, NOUL | GIVEN], {"x": None, "n": "given"}),
    ("generic", [ITEM, LEVEL | GIVEN], {"x": "one_hot", "s": "given"}),
    ("cmdb-1500", [ITEM, NOUL | GIVEN], {"x": None, "n": "given"}),
    ("cmdb-1500", [ITEM], {"x": None}),
    (
        "decision-bench",
        [ITEM, {**ITEM, "item_id": "y", **GIVEN}],
        {"x": "one_hot", "y": "one_hot"},
    ),
]


@pytest.mark.parametrize(("scoring", "items", "expected"), REFERENCES)
def test_what_tvd_compares_with(
    warehouse: Connection,
    scoring: str,
    items: list[dict[str, Any]],
    expected: dict[str, str | None],
):
    # Another benchmark has references all the same.
    add_benchmark(warehouse, [ITEM | GIVEN], benchmark_id="other")
    name = add_benchmark(warehouse, items, scoring=scoring)
    found = warehouse.execute(
        "select item_id, reference_kind from golden_items "
        f"where benchmark_id = '{name}'"
    ).fetchall()
    assert dict(found) == expected


@pytest.mark.parametrize(
    ("scoring", "tiers", "expected"),
    [
        ("jevbench", ["hard", None], ["hard", None]),  # always
        ("generic", ["hard", "easy"], ["hard", "easy"]),  # if every item has one
        ("generic", ["hard", None], [None, None]),
        ("cmdb-1500", ["hard", "easy"], [None, None]),  # never
    ],
)
def test_which_tiers_weigh(
    warehouse: Connection,
    scoring: str,
    tiers: list[str | None],
    expected: list[str | None],
):
    add_benchmark(warehouse, [ITEM], benchmark_id="other")
    items = [
        {**ITEM, "item_id": f"i{place}", "tier": tier}
        for place, tier in enumerate(tiers)
    ]
    name = add_benchmark(warehouse, items, scoring=scoring)
    found = warehouse.execute(
        "select weighted_tier from golden_items "
        f"where benchmark_id = '{name}' order by item_id"
    ).fetchall()
    assert [tier for (tier,) in found] == expected
