"""What is made of a warehouse is no more readable than it; what was left is cleared."""

from __future__ import annotations

import gc
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import duckdb
import pytest
from commandline import ANSWERS, FIRST, add_run, add_small_benchmark, jevdb

from jevdb.base.errors import JevdbError
from jevdb.bundles import compacting
from jevdb.warehouse import faults
from jevdb.warehouse.connecting import log_of, open_scratch
from jevdb.warehouse.database import open_reader, open_writer
from jevdb.warehouse.private import no_more_readable_than
from jevdb.warehouse.settings import SETTINGS

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
    # A file that is taken out of the folder is no more readable either.
    assert {mode(each) for each in bundle.glob("*")} <= {0o600}


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


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


SORTED_ON_DISK = (
    "select count(*) from (select range, random() as r from range(3000000) order by r "
    "limit 2000000)"
)


@pytest.mark.parametrize("given", [0o600, 0o640, 0o664, 0o644])
def test_the_log_is_no_more_readable(private: Path, no_umask: None, given: int):
    private.chmod(given)
    with open_writer(private) as connection:
        connection.execute("pragma disable_checkpoint_on_shutdown")
        connection.execute("insert into alembic_version values ('a')")
        during = mode(log_of(private))
        assert os.umask(0o022) == 0o066 & ~given
        os.umask(0o066 & ~given)
    assert during == given
    assert mode(log_of(private)) == given
    assert os.umask(0) == 0, "the umask is as it was"


def test_two_files_at_once_are_each_no_more_readable(
    private: Path, template: Path, no_umask: None
):
    other = private.with_name("other.duckdb")
    shutil.copyfile(template, other)
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(open_writer(private))
        with open_writer(other):
            pass
        second.enter_context(no_more_readable_than(other))
        first.close()
        made = private.with_name("made")
        made.touch()
        assert mode(made) == 0o666 & mode(other)
    assert os.umask(0) == 0


@pytest.mark.parametrize("opened", [open_reader, open_writer])
def test_what_is_sorted_on_disk_is_for_its_user_alone(
    private: Path, no_umask: None, monkeypatch: pytest.MonkeyPatch, opened
):
    monkeypatch.setitem(SETTINGS, "memory_limit", "40MB")
    with opened(private) as connection:
        asked = "select current_setting('temp_directory')"
        [(place,)] = connection.execute(asked).fetchall()
        folder = Path(place)
        assert mode(folder) == 0o700
        connection.execute(SORTED_ON_DISK)
        assert not list(private.parent.glob("*.tmp"))
    del connection
    gc.collect()
    assert not folder.exists()


def test_so_is_what_is_judged(no_umask: None):
    scratch = open_scratch()
    asked = "select current_setting('temp_directory')"
    [(place,)] = scratch.execute(asked).fetchall()
    assert mode(Path(place)) == 0o700


def test_a_compact_copy_is_private_from_its_first_byte(
    private: Path, no_umask: None, monkeypatch: pytest.MonkeyPatch
):
    seen: list[int] = []
    given = compacting.as_private_as

    def looked(source: Path, made: Path) -> None:
        seen.append(mode(made))
        given(source, made)

    monkeypatch.setattr(compacting, "as_private_as", looked)
    assert jevdb(private, "compact").exit_code == 0
    assert seen == [0o600]


@pytest.mark.parametrize(
    ("may_read", "words"),
    [
        pytest.param(False, "may not read it; ask its owner", id="unreadable"),
        pytest.param(True, "may not write to it, .* work on a copy", id="read-only"),
    ],
)
def test_what_this_user_may_not_do_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_read: bool, words: str
):
    """Whoever is root may do everything, so DuckDB's words are given."""
    monkeypatch.setattr("os.access", lambda path, mode: may_read)
    path = tmp_path / "theirs.duckdb"
    with (
        pytest.raises(JevdbError, match=f"theirs.duckdb: this user {words}"),
        faults.translated_errors(path),
    ):
        raise duckdb.IOException(
            f'IO Error: Cannot open file "{path}": Permission denied'
        )
