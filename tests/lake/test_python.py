"""A lake from Python: `jevdb.open` takes its name where it takes a file's path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from places import Machine, Place, answer_rows

import jevdb
from jevdb import ReadOnlyError

RUN = {"benchmark": "small", "model": "alpha"}


def test_a_lake_by_name_reads_and_publishes(
    place: Place, machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """One machine publishes a run, another reports it as from a file that holds it."""
    rows = answer_rows(20, "0")
    (machine.cache / "lakes.toml").write_text(
        f'[lakes.team]\ncatalog = "{place.target.catalog}"\n'
    )
    file = tmp_path / "file.duckdb"
    shutil.copyfile(place.mirror, file)
    stored = []
    for name in ("lake:team", file):
        with jevdb.open(name, read_only=False) as warehouse:
            stored.append(warehouse.ingest_run(rows, **RUN))
            assert warehouse.ingest_run(rows, **RUN).outcome == "already_there"
    assert [each.outcome for each in stored] == ["stored", "stored"]
    assert stored[0].run_id == stored[1].run_id
    monkeypatch.setenv("JEVDB_CACHE", str(place.machine("there").cache))
    with jevdb.open("lake:team") as lake, jevdb.open(file) as warehouse:
        assert lake.path == place.target.mirror != file
        assert lake.report().rows() == warehouse.report().rows()
        assert len(lake.report()) == 1
        with pytest.raises(ReadOnlyError, match="lake:team is open for reading only"):
            lake.ingest_run(rows, **RUN)


def test_tallies_are_kept_in_this_machines_mirror_alone(
    place: Place, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    """They are no ingest: the lake is as it was, and what comes later comes as ever."""
    monkeypatch.setenv("JEVDB_CACHE", str(machine.cache))
    name = place.target.name
    with jevdb.open(name, read_only=False) as warehouse:
        warehouse.ingest_run(answer_rows(20, "0"), **RUN)
        before = warehouse.report().rows()
        status = warehouse.lake_status().to_dicts()
        assert warehouse.score().n_counted == 1
        assert warehouse.lake_status().to_dicts() == status
        assert warehouse.report().rows() == before
    assert place.machine("there").ingest("beta", "1").exit_code == 0
    with jevdb.open(name, read_only=False) as warehouse:
        assert len(warehouse.report()) == 2
        done = warehouse.score()
        assert (done.n_kept, done.n_counted) == (1, 1)
        assert len(warehouse.lake_verify()) == 0
    with place.reading() as lake:
        assert list(lake.rows("select count(*) from kept_tallies")) == [(0,)]
