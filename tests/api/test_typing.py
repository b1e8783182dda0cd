"""Programs that use the Python API are checked by it: the long mode."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import jevdb
import pyarrow as pa
import polars as pl

with jevdb.open("w.duckdb", read_only=False) as warehouse:
    report: jevdb.Report = warehouse.report("m", by="tier")
    value: float | None = report.lines[0].numbers["intelligence"].value
    run: jevdb.Run = warehouse.runs()[0]
    same: str = warehouse.compare(run, "n").lines[0].other.model
    done: jevdb.RunSummary = warehouse.ingest_run(
        [{"item_id": "q", "answer": "a"}], benchmark="b", model="m"
    )
    warehouse.ingest_run(pa.table({"item_id": ["q"]}), benchmark="b", model="m")
    warehouse.ingest_run(pl.DataFrame({"item_id": ["q"]}), benchmark="b", model="m")
    warehouse.ingest_items(["a.jsonl", "b.jsonl"], benchmark="b")
    frame: pl.DataFrame = warehouse.sql("from runs", to="polars")
    warehouse.report(by="colour")
    warehouse.sql("from runs", to="csv")
    reveal_type(warehouse.baselines()[0].model)
"""
WRONG = {17: "arg-type", 18: "call-overload"}


@pytest.mark.long
def test_a_program_is_checked(tmp_path: Path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary"]
    done = subprocess.run(
        [*command, "--cache-dir", tmp_path / "cache", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    lines = [line for line in done.stdout.splitlines() if "program.py" in line]
    errors = {
        int(line.split(":")[1]): line.split("[")[-1].rstrip("]")
        for line in lines
        if ": error:" in line
    }
    assert {line: errors.get(line) for line in WRONG} == WRONG, done.stdout
    others = errors.keys() - WRONG.keys()
    # pyarrow has no types of its own; that is said of the program, not of jevdb.
    assert all(errors[line] == "import-untyped" for line in others), done.stdout
    assert any('note: Revealed type is "' in x and "str" in x for x in lines)
