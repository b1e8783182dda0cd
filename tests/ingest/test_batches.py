"""Where a file is cut into batches and groups is no matter: same rows, same faults."""

from __future__ import annotations

import gzip
import random

import pytest
from building import open_to_fill
from small_benchmark import ITEMS, OK_ROWS, as_bytes

from jevdb.base.errors import InputError, UnknownNameError
from jevdb.ingest import (
    ItemsOptions,
    Model,
    RunOptions,
    benchmark,
    ingest_items,
)
from jevdb.ingest.benchmark import load_benchmark, loading_benchmark
from jevdb.ingest.decode.decoding import Decoder, LineBatch, Problems
from jevdb.ingest.decode.records import PredictionRecord
from jevdb.ingest.files import sources
from jevdb.ingest.judge import judging
from jevdb.ingest.runs import prepared as prepared_run
from jevdb.warehouse.database import open_reader, open_writer

CUTS = [(1 << 20, 125_000), (90, 20)]
MANY = 60
LINES = [
    f'{{"item_id": "i{n:03d}", "answer": "a", "probabilities": '
    f'{{"a": 0.{50 + n}, "b": 0.{49 - n:02d}}}}}'
    if n < 50
    else f'{{"item_id": "i{n:03d}", "status": "error", "error": "no: {n}"}}'
    for n in range(MANY)
]
FAULTS = {
    "key given twice": '{"item_id": "i999", "item_id": "i999", "answer": "a"}',
    "NUL": r'{"item_id": "i999", "answer": "a\u0000"}',
    "unknown key": '{"item_id": "i999", "answer": "a", "answr": "b"}',
    "not JSON": '{"item_id": "i999", "answer": "a"',
    "missing": '{"answer": "a"}',
    "no item": '{"item_id": "i999", "answer": "a"}',
}


@pytest.fixture
def many(warehouse, tmp_path):
    """A benchmark with a choice of two for each line."""
    path = tmp_path / "items.jsonl"
    named = [{**ITEMS[1], "item_id": f"i{n:03d}"} for n in range(MANY)]
    path.write_bytes(as_bytes(named))
    ingest_items(warehouse, [path], ItemsOptions("b"))
    return load_benchmark(warehouse, "b")


@pytest.fixture
def prepare(many, tmp_path, monkeypatch):
    """Read bytes cut in one way; return what would be stored."""

    def run(data: bytes, cut: tuple[int, int], name: str = "rows.jsonl", **options):
        monkeypatch.setattr(sources, "CHUNK", cut[0])
        monkeypatch.setattr(judging, "GROUP_ROWS", cut[1])
        path = tmp_path / name
        path.write_bytes(data)
        given = RunOptions("b", Model("m"), **options)
        return prepared_run.prepare_run(many, [path], given)

    return run


def whole(lines, end="\n"):
    return "".join(line + end for line in lines).encode()


FORMS = {
    "plain": (whole(LINES), "rows.jsonl"),
    "without a last end": (whole(LINES)[:-1], "rows.jsonl"),
    "mark and CRLF": (b"\xef\xbb\xbf" + whole(LINES, "\r\n"), "rows.jsonl"),
    "blank lines": (whole(LINES, "\n\n \t\n"), "rows.jsonl"),
    "members": (
        b"".join(
            gzip.compress(whole(LINES)[i : i + 100])
            for i in range(0, len(whole(LINES)), 100)
        ),
        "rows.jsonl.gz",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_run_is_the_same(prepare, form):
    data, name = FORMS[form]
    expected = prepare(whole(LINES), CUTS[0]).summary
    assert (expected.ok, expected.error) == (50, 10)
    for cut in CUTS:
        found = prepare(data, cut, name)
        assert found.summary.run_id == expected.run_id
        lines = found.rows.rows().to_pylist()
        step = 3 if form == "blank lines" else 1
        assert [(row["item_id"], row["source_line"]) for row in lines] == [
            (f"i{n:03d}", 1 + step * n) for n in range(MANY)
        ]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_wherever_it_stands(prepare, fault):
    for place in (17, MANY):
        data = whole([*LINES[:place], FAULTS[fault], *LINES[place:]])
        for cut in CUTS:
            with pytest.raises(InputError) as error:
                prepare(data, cut)
            [problem] = error.value.problems
            assert problem.line == place + 1
            assert fault in problem.message


def test_rejects_have_their_lines_and_texts(prepare):
    lines = LINES.copy()
    for place, fault in zip((50, 33, 10), FAULTS.values(), strict=False):
        lines.insert(place, fault)
    expected = prepare(whole(lines), CUTS[0], keep_rejects=True)
    assert [reject.line for reject in expected.rejects] == [11, 35, 53]
    for cut in CUTS[1:]:
        found = prepare(whole(lines), cut, keep_rejects=True)
        assert found.rejects == expected.rejects
        assert found.summary == expected.summary


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_lines_is_no_matter(prepare, seed):
    """Rows in order of their items take a shorter way to the same digest."""
    expected = prepare(whole(LINES), CUTS[0]).summary
    shuffled = LINES.copy()
    random.Random(seed).shuffle(shuffled)
    assert shuffled != LINES
    for cut in CUTS:
        assert prepare(whole(shuffled), cut).summary.rows_sha256 == expected.rows_sha256


def test_a_repeat_is_found_beside_its_first_and_far_from_it(prepare):
    again = LINES[20].replace('"answer": "a"', '"answer": "b"')
    for place in (21, MANY):
        data = whole([*LINES[:place], again, *LINES[place:]])
        for cut in CUTS:
            with pytest.raises(InputError, match="answered otherwise"):
                prepare(data, cut)


def columns(decoder: Decoder, *lines: str):
    numbers = range(1, len(lines) + 1)
    found = decoder.columns(LineBatch([line.encode() for line in lines], numbers))
    return {name: values for name, values in found.fields.items() if values}


def test_a_batch_after_alike_ones_may_differ():
    problems = Problems()
    decoder = Decoder(PredictionRecord, "rows", problems)
    alike = '{"item_id": "a", "answer": 1}'
    first = {"item_id": ["a"], "answer": [1]}
    assert columns(decoder, alike) == columns(decoder, alike) == first
    other = columns(decoder, alike, '{"item_id": "b:c", "error": null}')
    assert other == {"item_id": ["a", "b:c"], "answer": [1, None], "error": [None] * 2}
    assert columns(decoder, alike, alike) == {"item_id": ["a"] * 2, "answer": [1] * 2}
    assert problems.total == 0


@pytest.mark.parametrize(
    "line",
    [
        '{"item_id": "a", "answer": 1, "answer": 2}',
        '{"item_id": "a", "item_id": "b"}',
        '{"item_id": "a", "answer": "1"} {}',
        '{"item_id": "a", "answer": {"b": 1}}',
        '{"item_id": "a", "answer": 1, "answr": 1}',
    ],
)
def test_alike_records_are_read_as_strictly(line):
    problems = Problems()
    decoder = Decoder(PredictionRecord, "rows", problems)
    good = '{"item_id": "a", "answer": 1}'
    columns(decoder, good)
    assert columns(decoder, good, line) == {"item_id": ["a"], "answer": [1]}
    assert [problem.line for problem in problems.listed] == [2]


def test_the_warehouse_is_free_while_files_are_read(warehouse_path, write):
    path = warehouse_path
    with open_to_fill(path) as connection:
        ingest_items(connection, [write(ITEMS, "items.jsonl")], ItemsOptions("b"))
    with loading_benchmark(open_reader(path), "b") as asked:
        assert asked.size == asked.items.num_rows == len(OK_ROWS)
        with open_writer(path, lock_timeout=0):
            pass
    with (
        pytest.raises(UnknownNameError, match="unknown benchmark 'c'"),
        loading_benchmark(open_reader(path), "c"),
    ):
        pass
    with open_writer(path, lock_timeout=0):
        pass


def test_what_keeps_the_items_from_being_read_is_told(
    warehouse_path, write, monkeypatch
):
    path = warehouse_path
    with open_to_fill(path) as connection:
        ingest_items(connection, [write(ITEMS, "items.jsonl")], ItemsOptions("b"))
    rows = write(OK_ROWS)

    def gone(connection, benchmark_id):
        raise OSError("the disk is gone")

    monkeypatch.setattr(benchmark, "_tables", gone)
    with (
        pytest.raises(OSError, match="the disk is gone"),
        loading_benchmark(open_reader(path), "b") as asked,
    ):
        prepared_run.prepare_run(asked, [rows], RunOptions("b", Model("m")))
