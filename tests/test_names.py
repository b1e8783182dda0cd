"""Models and benchmarks renamed, retired, restored: a record beside, never a change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from building import insert, next_seq
from commandline import FIRST, SECOND, fill, jevdb, rows_of

import jevdb as package
from jevdb.base.errors import ConflictError, UnknownNameError, UsageError
from jevdb.commands.completing import known_names
from jevdb.warehouse.checks import faults
from jevdb.warehouse.database import open_reader, open_writer

EVENTS = "select kind, name, event, value, reason from name_events order by seq, name"
OTHERS = {"se|cond", "third"}


@pytest.fixture
def path(warehouse_path: Path) -> Path:
    fill(warehouse_path)
    return warehouse_path


def done(path: Path, *arguments: str) -> str:
    result = jevdb(path, *arguments)
    assert result.exit_code == 0, result.output
    return result.stderr


def refused(path: Path, *arguments: str) -> tuple[int, str]:
    result = jevdb(path, *arguments)
    return result.exit_code, result.stderr


def models(path: Path, *arguments: str) -> dict[str, object]:
    listed = rows_of(path, "models", *arguments)
    return {row["model"]: row["former_names"] for row in listed}


def events(path: Path) -> list[tuple[object, ...]]:
    with open_reader(path) as connection:
        return connection.execute(EVENTS).fetchall()


def test_a_model_is_called_otherwise_and_its_stored_row_stays(path: Path):
    said = done(path, "models", "rename", "first", "premier", "--reason", "a typo")
    assert said == "model first is now called premier\n"
    assert models(path) == {"premier": ["first"], **dict.fromkeys(OTHERS)}
    assert {row["model"] for row in rows_of(path, "report")} == {"premier", *OTHERS}
    assert events(path) == [("model", "first", "renamed", "premier", "a typo")]
    with open_reader(path) as connection:
        stored = connection.execute("select name from models order by 1").fetchall()
        assert faults(connection, "orphan_events") == []
    assert stored == [("first",), ("se|cond",), ("third",)]


def test_an_old_name_finds_the_run_with_a_word(path: Path):
    done(path, "models", "rename", "first", "between")
    done(path, "models", "rename", "between", "last")
    for old in ("first", "between"):
        result = jevdb(path, "report", "--run", old, "--format", "json")
        assert [row["model"] for row in json.loads(result.stdout)] == ["last"]
        assert result.stderr == f"model {old} is now called last\n"
        assert rows_of(path, "history", old)[0]["model"] == "last"
    assert jevdb(path, "report", "--run", "last").stderr == ""


def test_what_was_exported_before_is_made_again_byte_for_byte(path: Path):
    before = jevdb(path, "export", "--out", "-").stdout
    seq = rows_of(path, "sql", "select max(seq) as seq from ingests")[0]["seq"]
    done(path, "models", "rename", "first", "premier")
    done(path, "benchmarks", "rename", "small", "tiny")
    done(path, "models", "retire", "se|cond")
    assert json.loads(jevdb(path, "export", "--out", "-").stdout) != json.loads(before)
    assert jevdb(path, "export", "--out", "-", "--as-of", str(seq)).stdout == before
    assert set(models(path, "--as-of", str(seq))) == {"first", *OTHERS}


def test_a_past_export_is_verified_by_today(path: Path, tmp_path: Path):
    (tmp_path / "results.json").write_text(jevdb(path, "export", "--out", "-").stdout)
    done(path, "models", "rename", "first", "premier")
    done(path, "benchmarks", "rename", "small", "tiny")
    done(path, "verify", str(tmp_path / "results.json"))


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("first", "third", 4, "third is another model"),
        ("nobody", "x", 2, "unknown model 'nobody'"),
        ("first", " x", 2, "has a blank at its end"),
        ("first", "x@y", 2, "has @"),
        ("first", "", 2, "is empty"),
    ],
)
def test_names_that_cannot_be(path: Path, old: str, new: str, code: int, words: str):
    found, said = refused(path, "models", "rename", old, new)
    assert (found, words in said) == (code, True), said
    assert events(path) == []


def test_a_name_of_before_is_given_to_nothing_else(path: Path):
    done(path, "models", "rename", "first", "premier")
    code, said = refused(path, "models", "rename", "third", "first")
    assert code == 4
    assert said.startswith("error: first was the name of model premier")


def test_a_name_goes_back(path: Path):
    done(path, "models", "rename", "first", "premier")
    done(path, "models", "rename", "premier", "first")
    assert models(path) == {"first": ["premier"], **dict.fromkeys(OTHERS)}
    assert done(path, "models", "rename", "first", "first") == (
        "model first is already called that\n"
    )


def test_two_names_of_one_model_are_merged_and_taken_apart(path: Path):
    done(path, "models", "rename", "third", "se|cond", "--merge")
    assert models(path) == {"first": None, "se|cond": ["third"]}
    runs = {row["run_id"]: row["model"] for row in rows_of(path, "runs")}
    assert runs[SECOND] == "se|cond"
    assert sorted(runs.values()) == ["first", "se|cond", "se|cond"]
    done(path, "models", "rename", "third", "third")
    assert set(models(path)) == {"first", *OTHERS}


def test_a_merge_that_would_give_two_runs_one_name_is_refused(path: Path):
    # Neither run of first and third has a revision or a label.
    code, said = refused(path, "models", "rename", "third", "first", "--merge")
    assert (code, FIRST[:12] in said, "runs relabel" in said) == (4, True, True)
    assert set(models(path)) == {"first", *OTHERS}


def test_rows_stored_under_the_old_name_are_the_renamed_model(
    path: Path, tmp_path: Path
):
    done(path, "models", "rename", "first", "premier")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"item_id": "c1", "answer": "b"}\n')
    asked = ("ingest", "run", str(rows), "--benchmark", "small", "--model", "first")
    code, said = refused(path, *asked)
    assert (code, "is run 1a1a1a1a1a1a already" in said) == (4, True)
    said = done(path, *asked, "--label", "later")
    assert "model first is now called premier" in said
    # The others are made up; the digest of the one that was ingested holds.
    with open_reader(path) as connection:
        wrong = faults(connection, "wrong_run_digests")
    assert len(wrong) == 3
    assert {row["model"] for row in rows_of(path, "runs")} == {"premier", *OTHERS}


def test_a_retired_model_is_out_of_lists_and_boards_until_it_is_restored(path: Path):
    done(path, "models", "retire", "first", "--reason", "a trial")
    assert done(path, "models", "retire", "first") == "model first is already retired\n"
    assert len(events(path)) == 1
    assert set(models(path)) == OTHERS
    assert set(models(path, "--retired")) == {"first", *OTHERS}
    shown = {row["model"] for row in rows_of(path, "report")}
    ranked = {row["model"] for row in rows_of(path, "leaderboard")}
    exported = json.loads(jevdb(path, "export", "--out", "-").stdout)["runs"]
    assert (shown, ranked) == (OTHERS, {"se|cond"})
    assert [run["model"]["name"] for run in exported] == ["se|cond"]
    by_id = rows_of(path, "report", "--run", FIRST)
    assert {row["model"] for row in by_id} == {"first"}
    assert "first, small, retired" in refused(path, "report", "--run", "first")[1]
    assert refused(path, "models", "rename", "first", "x")[0] == 2
    assert done(path, "models", "restore", "first") == "model first is restored\n"
    assert done(path, "models", "restore", "first") == "model first is not retired\n"
    assert {row["model"] for row in rows_of(path, "report")} == {"first", *OTHERS}


def test_a_benchmark_is_shown_by_its_new_name_and_found_by_both(path: Path):
    assert done(path, "benchmarks", "rename", "small", "tiny") == (
        "benchmark small is now called tiny\n"
    )
    new = jevdb(path, "report", "--benchmark", "tiny")
    assert new.stdout.startswith("tiny (small), gold revision 1")
    assert new.stderr == ""
    old = jevdb(path, "report", "--benchmark", "small")
    assert (old.stdout, old.stderr) == (
        new.stdout,
        "benchmark small is now called tiny\n",
    )
    board = jevdb(path, "leaderboard", "--benchmark", "tiny")
    assert "\ntiny / overall by intelligence" in f"\n{board.stdout}"
    listed = jevdb(path, "runs", "--benchmark", "tiny")
    assert "tiny" in listed.stdout
    assert "small" not in listed.stdout
    # What programs read goes by the id.
    assert {row["benchmark_id"] for row in rows_of(path, "runs")} == {"small"}
    assert refused(path, "benchmarks", "rename", "tiny", "cmdb-1500")[0] == 4


def test_a_renamed_benchmark_takes_items_runs_and_suites(path: Path, tmp_path: Path):
    done(path, "benchmarks", "rename", "small", "tiny")
    items = tmp_path / "items.jsonl"
    items.write_text('{"item_id": "n2", "type": "noul", "gold": "no"}\n')
    more = ("--benchmark", "tiny", "--revise", "--reason", "one more")
    done(path, "ingest", "items", str(items), *more)
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"item_id": "n2", "answer": "no"}\n')
    done(path, "ingest", "run", str(rows), "--benchmark", "tiny", "--model", "new")
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'name = "s"\nversion = "1"\n[[member]]\n'
        'benchmark = "tiny"\nmetric = "accuracy"\n'
    )
    done(path, "suites", "add", str(suite))
    held = "select distinct benchmark_id from {}"
    for table in ("items", "runs", "suite_members"):
        rows = rows_of(path, "sql", held.format(table))
        assert [row["benchmark_id"] for row in rows] == ["small"], table


def test_a_retired_benchmark_is_out_of_lists_and_boards(path: Path):
    done(path, "benchmarks", "retire", "small")
    assert "small" not in {row["benchmark_id"] for row in rows_of(path, "benchmarks")}
    listed = rows_of(path, "benchmarks", "--retired")
    assert [row["is_retired"] for row in listed if row["benchmark_id"] == "small"] == [
        True
    ]
    assert rows_of(path, "report") == []
    asked = jevdb(path, "report", "--benchmark", "small")
    assert asked.stderr.startswith(
        "benchmark small is retired: reports leave its runs out until "
        "`jevdb benchmarks restore small`\n"
    )
    assert "there are no runs yet" in refused(path, "leaderboard")[1]
    done(path, "benchmarks", "restore", "small")
    assert len(rows_of(path, "report")) == 3


def test_the_shell_is_offered_the_names_of_now(path: Path):
    done(path, "models", "rename", "first", "premier")
    done(path, "models", "retire", "third")
    done(path, "benchmarks", "rename", "small", "tiny")
    assert known_names(str(path), "models") == ["premier", "se|cond"]
    assert known_names(str(path), "runs") == ["premier", "se|cond@r1#greedy"]
    offered = known_names(str(path), "benchmarks")
    assert ("tiny" in offered, "small" in offered) == (True, False)


def test_python_does_what_the_commands_do(path: Path):
    warehouse = package.open(path, read_only=False)
    change = warehouse.rename_model("first", "premier")
    assert (change.was, change.name, change.is_new) == ("first", "premier", True)
    assert not warehouse.rename_model("first", "premier").is_new
    assert warehouse.run("first").model == "premier"
    assert warehouse.retire_model("first").is_new
    assert [row["model"] for row in warehouse.models()] == ["se|cond", "third"]
    assert warehouse.restore_model("premier").is_new
    assert warehouse.rename_benchmark("small", "tiny").was == "small"
    assert warehouse.retire_benchmark("tiny").name == "tiny"
    assert warehouse.restore_benchmark("small").is_new
    with pytest.raises(ConflictError):
        warehouse.rename_model("third", "premier")
    with pytest.raises(UnknownNameError):
        warehouse.retire_benchmark("none")
    with pytest.raises(UsageError):
        warehouse.rename_model("third", "x#y")


def test_names_travel_in_a_bundle(path: Path, tmp_path: Path):
    done(path, "models", "rename", "first", "premier")
    done(path, "benchmarks", "retire", "cmdb-1500")
    done(path, "backup", str(tmp_path / "bundle"))
    done(tmp_path / "new.duckdb", "restore", str(tmp_path / "bundle"))
    assert events(tmp_path / "new.duckdb") == events(path)
    assert set(models(tmp_path / "new.duckdb")) == {"premier", *OTHERS}


def test_an_event_of_no_model_is_a_fault(path: Path):
    with open_writer(path) as connection:
        row = {"kind": "model", "name": "none", "event": "retired"}
        row["seq"] = next_seq(connection, "event")
        insert(connection, "name_events", [row])
        [fault] = faults(connection, "orphan_events")
    assert (fault.subject, fault.detail) == (
        "model none",
        "retired at sequence 6: no such model",
    )


def test_a_board_of_each_benchmark_leaves_out_one_whose_runs_are_withdrawn(path: Path):
    for row in rows_of(path, "runs"):
        done(path, "runs", "withdraw", row["run_id"], "--reason", "wrong")
    assert "there are no runs yet" in refused(path, "leaderboard")[1]
