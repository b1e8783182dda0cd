"""The SQL files keep their rules: one object a file, headers, layers that look left."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import jevdb
from jevdb.base.connection import Connection
from jevdb.ingest.judge.group_judge import VIEWS as VIEWS_OF_A_GROUP
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.column_words import EVERYWHERE, column_words
from jevdb.warehouse.database import open_reader, upgrade
from jevdb.warehouse.schema import metadata
from jevdb.warehouse.sqlfiles import LAYERS, SqlObject, filled, parse, program
from jevdb.warehouse.writing_out import UNIONS, WHOLE, WRITTEN_OUT, stored_program

SQL = asset_folder("sql")
QUERIES = [
    parse(path)._replace(layer=f"queries/{path.parent.name}")
    for path in sorted((SQL / "queries").rglob("*.sql"))
]
FILES = [*program(), *QUERIES]
VIEWS = [item for item in program() if item.kind == "view"]
METRIC_COLUMNS = [
    *("run_id", "gold_revision", "report_row", "method_id", "kind", "metric"),
    *("value", "n", "n_scope", "reason"),
]


STORED = {item.name: item for item in stored_program()}
WRITTEN = [item for item in VIEWS if item.layer == WRITTEN_OUT]


def name_of(item: SqlObject) -> str:
    return f"{item.layer}/{item.name}"


def test_every_file_is_in_a_known_layer():
    folders = {path.name for path in asset_folder("sql").iterdir() if path.is_dir()}
    assert folders == {*LAYERS, "queries"}


@pytest.mark.parametrize("item", FILES, ids=name_of)
def test_header_names_the_object_and_its_source(item: SqlObject):
    assert item.header.startswith(f"{item.name}: ")
    if item.layer != "checks" and item not in QUERIES:
        assert "Source: " in item.header or item.name == "probability_at"


@pytest.mark.parametrize("item", FILES, ids=name_of)
def test_one_statement_a_file(item: SqlObject):
    without_strings = re.sub(r"'[^']*'", "", item.body)
    assert ";" not in without_strings
    if item.kind == "macro":
        assert item.body.startswith(f"create or replace macro {item.name}(")


@pytest.mark.parametrize("item", WRITTEN, ids=name_of)
def test_a_report_is_stored_with_everything_it_reads(item: SqlObject):
    """No view is left in it but `report` and those that users' scorings are part of."""
    body = STORED[item.name].body
    named = re.findall(r"^([a-z_0-9]+) as (?:materialized )?\(", body, re.MULTILINE)
    assert len(named) == len(set(named))
    read = STORED[item.name].read_names & {view.name for view in VIEWS}
    assert read <= {*named, *UNIONS, *{WHOLE} - {item.name}}


@pytest.mark.parametrize("item", VIEWS, ids=name_of)
def test_views_read_only_tables_their_layer_and_layers_to_the_left(item: SqlObject):
    allowed = set(LAYERS[: LAYERS.index(item.layer) + 1])
    layer_of = {other.name: other.layer for other in program()}
    read = re.findall(r"\b(?:from|join)\s+([a-z_][a-z0-9_]*)", item.body)
    ctes = set(re.findall(r"([a-z_]+) as (?:materialized )?\(", item.body))
    for name in set(read) - ctes - metadata.tables.keys() - {"range"}:
        assert layer_of[name] in allowed, f"{item.name} reads {name}"


def test_macros_call_only_what_is_made_before_them():
    made: set[str] = set()
    macros = [item for item in program() if item.kind == "macro"]
    names = {item.name for item in macros}
    for item in macros:
        assert item.read_names & names <= made | {item.name}
        made.add(item.name)


@pytest.mark.parametrize("item", FILES, ids=name_of)
def test_style(item: SqlObject):
    path = SQL / item.layer / f"{item.name}.sql"
    text = path.read_text()
    assert max(map(len, text.splitlines())) <= 88
    code = re.sub(r"'[^']*'|--.*", "", text)
    assert not re.search(r"->(?!>)", code), "arrow lambdas end in DuckDB 2"
    # What looks a file through names DuckDB's own functions past the file's macros.
    body = item.body.replace("system.main.duckdb_", "duckdb_")
    assert "main." not in body, "only unqualified names"
    assert "py_" not in item.body, "a view with a Python function dies with its process"


def test_catalog_holds_the_headers_as_comments(warehouse: Connection):
    comments = dict(
        warehouse.execute(
            "select view_name, comment from duckdb_views() where not internal "
            "union all select function_name, comment from duckdb_functions() "
            "where not internal "
            "union all select table_name, comment from duckdb_tables()"
        ).fetchall()
    )
    for item in program():
        assert comments[item.name] == item.header
    for table in metadata.tables.values():
        assert comments[table.name] == table.comment


def test_every_column_says_what_it_means(warehouse: Connection):
    rows = warehouse.execute(
        "select table_name, column_name, comment from duckdb_columns() "
        "where not internal"
    ).fetchall()
    assert {name for name, *_ in rows} >= {"runs", "report", "program", "scopes"}
    assert [(table, column) for table, column, words in rows if not words] == []
    there = {(table, column) for table, column, _ in rows}
    for relation, words in column_words().items():
        for column in words:
            if relation == EVERYWHERE:
                assert column in {name for _, name in there}, column
            else:
                assert (relation, column) in there


def test_a_users_own_columns_keep_their_words(warehouse: Connection):
    warehouse.execute("create table mine (run_id varchar)")
    warehouse.execute("comment on column mine.run_id is 'of mine'")
    upgrade(warehouse)
    found = warehouse.execute(
        "select comment from duckdb_columns() where table_name = 'mine'"
    ).fetchall()
    assert found == [("of mine",)]


@pytest.fixture(scope="module")
def empty(template: Path) -> Iterator[Connection]:
    """An empty warehouse, open for reading."""
    with open_reader(template) as connection:
        yield connection


@pytest.mark.parametrize(
    "item",
    [i for i in VIEWS if i.layer in ("metrics", "indices")]
    + [i for i in VIEWS if i.name == "report_metrics"],
    ids=name_of,
)
def test_metric_views_have_the_same_columns(item: SqlObject, empty: Connection):
    columns = empty.execute(f"describe {item.name}").fetchall()
    assert [column[0] for column in columns] == METRIC_COLUMNS
    types = {column[0]: column[1] for column in columns}
    assert types["value"] == "DOUBLE"
    assert types["n"] == types["n_scope"] == "BIGINT"


@pytest.mark.parametrize("item", [i for i in VIEWS if i.layer == "scopes"], ids=name_of)
def test_scope_views_have_the_same_columns(item: SqlObject, empty: Connection):
    columns = empty.execute(f"describe {item.name}").fetchall()
    assert [column[0] for column in columns] == [
        *("benchmark_id", "report_row", "subset", "item_id")
    ]


def test_program_view_records_every_file(warehouse: Connection):
    recorded = warehouse.execute("select layer, name, sha256 from program").fetchall()
    assert set(recorded) == {(i.layer, i.name, i.sha256) for i in program()}


def test_no_column_is_a_hugeint(warehouse: Connection):
    """Parquet would turn it into a double."""
    found = warehouse.execute(
        "select table_name, column_name from duckdb_columns() "
        "where data_type like '%HUGEINT%' and not internal"
    ).fetchall()
    assert found == []


def test_seeds_are_named_in_the_documents():
    text = (asset_folder("seeds") / "methods.csv").read_text()
    assert [line.split(",")[0] for line in text.splitlines()[1:]] == [
        *("metrics-md", "jevbench-v1.5", "jevbench-v1.5-frozen"),
        *("jevals-0.1", "s1mb-1"),
    ]


def test_parse_splits_header_and_statement(tmp_path: Path):
    file = tmp_path / "thing.sql"
    file.write_text("-- thing: one row.\n-- Source: here.\nselect 1 as x;\n")
    parsed = parse(file)
    assert parsed.header == "thing: one row. Source: here."
    assert parsed.body == "select 1 as x"


def test_the_order_of_the_program_is_the_same_in_every_process():
    """The digest that tells a stale file is over the objects in their order."""
    script = (
        "from jevdb.warehouse.sqlfiles import program_sha256; print(program_sha256())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "2", "3")
    }
    assert len(digests) == 1


def test_every_query_is_read_by_the_program():
    """Those of `ingest` that judge a group are views of its own connection, by name."""
    package = Path(jevdb.__file__).parent
    text = "".join(path.read_text() for path in package.rglob("*.py"))
    views = {f"ingest/{name}" for name in VIEWS_OF_A_GROUP}
    names = {name_of(item).removeprefix("queries/") for item in QUERIES} - views
    assert {name for name in names if re.search(rf"['\"]{name}['\"]", text)} == names


def test_a_query_stands_in_the_folder_of_a_room_that_reads_it():
    package = Path(jevdb.__file__).parent
    for item in QUERIES:
        room = item.layer.removeprefix("queries/")
        assert (package / room).is_dir(), item.name


def test_filled_values_are_literals():
    statement = filled(
        "select $name, $name_two", {"name": "it's $name", "name_two": None}
    )
    assert statement == "select 'it''s $name', null"
    with pytest.raises(KeyError):
        filled("select $other", {})
