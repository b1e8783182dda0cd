"""Some answers of docs/sql.md on the demo are right; tests/docs runs every query."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commandline import fill, jevdb, rows_of

TEXT = (Path(__file__).parents[1] / "docs" / "sql.md").read_text(encoding="utf-8")
QUESTIONS = dict(
    re.findall(r"^### (\d+\. .*?)$.*?^```sql\n(.*?)^```$", TEXT, re.DOTALL | re.M)
)


def answer(path: Path, number: int) -> list[dict[str, object]]:
    query = next(
        sql for name, sql in QUESTIONS.items() if name.startswith(f"{number}.")
    )
    return rows_of(path, "sql", query)


def test_there_are_twenty_or_more_in_order():
    assert [int(name.split(".")[0]) for name in QUESTIONS] == list(
        range(1, len(QUESTIONS) + 1)
    )
    assert len(QUESTIONS) >= 20
    assert TEXT.count("```sql") == len(QUESTIONS)


def test_the_best_runs_are_the_published_ones(demo_path: Path):
    rows = {row["report_row"]: row for row in answer(demo_path, 11)}
    # SCORING.md section 8.
    assert rows["public_231"]["best"] == "de-1"
    assert rows["public_231"]["intelligence"] == pytest.approx(71.23820749227346)


def test_mcnemar_counts_what_the_accuracies_differ_by(demo_path: Path):
    (row,) = answer(demo_path, 31)
    # 191 and 173 of 231 (SCORING.md section 8).
    assert row["n_only_one"] - row["n_only_two"] == 191 - 173
    assert 0 < row["p"] < 0.05


def test_the_wilson_interval_of_a_published_accuracy(demo_path: Path):
    rows = {(row["model"], row["tier"]): row for row in answer(demo_path, 30)}
    hard = rows["de-1", "hard"]
    # Published: 72 of 111.
    assert (hard["n_right"], hard["n"]) == (72, 111)


def test_the_levels_add_up_to_the_ratings(demo_path: Path):
    rows = [row for row in answer(demo_path, 26) if row["model"] == "gavel-decide-4b"]
    # METRICS.md: 18 ratings; published: 3 of them right.
    assert sum(row["n"] for row in rows) == 18
    right = (row["n"] for row in rows if row["gold_level"] == row["answered_level"])
    assert sum(right) == 3


def test_bins_of_hard_choice_items_add_up(demo_path: Path):
    rows = [row for row in answer(demo_path, 21) if row["model"] == "de-1"]
    # METRICS.md: 67.
    assert sum(row["n"] for row in rows) == 67


def test_the_relations_that_the_page_names_are_there(demo_path: Path):
    table = TEXT.partition("| relation |")[2].partition("\n\n")[0]
    names = re.findall(
        r"`([a-z_]+)`", "\n".join(re.findall(r"^\| (.*?) \|", table, re.M))
    )
    assert len(names) >= 10
    for name in names:
        assert jevdb(demo_path, "sql", f"from {name} limit 1").exit_code == 0


def test_the_usual_ten_need_no_join():
    usual = [sql for name, sql in QUESTIONS.items() if int(name.split(".")[0]) <= 10]
    assert len(usual) == 10
    for sql in usual:
        assert re.findall(r"\b(?:from|join) (\w+)", sql) in (
            ["answers"],
            ["current_report"],
        )


def test_answers_say_what_was_published(demo_path: Path):
    """SCORING.md section 8: 191 and 173 of 231 are right; 72 of 111 hard ones."""
    query = (
        "select model, count_if(is_right) as n_right, count(*) as n from answers "
        "where benchmark_id = 'jevbench-public-231' {} group by model order by model"
    )
    assert rows_of(demo_path, "sql", query.format("")) == [
        {"model": "de-1", "n_right": 191, "n": 231},
        {"model": "gavel-decide-4b", "n_right": 173, "n": 231},
    ]
    hard = rows_of(demo_path, "sql", query.format("and tier = 'hard'"))
    assert hard[0] == {"model": "de-1", "n_right": 72, "n": 111}


def test_answers_are_texts_of_runs_that_count(warehouse_path: Path):
    """Of the small benchmark c2 is answered a, not b; the third run is private."""
    path = warehouse_path
    fill(path)
    query = "select item_id, gold, answer, is_right from answers where model = '{}'"
    rows = {row["item_id"]: row for row in rows_of(path, "sql", query.format("first"))}
    assert (rows["c2"]["gold"], rows["c2"]["answer"]) == ("b", "a")
    assert (rows["s1"]["gold"], rows["s1"]["answer"]) == ("high", "high")
    assert [rows[name]["is_right"] for name in ("c1", "c2", "n1", "s1")] == [
        *(True, False, True, True)
    ]
    (missing,) = [
        row
        for row in rows_of(path, "sql", query.format("se|cond"))
        if row["item_id"] == "n1"
    ]
    assert (missing["answer"], missing["is_right"]) == (None, False)
    assert rows_of(path, "sql", query.format("third")) == []
    models = rows_of(path, "sql", "select distinct model from current_report")
    assert {row["model"] for row in models} == {"first", "se|cond"}
