"""Rows that are too many for memory pass through a file and come out the same."""

from __future__ import annotations

import gc
import tempfile

import pyarrow as pa
import pytest
from small_benchmark import OK_ROWS

from jevdb.ingest.judge import spool

RETRIED = [{"item_id": "c1", "status": "error"}, *OK_ROWS, OK_ROWS[0]]


@pytest.fixture
def spilled(monkeypatch, tmp_path):
    """Let every row go through a file below the folder that is returned."""
    monkeypatch.setattr(spool, "MOST_IN_MEMORY", 0)
    folder = tmp_path / "spool"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("rows", [OK_ROWS, RETRIED], ids=["once", "repeated"])
def test_the_run_is_the_same(ingest, bench, spilled, rows):
    first = ingest(rows)
    everything = "select * from predictions order by item_id"
    stored = bench.execute(everything).fetchall()
    spool.MOST_IN_MEMORY = 100
    again = ingest(rows)
    assert len(stored) == 5
    assert (again.outcome, again.run_id) == ("already_there", first.run_id)
    assert (first.retries, first.duplicates) == (again.retries, again.duplicates)


def test_the_file_goes_with_the_spool(spilled):
    whole = spool.Spool()
    whole.add(pa.table({"n": [1, 2]}))
    whole.add(pa.table({"n": [3]}))
    for _ in range(2):
        assert whole.rows().to_table()["n"].to_pylist() == [1, 2, 3]
    assert len(list(spilled.rglob("*.arrow"))) == 2
    del whole
    gc.collect()
    assert list(spilled.iterdir()) == []
