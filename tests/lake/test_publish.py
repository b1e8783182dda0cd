"""What a command stores stands in the lake: once, whole, in order, or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from places import Machine, Place
from typer.testing import Result

from jevdb.lake import files
from jevdb.lake.connecting import Lake
from jevdb.lake.pulling import lake_head


def in_lake(place: Place, sql: str) -> list[tuple[object, ...]]:
    with Lake(place.target, read_only=True) as lake:
        return lake.rows(sql)


def before_the_lock(
    monkeypatch: pytest.MonkeyPatch, *others: Callable[[], Result]
) -> None:
    """Let others do something after we have pulled and before we have the lock."""
    take = Lake.lock
    waiting = list(others)

    def late(lake: Lake, *arguments: object) -> None:
        now, waiting[:] = waiting[:], []
        for other in now:
            done = other()
            assert done.exit_code == 0, done.output
        take(lake, *arguments)

    monkeypatch.setattr(Lake, "lock", late)


def test_a_run_that_was_published_is_seen_from_another_machine(
    place: Place, machine: Machine
):
    stored = machine.ingest("alpha")
    assert stored.exit_code == 0, stored.output
    other = place.machine("there")
    seen = other.jevdb("runs", "--format", "json")
    assert seen.exit_code == 0, (seen.output, seen.exception)
    listed = json.loads(seen.stdout)
    assert [(row["model"], row["n_rows"]) for row in listed] == [("alpha", 20)]
    assert listed[0]["run_id"] == stored.stdout.strip()
    assert in_lake(
        place, "select count(*), count(distinct run_id) from predictions"
    ) == [(20, 1)]


def test_the_same_rows_are_the_same_run_from_any_machine(
    place: Place, machine: Machine
):
    first, again = machine.ingest("alpha"), place.machine("there").ingest("alpha")
    assert again.exit_code == 0, again.output
    assert first.stdout == again.stdout
    assert "already there" in again.stderr
    assert in_lake(place, "select seq from ingests order by seq") == [(0,), (1,), (2,)]


def test_a_new_name_of_a_model_is_seen_from_another_machine(
    place: Place, machine: Machine
):
    machine.ingest("alpha")
    there = place.machine("there")
    assert there.jevdb("runs").exit_code == 0
    renamed = machine.jevdb("models", "rename", "alpha", "omega", "--reason", "typo")
    assert renamed.exit_code == 0, renamed.output
    seen = there.jevdb("models", "--format", "json")
    assert [row["model"] for row in json.loads(seen.stdout)] == ["omega"]
    assert in_lake(place, "select kind, name, event, value from name_events") == [
        ("model", "alpha", "renamed", "omega")
    ]
    again = there.ingest("alpha", "1")
    assert (again.exit_code, "already" in again.stderr) == (4, True)


def test_other_rows_under_a_used_name_are_a_conflict(place: Place, machine: Machine):
    machine.ingest("alpha", "0")
    other = place.machine("there").ingest("alpha", "1")
    assert other.exit_code == 4
    assert "20 rows differ" in other.stderr
    assert in_lake(place, "select count(*) from runs") == [(1,)]


def test_sequence_numbers_have_no_gap_whatever_is_stored(
    place: Place, machine: Machine
):
    here, there = machine, place.machine("there")
    assert here.ingest("alpha").exit_code == 0
    assert there.ingest("beta", "1").exit_code == 0
    assert here.jevdb("baseline", "set", "alpha", "--reason", "r1").exit_code == 0
    assert there.jevdb("runs", "relabel", "beta", "greedy").exit_code == 0
    assert here.ingest("beta", "2").exit_code == 0
    assert there.jevdb("runs", "withdraw", "alpha", "--reason", "leak").exit_code == 0
    kinds = [
        kind for _, kind in in_lake(place, "select seq, kind from ingests order by 1")
    ]
    assert kinds == ["seed", "items", *("run", "run", "event", "event", "run", "event")]
    numbers = in_lake(place, "select count(*), max(seq) from ingests")
    assert numbers == [(8, 7)]
    assert here.jevdb("check").exit_code == 0


def test_a_run_prepared_on_an_older_state_goes_behind_the_new_ones(
    place: Place, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    """Another machine publishes after ours has pulled, and before it has the lock."""
    there = place.machine("there")
    before_the_lock(
        monkeypatch,
        lambda: there.ingest("alpha", "0", "--label", "other"),
        lambda: there.ingest("beta", "1"),
    )
    assert machine.ingest("alpha", "0").exit_code == 0
    rows = in_lake(
        place,
        "select runs.seq, name, label from runs join models using (model_id) "
        "order by runs.seq",
    )
    assert rows == [(2, "alpha", "other"), (3, "beta", None), (4, "alpha", None)]
    assert in_lake(place, "select count(*) from models") == [(2,)]
    assert machine.jevdb("check").exit_code == 0
    with Lake(place.target) as lake:
        assert lake_head(lake).seq == 4


@pytest.mark.parametrize("seed, exit_code", [("0", 0), ("1", 4)])
def test_a_name_taken_meanwhile_is_found_out_under_the_lock(
    place: Place,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    seed: str,
    exit_code: int,
):
    there = place.machine("there")
    before_the_lock(monkeypatch, lambda: there.ingest("alpha", seed))
    assert machine.ingest("alpha", "0").exit_code == exit_code
    assert in_lake(place, "select count(*), max(seq) from runs") == [(1, 2)]


def test_whatever_came_between_is_seen_before_an_event_is_stored(
    place: Place, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    """Two machines give one label to two runs: the second is a conflict."""
    machine.ingest("alpha", "0", "--label", "a")
    machine.ingest("alpha", "1", "--label", "b")
    there = place.machine("there")
    before_the_lock(
        monkeypatch, lambda: there.jevdb("runs", "relabel", "alpha#a", "best")
    )
    refused = machine.jevdb("runs", "relabel", "alpha#b", "best")
    assert refused.exit_code == 4, refused.output
    assert in_lake(place, "select count(*) from run_events") == [(1,)]


def test_no_file_is_left_of_what_was_refused(place: Place, machine: Machine):
    machine.ingest("alpha", "0")
    before = set(place.data.rglob("*.parquet"))
    assert machine.ingest("alpha", "1").exit_code == 4
    assert set(place.data.rglob("*.parquet")) == before


def test_files_are_on_the_disk_before_anybody_is_told_of_them(
    place: Place, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    """Each file, and the folder that has its name, is synced before its register."""
    synced: set[str] = set()
    told: list[str] = []
    sync, rows = files.sync, Lake.rows

    def watched(path: Path) -> None:
        sync(path)
        synced.add(str(path))

    def asked(lake: Lake, sql: str, *arguments: object) -> object:
        if found := re.search(r"add_data_files.*'([^']+\.parquet)'", sql):
            told.append(found[1])
            assert found[1] in synced
            assert str(Path(found[1]).parent) in synced
        return rows(lake, sql, *arguments)

    monkeypatch.setattr(files, "sync", watched)
    monkeypatch.setattr(Lake, "rows", asked)
    assert machine.ingest("alpha").exit_code == 0
    assert len(told) >= 4, "ingests, models, runs and predictions"
