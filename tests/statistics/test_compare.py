"""`jevdb compare`: cohorts, paired tests and ties, against numbers found by hand."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from building import add_benchmark, add_run, insert, next_seq, open_to_fill
from commandline import add_event, jevdb, rows_of
from making import copied

from jevdb.base.connection import Connection
from jevdb.numerics.discordant import mcnemar_exact
from jevdb.numerics.multiplicity import benjamini_hochberg

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
    copied(template, path)
    with open_to_fill(path) as connection:
        add_benchmark(connection, choices(220), benchmark_id="pair")
        a, b = "r" * 124 + "r" * 30 + "w" * 66, "r" * 124 + "w" * 30 + "r" * 12
        add_run(connection, "pair", answers(a), model="A")
        add_run(connection, "pair", answers(b + "w" * 54), model="B")
    return path


@pytest.fixture
def pair(stored_pair: Path, tmp_path: Path) -> Path:
    """The same, the test's own."""
    return copied(stored_pair, tmp_path / "warehouse.duckdb")


def test_accuracy_of_220_items(pair: Path):
    row = numbers(pair, "A", "B")["overall", "accuracy", "all"]
    assert row["base_value"] == 154 / 220 == 0.7
    assert row["value"] == 136 / 220  # 0.618
    assert row["difference"] == pytest.approx(-18 / 220, abs=1e-15)
    names = ("n_both", "n_only_base", "n_only_other", "n_neither")
    assert [row[name] for name in names] == [124, 30, 12, 54]
    assert row["p_value"] == 0.007915897334896727
    assert (row["claim"], row["level"], row["verdict"]) == ("headline", 0.05, "worse")
    # One other run: nothing to share out. INFERENCE.md section 1.2 has the interval.
    assert row["p_adjusted"] == row["p_value"]
    ends = (-0.1386643901796, -0.0234977719825)
    assert (row["low"], row["high"]) == pytest.approx(ends, abs=1e-12)
    assert (row["test"], row["df"], row["n_pair"]) == ("mcnemar_exact", None, 220)
    assert row["mde"] == pytest.approx(0.0837099728530, abs=1e-12)
    # 220 x (0.0837099728530 / 0.0818181818)^2 = 230.29.
    assert row["items_needed"] == 231
    assert (row["cluster"], row["n_clusters"], row["identical"]) == (
        "none",
        None,
        False,
    )


def test_other_way_round_everything_changes_sign(pair: Path):
    there = numbers(pair, "A", "B")
    back = numbers(pair, "B", "A")
    opposite = {"better": "worse", "worse": "better", None: None}
    opposite["not_resolved"] = "not_resolved"
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
    copied(template, path)
    with open_to_fill(path) as connection:
        add_benchmark(connection, choices(4), benchmark_id="halves")
        add_run(connection, "halves", answers("rrww"), model="A")
        add_run(connection, "halves", answers("rr"), model="B")
    return path


@pytest.fixture
def halves(stored_halves: Path, tmp_path: Path) -> Path:
    """The same, the test's own."""
    return copied(stored_halves, tmp_path / "warehouse.duckdb")


def test_shared_cohort_has_the_items_both_answered(halves: Path):
    row = numbers(halves, "A", "B")["overall", "accuracy", "all"]
    assert (row["base_value"], row["value"], row["n"]) == (1.0, 1.0, 2)
    # Two items, the same answers to both.
    assert (row["verdict"], row["p_value"]) == ("identical", None)
    assert (row["low"], row["interval_reason"]) == (None, "identical_rows")
    assert (row["difference"], row["identical"]) == (0.0, True)
    told = jevdb(halves, "compare", "A", "B").stdout
    assert told.startswith("Identical: the same answers to all 2 items.\n")


def test_dropped_items_are_named(halves: Path):
    result = jevdb(halves, "compare", "A", "B")
    assert "halves / overall: 2 of 4 items (shared)" in result.stdout
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
    with open_to_fill(halves) as connection:
        add_run(connection, "halves", answers("wwww"), model="C")
    strict = numbers(halves, "A", "C", "--cohort", "strict")
    assert strict["overall", "accuracy", "all"]["n"] == 4


def test_why_items_are_dropped(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, choices(6), benchmark_id="faults")
        add_run(connection, "faults", answers("rrrrrr"), model="A")
        rows = answers("rrrrr")
        for row, status in zip(rows, ("invalid", "unsupported", "error"), strict=False):
            row["status"] = status
        rows[3] |= {"answer": None, "probabilities": [0.75, 0.25]}
        add_run(connection, "faults", rows, model="B")
    shared = jevdb(warehouse_path, "compare", "A", "B")
    words = "1 without a row, 1 unsupported, 1 failed"
    assert f": {words}\n" in shared.stdout
    # An invalid row is the model's fault: it stays, and counts wrong.
    assert "faults / overall: 3 of 6 items (shared)" in shared.stdout
    assert "counted wrong: B" in shared.stdout and "1 invalid row" in shared.stdout
    row = numbers(warehouse_path, "A", "B")["overall", "accuracy", "all"]
    assert (row["base_value"], row["value"]) == (1.0, 2 / 3)
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
    with open_to_fill(warehouse_path) as connection:
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
    assert "mixed / overall: 2 of 2 items (shared-probability, text)" in result.stdout
    nothing = jevdb(warehouse_path, "compare", "A", "B", "--modality", "audio")
    assert nothing.exit_code == 2


@pytest.fixture(scope="module")
def stored_families(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "warehouse.duckdb"
    copied(template, path)
    items = [
        {**item, "family": "odd" if i % 2 else "even"}
        for i, item in enumerate(choices(40))
    ]
    with open_to_fill(path) as connection:
        add_benchmark(connection, items, benchmark_id="families")
        add_run(connection, "families", answers("rw" * 20), model="A")
        add_run(connection, "families", answers("rrww" * 10), model="B")
        add_run(connection, "families", answers("rwrw" * 9 + "rrrr"), model="C")
    return path


@pytest.fixture
def families(stored_families: Path, tmp_path: Path) -> Path:
    """The same, the test's own."""
    return copied(stored_families, tmp_path / "warehouse.duckdb")


def test_the_headline_is_shared_out_over_the_other_runs(families: Path):
    rows = rows_of(families, "compare", "A", "B", "C", "--by", "family")
    former = rows_of(families, "compare", "A", "B", "C", "--break-down", "family")
    assert rows == former
    headline = [row for row in rows if row["claim"] == "headline"]
    assert [row["metric"] for row in headline] == ["accuracy", "intelligence"] * 2
    for row in headline:
        assert row["level"] == 0.025
        assert row["p_adjusted"] == min(1.0, 2 * row["p_value"])
        assert row["p_bh"] is None
        assert row["report_row"] == "overall"


def test_exploratory_lines_allow_for_each_other(families: Path):
    rows = rows_of(families, "compare", "A", "B", "C", "--break-down", "family")
    tests = [row for row in rows if row["claim"] == "exploratory"]
    known = [row["p_value"] for row in tests if row["p_value"] is not None]
    expected = benjamini_hochberg(known)
    assert [row["p_bh"] for row in tests if row["p_value"] is not None] == expected
    odd = next(
        row
        for row in tests
        if (row["report_row"], row["metric"]) == ("overall/odd", "accuracy")
    )
    # Of the 20 odd items B alone got the first of every pair right: 10 to 0.
    assert (odd["n_only_base"], odd["n_only_other"]) == (0, 10)
    assert odd["p_value"] == mcnemar_exact(0, 10) == 2 / 2**10
    for row in tests:
        is_claimed = row["verdict"] in ("better", "worse")
        assert is_claimed == (row["p_bh"] is not None and row["p_bh"] <= 0.05)


def test_methods_repeat_a_test_of_accuracy(families: Path):
    both = rows_of(
        families,
        *("compare", "A", "B", "--method", "metrics-md", "--method", "jevbench-v1.5"),
    )
    repeated = [row for row in both if row["metric"] == "accuracy"]
    assert [row["claim"] for row in repeated] == ["headline", "exploratory"]
    assert len({(row["low"], row["high"], row["p_value"]) for row in repeated}) == 1


def headline_of(path: Path, *arguments: str) -> list[str]:
    rows = rows_of(path, "compare", *arguments)
    return [json.dumps(row) for row in rows if row["claim"] == "headline"]


def test_nothing_asked_besides_changes_the_headline(families: Path):
    plain = headline_of(families, "A", "B", "C")
    for more in (
        ("--all",),
        ("--break-down", "family"),
        ("--method", "metrics-md", "--method", "jevbench-v1.5"),
    ):
        assert headline_of(families, "A", "B", "C", *more) == plain


def test_the_second_number_counts_only_if_the_first_does(warehouse_path: Path):
    """Accuracy 4 to 2 of 40 is not resolved; I by noul, where 20 differ, would be."""
    items = choices(20)
    for item in items:
        item |= {"type": "noul", "options": ["no", "yes"], "gold": "yes"}
    sure = [{"item_id": item["item_id"], "probabilities": [0.1, 0.9]} for item in items]
    unsure = [{**row, "probabilities": [0.4, 0.6]} for row in sure]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="noul")
        add_run(connection, "noul", unsure, model="A")
        add_run(connection, "noul", sure, model="B")
    accuracy, index = rows_of(warehouse_path, "compare", "A", "B")[:2]
    assert (accuracy["verdict"], accuracy["p_value"]) == ("not_resolved", 1.0)
    # Nothing is clear to A, all to B: 0 against 100.
    assert (index["difference"], index["verdict"]) == (100.0, "not_resolved")
    assert index["verdict_reason"] == "gated"
    assert index["low"] > 0
    told = jevdb(warehouse_path, "compare", "A", "B").stdout
    assert "not counted: accuracy is not resolved." in told
    first, second = rows_of(warehouse_path, "compare", "A", "B", "--metric", "I")[:2]
    # The word of before means the same.
    former = rows_of(warehouse_path, "compare", "A", "B", "--by", "I")[:2]
    assert former == [first, second]
    assert (first["metric"], first["verdict"]) == ("intelligence", "better")
    assert (second["metric"], second["verdict"]) == ("accuracy", "not_resolved")
    assert second["verdict_reason"] is None


def test_three_items_crown_nobody(warehouse_path: Path):
    """INFERENCE.md section 4.4: one item per type, A all wrong, B all right."""
    items = choices(3)
    items[1] |= {"type": "noul", "options": ["no", "yes"], "gold": "yes"}
    items[2] |= {"type": "score", "gold": 0}
    right = [
        {"item_id": "item 000", "answer": "a"},
        {"item_id": "item 001", "answer": "yes"},
        {"item_id": "item 002", "answer": 0},
    ]
    wrong = [
        {"item_id": "item 000", "answer": "b"},
        {"item_id": "item 001", "answer": "no"},
        {"item_id": "item 002", "answer": 1},
    ]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="three")
        add_run(connection, "three", wrong, model="A")
        add_run(connection, "three", right, model="B")
    accuracy, index = rows_of(warehouse_path, "compare", "A", "B")[:2]
    assert (accuracy["p_value"], accuracy["verdict"]) == (0.25, "not_resolved")
    assert accuracy["low"] <= 0 < accuracy["difference"] == accuracy["high"] == 1.0
    assert (index["low"], index["interval_reason"]) == (None, "too_few_items")
    assert index["verdict"] == "not_resolved"
    assert index["verdict_reason"] == "too_few_items"
    board = rows_of(
        warehouse_path, "leaderboard", "--benchmark", "three", "--by", "accuracy"
    )
    assert [row["title"] for row in board] == ["joint leader"] * 2
    assert [(row["rank_low"], row["rank_high"]) for row in board] == [(1, 2)] * 2


def test_equivalent_within_points(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, choices(400), benchmark_id="many")
        add_run(connection, "many", answers("r" * 398 + "ww"), model="A")
        add_run(connection, "many", answers("wr" + "r" * 396 + "rw"), model="B")
    # One each way of 400: 1.959964 x sqrt(4) / 402 = 0.00975.
    arguments = ("compare", "A", "B", "--equivalent-within")
    row = rows_of(warehouse_path, *arguments, "1")[0]
    assert row["high"] == pytest.approx(1.959964 * 2 / 402, abs=1e-7)
    assert (row["verdict"], row["equivalent_within"]) == ("equivalent", 0.01)
    assert rows_of(warehouse_path, *arguments, "0.9")[0]["verdict"] == "not_resolved"
    told = jevdb(warehouse_path, *arguments, "1").stdout
    words = "Equivalent within 1 point: accuracy +0.0 (-1.0 to +1.0)."
    assert told.startswith(words)
    for margin in ("0", "-1", "inf", "nan"):
        result = jevdb(warehouse_path, *arguments, margin)
        assert result.exit_code == 2
        assert "above 0" in result.stderr


def test_sentences(pair: Path):
    told = jevdb(pair, "compare", "A", "B").stdout.splitlines()
    assert told[0].startswith(
        "B is worse: accuracy -8.2 points (-13.9 to -2.3), exact p 0.008. I: worse, "
    )
    back = jevdb(pair, "compare", "B", "A").stdout.splitlines()
    assert back[0].startswith("A is better: accuracy +8.2 points (2.3 to 13.9), ")
    # The headline fits a narrow terminal.
    assert max(map(len, told[1:])) <= 100


def test_sentence_of_what_is_not_resolved(families: Path):
    # C has two more of 40 right: p = 2 / 2^2; 2 / 42 -+ 1.96 sqrt((4/42 - (2/42)^2) /
    # 42); it can see 2.8015852 x sqrt(4) / 42 = 0.1334, and 40 (0.1334 / 0.05)^2 = 285.
    told = jevdb(families, "compare", "A", "C").stdout
    assert told.startswith(
        "Not resolved: accuracy +5.0 points (-4.5 to +14.0), exact p "
    )
    assert "0.5. 40 items can see 13.3; about 280 would see 5.0. I: " in told


def test_sentence_of_several(families: Path):
    told = jevdb(families, "compare", "A", "B", "C").stdout
    assert told.startswith(
        "Against A, at 97.5 % each so that all 2 hold together: better: none; worse: "
        "none; not resolved: B, C.\n"
    )


def test_clusters_allow_for_what_belongs_together(warehouse_path: Path):
    """Twenty families of four that answer as one: four times the variance."""
    items = [{**item, "family": f"f{i // 4:02d}"} for i, item in enumerate(choices(80))]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="passages")
        add_run(connection, "passages", answers("w" * 80), model="A")
        add_run(connection, "passages", answers("rrrrwwww" * 10), model="B")
    alone = rows_of(warehouse_path, "compare", "A", "B")[0]
    grouped = rows_of(warehouse_path, "compare", "A", "B", "--cluster", "family")[0]
    assert (alone["test"], grouped["test"]) == ("mcnemar_exact", "t")
    assert (grouped["cluster"], grouped["n_clusters"]) == ("family", 20)
    # Ten families of 20 at 1, ten at 0. U = 4/80 x 1/2 / (1 - 4/80), V = 19/20 x 20 U^2
    # + 2/80^2; df = 19.
    totals = 4 / 80 * 0.5 / (1 - 4 / 80)
    expected = 19 / 20 * 20 * totals**2 + 2 / 80**2
    assert grouped["se"] == pytest.approx(expected**0.5, rel=1e-12)
    assert grouped["df"] == 19
    told = jevdb(warehouse_path, "compare", "A", "B", "--cluster", "family").stdout
    assert "20 clusters by family" in told
    few = rows_of(warehouse_path, "compare", "A", "B", "--cluster", "domain")[0]
    # No item has a domain: each is a cluster of its own.
    assert few["n_clusters"] == 80


def test_few_clusters_are_null(warehouse_path: Path):
    items = [
        {**item, "family": "one" if i < 30 else "two"}
        for i, item in enumerate(choices(40))
    ]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="two")
        add_run(connection, "two", answers("w" * 40), model="A")
        add_run(connection, "two", answers("r" * 40), model="B")
    accuracy = rows_of(warehouse_path, "compare", "A", "B", "--cluster", "family")[0]
    assert (accuracy["low"], accuracy["p_value"]) == (None, None)
    assert accuracy["verdict"] == "not_resolved"
    assert accuracy["verdict_reason"] == "few_clusters"
    told = jevdb(warehouse_path, "compare", "A", "B", "--cluster", "family").stdout
    assert "two clusters hold 100% of the weight" in told


def test_method_v15_intervals_are_marked(pair: Path):
    rows = rows_of(pair, "compare", "A", "B", "--interval", "bootstrap")
    accuracy = rows[0]
    assert (accuracy["test"], accuracy["p_value"]) == ("bootstrap", None)
    assert accuracy["verdict"] == "worse"
    assert accuracy["low"] <= accuracy["difference"] <= accuracy["high"] < 0
    told = jevdb(pair, "compare", "A", "B", "--interval", "bootstrap").stdout
    assert "held the truth in 87 to 92 % of simulated worlds" in told


def test_verdict_interval_and_p_say_the_same_on_every_line(families: Path):
    for arguments in (("A", "B"), ("A", "C"), ("B", "C"), ("A", "B", "C")):
        for row in rows_of(
            families, "compare", *arguments, "--break-down", "family", "--by", "I"
        ):
            if row["p_value"] is None:
                assert row["low"] is None
                continue
            assert row["low"] <= row["difference"] <= row["high"]
            assert row["low"] < row["high"]
            is_small = row["p_value"] <= row["level"]
            assert is_small == (not row["low"] < 0 < row["high"]), row
            if row["claim"] == "headline" and row["verdict_reason"] != "gated":
                assert is_small == (row["verdict"] in ("better", "worse"))


@pytest.mark.parametrize("dimension", ["type", "tier", "family", "domain"])
def test_breakdowns(warehouse_path: Path, dimension: str):
    items = choices(4)
    for item in items[:2]:
        item |= {"tier": "hard", "family": "hard", "domain": "hard"}
    items[2]["type"] = "noul"
    items[2] |= {"options": ["no", "yes"], "gold": "yes"}
    rows = answers("rr r")
    rows.append({"item_id": "item 002", "answer": "yes"})
    with open_to_fill(warehouse_path) as connection:
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
    with open_to_fill(warehouse_path) as connection:
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
        in jevdb(pair, "compare", "A", "B", "--all").stdout
    )


def test_formats_agree(pair: Path):
    rows = rows_of(pair, "compare", "A", "B")
    lines = jevdb(pair, "compare", "A", "B", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == rows
    text = jevdb(pair, "compare", "A", "B", "--format", "csv").stdout
    first = next(csv.DictReader(io.StringIO(text)))
    assert float(first["value"]) == rows[0]["value"]
    markdown = jevdb(pair, "compare", "A", "B", "--format", "markdown").stdout
    assert "| accuracy | 0.7000 | 0.6182 | -0.0818 | -0.1387 to -0.0235 |" in markdown
    assert "| 0.008 | worse |" in markdown
    table = jevdb(pair, "compare", "A", "B").stdout
    assert re.search(r"accuracy +0\.7000 +0\.6182 +-0\.0818 +-0\.\d{4} to -0\.", table)


def test_another_benchmark_is_refused_with_a_remedy(halves: Path):
    with open_to_fill(halves) as connection:
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
        (("A", "B", "--row", "hard"), "unknown report row 'hard'"),
        (("A", "B", "--by", "speed"), "the headline is by accuracy or I"),
        (("A", "B", "--metric", "family"), "the headline is by accuracy or I"),
        (("A", "B", "--by", "tier", "--break-down", "type"), "two breakdowns"),
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
    with open_to_fill(halves) as connection:
        grow(connection)
        add_run(connection, "halves", answers("rrrrr"), model="C")
    shared = jevdb(halves, "compare", "A", "C")
    assert "halves / overall: 4 of 5 items (shared)" in shared.stdout
    assert "1 added to the benchmark after the run" in shared.stdout
    for rule in ("own", "strict"):
        result = jevdb(halves, "compare", "A", "C", "--cohort", rule)
        assert result.exit_code == 2
        assert "1 item came to halves after A" in result.stderr
        assert "--cohort shared" in result.stderr
    # Both came before: they answered the same items.
    assert jevdb(halves, "compare", "A", "B", "--cohort", "own").exit_code == 0


def test_a_withdrawn_run_can_be_named_by_its_id(halves: Path):
    with open_to_fill(halves) as connection:
        run_id = add_run(connection, "halves", answers("wwww"), run_id="ab" * 32)
        add_event(connection, run_id, "withdrawn")
    rows = rows_of(halves, "compare", "A", "abababab")
    assert {row["run_id"] for row in rows} == {run_id}


def test_two_items_cannot_see_anything(warehouse_path: Path):
    """All wrong against all right: p = 0.5, and 140 points would be needed."""
    with open_to_fill(warehouse_path) as connection:
        items = [
            {"item_id": f"{i}", "type": "choice", "options": ["a", "b"], "gold": "a"}
            for i in range(2)
        ]
        add_benchmark(connection, items, benchmark_id="two")
        for model, label in (("right", "a"), ("wrong", "b")):
            rows = [{"item_id": f"{i}", "answer": label} for i in range(2)]
            add_run(connection, "two", rows, model=model)
    told = jevdb(warehouse_path, "compare", "right", "wrong").stdout
    assert "exact p 0.5. 2 items cannot see any difference. I: not resolved" in told


def test_these_items_asked_again(warehouse_path: Path):
    """Both runs asked forty items five times; each item is right in 3 and in 4.

    An item's answers vary by 0.3 and by 0.2 (k (5 - k) / 20), their mean by a fifth of
    that, and the mean of forty items by 0.0015 and 0.001: 0.2 +- t(200) 0.05.
    """
    names = [f"{i:02d}" for i in range(40)]
    items = [
        {"item_id": name, "type": "noul", "options": ["no", "yes"], "gold": "yes"}
        for name in names
    ]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="b")
        for model, right in (("three", 3), ("four", 4)):
            rows = [
                {"item_id": name, "repeat": k, "answer": "yes" if k < right else "no"}
                for name in names
                for k in range(5)
            ]
            add_run(connection, "b", rows, model=model, repeats=5)
        once = [{"item_id": name, "answer": "yes"} for name in names]
        add_run(connection, "b", once, model="once")
    told = jevdb(warehouse_path, "compare", "three", "four").stdout
    # t(200) = 1.9719. The differences of items do not vary: all is by repeats.
    assert (
        "\nthese items asked again: accuracy 10.1 to 29.9 points; more answers to them "
        "can narrow the interval by at most 100 %\n"
    ) in told
    [line, *_] = rows_of(warehouse_path, "compare", "three", "four")
    # The exact test needs one answer to an item: it has no table, and p is by t.
    assert (line["test"], line["n_both"], line["n_only_base"]) == ("t", None, None)
    # A run that asked once does not say how its answers vary.
    assert "asked again" not in jevdb(warehouse_path, "compare", "three", "once").stdout
    # Who asked how often stands over a board and a gate too.
    board = jevdb(warehouse_path, "leaderboard", "--benchmark", "b", "--by", "accuracy")
    said = (
        "\nasked once x1, four x5, three x5: an item counts by the mean of its answers"
    )
    assert said in board.stdout
    gate = (
        "gate",
        "--candidate",
        "three",
        "--baseline",
        "once",
        "--metric",
        "accuracy",
    )
    assert ", asked x5 against x1)\n" in jevdb(warehouse_path, *gate).stdout


def test_these_items_asked_again_for_an_index(warehouse_path: Path):
    """Forty ratings on three levels, asked five times; chance errs by half a scale.

    Errors 0, 0, 1/2, 1, 1 vary by 1/4: I, of which an error of an item takes 200 / 40,
    by 40 x 25 x 1/4 / 5 = 50, and -100 +- t(200) 7.071. The other is always right.
    """
    names = [f"{i:02d}" for i in range(40)]
    items = [
        {"item_id": name, "type": "score", "options": ["a", "b", "c"], "gold": 2}
        for name in names
    ]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="b")
        for model, given in (("sure", [2] * 5), ("torn", [2, 2, 1, 0, 0])):
            rows = [
                {"item_id": name, "repeat": k, "answer": float(rating)}
                for name in names
                for k, rating in enumerate(given)
            ]
            add_run(connection, "b", rows, model=model, repeats=5)
    told = jevdb(warehouse_path, "compare", "sure", "torn").stdout
    again = [line for line in told.splitlines() if line.startswith("these items")]
    # Right or not varies by 0.3, so that accuracy has 0.6 +- t(200) 0.0387.
    assert again == [
        f"these items asked again: {number}; more answers to them can narrow the "
        "interval by at most 100 %"
        for number in ("accuracy -67.6 to -52.4 points", "I -113.9 to -86.1")
    ]


def test_each_repeat_is_compared_alone(warehouse_path: Path):
    """As two runs that asked once: the exact test, beside a headline that stays."""
    places = range(12)
    # What each run has right, by repeat. Of the first: 2 items by both, 10 by the other
    # alone, p = 2 / 2^10. Of the second: 6 and 6 alone, p = 1.
    right = {
        "base": [set(range(2)), set(range(6))],
        "other": [set(places), set(range(6, 12))],
    }
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, choices(12), benchmark_id="b")
        for model, sets in right.items():
            rows = [
                {"repeat": repeat, **row}
                for repeat, found in enumerate(sets)
                for row in answers("".join("wr"[i in found] for i in places))
            ]
            add_run(connection, "b", rows, model=model, repeats=2)
        add_run(connection, "b", answers("r" * 12), model="once")
    names = ("base", "other")
    by_repeat = numbers(warehouse_path, *names, "--by", "repeat")
    whole = numbers(warehouse_path, *names)
    headline = ("overall", "accuracy", "all")
    assert by_repeat[headline] == whole[headline]
    columns = ("claim", "test", "n_both", "n_only_base", "n_only_other", "p_value")
    found = {
        row: [line[column] for column in columns]
        for (row, metric, _), line in by_repeat.items()
        if metric == "accuracy" and "/" in row
    }
    assert found == {
        "overall/repeat 0": ["exploratory", "mcnemar_exact", 2, 0, 10, 2 / 2**10],
        "overall/repeat 1": ["exploratory", "mcnemar_exact", 0, 6, 6, 1.0],
    }
    refused = jevdb(warehouse_path, "compare", "base", "once", "--by", "repeat")
    assert refused.exit_code == 2
    assert "all equally often (base x2, once x1)" in refused.stderr


def test_items_of_repeated_runs_are_listed_once(warehouse_path: Path):
    """An item is won where its answers are right more often."""
    items = [
        {"item_id": f"{i}", "type": "noul", "options": ["no", "yes"], "gold": "yes"}
        for i in range(3)
    ]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="b")
        once = [{"item_id": f"{i}", "answer": "yes" if i else "no"} for i in range(3)]
        add_run(connection, "b", once, model="once")
        # Item 0: 2 of 4 against 0 of 1; item 1: 2 of 4 against 1; item 2: 4 of 4.
        often = [
            {
                "item_id": f"{i}",
                "repeat": k,
                "answer": "yes" if k % 2 or i == 2 else "no",
            }
            for i in range(3)
            for k in range(4)
        ]
        add_run(connection, "b", often, model="often", repeats=4)
    rows = rows_of(warehouse_path, "compare", "once", "often", "--items")
    assert [(row["item_id"], row["outcome"]) for row in rows] == [
        ("1", "lost"),
        ("0", "won"),
    ]
