"""Habits of the command line: options on either side, names offered, early refusals."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path

import pytest
from commandline import FIRST, fill, jevdb
from typer.testing import CliRunner

from jevdb.cli import app
from jevdb.commands.completing import FORMS, known_names
from jevdb.warehouse.database import open_writer


@pytest.fixture
def path(warehouse_path: Path) -> Path:
    fill(warehouse_path)
    return warehouse_path


def run(*arguments: str):
    return CliRunner(env={"JEVDB_DB": None, "COLUMNS": "80"}).invoke(app, arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--db", "{db}", "--format", "json", "runs"),
        ("runs", "--format", "json", "--db", "{db}"),
        ("runs", "--db={db}", "--json"),
        ("--json", "--db", "{db}", "runs"),
        ("runs", "--json", "--lock-timeout", "1", "--db", "{db}"),
    ],
    ids=" ".join,
)
def test_root_options_stand_before_and_after(path: Path, arguments: tuple[str, ...]):
    given = [each.format(db=path) for each in arguments]
    if given[2:4] == ["--format", "json"]:
        given = [*given[:2], "runs", *given[2:4]]
    done = run(*given)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)[0]["run_id"] == FIRST


def test_what_follows_two_hyphens_is_no_option(path: Path):
    done = jevdb(path, "sql", "--", "select '--json' as word")
    assert done.exit_code == 0
    assert "--json" in done.stdout


@pytest.mark.parametrize("words", [("-h",), ("runs", "-h"), ("ingest", "run", "-h")])
def test_h_is_help(words: tuple[str, ...]):
    done = run(*words)
    assert done.exit_code == 0
    assert "Usage" in done.stdout


def test_no_word_at_all_is_help():
    done = run()
    assert isinstance(done.exception, SystemExit)
    assert "Usage" in done.output


def test_json_keeps_its_meaning_where_the_command_has_it(path: Path, tmp_path: Path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"item_id": "c1", "answer": "b"}\n')
    words = ("ingest", "run", str(rows), "--benchmark", "small", "--model", "new")
    done = run("--json", "--db", str(path), *words)
    assert json.loads(done.stdout)["ok"] == 1


def test_problems_one_by_one_as_json(path: Path, tmp_path: Path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"item_id": "c1", "prediction": "b"}\n' * 30)
    words = ("ingest", "run", str(rows), "--benchmark", "small", "--model", "new")
    done = jevdb(path, *words, "--json")
    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert told["total"] == 30
    assert [each["line"] for each in told["problems"]] == list(range(1, 31))
    assert "--field answer=prediction" in told["problems"][0]["message"]
    first, total, page = done.stderr.splitlines()
    assert "30 times" in first
    assert total.startswith("30 faults of 1 kind")
    assert page == "what a file may hold: docs/canonical.md"


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("runs", ["first", "se|cond@r1#greedy", "third"]),
        ("models", ["first", "se|cond", "third"]),
        ("benchmarks", ["cmdb-1500", "decision-bench", "jevbench-public-231", "small"]),
        ("scorings", ["cmdb-1500", "decision-bench", "generic", "jevbench"]),
    ],
)
def test_names_of_the_warehouse_are_offered(path: Path, named: str, expected: list):
    assert known_names(str(path), named) == expected
    assert "metrics-md" in known_names(str(path), "methods")


def test_no_name_is_offered_from_a_warehouse_that_is_missing_or_none(tmp_path: Path):
    bad = tmp_path / "bad.duckdb"
    bad.write_text("no database")
    for named in FORMS:
        assert known_names(str(tmp_path / "none.duckdb"), named) == []
        assert known_names(str(bad), named) == []


def test_a_held_warehouse_offers_nothing_and_says_nothing(path: Path):
    with open_writer(path):
        began = time.monotonic()
        assert known_names(str(path), "runs") == []
        assert time.monotonic() - began < 0.2


def test_the_shell_is_offered_runs(path: Path):
    words = {
        "_JEVDB_COMPLETE": "complete_bash",
        "COMP_WORDS": f"jevdb report --db {path} --run ",
        "COMP_CWORD": "5",
    }
    done = CliRunner(env={"JEVDB_DB": None, **words}).invoke(app, prog_name="jevdb")
    assert set(done.stdout.split()) == {"first", "se|cond@r1#greedy", "third"}


def test_the_only_benchmark_may_be_left_out(path: Path):
    named = jevdb(path, "leaderboard", "--benchmark", "small", "--cohort", "own")
    assert named.exit_code == 0
    assert jevdb(path, "leaderboard", "--cohort", "own").stdout == named.stdout


def test_without_a_benchmark_each_gets_a_board(demo_path: Path):
    both = ("cmdb-1500-synthetic", "jevbench-public-231")
    alone = [
        jevdb(demo_path, "leaderboard", "--benchmark", name).stdout for name in both
    ]
    expected = [f"{name}\n\n{board}" for name, board in zip(both, alone, strict=True)]
    assert jevdb(demo_path, "leaderboard").stdout == "\n".join(expected)
    listed = json.loads(jevdb(demo_path, "leaderboard", "--json").stdout)
    # The demo has three runs of the one and two of the other.
    assert [row["benchmark_id"] for row in listed] == [both[0]] * 3 + [both[1]] * 2
    # One run is named as an option: only its benchmark has a board.
    [de_1] = json.loads(
        jevdb(demo_path, "leaderboard", "--run", "de-1", "--json").stdout
    )
    assert (de_1["benchmark_id"], de_1["rank"]) == (both[1], 1)


def test_a_benchmark_that_cannot_be_ranked_is_left_out_and_said(demo_path: Path):
    done = jevdb(demo_path, "leaderboard", "--row", "hard_111", "--json")
    assert done.exit_code == 0
    assert {row["benchmark_id"] for row in json.loads(done.stdout)} == {
        "jevbench-public-231"
    }
    assert "cmdb-1500-synthetic is left out: unknown report row" in done.stderr
    # What fits nowhere is the error itself, once.
    wrong = jevdb(demo_path, "leaderboard", "--by", "acuracy")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert wrong.stderr.count("acuracy") == 1
    apart = jevdb(demo_path, "leaderboard", "--run", "de-1", "--run", "synthetic-bold")
    assert apart.exit_code == 2
    assert "de-1 on jevbench-public-231" in apart.stderr


def test_a_dry_run_prints_no_id_and_a_date_is_midnight(path: Path, tmp_path: Path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"item_id": "c1", "answer": "b"}\n')
    words = ("ingest", "run", str(rows), "--benchmark", "small", "--model", "new")
    dry = jevdb(path, *words, "--dry-run")
    assert (dry.exit_code, dry.stdout) == (0, "")
    done = jevdb(path, *words, "--started", "2026-03-01")
    assert done.exit_code == 0
    assert "midnight UTC" in done.stderr
    listed = json.loads(jevdb(path, "runs", "--json").stdout)
    [started] = [each["started_at"] for each in listed if each["model"] == "new"]
    assert started == "2026-03-01T00:00:00Z"


@pytest.mark.parametrize(
    "words",
    [
        ("export", "--out"),
        ("export", "--markdown"),
        ("runs", "dump", "first", "--out"),
        ("plot", "indices", "--out"),
    ],
    ids=" ".join,
)
def test_a_missing_folder_is_told_before_the_work(
    path: Path, tmp_path: Path, words: tuple[str, ...]
):
    out = tmp_path / "none" / "x.svg"
    done = jevdb(path.with_name("none.duckdb"), *words, str(out))
    assert done.exit_code == 1
    assert (
        done.stderr == f"error: {out}: there is no folder {out.parent}; make it first\n"
    )


def test_tiers_stand_from_easy_to_hard(demo_path: Path):
    lines = json.loads(
        jevdb(demo_path, "report", "--run", "de-1", "--by", "tier", "--json").stdout
    )
    tiers = [each["report_row"].partition("/")[2] for each in lines]
    order = ["", "easy", "standard", "judge", "hard"]
    assert set(tiers) <= set(order)
    parts = [tier for tier in tiers if tier]
    assert len(set(parts)) > 1
    for one, two in pairwise(tiers):
        assert two == "" or order.index(one) < order.index(two)
