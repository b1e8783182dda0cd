"""CSV and Parquet: text is never guessed at, and faults have their place."""

from __future__ import annotations

import io
import math
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jevdb.base.errors import InputError, JevdbError


def parquet(tmp_path, columns):
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    path = tmp_path / "rows.bin"
    path.write_bytes(sink.getvalue())
    return path


def test_cells_are_text_until_declared_otherwise(ingest, stored, write):
    path = write(
        ["item_id,status,answer,error,latency_s", "c1,error,a,007,0.5"], "r.csv"
    )
    ingest(path)
    assert (stored("c1")["error"], stored("c1")["latency_s"]) == ("007", 0.5)


@pytest.mark.parametrize(
    ("item", "cell", "column", "value"),
    [
        ("c1", "a", "label_index", 0),
        ("n1", "true", "label_index", 1),
        ("n1", "no", "label_index", 0),
        ("s1", "2", "level", 2.0),
        ("s1", "1.25", "level", 1.25),
        ("m1", '"[""z"", ""x""]"', "labels", ["z", "x"]),
    ],
)
def test_answers_in_cells(ingest, stored, write, item, cell, column, value):
    ingest(write(["item_id,answer", f"{item},{cell}"], "r.csv"))
    assert stored(item)["status"] == "ok"
    assert stored(item)[column] == value


@pytest.mark.parametrize(
    ("lines", "line", "field", "message"),
    [
        (["c1,1,,x"], 2, None, "4 cells where the header has 3"),
        (["c1,x,"], 2, "$.latency_s", 'expected a number, got the string "x"'),
        (["c1,1e400,"], 2, "$.latency_s", "too large"),
        (["c1,NaN,"], 2, "$.latency_s", "expected a number"),
        (["c1,,{oops"], 2, "$.probabilities", "the cell is not JSON"),
        (['c1,,"[1,0,0],""answer"":[]"'], 2, "$.probabilities", "the cell is not JSON"),
        (['c1,,"{""a"":1,""a"":1}"'], 2, "$.probabilities.a", "key given twice"),
        (['c2,"1', '",', "c1,x,"], 2, "$.latency_s", "expected a number"),
        (["c2,1,", "", "c1,x,"], 4, "$.latency_s", "expected a number"),
        (["c9,,"], 2, "$.item_id", 'no item "c9"'),
        (['c1,"1,'], 2, None, "not CSV: unexpected end of data"),
        ([b"c1\xff,1,"], 2, None, "not UTF-8 at byte 3"),
    ],
)
def test_faults_of_csv(ingest, write, lines, line, field, message):
    path = write(["item_id,latency_s,probabilities", *lines], "r.csv")
    with pytest.raises(InputError) as refused:
        ingest(path)
    problem = refused.value.problems[0]
    assert (problem.line, problem.field) == (line, field)
    assert message in problem.message


def test_columns_are_checked(ingest, write):
    with pytest.raises(InputError, match="answer: column given twice"):
        ingest(write(["item_id,answer,answer", "c1,a,a"], "r.csv"))
    with pytest.raises(InputError, match=r"\$\.note: unknown key"):
        ingest(write(["item_id,answer,note", "c1,a,x"], "r.csv"))


def test_a_level_is_named_by_its_number_or_its_name(ingest, stored, write):
    ingest(write(["item_id,answer", "s1,good"], "r.csv"))
    assert stored("s1")["level"] == 2.0
    ingest(write(["item_id,answer", "s1,1"], "again.csv"), supersede=True)
    assert stored("s1")["level"] == 1.0


def test_parquet_types(ingest, stored, tmp_path):
    maps = pa.array(
        [[("a", 0.5), ("b", 0.25), ("c", 0.25)], [("b", 0.5), ("a", 0.5)]],
        pa.map_(pa.string(), pa.float64()),
    )
    ingest(
        parquet(
            tmp_path,
            {
                "item_id": ["c1", "c2"],
                "probabilities": maps,
                "input_tokens": [12.0, None],
                "meta": [{"k": 1}, None],
            },
        )
    )
    assert stored("c1")["probabilities"] == [0.5, 0.25, 0.25]
    assert stored("c1")["input_tokens"] == 12
    assert stored("c1")["meta"] == '{"k":1}'


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"item_id": ["c1"], "latency_s": [math.nan]}, "NaN is not JSON"),
        ({"item_id": ["c1"], "input_tokens": [1.5]}, "expected a whole number"),
        ({"item_id": [1]}, 'no item "1" in benchmark b'),
        ({"item_id": [1.0]}, "string, got the number 1.0; .*'integer'"),
        (
            {
                "item_id": ["c1"],
                "probabilities": pa.array(
                    [[("a", 1.0), ("a", 1.0)]], pa.map_(pa.string(), pa.float64())
                ),
            },
            "key given twice",
        ),
    ],
)
def test_faults_of_parquet(ingest, tmp_path, columns, message):
    with pytest.raises(InputError, match=message) as refused:
        ingest(parquet(tmp_path, columns))
    assert refused.value.problems[0].line == 1


def test_damaged_parquet(ingest, tmp_path):
    path = parquet(tmp_path, {"item_id": ["c1"]})
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(InputError, match="not a whole Parquet file"):
        ingest(path)


@pytest.mark.parametrize("lines", [[], [""], ["item_id,answer"]])
def test_a_file_without_rows(ingest, write, lines):
    with pytest.raises(JevdbError, match=r"rows\.x: no predictions in the file"):
        ingest(write(lines, "rows.x"))


@pytest.mark.parametrize(
    "numbers",
    [
        pa.array([Decimal("0.7"), Decimal("0.3")], pa.decimal128(9, 4)),
        pa.array([Decimal("0.7"), Decimal("0.3")], pa.decimal256(40, 4)),
        pa.array([0.7, 0.3], pa.float64()),
        pa.array([0.7, 0.3]).dictionary_encode(),
    ],
    ids=["decimal128", "decimal256", "float64", "dictionary"],
)
def test_a_number_of_any_type_is_the_number(ingest, stored, tmp_path, numbers):
    rows = {
        "item_id": ["c1", "c2"],
        "answer": ["a", "b"],
        "latency_s": numbers,
        "input_tokens": pa.array([5, 6], pa.uint8()),
        "output_tokens": pa.array([Decimal(5), Decimal(6)], pa.decimal128(18, 0)),
    }
    ingest(parquet(tmp_path, rows))
    assert stored("c1")["latency_s"] == 0.7
    assert (stored("c1")["input_tokens"], stored("c2")["output_tokens"]) == (5, 6)


@pytest.mark.parametrize(
    "kind",
    [
        pa.list_(pa.float64()),
        pa.large_list(pa.float64()),
        pa.list_(pa.float64(), 3),
        pa.list_(pa.float32()),
        pa.list_(pa.float16()),
        pa.list_(pa.decimal128(9, 2)),
    ],
    ids=str,
)
def test_a_list_of_any_type_is_the_list(ingest, stored, tmp_path, kind):
    values: list[object] = [0.5, 0.25, 0.25]
    if pa.types.is_decimal(kind.value_type):
        values = [Decimal(str(each)) for each in values]
    elif pa.types.is_float16(kind.value_type):
        values = list(np.array(values, np.float16))
    ingest(
        parquet(
            tmp_path, {"item_id": ["c1"], "probabilities": pa.array([values], kind)}
        )
    )
    assert stored("c1")["probabilities"] == [0.5, 0.25, 0.25]


def test_a_struct_has_the_keys_that_are_not_null(ingest, stored, tmp_path):
    both = pa.array(
        [
            {"a": Decimal("0.5"), "b": Decimal("0.5"), "c": Decimal(0)},
            {"a": Decimal("0.25"), "b": Decimal("0.75"), "c": None},
        ]
    )
    ingest(parquet(tmp_path, {"item_id": ["c1", "c2"], "probabilities": both}))
    assert stored("c2")["probabilities"] == [0.75, 0.25]


def test_bytes_are_no_text(ingest, tmp_path):
    with pytest.raises(InputError, match=r"\$\.error: .* it is of type bytes"):
        ingest(parquet(tmp_path, {"item_id": ["c1"], "error": [b"x"]}))


def test_a_column_given_twice_in_parquet(ingest, tmp_path):
    table = pa.table([["c1"], ["a"], ["b"]], names=["item_id", "answer", "answer"])
    path = tmp_path / "twice.parquet"
    pq.write_table(table, path)
    with pytest.raises(InputError, match="answer: column given twice"):
        ingest(path)


def test_the_index_of_a_frame_in_parquet(ingest, tmp_path):
    rows = {"item_id": ["c1", "c2"], "answer": ["a", "b"], "__index_level_0__": [0, 1]}
    done = ingest(parquet(tmp_path, rows))
    assert done.ok == 2
    assert "left out as an index" in done.notes[0]
