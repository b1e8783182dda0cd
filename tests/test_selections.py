"""What stands before the file's tables is read, and nothing is stored behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from building import add_run, open_to_fill
from commandline import ANSWERS, FIRST, WORKED, add_small_benchmark

from jevdb.base.connection import Connection
from jevdb.scoring.report import SHOWN
from jevdb.scoring.selection import Selection, narrowed, selected
from jevdb.warehouse.database import open_reader, transaction

VIEWS = "select view_name, column_count, sql from duckdb_views() where not internal"
ACCURACY = (
    "select value from report_metrics where metric = 'accuracy' and kind = 'all' "
    "and report_row = 'overall' and method_id = 'metrics-md'"
)
ONE = Selection(run_ids=[FIRST], metrics=SHOWN)


def store(connection: Connection) -> None:
    add_small_benchmark(connection)
    add_run(connection, "small", ANSWERS, model="first", run_id=FIRST)
    add_run(connection, "small", ANSWERS[:1], model="second")


@pytest.mark.parametrize("made", [narrowed, selected])
def test_nothing_is_stored_inside_a_selection(warehouse: Connection, made):
    """A row would go to the temp table of that name, and be lost with it."""
    store(warehouse)
    for selection in (ONE, Selection()):
        with (
            made(warehouse, selection),
            pytest.raises(RuntimeError, match="nothing is stored inside"),
            transaction(warehouse),
        ):
            warehouse.execute("delete from runs")
    with transaction(warehouse):
        warehouse.execute("update runs set label = 'kept'")
    found = warehouse.execute("select distinct label from runs").fetchall()
    assert found == [("kept",)]


def test_an_open_transaction_may_read_inside_one(warehouse: Connection):
    """As freezing an edition does: what it stores comes when the block has ended."""
    store(warehouse)
    with transaction(warehouse):
        with selected(warehouse, Selection(run_ids=[FIRST])):
            assert warehouse.execute(ACCURACY).fetchall() == [(WORKED["accuracy"],)]
        warehouse.execute("update runs set label = 'kept'")
    found = warehouse.execute("select count(*) from runs where label = 'kept'")
    assert found.fetchall() == [(2,)]


def test_a_report_that_was_not_asked_for_is_not_read(warehouse: Connection):
    """The file's own knows neither cohort nor breakdown, and gives other numbers."""
    store(warehouse)
    lines = "select report_row from report where method_id = 'metrics-md' order by all"
    with selected(warehouse, replace(ONE, by="type"), reports=["report"]):
        assert [row for (row,) in warehouse.execute(lines).fetchall()] == [
            *("overall", "overall/choice", "overall/noul", "overall/score")
        ]
        for name in ("report_metrics", "current_report", "answers"):
            with pytest.raises(duckdb.Error):
                warehouse.execute(f"select run_id from {name}").fetchall()
            with pytest.raises(duckdb.Error, match=f"{name} does not show this"):
                warehouse.execute(f"from {name}").fetchall()
    assert len(warehouse.execute(ACCURACY).fetchall()) == 2


def test_a_checkpoint_inside_a_selection_writes_the_file_as_it_is(
    warehouse_path: Path,
):
    """Over narrower tables DuckDB fails to write its views, and ends the database."""
    with open_to_fill(warehouse_path) as connection:
        store(connection)
        connection.execute("create view mine as from tallies")
        before = connection.execute(VIEWS).fetchall()
        with selected(connection, ONE):
            assert connection.execute("select count(*) from mine").fetchall() != [(0,)]
            accuracy = ACCURACY.replace("report_metrics", "metric_accuracy")
            assert connection.execute(accuracy).fetchall() == [(WORKED["accuracy"],)]
            connection.execute("checkpoint")
    with duckdb.connect(str(warehouse_path), read_only=True) as plain:
        assert plain.execute(VIEWS).fetchall() == before
        assert plain.execute("select count(*) from runs").fetchall() == [(2,)]
        assert len(plain.execute(ACCURACY).fetchall()) == 2


def test_metrics_without_a_sum_of_their_own_are_read(warehouse_path: Path):
    """The share of ok answers is counted: no sum of terms is taken for it."""
    with open_to_fill(warehouse_path) as connection:
        store(connection)
    coverage = ACCURACY.replace("report_metrics", "metric_coverage").replace(
        "'accuracy'", "'coverage'"
    )
    with (
        open_reader(warehouse_path) as connection,
        selected(connection, Selection(run_ids=[FIRST], metrics=["coverage"])),
    ):
        assert connection.execute(coverage).fetchall() == [(WORKED["coverage"],)]
