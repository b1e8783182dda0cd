"""`jevdb sql` reads the warehouse, and can do nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from building import open_to_fill
from commandline import FIRST, fill, jevdb, rows_of

from jevdb import open as open_warehouse
from jevdb.base.errors import JevdbError
from jevdb.scoring.adhoc import READING_FUNCTIONS


def test_rows_in_every_format(warehouse_path: Path):
    fill(warehouse_path)
    query = "select model, n, accuracy from report where method_id = 'metrics-md' and n"
    query += " = 4 order by model limit 1"
    assert rows_of(warehouse_path, "sql", query) == [
        {"model": "first", "n": 4, "accuracy": 0.75}
    ]
    outputs = {
        form: jevdb(warehouse_path, "sql", query, "--format", form).stdout
        for form in ("table", "markdown", "jsonl", "csv")
    }
    assert outputs == {
        "table": "model  n  accuracy\nfirst  4      0.75\n",
        "markdown": (
            "| model | n | accuracy |\n| --- | ---: | ---: |\n| first | 4 | 0.75 |\n"
        ),
        "jsonl": '{"model": "first", "n": 4, "accuracy": 0.75}\n',
        "csv": "model,n,accuracy\nfirst,4,0.75\n",
    }


def test_values_are_plain_json(warehouse_path: Path):
    (row,) = rows_of(
        warehouse_path,
        "sql",
        "select 'nan'::double as nan, [1, null] as list, {'a': 1} as struct, "
        "map {'k': 0.5e0} as map, timestamp '2026-01-02 03:04:05' as at, "
        "timestamptz '2026-01-02 03:04:05+02' as zoned, 170141183460469231731 as huge, "
        "'{\"x\": [1]}'::json as json, date '2026-01-02' as day",
    )
    assert row == {
        **{"nan": None, "list": [1, None], "struct": {"a": 1}, "map": {"k": 0.5}},
        **{"at": "2026-01-02T03:04:05Z", "zoned": "2026-01-02T01:04:05Z"},
        **{"huge": 170141183460469231731, "json": {"x": [1]}, "day": "2026-01-02"},
    }


def test_reports_are_the_same_rows_whether_views_are_stored_or_not(
    warehouse_path: Path,
):
    """A query that names `scored` or a user's view too runs on the plain views."""
    fill(warehouse_path)
    with open_to_fill(warehouse_path) as connection:
        connection.execute("create view mine as select * from scored")
    stored = rows_of(warehouse_path, "sql", "from report order by all")
    for other in ("scored", "mine"):
        query = f"from report where exists (select probabilities from {other}) "
        assert rows_of(warehouse_path, "sql", query + "order by all") == stored
    assert len(stored) == 15, "three runs by five methods"


@pytest.mark.parametrize("text", ["select 1 as x", "-- why\nselect 1 as x;\n"])
def test_a_query_from_stdin(warehouse_path: Path, text: str):
    result = jevdb(warehouse_path, "sql", "-", "--format", "json", stdin=text)
    assert json.loads(result.stdout) == [{"x": 1}]


def test_stdin_that_is_no_text(warehouse_path: Path):
    result = jevdb(warehouse_path, "sql", "-", stdin=b"select '\xff'")
    assert result.exit_code == 2
    assert "not UTF-8" in result.stderr


@pytest.mark.parametrize(
    "query",
    [
        "from runs",
        "with a as (select 1 as x) from a",
        "values (1)",
        "describe report",
        "describe select 1",
        "summarize runs",
        "show tables",
        "select * from range(3)",
        "select unnest([1, 2])",
        "from duckdb_views()",
        "from pragma_table_info('runs')",
        "from run_states pivot (count(*) for model in ('first'))",
        "select confidence_bin(0.3e0, 10)",
    ],
)
def test_everything_that_reads_is_allowed(warehouse_path: Path, query: str):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "sql", query)
    assert result.exit_code == 0, result.stderr


ATTEMPTS = {
    "create": "create table t as select 1",
    "create temp": "create temp table t as select 1",
    "view": "create view v as select 1",
    "insert": "insert into runs select * from runs",
    "update": "update runs set label = 'x'",
    "delete": "delete from runs",
    "drop": "drop table runs",
    "alter": "alter table runs add column x int",
    "comment": "comment on table runs is 'x'",
    "copy to": "copy runs to '{file}'",
    "copy from": "copy runs from '{other}'",
    "copy select": "copy (select 1) to '{file}' (format parquet)",
    "export": "export database '{file}'",
    "import": "import database '{file}'",
    "attach": "attach '{file}' as other",
    "attach read": "attach '{other}' (read_only)",
    "attach memory": "attach ':memory:' as other",
    "detach": "detach warehouse",
    "use": "use memory",
    "install": "install httpfs",
    "load": "load httpfs",
    "load file": "load '{other}'",
    "update extensions": "update extensions",
    "set": "set threads = 1",
    "set global": "set global memory_limit = '1GB'",
    "set variable": "set variable x = 1",
    "reset": "reset threads",
    "unlock": "set lock_configuration = false",
    "open access": "set enable_external_access = true",
    "pragma": "pragma threads = 1",
    "pragma profiling": "pragma enable_profiling = 'json'",
    "pragma output": "pragma profiling_output = '{file}'",
    "call": "call enable_logging()",
    "checkpoint": "checkpoint",
    "vacuum": "vacuum",
    "begin": "begin",
    "prepare": "prepare p as select 1",
    "execute": "execute p",
    "secret": "create secret (type s3)",
    "macro": "create macro f() as 1",
    "explain copy": "explain analyze copy runs to '{file}'",
    "two": "select 1; copy runs to '{file}'",
    "hidden copy": "with a as (copy runs to '{file}') select 1",
    "read file": "from '{other}'",
    "read csv": "from read_csv('{other}')",
    "read csv auto": "select * from read_csv_auto('{other}')",
    "read text": "select content from read_text('{other}')",
    "read blob": "from read_blob('{other}')",
    "read json": "from read_json('{other}')",
    "read parquet": "from read_parquet('{other}')",
    "parquet metadata": "from parquet_metadata('{other}')",
    "sniff": "from sniff_csv('{other}')",
    "glob": "from glob('{folder}/*')",
    "describe file": "describe '{other}'",
    "query table": "from query_table('{other}')",
    "query": "from query('from read_text(''{other}'')')",
    "serialized": "from json_execute_serialized_sql(json_serialize_sql('from x'))",
    "subquery": "select (select count(*) from read_text('{other}'))",
    "url": "from 'https://example.com/x.parquet'",
    "s3": "from read_parquet('s3://bucket/x.parquet')",
    "logging": "from enable_logging(storage='file', storage_path='{file}')",
    "logging on": "from enable_logging('QueryLog')",
    "logging quoted": 'select * from system.main."Enable_Logging"()',
    "logging off": "from disable_logging()",
    "logs": "from duckdb_logs()",
    "truncate logs": "from truncate_duckdb_logs()",
    "profiling": "from enable_profiling()",
    "profile file": "from enable_profiling(save_location='{file}')",
    "profiling in a cte": "with a as (from enable_profiling()) select 1",
    "profiling off": "from disable_profiling()",
    "force checkpoint": "from force_checkpoint('warehouse')",
    "arrow": "from arrow_scan(1, 2, 3)",
    "pandas": "from pandas_scan(1)",
    "variable": "from warehouse_path",
    "nothing": "",
    "only a comment": "/* select 1 */",
}


@pytest.fixture
def attempts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return what gives an attempt's statement, about files of the working folder."""
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "other.csv"
    other.write_text("a,b\nsecret,1\n")
    places = {"file": tmp_path / "out", "other": other, "folder": tmp_path}
    return lambda name: ATTEMPTS[name].format(**places)


def test_nothing_but_reading_is_possible(
    warehouse_path: Path, tmp_path: Path, attempts: Callable[[str], str]
):
    """No file appears, no file is read, the warehouse keeps its bytes."""
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with open_warehouse(warehouse_path) as opened:
        for name in ATTEMPTS:
            with pytest.raises(JevdbError) as refused:
                opened.sql(attempts(name))
            assert "secret" not in str(refused.value), name
            after = {path: path.read_bytes() for path in tmp_path.iterdir()}
            assert after == before, name


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] if place % 6 else [])
        for place, name in enumerate(ATTEMPTS)
    ],
)
def test_the_command_refuses_it_in_a_line(
    warehouse_path: Path, tmp_path: Path, attempts: Callable[[str], str], name: str
):
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = jevdb(warehouse_path, "sql", attempts(name))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.splitlines()) == 1
    assert "secret" not in result.stderr
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "select * from rns",
            'Table with name rns does not exist! Did you mean "runs"?',
        ),
        ("select modle from run_states", 'Candidate bindings: "model"'),
        ("selec 1", 'Parser Error: syntax error at or near "selec"'),
        ("select 'x'::int", "Could not convert string 'x' to INT32"),
        ("select error('first\n\nsecond')", "Invalid Input Error: first"),
        ("select 1; select 2", "one select at a time, this is 2"),
    ],
)
def test_an_error_is_one_line_with_the_hint(
    warehouse_path: Path, query: str, message: str
):
    result = jevdb(warehouse_path, "sql", query)
    assert (result.exit_code, result.stdout) == (1, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_names_with_sql_in_them_are_data(warehouse_path: Path):
    fill(warehouse_path)
    rows = rows_of(warehouse_path, "sql", "select '''; drop table runs; --' as x")
    assert rows == [{"x": "'; drop table runs; --"}]
    assert rows_of(warehouse_path, "runs")[0]["run_id"] == FIRST


def test_a_missing_warehouse_is_not_created(tmp_path: Path):
    path = tmp_path / "none.duckdb"
    result = jevdb(path, "sql", "select 1")
    assert result.exit_code == 1
    assert "no such warehouse" in result.stderr
    assert not path.exists()


@pytest.mark.parametrize(
    "name", ["enable_profiling", "read_csv", "duckdb_logs", "query"]
)
def test_only_table_functions_that_read_the_warehouse_are_known(name: str):
    assert not READING_FUNCTIONS.fullmatch(name)
