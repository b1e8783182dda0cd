"""`jevdb compare`: cohorts, paired tests and ties, against numbers found by hand."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from building import add_benchmark, add_run, insert, next_seq
from commandline import add_event, jevdb, rows_of

from jevdb.base.connection import Connection
from jevdb.numerics.discordant import mcnemar_exact
from jevdb.numerics.multiplicity import holm
from jevdb.warehouse.database import open_writer

Rows = list[dict[str, Any]]


def choices(count: int, **more: Any) -> Rows:
    return [
        {
            **{"item_id": f"item {i:03d}", "type": "choice", "options": ["a", "b"]},
            **{"gold": "a", **more},
        }
        for i in range(count)
    ]


def answers(rights: str, start: int = 0) -> Rows:
    """A label per character: right (r) or wrong (w); a gap is no row."""
    return [
        {"item_id": f"item {start + i:03d}", "answer": "a" if right == "r" else "b"}
        for i, right in enumerate(rights)
        if right != " "
    ]


def numbers(path: Path, *arguments: str) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The rows of a comparison of two runs by report row, metric and kind."""
    rows = rows_of(path, "compare", *arguments)
    found = {(row["report_row"], row["metric"], row["kind"]): row for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.fixture(scope="module")
def stored_pair(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SCORING.md §8: both right 124, only A 30, only B 12, none 54 of 220 items."""
    path = tmp_path_factory.mktemp("stored") / "warehouse.duckdb"
    shutil.copyfile(template, path)
    with open_writer(path) as connection:
        add_benchmark(connection, choices(220), benchmark_id="pair")
        a, b = "r" * 124 + "r" * 30 + "w" * 66, "r" * 124 + "w" * 30 + "r" * 12
        add_run(connection, "pair", answers(a), model="A")
        add_run(connection, "pair", answers(b + "w" * 54), model="B")
    return path


@pytest.fixture
def pair(stored_pair: Path, tmp_path: Path) -> Path:
    """The same, the test's own."""
    return Path(shutil.copyfile(stored_pair, tmp_path / "warehouse.duckdb"))


def test_accuracy_of_220_items(pair: Path):
    row = numbers(pair, "A", "B")["overall", "accuracy", "all"]
    assert row["base_value"] == 154 / 220 == 0.7
    assert row["value"] == 136 / 220  # 0.618
    assert row["difference"] == pytest.approx(-18 / 220, abs=1e-15)
    names = ("n_both", "n_only_base", "n_only_other", "n_neither")
    assert [row[name] for name in names] == [124, 30, 12, 54]
    assert row["p_value"] == 0.007915897334896727
    # The only test shown: a choice benchmark has one accuracy.
    assert row["p_holm"] == row["p_value"]
    assert row["verdict"] == "worse"
    assert row["low"] <= row["difference"] <= row["high"] < 0


def test_other_way_round_everything_changes_sign(pair: Path):
    there = numbers(pair, "A", "B")
    back = numbers(pair, "B", "A")
    opposite = {"better": "worse", "worse": "better", "tie": "tie", None: None}
    assert there.keys() == back.keys()
    for key, row in there.items():
        assert back[key]["verdict"] == opposite[row["verdict"]]
        if row["low"] is not None:
            mirrored = (-back[key]["high"], -back[key]["low"])
            assert (row["low"], row["high"]) == pytest.approx(mirrored, abs=1e-12)


@pytest.fixture(scope="module")
def stored_halves(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SCORING.md §8: A right, right, wrong, wrong; B only the first two, both right."""
    path = tmp_path_factory.mktemp("stored") / "warehouse.duckdb"
    shutil.copyfile(template, path)
    with open_writer(path) as connection:
        add_benchmark(connection, choices(4), benchmark_id="halves")
        add_run(connection, "halves", answers("rrww"), model="A")
        add_run(connection, "halves", answers("rr"), model="B")
    return path


@pytest.fixture
def halves(stored_halves: Path, tmp_path: Path) -> Path:
    """The same, the test's own."""
    return Path(shutil.copyfile(stored_halves, tmp_path / "warehouse.duckdb"))


def test_shared_cohort_has_the_items_both_answered(halves: Path):
    row = numbers(halves, "A", "B")["overall", "accuracy", "all"]
    assert (row["base_value"], row["value"], row["n"]) == (1.0, 1.0, 2)
    assert (row["verdict"], row["p_value"]) == ("tie", 1.0)


def test_dropped_items_are_named(halves: Path):
    result = jevdb(halves, "compare", "A", "B")
    assert "halves: 2 of 4 items (shared)" in result.stdout
    assert "dropped for B" in result.stdout
    assert "2 without a row" in result.stdout
    assert "dropped for A" not in result.stdout
    told = jevdb(halves, "compare", "A", "B", "--format", "csv")
    assert "dropped for B" in told.stderr
    assert "dropped" not in told.stdout


def test_own_cohort_counts_what_is_missing_as_wrong(halves: Path):
    found = numbers(halves, "A", "B", "--cohort", "own")
    accuracy = found["overall", "accuracy", "all"]
    assert (accuracy["base_value"], accuracy["value"], accuracy["n"]) == (0.5, 0.5, 4)
    assert found["overall", "coverage", "all"]["value"] == 0.5


def test_strict_cohort_refuses_to_leave_anything_out(halves: Path):
    result = jevdb(halves, "compare", "A", "B", "--cohort", "strict")
    assert result.exit_code == 1
    assert "B" in result.stderr and "2 without a row" in result.stderr
    assert "--cohort shared compares the other 2" in result.stderr
    assert result.stdout == ""
    with open_writer(halves) as connection:
        add_run(connection, "halves", answers("wwww"), model="C")
    strict = numbers(halves, "A", "C", "--cohort", "strict")
    assert strict["overall", "accuracy", "all"]["n"] == 4


def test_why_items_are_dropped(warehouse_path: Path):
    with open_writer(warehouse_path) as connection:
        add_benchmark(connection, choices(6), benchmark_id="faults")
        add_run(connection, "faults", answers("rrrrrr"), model="A")
        rows = answers("rrrrr")
        for row, status in zip(rows, ("invalid", "unsupported", "error"), strict=False):
            row["status"] = status
        rows[3] |= {"answer": None, "probabilities": [0.75, 0.25]}
        add_run(connection, "faults", rows, model="B")
    shared = jevdb(warehouse_path, "compare", "A", "B")
    words = "1 without a row, 1 answered invalidly, 1 unsupported, 1 failed"
    assert f": {words}\n" in shared.stdout
    stated = jevdb(warehouse_path, "compare", "A", "B", "--cohort=shared-probability")
    assert stated.exit_code == 1
    assert "the runs share no item" in stated.stderr
    assert f"{words}, 1 without a distribution" in stated.stderr


def test_probability_cohort_over_text_leaves_out_multi_select(warehouse_path: Path):
    items = [
        *choices(2),
        {**choices(1)[0], "item_id": "picture", "modality": "image"},
        {**choices(1)[0], "item_id": "rendered", "modality": "text_rendered"},
        {**choices(1)[0], "item_id": "set", "type": "multi_select", "gold": ["a"]},
    ]
    rows = [
        {"item_id": item["item_id"], "probabilities": [0.75, 0.25]}
        for item in items
        if item["type"] != "multi_select"
    ]
    rows.append({"item_id": "set", "answer": ["a"]})
    with open_writer(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="mixed")
        add_run(connection, "mixed", rows, model="A")
        add_run(connection, "mixed", rows, model="B")
    arguments = ("A", "B", "--cohort", "shared-probability", "--modality", "text")
    found = numbers(warehouse_path, *arguments)
    row = found["overall", "accuracy", "all"]
    assert (row["n"], row["cohort"], row["modality"]) == (
        2,
        "shared-probability",
        "text",
    )
    assert {key[0] for key in found} == {"overall", "text"}
    result = jevdb(warehouse_path, "compare", *arguments)
    assert "mixed: 2 of 2 items (shared-probability, text)" in result.stdout
    nothing = jevdb(warehouse_path, "compare", "A", "B", "--modality", "audio")
    assert nothing.exit_code == 2


def test_holm_is_over_all_tests_shown(warehouse_path: Path):
    items = [
        {**item, "family": "odd" if i % 2 else "even"}
        for i, item in enumerate(choices(40))
    ]
    with open_writer(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="families")
        add_run(connection, "families", answers("rw" * 20), model="A")
        add_run(connection, "families", answers("rrww" * 10), model="B")
        add_run(connection, "families", answers("rwrw" * 10), model="C")
    rows = rows_of(warehouse_path, "compare", "A", "B", "C", "--by", "family")
    tests = [row for row in rows if row["p_value"] is not None]
    # Two others, in three report rows: overall, overall/even, overall/odd.
    assert len(tests) == 6
    adjusted = holm([test["p_value"] for test in tests])
    assert [test["p_holm"] for test in tests] == adjusted
    odd = next(t for t in tests if t["report_row"] == "overall/odd")
    # Of the 20 odd items B alone got the first of every pair right: 10 to 0.
    assert (odd["n_only_base"], odd["n_only_other"]) == (0, 10)
    assert odd["p_value"] == mcnemar_exact(0, 10) == 2 / 2**10
    both = rows_of(
        warehouse_path,
        *("compare", "A", "B", "--method", "metrics-md", "--method", "jevbench-v1.5"),
    )
    repeated = [row for row in both if row["p_value"] is not None]
    assert len(repeated) == 2
    # A method does not change accuracy: one test, shown twice, is one test.
    assert all(row["p_holm"] == row["p_value"] for row in repeated)


@pytest.mark.parametrize("dimension", ["type", "tier", "family", "domain"])
def test_breakdowns(warehouse_path: Path, dimension: str):
    items = choices(4)
    for item in items[:2]:
        item |= {"tier": "hard", "family": "hard", "domain": "hard"}
    items[2]["type"] = "noul"
    items[2] |= {"options": ["no", "yes"], "gold": "yes"}
    rows = answers("rr r")
    rows.append({"item_id": "item 002", "answer": "yes"})
    with open_writer(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="parts")
        add_run(connection, "parts", rows, model="A")
        add_run(connection, "parts", rows, model="B")
    found = numbers(warehouse_path, "A", "B", "--by", dimension)
    sizes = {
        row: n["n"]
        for (row, metric, kind), n in found.items()
        if metric == "accuracy" and kind == "all"
    }
    expected = {"overall": 4, "overall/hard": 2}
    if dimension == "type":
        expected = {"overall": 4, "overall/choice": 3, "overall/noul": 1}
    assert sizes == expected


def test_items_won_and_lost_with_both_distributions(warehouse_path: Path):
    items = choices(3, family="f")
    with open_writer(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="items")
        add_run(
            connection,
            "items",
            [
                {"item_id": "item 000", "probabilities": [0.75, 0.25]},
                {"item_id": "item 001", "probabilities": [0.25, 0.75]},
                {"item_id": "item 002", "answer": "a"},
            ],
            model="A",
        )
        add_run(
            connection,
            "items",
            [
                {"item_id": "item 000", "probabilities": [0.49, 0.51]},
                {"item_id": "item 001", "answer": "a"},
                {"item_id": "item 002", "answer": "a"},
            ],
            model="B",
        )
    lost, won = rows_of(warehouse_path, "compare", "A", "B", "--items")
    assert (lost["item_id"], lost["outcome"], lost["gold"]) == ("item 000", "lost", "a")
    assert (lost["base_answer"], lost["answer"]) == ("a", "b")
    assert lost["base_probabilities"] == {"a": 0.75, "b": 0.25}
    assert lost["probabilities"] == {"a": 0.49, "b": 0.51}
    assert (won["item_id"], won["outcome"], won["family"]) == ("item 001", "won", "f")
    assert (won["probabilities"], won["answer"]) == (None, "a")


def test_no_items_won_or_lost(halves: Path):
    result = jevdb(halves, "compare", "A", "B", "--items")
    assert result.exit_code == 0
    assert "no item won or lost" in result.stderr


def test_null_has_its_reason_and_no_interval(pair: Path):
    row = numbers(pair, "A", "B")["overall", "calibration", "all"]
    assert (row["value"], row["low"], row["verdict"]) == (None, None, None)
    assert row["reason"] == "no_probabilities"
    assert (
        "no answer has a probability distribution"
        in jevdb(pair, "compare", "A", "B").stdout
    )


def test_formats_agree(pair: Path):
    rows = rows_of(pair, "compare", "A", "B")
    lines = jevdb(pair, "compare", "A", "B", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == rows
    text = jevdb(pair, "compare", "A", "B", "--format", "csv").stdout
    first = next(csv.DictReader(io.StringIO(text)))
    assert float(first["value"]) == rows[0]["value"]
    markdown = jevdb(pair, "compare", "A", "B", "--format", "markdown").stdout
    assert "| overall | accuracy | 0.7000 | 0.6182 | -0.0818 |" in markdown
    assert "| 124/30/12/54 | 0.0079 | 0.0079 |" in markdown
    table = jevdb(pair, "compare", "A", "B").stdout
    assert re.search(r"accuracy +0\.7000 +0\.6182 +-0\.0818 +-0\.\d{4} to -0\.", table)


def test_another_benchmark_is_refused_with_a_remedy(halves: Path):
    with open_writer(halves) as connection:
        add_benchmark(connection, choices(4), benchmark_id="elsewhere")
        add_run(connection, "elsewhere", answers("rrrr"), model="C")
        add_run(connection, "elsewhere", answers("rrrr"), model="A")
    result = jevdb(halves, "compare", "B", "C")
    assert result.exit_code == 2
    assert "C answered elsewhere, B halves" in result.stderr
    assert "--benchmark" in result.stderr
    # A answered both: the run on the base's benchmark is meant.
    rows = rows_of(halves, "compare", "B", "A")
    assert {row["benchmark_id"] for row in rows} == {"halves"}
    rows = rows_of(halves, "compare", "A", "C", "--benchmark", "elsewhere")
    assert {row["benchmark_id"] for row in rows} == {"elsewhere"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("A", "A"), "named twice"),
        (("A", "nobody"), "unknown run 'nobody'"),
        (("A", "B", "--method", "mine"), "unknown method 'mine'"),
    ],
)
def test_usage(halves: Path, arguments: tuple[str, ...], words: str):
    result = jevdb(halves, "compare", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def grow(connection: Connection) -> None:
    """Add an item to the benchmark, after the runs that are there."""
    seq = next_seq(connection, "items")
    insert(
        connection,
        "items",
        [
            {
                **{"benchmark_id": "halves", "item_id": "item 004", "type": "choice"},
                **{"modality": "text", "options": ["a", "b"], "seq": seq},
            }
        ],
    )
    gold = {"benchmark_id": "halves", "gold_revision": 1, "item_id": "item 004"}
    insert(connection, "golds", [{**gold, "label_index": 0, "seq": seq}])


def test_a_benchmark_that_grew_is_never_silently_compared(halves: Path):
    with open_writer(halves) as connection:
        grow(connection)
        add_run(connection, "halves", answers("rrrrr"), model="C")
    shared = jevdb(halves, "compare", "A", "C")
    assert "halves: 4 of 5 items (shared)" in shared.stdout
    assert "1 added to the benchmark after the run" in shared.stdout
    for rule in ("own", "strict"):
        result = jevdb(halves, "compare", "A", "C", "--cohort", rule)
        assert result.exit_code == 2
        assert "1 item came to halves after A" in result.stderr
        assert "--cohort shared" in result.stderr
    # Both came before: they answered the same items.
    assert jevdb(halves, "compare", "A", "B", "--cohort", "own").exit_code == 0


def test_a_withdrawn_run_can_be_named_by_its_id(halves: Path):
    with open_writer(halves) as connection:
        run_id = add_run(connection, "halves", answers("wwww"), run_id="ab" * 32)
        add_event(connection, run_id, "withdrawn")
    rows = rows_of(halves, "compare", "A", "abababab")
    assert {row["run_id"] for row in rows} == {run_id}
