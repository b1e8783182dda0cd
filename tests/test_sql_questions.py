"""Some answers of docs/sql.md on the demo are right; tests/docs runs every query."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commandline import jevdb, rows_of

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
    rows = {row["report_row"]: row for row in answer(demo_path, 1)}
    # SCORING.md section 8.
    assert rows["public_231"]["best"] == "de-1"
    assert rows["public_231"]["intelligence"] == pytest.approx(71.23820749227346)


def test_mcnemar_counts_what_the_accuracies_differ_by(demo_path: Path):
    (row,) = answer(demo_path, 21)
    # 191 and 173 of 231 (SCORING.md section 8).
    assert row["n_only_one"] - row["n_only_two"] == 191 - 173
    assert 0 < row["p"] < 0.05


def test_the_wilson_interval_of_a_published_accuracy(demo_path: Path):
    rows = {(row["model"], row["tier"]): row for row in answer(demo_path, 20)}
    hard = rows["de-1", "hard"]
    # Published: 72 of 111.
    assert (hard["n_right"], hard["n"]) == (72, 111)


def test_the_levels_add_up_to_the_ratings(demo_path: Path):
    rows = [row for row in answer(demo_path, 16) if row["model"] == "gavel-decide-4b"]
    # METRICS.md: 18 ratings; published: 3 of them right.
    assert sum(row["n"] for row in rows) == 18
    right = (row["n"] for row in rows if row["gold_level"] == row["answered_level"])
    assert sum(right) == 3


def test_bins_of_hard_choice_items_add_up(demo_path: Path):
    rows = [row for row in answer(demo_path, 11) if row["model"] == "de-1"]
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
