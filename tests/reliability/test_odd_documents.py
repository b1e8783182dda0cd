"""JSON and times of a stranger's file, of any shape: told where, and what helps."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
from commandline import FIRST, fill, jevdb

import jevdb as api
from jevdb.base.errors import SchemaError
from jevdb.base.stored_values import MOST_DEEP, UnfitValue, read_json, read_object

REMEDY = (
    "jevdb stores none such: restore a backup, or set it right with another client of "
    "DuckDB"
)
DATA = Path(__file__).parents[1] / "data" / "decision_bench_results"
RESULT = DATA / "convaiinnovations__laya"
"""What describes its model says otherwise than the result's own block."""
ODD = {
    "a list": '[1, "a"]',
    "a number": "5",
    "null": "null",
    "a text": '"x"',
    "true": "true",
    "nested": "[" * 100_000 + "]" * 100_000,
    "deep": '{"a":' * 500 + "1" + "}" * 500,
    "long": '{"a":"' + "y" * 3_000_000 + '"}',
    "digits": f'{{"a":{"9" * 6000}}}',
    "beyond": '{"a":1e999}',
    "odd": '{"repeats":5,"dataset_repo":[1],"format":{},"":1,"a":{"b":[null]}}',
}
COLUMNS = (
    *(("runs", "settings"), ("runs", "source_files"), ("models", "meta")),
    *(("items", "meta"), ("predictions", "meta"), ("predictions", "returned")),
    ("reported_results", "meta"),
)
TIMES = (
    *(("runs", "started_at"), ("ingests", "ingested_at")),
    ("reported_results", "submitted_at"),
)
FAR = ("infinity", "-infinity", "290000-01-01", "0044-01-01 (BC)")
COMMANDS = (
    *(("report",), ("report", "--format", "json"), ("runs",), ("runs", "--json")),
    *(("runs", "--format", "csv"), ("models",), ("models", "--json"), ("benchmarks",)),
    *(("results", "--json"), ("repeats", "first"), ("compare", "first", "se|cond")),
    *(("explain", "first", "accuracy"), ("export", "--out", "-")),
    ("export", "--as", "every-eval-ever", "--out", "eee"),
    ("export", "--as", "hf", "--dataset", "a/b", "--out", "hf"),
    *(("runs", "dump", "first", "--out", "-"), ("backup", "bundle"), ("check",)),
    *(("doctor",), ("site", "build", "site"), ("history", "first"), ("snapshots",)),
    *(("sql", "from runs", "--format", "json"), ("sql", "from predictions", "--json")),
    *(("sql", "from items", "--json"), ("leaderboard", "--benchmark", "small")),
    *(("revisions", "--benchmark", "small"), ("baseline", "list"), ("compact",)),
    *(("report", "--as-of", "2020-01-01"), ("ingest", "results", str(RESULT))),
    ("runs", "withdraw", "first", "--reason", "r"),
)


@pytest.fixture
def path(warehouse_path: Path, tmp_path: Path, monkeypatch) -> Path:
    fill(warehouse_path)
    monkeypatch.chdir(tmp_path)
    return warehouse_path


def write(path: Path, table: str, column: str, value: str) -> None:
    with duckdb.connect(path) as file:
        file.execute(f"update {table} set {column} = $value", {"value": value})


@pytest.mark.parametrize(
    ("value", "command", "fault"),
    [
        ("a list", ("repeats", "first"), "a list where an object belongs"),
        ("a number", COMMANDS[14], "a number where an object belongs"),
        ("beyond", COMMANDS[14], "a number that is too large for a double"),
        ("digits", ("repeats", "first"), "a number of thousands of digits"),
        ("nested", ("repeats", "first"), f"nested deeper than {MOST_DEEP} levels"),
    ],
)
def test_it_is_told_where_it_stands(
    path: Path, value: str, command: tuple[str, ...], fault: str
):
    write(path, "runs", "settings", ODD[value])
    done = jevdb(path, *command)
    assert done.exit_code == 1
    assert (
        done.stderr == f"error: {path}: runs.settings of {FIRST}: {fault}; {REMEDY}\n"
    )


def test_of_rows_that_wait_for_their_reader_the_file_is_told(path: Path):
    write(path, "runs", "settings", ODD["deep"])
    told = (
        f"{path}: settings of row 1, run_id '{FIRST}': nested deeper than 200 levels; "
        f"{REMEDY}"
    )
    assert jevdb(path, "runs").exit_code == 0
    assert jevdb(path, "runs", "--json").stderr == f"error: {told}\n"
    done = jevdb(path, "sql", "select run_id, settings from runs order by 1", "--json")
    assert done.stderr == f"error: {told}\n"
    with pytest.raises(UnfitValue) as error:
        api.open(path).runs().to_dicts()
    assert str(error.value) == told


def test_a_result_that_is_there_is_held_against_an_object(warehouse_path: Path):
    jevdb(warehouse_path, "ingest", "results", str(RESULT))
    write(warehouse_path, "models", "meta", ODD["a list"])
    done = jevdb(warehouse_path, "ingest", "results", str(RESULT))
    assert (done.exit_code, done.stderr) == (
        1,
        f"error: {warehouse_path}: models.meta of convaiinnovations/laya: a list where "
        f"an object belongs; {REMEDY}\n",
    )


def test_null_is_an_object_without_keys(path: Path):
    write(path, "runs", "settings", "null")
    assert jevdb(path, *COMMANDS[14]).exit_code == 0
    assert read_object("null", "x") == read_object(None, "x") == {}


def test_levels_are_counted(path: Path):
    most = "[" * MOST_DEEP + "]" * MOST_DEEP
    assert str(read_json(most, "x")) == most
    with pytest.raises(UnfitValue, match="x: nested deeper than 200 levels; "):
        read_json(f"[{most}]", "x")
    # Many lists beside each other are not deep.
    assert read_json("[" + "[]," * 500 + "[]]", "x") == [[]] * 501


@pytest.mark.parametrize(("table", "column"), TIMES[:2])
def test_a_time_without_a_date_is_told(path: Path, table: str, column: str):
    write(path, table, column, "290000-01-01")
    told = (
        f"{table}.{column} of {FIRST}: the time 290000-01-01 00:00:00 is none of the "
        f"years 1 to 9999; {REMEDY}"
    )
    done = jevdb(path, "site", "build", "site")
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (
        1,
        f"error: {path}: {told}",
    )
    with pytest.raises(SchemaError, match="none of the years"):
        api.open(path).runs()


@pytest.mark.long
@pytest.mark.parametrize(("table", "column"), [*COLUMNS, *TIMES])
def test_no_command_shows_a_traceback(path: Path, table: str, column: str):
    assert jevdb(path, "ingest", "results", str(RESULT)).exit_code == 0
    whole = path.with_name("whole.duckdb")
    shutil.copyfile(path, whole)
    for value in ODD.values() if (table, column) in COLUMNS else FAR:
        shutil.copyfile(whole, path)
        write(path, table, column, value)
        for name in ("site", "hf", "eee", "bundle"):
            shutil.rmtree(name, ignore_errors=True)
        for command in COMMANDS:
            done = jevdb(path, *command)
            told = (table, column, value[:20], command, done.output[-500:])
            assert not done.exception or isinstance(done.exception, SystemExit), told
            assert done.exit_code in (0, 1, 2), told
