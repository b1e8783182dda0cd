"""What is made of a warehouse is no more readable than it; what was left is cleared."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from commandline import ANSWERS, FIRST, add_run, add_small_benchmark, jevdb

from jevdb.bundles import compacting
from jevdb.warehouse.database import open_writer

GONE = 2**22 + 1
"""No process has this number: Linux gives them up to 2**22."""


@pytest.fixture
def private(warehouse_path: Path) -> Path:
    with open_writer(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS, model="m", run_id=FIRST)
    warehouse_path.chmod(0o600)
    return warehouse_path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(("name", "expected"), [("b.tar", 0o600), ("b", 0o700)])
def test_a_bundle_is_as_private(private: Path, name: str, expected: int):
    bundle = private.parent / name
    assert jevdb(private, "backup", str(bundle)).exit_code == 0
    assert mode(bundle) == expected


def test_a_bundle_of_a_shared_warehouse_follows_the_umask(private: Path):
    private.chmod(0o664)
    bundle = private.parent / "b.tar"
    before = os.umask(0o027)
    try:
        assert jevdb(private, "backup", str(bundle)).exit_code == 0
    finally:
        os.umask(before)
    assert mode(bundle) == 0o640


def test_a_compact_copy_is_never_more_readable(private: Path, monkeypatch):
    seen: list[int] = []

    def looked(source: Path, made: Path) -> None:
        given(source, made)
        seen.append(mode(made))

    given = compacting.as_private_as
    monkeypatch.setattr(compacting, "as_private_as", looked)
    assert jevdb(private, "compact").exit_code == 0
    assert seen == [0o600]
    assert mode(private) == 0o600


def test_what_a_killed_command_left_is_cleared_by_the_next(private: Path):
    out = private.parent / "report.json"
    left = out.with_name(f".{out.name}.{GONE}")
    alive = out.with_name(f".{out.name}.{os.getppid()}")
    for path in (left, alive):
        path.write_text("half")
    done = jevdb(private, "runs", "dump", "m", "--out", str(out))
    assert done.exit_code == 0
    assert not left.exists()
    assert alive.read_text() == "half"


def test_so_is_what_a_killed_restore_left(private: Path):
    bundle = private.parent / "b.tar"
    jevdb(private, "backup", str(bundle))
    new = private.parent / "new.duckdb"
    left = [new.with_name(f".{new.name}.{GONE}{end}") for end in ("", ".wal")]
    for path in left:
        path.write_text("half")
    assert jevdb(new, "restore", str(bundle)).exit_code == 0
    assert [path for path in left if path.exists()] == []


def test_a_mirror_is_written_by_no_command(private: Path):
    mirror = private.rename(private.with_name(f"{'0a' * 8}-0003-1.0.duckdb"))
    for command in (
        ["runs", "withdraw", "m", "--reason", "a test"],
        ["runs", "relabel", "m", "x"],
        ["baseline", "set", "m"],
        ["compact"],
    ):
        refused = jevdb(mirror, *command)
        assert refused.exit_code == 2, command
        assert "mirror of a lake, which only a pull writes" in refused.stderr
    assert jevdb(mirror, "report").exit_code == 0


def test_the_folder_of_a_killed_backup_is_cleared_by_the_next(private: Path):
    left = private.parent / f".out.{GONE}.ab12cd"
    mine = private.parent / f".out.{os.getpid()}.ab12cd"
    for folder in (left, mine):
        folder.mkdir()
        (folder / "runs.parquet").write_bytes(b"half")
    assert jevdb(private, "backup", str(private.parent / "out")).exit_code == 0
    assert not left.exists()
    assert (mine / "runs.parquet").exists()


@pytest.mark.parametrize(("umask", "expected"), [(0o022, 0o644), (0o077, 0o600)])
def test_a_new_warehouse_follows_the_umask(tmp_path: Path, umask: int, expected: int):
    before = os.umask(umask)
    try:
        assert jevdb(tmp_path / "new.duckdb", "init").exit_code == 0
    finally:
        os.umask(before)
    assert mode(tmp_path / "new.duckdb") == expected
