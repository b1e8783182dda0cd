"""Files are merged, leftovers listed, and an older lake is brought up to date."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from commandline import jevdb
from places import Machine, Place, caching

from jevdb.lake import initialise, maintain
from jevdb.lake.target import resolve
from jevdb.warehouse.database import open_writer
from jevdb.warehouse.upgrading import create_tables

pytestmark = pytest.mark.long

DAY_S = 24 * 3600


def files(place: Place) -> set[Path]:
    return set(place.data.rglob("*.parquet"))


def age(path: Path, days: float) -> None:
    then = time.time() - days * DAY_S
    os.utime(path, (then, then))


def test_compaction_keeps_the_old_files_for_a_day(place: Place, machine: Machine):
    for number in range(3):
        assert machine.ingest(f"model-{number}", str(number)).exit_code == 0
    before, report = files(place), machine.jevdb("report", "--format", "json").stdout
    done = machine.jevdb("lake", "compact")
    assert done.exit_code == 0, done.output
    assert done.stderr.endswith("; 0 old files removed\n")
    assert before < files(place)
    place.psql(
        "update ducklake_files_scheduled_for_deletion "
        "set schedule_start = schedule_start - interval '2 days'"
    )
    removed = maintain.compact(place.target).removed
    assert removed == len(before - files(place)) > 0
    assert not machine.jevdb("lake", "orphans").stdout
    assert machine.jevdb("lake", "mirror", "--rebuild").exit_code == 0
    assert machine.jevdb("report", "--format", "json").stdout == report
    assert machine.jevdb("lake", "verify").exit_code == 0
    assert machine.ingest("later", "9").exit_code == 0
    assert machine.jevdb("check").exit_code == 0


def test_orphans_are_what_nothing_refers_to_after_a_day(place: Place, machine: Machine):
    assert machine.ingest("alpha").exit_code == 0
    kept = files(place)
    young, old = (
        place.data / "main" / "predictions" / f"{n}.parquet" for n in ("a", "b")
    )
    for path in (young, old):
        path.write_bytes(b"PAR1")
    for path in (*kept, old):
        age(path, 1.1)
    listed = machine.jevdb("lake", "orphans")
    assert (listed.stdout, listed.stderr) == (f"{old}\n", "1 orphan\n")
    assert old.exists()
    deleted = machine.jevdb("lake", "orphans", "--delete")
    assert (deleted.stdout, deleted.stderr) == (f"{old}\n", "1 orphan deleted\n")
    assert files(place) == {*kept, young}
    assert machine.jevdb("lake", "verify").exit_code == 0


def test_status_counts_what_is_there(place: Place, machine: Machine):
    assert machine.ingest("alpha").exit_code == 0
    assert place.machine("there").ingest("beta", "1").exit_code == 0
    told = machine.jevdb("lake", "status", "--format", "json")
    facts = {row["fact"]: row["value"] for row in json.loads(told.stdout)}
    assert facts.pop("bytes") > 0
    assert facts == {
        "lake": place.dsn(),
        "data": f"{place.data}/",
        "newest_ingest": 3,
        "runs": 2,
        "predictions": 40,
        # six tables at first, items, golds and revisions, four of each run
        "files": len(files(place)),
        "snapshots": 4,
        "locked_by": "nobody",
        "mirror": str(place.target.mirror),
        "mirror_ingest": 2,
    }


def test_several_make_a_lake_at_once_and_one_does(
    empty_place: Place, template: Path, tmp_path: Path
):
    from workers import CONTEXT, start

    place = empty_place
    place.postgres.psql(f"create database {place.database}_new")
    results = CONTEXT.Queue()
    dsn = f"{place.dsn()}_new"
    processes = [
        start(_initialise, dsn, template, tmp_path / f"{n}.duckdb", results)
        for n in range(4)
    ]
    words = sorted(results.get(timeout=120) for _ in processes)
    for process in processes:
        process.join(60)
    assert words == ["created", "up to date", "up to date", "up to date"]
    with caching(tmp_path):
        assert jevdb(dsn, "check").exit_code == 0


def _initialise(dsn: str, template: Path, path: Path, results) -> None:
    path.write_bytes(template.read_bytes())
    with open_writer(path, outward=True) as warehouse:
        results.put(initialise(resolve(dsn), warehouse, data=str(path.parent / "new")))


def test_an_older_lake_is_upgraded_when_asked_only(
    empty_place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A lake of the first schema gets what came since, and keeps its rows."""
    import duckdb

    place = empty_place
    place.postgres.psql(f"create database {place.database}_old")
    dsn = f"{place.dsn()}_old"
    with duckdb.connect() as old:
        create_tables(old, "0001")
        old.execute(
            "insert into ingests values (0, 'seed', now(), 'seed', '0.0', null)"
        )
        monkeypatch.setattr("jevdb.lake.initialising.new_tables", only_there(old))
        initialise(resolve(dsn), old, data=str(tmp_path / "old"))
    monkeypatch.undo()
    with caching(tmp_path):
        for words in [("runs",), ("init",)]:
            refused = jevdb(dsn, *words)
            assert refused.exit_code == 1
            assert "init --upgrade" in refused.stderr
        upgraded = jevdb(dsn, "init", "--upgrade")
        assert upgraded.exit_code == 0, upgraded.output
        assert upgraded.stderr.endswith(": upgraded\n")
        assert jevdb(dsn, "init", "--upgrade").stderr.endswith(": up to date\n")
        assert jevdb(dsn, "check").exit_code == 0
        assert jevdb(dsn, "results").exit_code == 0


def only_there(old):
    """Return `new_tables` for a warehouse that has fewer tables than today's."""
    from jevdb.lake.tables import tables

    known = {name for (name,) in old.execute("show tables").fetchall()}
    return lambda warehouse, base: [
        table
        for table in tables()
        if table.name in known
        and warehouse.execute(f"select count(*) from {table.name}").fetchall()[0][0]
    ]
