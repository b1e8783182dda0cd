"""A new file is what the migrations make, be it made or out of the cache."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from jevdb.base.connection import Connection
from jevdb.warehouse import blank, fresh
from jevdb.warehouse.cache import cache_folder
from jevdb.warehouse.contents import contents
from jevdb.warehouse.database import open_writer
from jevdb.warehouse.new_files import new_file
from jevdb.warehouse.upgrading import upgrade
from jevdb.warehouse.versions import Fit, built_with

COMMENTS = """\
select table_name, null, comment from duckdb_tables() union all
select view_name, null, comment from duckdb_views() where not internal union all
select function_name, null, comment from duckdb_functions()
where not internal union all
select table_name, column_name, comment from duckdb_columns() where not internal
order by all"""
TABLES = "select table_name from duckdb_tables() order by 1"
MARK = "create table mark as select 1 as x"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, in which nothing is kept."""
    monkeypatch.setenv("JEVDB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "known"


@pytest.fixture
def kept(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is kept of blank files, in a cache of the test's own."""
    [source] = (cache_folder() / "known").glob("blank-*")
    monkeypatch.setenv("JEVDB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache" / "known").mkdir(mode=0o700, parents=True)
    return Path(shutil.copy(source, tmp_path / "cache" / "known"))


def everything(path: Path) -> tuple[Any, ...]:
    """All that a file holds but when its seeds came: objects, comments, rows."""
    with duckdb.connect(path, read_only=True) as file:
        tables = [name for (name,) in file.execute(TABLES).fetchall()]
        rows = {
            name: file.execute(f"from {name} order by all").fetchall()
            for name in tables
            if name != "ingests"
        }
        rows["ingests"] = file.execute(
            "select * exclude (ingested_at) from ingests"
        ).fetchall()
        return contents(file.execute), file.execute(COMMENTS).fetchall(), rows


def new(path: Path) -> Path:
    with open_writer(path, create=True):
        pass
    return path


def test_a_new_file_is_what_the_migrations_make(tmp_path: Path, cache: Path):
    with new_file(tmp_path / "migrated.duckdb") as connection:
        upgrade(connection)
        tables = blank.tables_of(connection)
    assert blank.TABLES.read_text() == tables, "run python -m jevdb.warehouse.fresh"
    expected = everything(tmp_path / "migrated.duckdb")
    assert len(expected[0]) > 100 and len(expected[1]) > 500 and expected[2]["methods"]
    assert not cache.exists()
    assert everything(new(tmp_path / "made.duckdb")) == expected
    assert list(cache.glob("blank-*"))
    assert everything(new(tmp_path / "copied.duckdb")) == expected
    fresh.make(tmp_path / "fresh.duckdb")
    assert everything(tmp_path / "fresh.duckdb") == expected
    with duckdb.connect(tmp_path / "fresh.duckdb", read_only=True) as connection:
        assert built_with(connection).fit is Fit.CURRENT


def test_tables_written_for_an_older_schema_are_not_used(
    tmp_path: Path, cache: Path, template: Path, monkeypatch: pytest.MonkeyPatch
):
    stale = tmp_path / "tables.sql"
    stale.write_text("-- tables: up to 0001\ncreate table nonsense (x int);\n")
    monkeypatch.setattr(blank, "TABLES", stale)
    monkeypatch.setattr(blank, "_made_of", lambda: "of another")
    assert everything(new(tmp_path / "b.duckdb")) == everything(template)


def test_the_seeds_of_a_copied_file_came_when_it_was_made(tmp_path: Path):
    for name in ("a.duckdb", "b.duckdb"):
        before = datetime.now(UTC).replace(tzinfo=None) - timedelta(seconds=1)
        with open_writer(tmp_path / name, create=True) as connection:
            [(at,)] = connection.execute("select ingested_at from ingests").fetchall()
        assert before <= at <= before + timedelta(seconds=60)


def marked(path: Path) -> None:
    """Put another database in the place of the one that is kept."""
    digest, packed = path.read_bytes().split(b"\n", 1)
    file = path.with_name("marked.duckdb")
    file.write_bytes(zlib.decompress(packed))
    with duckdb.connect(file) as connection:
        connection.execute(MARK)
    path.write_bytes(digest + b"\n" + zlib.compress(file.read_bytes()))
    file.unlink()


def damaged(place: Callable[[bytes], int]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[place(data)] ^= 1
        path.write_bytes(data)

    return damage


LONG = pytest.mark.long


def others_may_write(path: Path) -> None:
    marked(path)
    path.parent.chmod(0o777)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(damaged(lambda data: 3), id="of another program", marks=LONG),
        pytest.param(damaged(lambda data: len(data) // 2), id="a bit of it"),
        pytest.param(
            lambda path: path.write_bytes(path.read_bytes()[:-9]), id="cut", marks=LONG
        ),
        pytest.param(lambda path: path.write_bytes(b""), id="empty", marks=LONG),
        pytest.param(others_may_write, id="others may write"),
    ],
)
def test_what_is_spoilt_is_made_anew_without_a_word(
    tmp_path: Path,
    kept: Path,
    template: Path,
    spoil: Callable[[Path], None],
    capfd: pytest.CaptureFixture[str],
):
    whole = kept.read_bytes()
    spoil(kept)
    assert kept.read_bytes() != whole
    assert everything(new(tmp_path / "b.duckdb")) == everything(template)
    assert capfd.readouterr() == ("", "")
    assert blank.kept_blank() or kept.parent.stat().st_mode & 0o002


def test_what_is_kept_is_what_a_new_file_begins_as(tmp_path: Path, kept: Path):
    """Else the tests above would prove nothing."""
    marked(kept)
    with duckdb.connect(new(tmp_path / "b.duckdb")) as connection:
        assert connection.execute("from mark").fetchall() == [(1,)]


def test_where_nothing_can_be_kept_files_are_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, template: Path
):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("JEVDB_CACHE", str(tmp_path / "file"))
    assert everything(new(tmp_path / "a.duckdb")) == everything(template)


def test_a_blank_warehouse_holds_no_row(tmp_path: Path):
    def rows(connection: Connection) -> int:
        tables = [str(name) for (name,) in connection.execute(TABLES).fetchall()]
        counts = " + ".join(f"(select count(*) from {name})" for name in tables)
        return int(str(connection.execute(f"select {counts}").fetchall()[0][0]))

    with new_file(tmp_path / "a.duckdb") as connection:
        blank.fill(connection)
        assert rows(connection) == 1, "its revision"
