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
