"""A `Warehouse`: opened, closed, refused, shared, and what its results become."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sqlalchemy as sa
from commandline import FIRST, PRIVATE, SECOND, WORKED, fill
from commandline import jevdb as command

import jevdb

LIGHT = """
import sys, jevdb
heavy = {"duckdb", "numpy", "pyarrow", "pandas", "polars", "sqlalchemy", "typer"}
assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()
assert set(jevdb.__all__) <= set(dir(jevdb))
for name in jevdb.__all__:
    assert getattr(jevdb, name) is not None
"""


@pytest.fixture
def path(warehouse_path: Path) -> Path:
    fill(warehouse_path)
    return warehouse_path


@pytest.fixture
def small(path: Path) -> jevdb.Warehouse:
    return jevdb.open(path, read_only=False)


def test_import_is_light_and_every_public_name_is_there():
    subprocess.run([sys.executable, "-c", LIGHT], check=True)
    with pytest.raises(AttributeError, match="no attribute 'wrong'"):
        _ = jevdb.wrong  # type: ignore[attr-defined]


def test_open_needs_a_file_to_read_and_makes_one_to_store(tmp_path: Path):
    with pytest.raises(jevdb.SchemaError, match="no such warehouse"):
        jevdb.open(tmp_path / "none.duckdb")
    with jevdb.open(str(tmp_path / "new.duckdb"), read_only=False) as made:
        assert made.benchmarks().to_dicts()
    assert (tmp_path / "new.duckdb").exists()


def test_closed_and_read_only_say_so(path: Path):
    with jevdb.open(path) as reader:
        with pytest.raises(jevdb.ReadOnlyError, match="read_only=False"):
            reader.withdraw("first", "a test")
        with pytest.raises(jevdb.ReadOnlyError):
            reader.ingest_items([], benchmark="b")
    assert reader.closed
    with pytest.raises(jevdb.ClosedError, match="was closed"):
        reader.report()
    with pytest.raises(jevdb.ClosedError), reader:
        pass
    assert repr(reader) == f"<jevdb.Warehouse {str(path)!r}, read-only, closed>"


def test_the_file_is_free_between_calls(small: jevdb.Warehouse):
    small.report()
    with duckdb.connect(str(small.path)) as other:
        other.execute("create table mine (number integer)")
        with pytest.raises(jevdb.BusyError, match="this process has the file open"):
            small.report()
    assert small.report("first").lines


def test_threads_share_a_warehouse(small: jevdb.Warehouse):
    found: list[Any] = []

    def ask() -> None:
        found.append(len(small.report()))
        found.append(len(small.sql("from runs")))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    small.set_private("first")
    for thread in threads:
        thread.join()
    assert sorted(found) == [3] * 8


def test_a_report_is_what_the_command_prints(small: jevdb.Warehouse):
    report = small.report("first")
    [line] = report.lines
    assert {name: number.value for name, number in line.numbers.items()} == WORKED
    assert report.text() == command(small.path, "report", "--run", "first").stdout
    assert small.report(line.run).lines == report.lines
    assert small.report().text() == repr(small.report()) + "\n"
    assert "<pre>" in report._repr_html_()


def test_rows_become_frames(small: jevdb.Warehouse):
    report = small.report()
    arrow, frame, polar = report.to_arrow(), report.to_pandas(), report.to_polars()
    assert isinstance(arrow, pa.Table)
    assert isinstance(frame, pd.DataFrame)
    assert isinstance(polar, pl.DataFrame)
    assert arrow.schema.field("tvd").type == pa.float64()
    for table in (arrow.to_pydict(), frame.to_dict("list"), polar.to_dict()):
        assert list(table["model"]) == ["first", "se|cond", "third"]
        assert table["accuracy"][0] == WORKED["accuracy"]
    # The second run has no noul answer at all.
    assert report.to_dicts()[1]["ece_noul"] is None
    assert frame["reasons"][1]["ece_noul"] == "no_probabilities"


def test_html_is_escaped_and_cut(small: jevdb.Warehouse):
    rows = [{"item_id": f"q{i:03d}", "type": "noul", "gold": "yes"} for i in range(100)]
    small.ingest_items(rows, benchmark="<b>")
    items = small.items("<b>")
    assert len(items) == 100
    assert "&lt;b&gt;" in items._repr_html_()
    assert "<b>" not in items._repr_html_()
    assert repr(items).endswith("... and 40 more rows")
    assert "more rows" not in items.text()


def test_events_of_a_run(small: jevdb.Warehouse):
    assert small.relabel("first", "greedy").is_new
    assert not small.relabel("first#greedy", "greedy").is_new
    assert small.set_baseline("first", "a test").run.run_id == FIRST
    [baseline] = small.baselines()
    assert (baseline.run_id, baseline.reason) == (FIRST, "a test")
    assert small.clear_baseline("small").run_id == FIRST
    assert small.withdraw(SECOND, "a test").is_new
    assert small.run(SECOND).is_withdrawn
    assert small.set_public(PRIVATE).is_new
    assert [run.is_private for run in small.runs()] == [False, False, False]
    before = small.runs(as_of=small.run(PRIVATE).seq + 1)
    assert [run.is_private for run in before] == [False, False, True]


def test_exports_are_the_bytes_of_the_command(small: jevdb.Warehouse, tmp_path: Path):
    done = small.export(tmp_path / "r.json", snapshot="one", markdown=True)
    out = command(small.path, "export", "--out", "-").stdout_bytes
    assert done.results == (tmp_path / "r.json").read_bytes() == out
    assert (done.is_new, small.snapshot("one")) == (True, out)
    assert done.table is not None and b"| first |" in done.table
    assert small.check_export(tmp_path / "r.json") == 2
    assert small.verify(tmp_path / "r.json").passed
    with pytest.raises(jevdb.UsageError, match="private: third"):
        small.export(run="third")
    [(run, files), *_] = small.export_foreign("hf", dataset="Org/small")
    assert run.model == "first" and all(files.values())


def test_a_gate_judges_and_raises_nothing(small: jevdb.Warehouse):
    verdict = small.gate("first", rules=["share(correct) >= 0.8"])
    assert (verdict.passed, verdict.to_dicts()[-1]["value"]) == (False, 0.75)
    assert small.gate(FIRST, FIRST, metrics={"accuracy": "2%", "I": 1}).passed
    with pytest.raises(jevdb.UsageError, match="from 0"):
        small.gate(FIRST, FIRST, metrics={"I": -1.0})
    with pytest.raises(jevdb.UsageError, match="nothing to allow: 'all'"):
        small.gate(FIRST, rules=["min(p_gold) > 0"], allow=["all"])


def test_a_warehouse_comes_back_from_its_bundle(small: jevdb.Warehouse, tmp_path: Path):
    manifest = small.backup(tmp_path / "bundle")
    again = jevdb.restore(tmp_path / "bundle", tmp_path / "again.duckdb")
    assert again.bundle_sha256 == manifest.bundle_sha256
    with jevdb.open(tmp_path / "again.duckdb") as restored:
        assert restored.report().rows() == small.report().rows()
        assert restored.check().found.keys() == small.check().found.keys()
    assert small.compact().after > 0


def test_sql_gives_the_frame_asked_for(small: jevdb.Warehouse):
    text = "select label_index from predictions where run_id = $run order by all"
    question = (
        "select model, accuracy from report "
        "where model = $model and method_id = 'metrics-md'"
    )
    given = {"model": "first"}
    assert small.sql(question, given).to_pydict() == {
        "model": ["first"],
        "accuracy": [0.75],
    }
    frame = small.sql(question, given, to="pandas")
    polar = small.sql(question, given, to="polars")
    assert frame.to_dict("list") == polar.to_dict(as_series=False)
    assert len(small.sql(text, {"run": SECOND})) == 1
    assert small.sql("select ? + 1 as n", [1]).to_pydict() == {"n": [2]}
    assert small.sql("select py_mcnemar_exact(0, 0) as p").to_pydict() == {"p": [1.0]}
    with pytest.raises(jevdb.UnknownNameError, match="frame 'csv'"):
        small.sql("from runs", to="csv")  # type: ignore[call-overload]


@pytest.mark.parametrize("to", ["arrow", "pandas", "polars"])
def test_times_have_a_zone_and_dates_stay_dates(
    small: jevdb.Warehouse, to: Literal["arrow", "pandas", "polars"]
):
    found = small.sql(
        "select timestamp '2026-01-02 03:04:05' as t, date '2026-01-02' as d, "
        "[timestamp '2026-01-02'] as l, timestamp_s '2026-01-02 03:04:05' as s",
        to=to,
    )
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    for name in ("t", "s"):
        [value] = list(found[name])
        value = value.as_py() if to == "arrow" else value
        assert (value, value.utcoffset()) == (moment, timedelta(0))
    [day] = list(found["d"])
    day = day.as_py() if to == "arrow" else day
    assert str(day)[:10] == "2026-01-02"
    assert getattr(day, "tzinfo", None) is None
    if to != "pandas":
        [[inner]] = found["l"].to_pylist() if to == "arrow" else found["l"].to_list()
        assert inner == datetime(2026, 1, 2, tzinfo=UTC)
    stored = small.sql("select max(ingested_at) as t from ingests")["t"][0].as_py()
    asked = "select count(*) as n from ingests where ingested_at > $then"
    assert small.sql(asked, {"then": stored})["n"].to_pylist() == [0]


def test_sql_joins_tables_of_the_caller(small: jevdb.Warehouse):
    teams = {"model": ["first", "third"], "team": ["blue", "red"]}
    question = (
        "select team, accuracy from report join teams using (model) "
        "where method_id = 'metrics-md' order by team"
    )
    # Of the third run's answers two are there and right, of four items.
    expected = {"team": ["blue", "red"], "accuracy": [0.75, 0.5]}
    for kind in (pa.table, pd.DataFrame, pl.DataFrame):
        found = small.sql(question, tables={"teams": kind(teams)})
        assert found.to_pydict() == expected
    with pytest.raises(jevdb.UsageError, match="has a table 'Runs'"):
        small.sql("from runs", tables={"Runs": pa.table(teams)})
    with pytest.raises(jevdb.UsageError, match="no data frame"):
        small.sql("from teams", tables={"teams": 3})


def test_sql_is_locked_in(small: jevdb.Warehouse, tmp_path: Path):
    file = tmp_path / "other.csv"
    file.write_text("a\n1\n")
    reads = f"from read_csv('{file}')"
    for text in ("drop table runs", "select 1; select 2", reads, f"from '{file}'"):
        with pytest.raises(jevdb.JevdbError):
            small.sql(text)
    for text in (reads, f"from '{file}'"):
        assert small.sql(text, safe=False).to_pydict() == {"a": [1]}
    with pytest.raises(jevdb.JevdbError, match="only a select"):
        small.sql("drop table runs", safe=False)
    # A locked query leaves nothing locked behind it.
    assert small.relabel("first", "after").is_new


def test_an_engine_reads(small: jevdb.Warehouse):
    question = sa.text("select name from models order by name")
    frame = pd.read_sql(question, small.engine)
    assert list(frame["name"]) == ["first", "se|cond", "third"]
    with pytest.raises(sa.exc.DBAPIError), small.engine.begin() as connection:
        connection.execute(sa.text("drop table runs"))
    # Nothing holds the file any more.
    assert small.relabel("first", "after").is_new


@pytest.mark.parametrize(
    "statement", ["copy (select 1) to '{}'", "attach '{}' as other", "checkpoint '{}'"]
)
def test_the_engine_writes_no_file(
    small: jevdb.Warehouse, tmp_path: Path, statement: str
):
    file = tmp_path / "written"
    with small.engine.connect() as connection, pytest.raises(sa.exc.DBAPIError):
        connection.execute(sa.text(statement.format(file)))
    assert not file.exists()
