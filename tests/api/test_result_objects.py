"""What every result is besides its fields: sized, indexed, shown, its times in UTC."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from commandline import FIRST, fill
from commandline import jevdb as command

import jevdb

Call = Callable[[jevdb.Warehouse], object]
RESULTS: dict[str, tuple[Call, int]] = {
    # The small warehouse has three runs of one benchmark, one of them private.
    "report": (lambda w: w.report(["first", "third"]), 2),
    "runs": (lambda w: w.runs(), 3),
    "history": (lambda w: w.history("first"), 1),
    "leaderboard": (lambda w: w.leaderboard("small", cohort="own"), 2),
    "leaderboards": (lambda w: w.leaderboards(cohort="own"), 1),
    "items": (lambda w: w.items("small"), 4),
    "revisions": (lambda w: w.revisions("small"), 1),
    "export": (lambda w: w.export(), 2),
    "doctor": (lambda w: w.doctor(quick=True), 0),
    # A row a bin.
    "picture": (lambda w: w.plot_reliability("first", kinds=["choice"]), 10),
}


@pytest.fixture(scope="module")
def warehouse(template: Path, tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("results") / "small.duckdb"
    path.write_bytes(template.read_bytes())
    fill(path)
    return jevdb.open(path)


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_sized_indexed_and_shown(warehouse: jevdb.Warehouse, name: str):
    call, size = RESULTS[name]
    found: object = call(warehouse)
    assert len(found) == size
    assert len(list(found)) == size
    if size:
        assert found[0] == next(iter(found))
        assert found[-1] == list(found)[size - 1]
    with pytest.raises(IndexError):
        found[size]
    assert "<" in found._repr_html_()
    assert len(repr(found)) < 5_000


def test_a_picture_says_what_it_is_in_text(warehouse: jevdb.Warehouse):
    picture = warehouse.plot_reliability("first", kinds=["choice"])
    assert len(picture.svg()) > 5_000
    assert repr(picture) == (f"<Picture reliability: {picture.title}. {picture.alt}>")
    assert "$schema" not in repr(picture) + str(picture)
    assert str(picture).startswith(f"{picture.title}\n")
    assert picture.to_dicts() == list(picture)


def test_every_time_says_that_it_is_utc(warehouse: jevdb.Warehouse):
    run = warehouse.run(FIRST)
    assert run.ingested_at.tzinfo is UTC
    [line] = warehouse.history("first").to_dicts()
    assert line["ingested_at"] == run.ingested_at
    assert warehouse.revisions("small").to_dicts()[0]["revised_at"].tzinfo is UTC
    kind = warehouse.runs().to_arrow().schema.field("ingested_at").type
    assert kind == pa.timestamp("us", tz="UTC")
    assert (datetime.now(UTC) - run.ingested_at).total_seconds() > 0


def test_the_doctor_of_python_says_what_the_command_says(tmp_path: Path):
    path = tmp_path / "torn.duckdb"
    path.write_bytes(b"no warehouse" * 100)
    with pytest.raises(jevdb.JevdbError):
        jevdb.open(path)
    found = jevdb.Warehouse(path).doctor()
    assert found.exit_code == 1
    assert found[0]["level"] == "problem"
    told = json.loads(command(path, "doctor", "--format", "json").stdout)
    assert found.to_dicts() == told["findings"]
    assert "jevdb init" in str(found) or "restore" in str(found)


def test_pages_are_those_of_the_command(warehouse: jevdb.Warehouse, tmp_path: Path):
    built = warehouse.site(tmp_path / "ours")
    # Two of three runs are public.
    assert built.n_runs == 2
    done = command(warehouse.path, "site", "build", str(tmp_path / "its"))
    assert done.exit_code == 0
    ours, its = (
        {
            each.relative_to(folder): each.read_bytes()
            for each in folder.rglob("*")
            if each.is_file()
        }
        for folder in (tmp_path / "ours", tmp_path / "its")
    )
    assert ours == its
    with pytest.raises(jevdb.UsageError, match="engine is for explore=True"):
        warehouse.site(tmp_path / "ours", engine="here")


def test_a_file_is_no_lake(warehouse: jevdb.Warehouse):
    for call in (
        *(warehouse.lake_status, warehouse.lake_mirror, warehouse.lake_compact),
        *(warehouse.lake_orphans, warehouse.lake_verify),
    ):
        with pytest.raises(jevdb.UsageError, match="a file; name a lake"):
            call()


def test_plots_are_there_without_an_import_of_their_own():
    code = "import jevdb; print(jevdb.plots.Theme.DARK.value, 'plots' in dir(jevdb))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "dark True\n"
