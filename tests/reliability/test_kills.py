"""SIGKILL at any point: the file opens, it is whole, and the work can be done again."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest
from commandline import jevdb
from killing import killed, kills, measure
from processes import digest
from scenes import Scene, assert_whole, copied, exported, ingest, stored

from jevdb.bundles.bundle import read_manifest
from jevdb.bundles.bundling import unpack
from jevdb.warehouse.database import open_writer, upgrade
from jevdb.warehouse.versions import head_revision

MODES = [
    pytest.param(1, id="10 kills"),
    pytest.param(22, id="220 kills", marks=pytest.mark.long),
]
OBJECTS = """
    select table_name as name, comment from duckdb_tables()
    union all
    select view_name, comment from duckdb_views() where not internal
    union all
    select function_name, comment from duckdb_functions() where not internal
    order by all
"""


def at(path: Path, *arguments: str) -> list[str]:
    return ["--db", str(path), *arguments]


@pytest.mark.parametrize("times", MODES)
def test_a_run_is_whole_or_absent(scene: Scene, tmp_path: Path, times: int):
    path = tmp_path / "w.duckdb"
    copied(scene.path, path)
    without = stored(path)
    way = measure(at(path, *ingest(scene.answers)))
    assert way.exit_code == 0
    complete = stored(path)
    assert complete != without
    died = 0
    for kill in kills(way, 2 * times, 1):
        copied(scene.path, path)
        died += killed(at(path, *ingest(scene.answers)), kill)
        assert_whole(path)
        assert stored(path) in (without, complete)
        assert jevdb(path, *ingest(scene.answers)).exit_code == 0
        assert stored(path) == complete
    assert died >= times, "every one at a point dies"


@pytest.mark.parametrize("times", MODES)
def test_a_migration_is_whole_or_did_not_happen(
    scene: Scene, tmp_path: Path, times: int
):
    """From the tables of the first revision, by a command that reads."""
    path, old = tmp_path / "w.duckdb", tmp_path / "old.duckdb"
    shutil.copyfile(scene.path, old)
    with open_writer(old) as connection:
        upgrade(connection, to="0001")
    copied(old, path)
    way = measure(at(path, "report"))
    assert way.exit_code == 0
    complete = exported(path)
    died = 0
    for kill in kills(way, 2 * times, 2):
        copied(old, path)
        died += killed(at(path, "report"), kill)
        assert state(path) in (
            State("0001", has_views=False),
            State(head_revision(), has_views=True),
        )
        assert exported(path) == complete
        assert_whole(path)
    assert died >= times


class State(NamedTuple):
    """What a file says of itself before jevdb opens it."""

    revision: str
    has_views: bool


def state(path: Path) -> State:
    with duckdb.connect(path, read_only=True) as connection:
        return State(
            *connection.execute(
                "select version_num, exists (from duckdb_views() where not internal) "
                "from alembic_version"
            ).fetchall()[0]
        )


@pytest.mark.parametrize("times", MODES)
@pytest.mark.parametrize("name", ["bundle", "bundle.tar"])
def test_a_bundle_is_whole_or_absent(
    scene: Scene, tmp_path: Path, times: int, name: str
):
    path, bundle = tmp_path / "w.duckdb", tmp_path / name
    shutil.copyfile(scene.path, path)
    before = digest(path)
    way = measure(at(path, "backup", str(bundle)))
    assert way.exit_code == 0
    died = 0
    for number, kill in enumerate(kills(way, times, 3)):
        target = tmp_path / f"{number} {name}"
        died += killed(at(path, "backup", str(target)), kill)
        assert digest(path) == before
        if target.is_dir():
            read_manifest(target)
        elif target.exists():
            (tmp_path / f"unpacked {number}").mkdir()
            unpack(target, tmp_path / f"unpacked {number}")
            read_manifest(tmp_path / f"unpacked {number}")
    assert died >= times / 2


@pytest.mark.parametrize("times", MODES)
def test_compacting_leaves_the_old_file_or_the_new(
    scene: Scene, tmp_path: Path, times: int
):
    path = tmp_path / "w.duckdb"
    copied(scene.path, path)
    complete, objects = stored(path), objects_of(path)
    way = measure(at(path, "compact"))
    assert way.exit_code == 0
    assert (stored(path), objects_of(path)) == (complete, objects)
    died = 0
    for kill in kills(way, 2 * times, 4):
        copied(scene.path, path)
        died += killed(at(path, "compact"), kill)
        assert (stored(path), objects_of(path)) == (complete, objects)
        assert_whole(path)
        assert jevdb(path, "compact").exit_code == 0
        assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert died >= times


def objects_of(path: Path) -> str:
    result = jevdb(path, "sql", OBJECTS, "--format", "jsonl")
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("times", MODES)
@pytest.mark.parametrize("command", ["init", "restore"])
def test_a_new_warehouse_is_whole_or_absent(
    scene: Scene, tmp_path: Path, times: int, command: str
):
    path, bundle = tmp_path / "w.duckdb", tmp_path / "bundle"
    assert jevdb(scene.path, "backup", str(bundle)).exit_code == 0
    arguments = [command] if command == "init" else [command, str(bundle)]
    way = measure(at(path, *arguments))
    assert way.exit_code == 0
    complete = stored(path)
    died = 0
    for kill in kills(way, times, 5):
        path.unlink(missing_ok=True)
        died += killed(at(path, *arguments), kill)
        if not path.exists():
            assert jevdb(path, *arguments).exit_code == 0
        assert stored(path) == complete
        assert_whole(path)
    assert died >= times / 2
