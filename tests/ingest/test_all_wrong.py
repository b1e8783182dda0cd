"""Whether any answer of a type is right, by as few rows and as little work as tell."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from building import add_benchmark, add_gold_revision

from jevdb.base.connection import Connection
from jevdb.base.errors import InputError
from jevdb.ingest.guards import gold
from jevdb.ingest.judge.spool import Spool
from jevdb.ingest.run_options import Model, RunOptions

SCHEMA = pa.schema(
    {
        "item_id": pa.string(),
        "status": pa.string(),
        "reason": pa.string(),
        "label_index": pa.int32(),
        "labels": pa.list_(pa.string()),
        "probabilities": pa.list_(pa.float64()),
        "renormalized": pa.bool_(),
        "is_correct": pa.bool_(),
        "target": pa.list_(pa.string()),
        "source_file": pa.string(),
        "source_line": pa.int64(),
    }
)
N = 40
"""Rows of the steps' test: the first 5 are looked at, then every fourth, then all."""
OPTIONS = ["a", "b", "c", "d"]


def held(rows: list[dict[str, Any]]) -> pa.Table:
    filled = [
        {
            "status": "ok",
            "renormalized": False,
            "source_file": "f.jsonl",
            "source_line": n,
            **row,
        }
        for n, row in enumerate(rows, start=1)
    ]
    return pa.Table.from_pylist(filled, SCHEMA)


def options(benchmark_id: str) -> RunOptions:
    return RunOptions(benchmark_id, Model("m"))


@pytest.mark.parametrize(
    ("right", "looked_at"),
    [
        pytest.param({3}, [5], id="among the first"),
        pytest.param({20}, [5, 5, 10], id="in the sample"),
        pytest.param({19}, [5, 5, 10, 10, N], id="elsewhere"),
        pytest.param(set(), [5, 5, 10, 10, N], id="nowhere"),
    ],
)
def test_a_right_answer_is_found_wherever_it_is(
    warehouse: Connection,
    monkeypatch: pytest.MonkeyPatch,
    right: set[int],
    looked_at: list[int],
):
    """40 of 4 options: guessing has none right with probability 0.75**40 = 1e-5."""
    items = [
        {"item_id": f"i{n:02}", "type": "choice", "options": OPTIONS, "gold": "a"}
        for n in range(N)
    ]
    benchmark = add_benchmark(warehouse, items)
    rows = [
        {"item_id": f"i{n:02}", "label_index": 0 if n in right else 1} for n in range(N)
    ]
    spool = Spool()
    spool.add(held(rows))
    seen: list[int] = []
    registered = gold._registered

    def noted(connection: Connection, some: pa.Table) -> Any:
        seen.append(some.num_rows)
        return registered(connection, some)

    monkeypatch.setattr(gold, "_registered", noted)
    monkeypatch.setattr(gold, "FIRST", 5)
    monkeypatch.setattr(gold, "SAMPLE", 10)
    warehouse.register("incoming", spool.rows())

    def hold() -> gold.Disagreements:
        types = frozenset(["choice"])
        return gold.hold_against_gold(warehouse, spool, options(benchmark), types)

    if right:
        assert hold() == gold.Disagreements(0, [])
    else:
        with pytest.raises(
            InputError, match=r"all 40 choice answers are wrong"
        ) as told:
            hold()
        assert "probability of 1e-05" in str(told.value)
    assert seen == looked_at


ITEMS = [
    {"item_id": "c", "type": "choice", "options": OPTIONS, "gold": "b"},
    {"item_id": "n", "type": "noul", "gold": "yes"},
    {"item_id": "s", "type": "score", "options": OPTIONS, "gold": 2},
    {"item_id": "m", "type": "multi_select", "options": OPTIONS, "gold": ["a", "c"]},
]
SURE = {
    "c": ({"label_index": 1}, {"probabilities": [0.1, 0.7, 0.1, 0.1]}),
    "n": ({"label_index": 1}, {"probabilities": [0.4, 0.6]}),
    "s": ({"label_index": 2}, {"probabilities": [0.0, 0.2, 0.8, 0.0]}),
    "m": ({"labels": ["a", "c"]},),
}
UNSURE: dict[str, tuple[dict[str, Any], ...]] = {
    # The last says the gold and gives another more: the distribution is what counts.
    "c": (
        {"label_index": 0},
        {"probabilities": [0.5, 0.5, 0.0, 0.0]},
        {"probabilities": [0.3, 0.4, 0.3, 0.0]},
        {"label_index": 1, "probabilities": [0.7, 0.1, 0.1, 0.1]},
    ),
    "n": ({"label_index": 0}, {"probabilities": [0.5, 0.5]}, {}),
    "s": ({"label_index": 1}, {"probabilities": [0.8, 0.0, 0.2, 0.0]}),
    "m": ({"labels": ["a"]}, {"labels": ["a", "b", "c"]}, {"labels": []}, {}),
}


def sure(connection: Connection, benchmark: str, rows: list[dict[str, Any]]) -> set:
    return gold._surely_right(connection, held(rows), options(benchmark))


def test_what_is_right_beyond_doubt(warehouse: Connection):
    benchmark = add_benchmark(warehouse, ITEMS)
    add_benchmark(warehouse, [{**each, "gold": "a"} for each in ITEMS[:1]])
    types = {str(each["item_id"]): {str(each["type"])} for each in ITEMS}
    for item, rows in SURE.items():
        for row in rows:
            said = {"item_id": item, **row}
            assert sure(warehouse, benchmark, [said]) == types[item], said
            for status in ("invalid", "error", "unsupported"):
                other = {**said, "status": status}
                assert sure(warehouse, benchmark, [other]) == set(), other
    for item, rows in UNSURE.items():
        for row in rows:
            said = {"item_id": item, **row}
            assert sure(warehouse, benchmark, [said]) == set(), said
    everything = [{"item_id": item, **rows[0]} for item, rows in SURE.items()]
    assert sure(warehouse, benchmark, everything) == set().union(*types.values())


def test_the_newest_gold_is_what_counts(warehouse: Connection):
    benchmark = add_benchmark(warehouse, ITEMS)
    revised = [{**ITEMS[0], "gold": "d"}, {**ITEMS[3], "gold": ["b"]}]
    add_gold_revision(warehouse, benchmark, 2, revised)
    was = [
        {"item_id": "c", "label_index": 1},
        {"item_id": "m", "labels": ["a", "c"]},
    ]
    now = [{"item_id": "c", "label_index": 3}, {"item_id": "m", "labels": ["b"]}]
    assert sure(warehouse, benchmark, was) == set()
    assert sure(warehouse, benchmark, now) == {"choice", "multi_select"}
