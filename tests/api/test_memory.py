"""Rows from memory are the same items and runs as the same rows from files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import jevdb

ITEMS = [
    {"item_id": "c1", "type": "choice", "options": ["a", "b"], "gold": "a"},
    {"item_id": "n1", "type": "noul", "gold": "yes"},
    {"item_id": "s1", "type": "score", "options": ["low", "mid", "high"], "gold": 2},
    {"item_id": "m1", "type": "multi_select", "options": ["a", "b"], "gold": ["a"]},
]
ANSWERS: list[dict[str, Any]] = [
    {"item_id": "c1", "probabilities": {"a": 0.75, "b": 0.25}, "latency_s": 0.5},
    {"item_id": "n1", "probabilities": {"yes": 0.1}, "input_tokens": 12},
    {"item_id": "s1", "answer": 1, "meta": {"note": "é"}},
    {"item_id": "m1", "answer": ["a", "b"], "error": None},
]
COLUMNS = {
    "item_id": ["c1", "n1", "s1", "m1"],
    "answer": ["a", "yes", "1", '["a", "b"]'],
    "probabilities": ['{"a": 0.75, "b": 0.25}', '{"yes": 0.9, "no": 0.1}', None, None],
    "input_tokens": [1, None, 3, 4],
    "cost_usd": [0.25, None, None, 1.5],
}
"""The same answers as a table has them: labels and JSON as text."""


@pytest.fixture
def warehouse(warehouse_path: Path) -> Iterator[jevdb.Warehouse]:
    with jevdb.open(warehouse_path, read_only=False) as opened:
        opened.ingest_items(ITEMS, benchmark="b")
        yield opened


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def test_items_from_memory_are_those_of_the_file(
    warehouse: jevdb.Warehouse, tmp_path: Path
):
    file = tmp_path / "items.jsonl"
    file.write_text(lines(ITEMS))
    done = warehouse.ingest_items(file, benchmark="b")
    assert (done.outcome, done.same) == ("already_there", len(ITEMS))


def test_dicts_are_the_run_of_the_file(warehouse: jevdb.Warehouse, tmp_path: Path):
    file = tmp_path / "answers.jsonl"
    file.write_text(lines(ANSWERS))
    first = warehouse.ingest_run(file, benchmark="b", model="m")
    again = warehouse.ingest_run(iter(ANSWERS), benchmark="b", model="m")
    assert first.outcome == "stored"
    assert (again.outcome, again.run_id) == ("already_there", first.run_id)
    assert again.rows_sha256 == first.rows_sha256
    assert again.files[0]["name"] == "memory"


def reader_of(table: pa.Table) -> pa.RecordBatchReader:
    return table.to_reader(max_chunksize=2)


TABLES: dict[str, Callable[[pa.Table], object]] = {
    "arrow table": lambda table: table,
    "arrow reader": reader_of,
    "arrow batch": lambda table: table.to_batches()[0],
    "pandas": lambda table: pd.DataFrame(COLUMNS),
    "pandas from arrow": lambda table: table.to_pandas(),
    "polars": lambda table: pl.DataFrame(COLUMNS),
    "polars lazy": lambda table: pl.DataFrame(COLUMNS).lazy(),
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_is_the_run_of_its_parquet_file(
    kind: str, warehouse: jevdb.Warehouse, tmp_path: Path
):
    table = pa.table(COLUMNS)
    pq.write_table(table, tmp_path / "answers.parquet")
    first = warehouse.ingest_run(tmp_path / "answers.parquet", benchmark="b", model="m")
    again = warehouse.ingest_run(TABLES[kind](table), benchmark="b", model="m")
    assert (first.outcome, first.ok) == ("stored", 4)
    assert (again.outcome, again.run_id) == ("already_there", first.run_id)


def test_nested_and_numpy_cells_are_what_they_hold(warehouse: jevdb.Warehouse):
    given = [{**row} for row in ANSWERS]
    given[0]["probabilities"] = {"a": np.float64(0.75), "b": np.float32(0.25)}
    given[0]["latency_s"] = np.float64(0.5)
    given[1]["input_tokens"] = np.int64(12)
    given[3]["answer"] = np.array(["a", "b"])
    first = warehouse.ingest_run(ANSWERS, benchmark="b", model="m")
    again = warehouse.ingest_run(given, benchmark="b", model="m")
    frame = warehouse.ingest_run(pd.DataFrame(given), benchmark="b", model="m")
    polar = warehouse.ingest_run(
        pl.DataFrame({"item_id": ["c1"], "probabilities": [{"a": 0.75, "b": 0.25}]}),
        **{"benchmark": "b", "model": "p"},
    )
    assert again.run_id == frame.run_id == first.run_id
    assert polar.ok == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"item_id": "c1", "probabilities": {"a": float("nan"), "b": 1.0}},
            "memory:2: $.probabilities.a: NaN is not JSON; use null",
        ),
        (
            {"item_id": "c1", "answr": "a"},
            "memory:2: $.answr: unknown key; read it with "
            "fields={'answer': 'answr'}, or keep it with reading={'meta': 'answr'}",
        ),
        (["c1"], "memory:2: expected an object on the line, got a list"),
        (
            {"item_id": "c1", "answer": {"a"}},
            "memory:2: no JSON can hold the row: set is no JSON value",
        ),
        (
            {"item_id": "c1", "answer": "\ud800"},
            "memory:2: $.answer: text holds half of a surrogate pair",
        ),
    ],
)
def test_faults_name_the_row(warehouse: jevdb.Warehouse, row: Any, message: str):
    with pytest.raises(jevdb.InputError) as raised:
        warehouse.ingest_run([ANSWERS[1], row], benchmark="b", model="m")
    assert str(raised.value) == message


def test_rejected_rows_are_kept(warehouse: jevdb.Warehouse):
    rows = [*ANSWERS, {"item_id": "c1", "answr": "a"}]
    done = warehouse.ingest_run(rows, benchmark="b", model="m", keep_rejects=True)
    assert (done.ok, done.rejected) == (4, 1)
    [reject] = warehouse.rejects("m").to_dicts()
    assert (reject["line"], reject["text"]) == (5, '{"item_id": "c1", "answr": "a"}')


def test_what_is_no_rows_is_refused(warehouse: jevdb.Warehouse):
    with pytest.raises(jevdb.UsageError, match="a data frame, not int"):
        warehouse.ingest_run(3, benchmark="b", model="m")  # type: ignore[arg-type]
    with pytest.raises(jevdb.JevdbError, match="memory: no predictions"):
        warehouse.ingest_run([], benchmark="b", model="m")


def test_a_dry_run_stores_nothing(warehouse: jevdb.Warehouse):
    reader = jevdb.open(warehouse.path)
    done = reader.ingest_run(ANSWERS, benchmark="b", model="m", dry_run=True)
    assert done.outcome == "dry_run"
    assert done.first_rows is not None
    assert [row["item_id"] for row in done.first_rows] == ["c1", "n1", "s1", "m1"]
    assert len(warehouse.runs()) == 0


def test_predictions_are_rows_to_ingest_again(warehouse: jevdb.Warehouse):
    first = warehouse.ingest_run(ANSWERS, benchmark="b", model="m")
    rows = warehouse.predictions("m").to_dicts()
    again = warehouse.ingest_run(rows, benchmark="b", model="m")
    assert again.run_id == first.run_id


def test_a_column_given_twice_is_refused(warehouse: jevdb.Warehouse):
    frame = pd.DataFrame([["q1", "a", "b"]], columns=["item_id", "answer", "answer"])
    table = pa.table([["q1"], ["a"], ["b"]], names=["item_id", "answer", "answer"])
    for rows in (frame, table):
        with pytest.raises(jevdb.InputError, match="answer: column given twice"):
            warehouse.ingest_run(rows, benchmark="b", model="m")


def test_ids_in_the_index_of_a_frame(warehouse: jevdb.Warehouse):
    frame = pd.DataFrame(ANSWERS).set_index("item_id")
    with pytest.raises(jevdb.UsageError, match=r"reset_index\(\)"):
        warehouse.ingest_run(frame, benchmark="b", model="m")
    done = warehouse.ingest_run(frame.reset_index(), benchmark="b", model="m")
    assert done.ok == len(ANSWERS)
