"""A disk that is full: exit 1, one clear line, and the warehouse as it was."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest
from commandline import COMMAND, jevdb
from forked import Ended, run_forked
from scenes import Scene, assert_whole, exported, ingest, stored

from jevdb.warehouse.database import open_writer, upgrade

PAGE = 4096
BALLAST = "ballast"
FULL = ("No space left on device", "File too large")


class Disk(NamedTuple):
    """A folder on a disk with little room, and what limits a process on it."""

    folder: Path
    limit: Callable[[], None] | None


def limit_files() -> None:
    """Let no file of the process grow over a page."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (PAGE, PAGE))


@contextmanager
def full_disk(kind: str, folder: Path, files: list[Path]) -> Iterator[Disk]:
    """Give a folder that holds the files and has a page of room."""
    folder.mkdir()
    if kind == "limit":
        for file in files:
            shutil.copyfile(file, folder / file.name)
        yield Disk(folder, limit_files)
        return
    sizes = (-(-file.stat().st_size // PAGE) for file in files)
    size = f"size={(sum(sizes) + 2) * PAGE}"
    mount = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False).returncode:
        pytest.skip("mounting a small disk needs to be root")
    try:
        for file in files:
            shutil.copyfile(file, folder / file.name)
        with suppress(OSError), (folder / BALLAST).open("wb", buffering=0) as ballast:
            while True:
                ballast.write(bytes(PAGE))
        yield Disk(folder, None)
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def assert_clear(ended: Ended) -> None:
    assert ended.exit_code == 1, ended.stderr
    assert ended.stdout == ""
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("error: "), ended.stderr
    assert last.endswith(FULL), ended.stderr
    assert "Traceback" not in ended.stderr


COMMANDS = {
    "run": lambda scene, folder: ingest(scene.answers),
    "items": lambda scene, folder: [
        *("ingest", "items", str(scene.items), "--benchmark", "more")
    ],
    "compact": lambda scene, folder: ["compact"],
    "backup": lambda scene, folder: ["backup", str(folder / "bundle")],
    "backup tar": lambda scene, folder: ["backup", str(folder / "bundle.tar")],
    "export": lambda scene, folder: ["export", "--out", str(folder / "e.json")],
    "dump": lambda scene, folder: [
        *("runs", "dump", "first", "--out", str(folder / "d.jsonl"))
    ],
}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("tmpfs", "run"),
        *(("limit", name) for name in COMMANDS if name != "run"),
        *(
            pytest.param(kind, name, marks=pytest.mark.long)
            for kind, name in (
                *(("limit", "run"), ("tmpfs", "compact"), ("tmpfs", "export")),
            )
        ),
    ],
)
def test_a_command_on_a_full_disk(scene: Scene, tmp_path: Path, kind: str, name: str):
    before = stored(scene.path)
    with full_disk(kind, tmp_path / "disk", [scene.path]) as disk:
        path = disk.folder / scene.path.name
        assert_clear(
            run_forked(path, *COMMANDS[name](scene, disk.folder), limit=disk.limit)
        )
        left = {each.name for each in disk.folder.iterdir()}
        assert left <= {path.name, f"{path.name}.wal", BALLAST}
        shutil.copytree(disk.folder, tmp_path / "after")
    path = tmp_path / "after" / scene.path.name
    assert stored(path) == before
    assert_whole(path)
    again = [tmp_path / "after", *COMMANDS[name](scene, tmp_path / "after")]
    assert jevdb(path, *again[1:]).exit_code == 0, "with room it is done"


@pytest.mark.parametrize(
    ("kind", "name"),
    [("limit", "init"), ("limit", "restore"), ("tmpfs", "restore tar")],
)
def test_a_new_file_on_a_full_disk(scene: Scene, tmp_path: Path, kind: str, name: str):
    bundle = tmp_path / ("bundle.tar" if "tar" in name else "bundle")
    assert jevdb(scene.path, "backup", str(bundle)).exit_code == 0
    arguments = ["init"] if name == "init" else ["restore", str(bundle)]
    with full_disk(kind, tmp_path / "disk", []) as disk:
        assert_clear(
            run_forked(disk.folder / "new.duckdb", *arguments, limit=disk.limit)
        )
        assert {each.name for each in disk.folder.iterdir()} <= {BALLAST}


@pytest.mark.parametrize(
    "kind", ["limit", pytest.param("tmpfs", marks=pytest.mark.long)]
)
def test_an_upgrade_on_a_full_disk(scene: Scene, tmp_path: Path, kind: str):
    worn, old = tmp_path / "worn.duckdb", tmp_path / "old.duckdb"
    shutil.copyfile(scene.path, worn)
    before = exported(worn)
    with open_writer(worn) as connection:
        upgrade(connection, to="0001")
    with duckdb.connect(old) as connection:
        # In what an older program wrote there is no room that its views left behind.
        connection.execute(f"attach '{worn}' as worn (read_only)")
        connection.execute("copy from database worn to old")
    with full_disk(kind, tmp_path / "disk", [old]) as disk:
        assert_clear(run_forked(disk.folder / "old.duckdb", "report", limit=disk.limit))
        shutil.copytree(disk.folder, tmp_path / "after")
    assert exported(tmp_path / "after" / "old.duckdb") == before
    assert_whole(tmp_path / "after" / "old.duckdb")


def test_a_bundle_into_a_full_pipe(scene: Scene):
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*COMMAND, "--db", str(scene.path), "backup", "-"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr == "error: No space left on device\n"
