"""Many processes on one file: everybody's turn comes, and everything arrives."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from commandline import jevdb, rows_of
from processes import run, start
from scenes import Scene, assert_whole, copied, ingest, write_answers

from jevdb.base.errors import BusyError
from jevdb.warehouse.database import open_reader, open_writer, upgrade

TIMEOUT = 150
PATIENT = ("--lock-timeout", "120")


def ended(
    processes: Iterable[subprocess.Popen[str]],
) -> list[subprocess.CompletedProcess[str]]:
    """Wait for all, and hold each to exit 0 without a traceback."""
    results = []
    for process in processes:
        out, err = process.communicate(timeout=TIMEOUT)
        assert "Traceback" not in err, err
        assert process.returncode == 0, err
        results.append(subprocess.CompletedProcess([], 0, out, err))
    return results


@pytest.mark.parametrize("n_writers", [3, pytest.param(8, marks=pytest.mark.long)])
def test_writers_with_readers_beside_them(scene: Scene, tmp_path: Path, n_writers: int):
    path = tmp_path / "w.duckdb"
    copied(scene.path, path)
    names = [f"i{number}" for number in range(100)]
    models = [f"m{number}" for number in range(n_writers)]
    answers = [write_answers(tmp_path, names, seed) for seed in range(n_writers)]
    writers = [
        start(path, *PATIENT, *ingest(file, model))
        for file, model in zip(answers, models, strict=True)
    ]
    readers = [
        start(path, *PATIENT, *command)
        for command in (["report"], ["runs"], ["sql", "from report_bins"])
    ]
    ids = [result.stdout.strip() for result in ended(writers)]
    ended(readers)
    stored = {row["model"]: row["run_id"] for row in rows_of(path, "runs")}
    first = stored.pop("first")
    assert stored == dict(zip(models, ids, strict=True))
    assert first not in ids
    assert_whole(path)


@pytest.mark.parametrize("n_writers", [2, pytest.param(4, marks=pytest.mark.long)])
def test_compacting_among_writers_loses_nothing(
    scene: Scene, tmp_path: Path, n_writers: int
):
    """A writer must not get hold of the file that is being replaced."""
    path = tmp_path / "w.duckdb"
    copied(scene.path, path)
    names = [f"i{number}" for number in range(20)]
    processes = []
    for number in range(n_writers):
        file = write_answers(tmp_path, names, number)
        processes.append(start(path, *PATIENT, *ingest(file, f"m{number}")))
        processes.append(start(path, *PATIENT, "compact"))
    ended(processes)
    assert len(rows_of(path, "runs")) == 1 + n_writers
    assert_whole(path)


def test_all_create_the_same_file(scene: Scene, tmp_path: Path):
    path = tmp_path / "new.duckdb"
    items = ("ingest", "items", str(scene.items), "--benchmark")
    commands = [["init"], ["init"], *([*items, f"b{number}"] for number in range(3))]
    ended(start(path, *PATIENT, *command) for command in commands)
    stored = {row["benchmark_id"] for row in rows_of(path, "benchmarks")}
    assert {"b0", "b1", "b2"} <= stored
    assert_whole(path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_all_find_the_file_outdated(scene: Scene, tmp_path: Path):
    """Readers upgrade it between them, though each stands in the others' way."""
    path = tmp_path / "old.duckdb"
    copied(scene.path, path)
    with open_writer(path) as connection:
        upgrade(connection, to="0001")
    results = ended(start(path, *PATIENT, "runs", "--format", "csv") for _ in range(4))
    assert len({result.stdout for result in results}) == 1
    assert_whole(path)


@pytest.mark.parametrize("command", ["runs", "compact"])
def test_waiting_says_for_whom(scene: Scene, tmp_path: Path, command: str):
    path = tmp_path / "w.duckdb"
    copied(scene.path, path)
    with open_writer(path):
        process = start(path, *PATIENT, command)
        assert process.stderr
        line = process.stderr.readline()
    ended([process])
    assert line.startswith(f"waiting: {path}: held by process {os.getpid()} (python")


def test_a_reader_keeps_a_writer_waiting_but_no_reader(scene: Scene, tmp_path: Path):
    path = tmp_path / "w.duckdb"
    copied(scene.path, path)
    with open_reader(path):
        reader = run(path, "--lock-timeout", "0", "report", "--format", "json")
        assert (reader.returncode, reader.stderr) == (0, "")
        begun = time.monotonic()
        writer = run(path, "--lock-timeout", "1", "runs", "private", "first")
        assert time.monotonic() - begun >= 1
        assert writer.returncode == 6
        told = f"{path}: held by process {os.getpid()}"
        assert writer.stderr.startswith(f"waiting: {told}")
        assert writer.stderr.splitlines()[-1].startswith(f"error: {told}")
        compacting = run(path, "--lock-timeout", "0", "compact")
        assert compacting.returncode == 6
    assert jevdb(path, "runs", "private", "first").exit_code == 0


def test_a_reader_of_what_is_being_created(tmp_path: Path):
    """There is no file until it is whole, so there is never half a one to read."""
    path = tmp_path / "new.duckdb"
    creating = start(path, "init")
    absent = f"error: {path}: no such warehouse"
    empty = "no runs yet: see `jevdb ingest run`"
    held = f"waiting: {path}: held by process {creating.pid} (python"
    while creating.poll() is None:
        result = jevdb(path, "runs")
        if result.exit_code:
            assert result.exit_code == 1
            assert result.stderr.startswith(absent)
        else:
            assert result.stderr.startswith((empty, held))
            assert result.stderr.rstrip().endswith(empty)
    ended([creating])


def test_a_second_look_in_the_same_process_keeps_the_lock(scene: Scene, tmp_path: Path):
    """Closing a file gives up all locks that a process has on it: nobody may."""
    path = tmp_path / "w.duckdb"
    copied(scene.path, path)
    with open_reader(path):
        with open_reader(path) as second:
            assert second.execute("select count(*) from runs").fetchall() == [(1,)]
        refused = run(path, "--lock-timeout", "0", *ingest(scene.answers))
        assert refused.returncode == 6, refused.stderr
    assert run(path, *ingest(scene.answers)).returncode == 0


def test_a_second_look_in_the_same_process_is_as_shut(scene: Scene):
    """Settings are of a connection or of the database: both have them all."""
    asked = (
        "select current_setting('timezone'), current_setting('lock_configuration'), "
        "current_setting('python_enable_replacements'), "
        "current_setting('enable_external_access')"
    )
    with open_reader(scene.path) as first, open_reader(scene.path) as second:
        for each in (first, second):
            assert each.execute(asked).fetchall() == [("UTC", True, False, False)]
        with (
            pytest.raises(BusyError, match="this process reads the file already"),
            open_reader(scene.path, outward=True),
        ):
            pass
