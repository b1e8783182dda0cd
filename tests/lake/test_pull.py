"""What is read of a lake is one state of it, whatever goes on meanwhile."""

from __future__ import annotations

import json

import pytest
from places import Machine, Place, caching
from workers import Job, publish_at_once_in_background

from jevdb.lake import maintain, pull
from jevdb.lake.tables import CHILDREN
from jevdb.schema import metadata
from jevdb.warehouse.database import open_reader

REPORT = ("report", "--format", "json")


def test_every_table_has_seq_or_hangs_under_one_that_has():
    for name, table in metadata.tables.items():
        if "seq" in table.columns:
            continue
        parent, key = CHILDREN[name]
        assert key in table.columns
        assert {"seq", key} <= set(metadata.tables[parent].columns.keys())


def test_only_what_is_new_is_copied(place: Place, machine: Machine):
    assert place.machine("there").ingest("alpha").exit_code == 0
    first, again = pull(place.target), pull(place.target)
    assert (first.seq, first.n_new) == (2, 1)
    assert (again.seq, again.n_new) == (2, 0)
    place.machine("there").jevdb("runs", "withdraw", "alpha", "--reason", "leak")
    assert pull(place.target).n_new == 1
    with open_reader(first.path) as mirror:
        found = mirror.execute("select event, reason from run_events").fetchall()
    assert found == [("withdrawn", "leak")]


def test_a_mirror_of_a_lake_that_was_replaced_is_made_anew(
    place: Place, machine: Machine
):
    """The same place in the ledger is held by another ingest."""
    assert machine.ingest("alpha").exit_code == 0
    with open_reader(place.target.mirror) as mirror:
        assert mirror.execute("select count(*) from runs").fetchall() == [(1,)]
    place.forget_since(2)
    assert place.machine("there").ingest("beta", "1").exit_code == 0
    listed = json.loads(machine.jevdb("runs", "--format", "json").stdout)
    assert [row["model"] for row in listed] == ["beta"]
    place.forget_since(2)
    assert machine.ingest("gamma", "2").exit_code == 0
    assert machine.jevdb("check").exit_code == 0


def test_a_mirror_can_be_deleted_at_any_time(place: Place, machine: Machine):
    assert machine.ingest("alpha").exit_code == 0
    before = machine.jevdb(*REPORT)
    place.target.mirror.unlink()
    assert machine.jevdb(*REPORT).stdout == before.stdout
    rebuilt = machine.jevdb("lake", "mirror", "--rebuild")
    assert rebuilt.stdout == f"{place.target.mirror}\n"
    assert rebuilt.stderr == "at ingest 2, 3 new\n"


def read_meanwhile(place: Place, machines: int, runs: int) -> int:
    """Read while machines publish and files are merged; return how many states."""
    jobs = [
        [Job(f"model-{machine}-{run}", f"{machine}-{run}") for run in range(runs)]
        for machine in range(machines)
    ]
    reader = place.machine("reader")
    seen: dict[int, str] = {}
    with publish_at_once_in_background(place, jobs) as writers, caching(reader.cache):
        while writers.are_busy():
            report = reader.jevdb(*REPORT)
            assert report.exit_code == 0, report.output
            with open_reader(place.target.mirror) as mirror:
                seq = mirror.execute("select max(seq) from ingests").fetchall()[0][0]
            seen[seq] = report.stdout
            maintain.compact(place.target)
    assert {outcome.word for outcome in writers.outcomes} == {"stored"}
    with caching(reader.cache):
        for seq, text in seen.items():
            then = reader.jevdb(*REPORT, "--as-of", str(seq))
            assert then.stdout == text
        assert reader.jevdb("check").exit_code == 0
    with place.reading() as lake:
        assert lake.rows("select count(*) from runs") == [(machines * runs,)]
    return len(seen)


def test_reports_while_others_publish_and_files_are_merged(place: Place):
    assert read_meanwhile(place, machines=1, runs=3) >= 1


@pytest.mark.long
def test_many_reports_while_others_publish_and_files_are_merged(place: Place):
    assert read_meanwhile(place, machines=4, runs=40) >= 10
