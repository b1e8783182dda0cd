"""Migrations and metadata say the same; an upgrade is whole or did not happen."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlalchemy as sa
from commandline import jevdb

from jevdb.base.connection import Connection
from jevdb.base.errors import JevdbError, SchemaError
from jevdb.base.version import __version__
from jevdb.warehouse import database, new_files, sqlfiles, upgrading, writing_out
from jevdb.warehouse.checks import check_names, faults
from jevdb.warehouse.database import open_reader, open_writer, upgrade
from jevdb.warehouse.schema import metadata
from jevdb.warehouse.versions import head_revision

COLUMNS = """
    select table_name, column_name, data_type, is_nullable, column_default
    from duckdb_columns()
    where table_name in (select table_name from duckdb_tables())
        and table_name <> 'alembic_version'
    order by table_name, column_index
"""
CONSTRAINTS = """
    select table_name, constraint_type, constraint_text
    from duckdb_constraints()
    where table_name <> 'alembic_version'
    order by all
"""
OBJECTS = """
    select table_name from duckdb_tables() union all
    select view_name from duckdb_views() where not internal union all
    select function_name from duckdb_functions() where not internal
"""


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_migrated_and_created_databases_are_equal(warehouse: Connection):
    engine = sa.create_engine("duckdb:///:memory:")
    with engine.begin() as created:
        metadata.create_all(created)
        for query in (COLUMNS, CONSTRAINTS):
            expected = [tuple(r) for r in created.exec_driver_sql(query).fetchall()]
            assert warehouse.execute(query).fetchall() == expected
    engine.dispose()


def test_there_is_one_chain_of_revisions():
    versions = sorted(
        (upgrading.asset_folder("migrations") / "versions").glob("[0-9]*.py")
    )
    numbers = [path.name.split("_")[0] for path in versions]
    assert numbers == [f"{i:04d}" for i in range(1, len(versions) + 1)]
    assert head_revision() == numbers[-1]


def test_downgrade_to_base_and_up_again(warehouse_path: Path):
    with open_writer(warehouse_path) as connection:
        before = sorted(connection.execute(OBJECTS).fetchall())
        upgrade(connection, to="base")
        assert connection.execute(OBJECTS).fetchall() == [("alembic_version",)]
        upgrade(connection)
        assert sorted(connection.execute(OBJECTS).fetchall()) == before


def test_a_users_own_view_survives_a_rebuild(warehouse_path: Path):
    with open_writer(warehouse_path) as connection:
        connection.execute("create view mine as select count(*) as n from report")
        upgrade(connection)
        assert connection.execute("select n from mine").fetchall() == [(0,)]


def program_of(version: str, *views: str) -> str:
    """Return the record that another version of jevdb leaves, with views of its own."""
    added = [sqlfiles.SqlObject("scored", name, "", "", "0" * 64) for name in views]
    statement = sqlfiles.program_view(added)
    statement = statement.replace(sqlfiles.program_sha256(), "f" * 64)
    return statement.replace(f"'{__version__}' as", f"'{version}' as")


def test_views_are_rebuilt_when_the_programs_sql_differs(
    warehouse_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with open_writer(warehouse_path) as connection:
        connection.execute(program_of("0.0.1", "ghost"))
        connection.execute("create view ghost as select 1 as x")
    with open_reader(warehouse_path) as connection:
        names = {name for (name,) in connection.execute(OBJECTS).fetchall()}
        assert "ghost" not in names
        assert connection.execute(
            "select distinct program_sha256 from program"
        ).fetchall() == [(sqlfiles.program_sha256(),)]


def break_the_last_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the program end in a view that cannot be created."""
    broken = sqlfiles.SqlObject("checks", "broken", "broken: x", "select nothing", "0")
    program = (*writing_out.stored_program(), broken)
    monkeypatch.setattr(upgrading, "stored_program", lambda: program)


def test_a_failing_upgrade_leaves_the_file_as_it_was(
    warehouse_path: Path, monkeypatch: pytest.MonkeyPatch
):
    before = digest(warehouse_path)
    break_the_last_view(monkeypatch)
    with open_writer(warehouse_path) as connection, pytest.raises(duckdb.Error):
        upgrade(connection)
    assert digest(warehouse_path) == before
    assert not warehouse_path.with_suffix(".duckdb.wal").exists()


def test_a_failing_creation_leaves_no_file_and_can_be_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "new.duckdb"
    with monkeypatch.context() as patch:
        break_the_last_view(patch)
        patch.setattr(new_files, "kept_blank", lambda: None)
        with pytest.raises(duckdb.Error), open_writer(path, create=True):
            pass
    assert list(tmp_path.iterdir()) == []
    with open_writer(path, create=True) as connection:
        assert connection.execute("select count(*) from methods").fetchall() == [(5,)]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
@pytest.mark.parametrize("after", [1, 20, 40, 55])
def test_a_killed_upgrade_leaves_the_file_as_it_was(warehouse_path: Path, after: int):
    """SIGKILL after so many views have been created."""
    before = digest(warehouse_path)
    program = textwrap.dedent(
        f"""
        import itertools, os, signal, sys
        from pathlib import Path
        from jevdb.warehouse import database, sqlfiles, upgrading

        count = itertools.count()
        original = sqlfiles.SqlObject.statements.fget

        def statements(self):
            if next(count) == {after}:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(self)

        sqlfiles.SqlObject.statements = property(statements)
        with database.open_writer(Path(sys.argv[1])) as connection:
            database.upgrade(connection)
        """
    )
    killed = subprocess.run(
        [sys.executable, "-c", program, str(warehouse_path)],
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(database.__file__).parents[1])},
    )
    assert killed.returncode == -signal.SIGKILL
    assert digest(warehouse_path) == before
    with open_reader(warehouse_path) as connection:
        assert connection.execute("select count(*) from report").fetchall() == [(0,)]


@pytest.fixture(scope="module")
def before_repeats(demo_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo as schema 0005 holds it: its predictions have a key, and no repeat."""
    path = tmp_path_factory.mktemp("older") / "demo.duckdb"
    shutil.copyfile(demo_path, path)
    with open_writer(path) as connection:
        upgrade(connection, to="0005")
    return path


def test_an_older_file_keeps_its_runs_and_numbers(
    before_repeats: Path, demo_path: Path, tmp_path: Path
):
    path = tmp_path / "demo.duckdb"
    shutil.copyfile(before_repeats, path)
    with duckdb.connect(str(path)) as older:
        [(told,)] = older.execute(
            "select sql from duckdb_tables() where table_name = 'predictions'"
        ).fetchall()
    assert "PRIMARY KEY(run_id, item_id)" in told
    assert "repeat" not in told
    runs = "from runs order by run_id"
    rows = "select * exclude (attempts) from predictions"
    found = []
    for each in (path, demo_path):
        with open_reader(each) as connection:
            stored = [connection.execute(q).fetchall() for q in (runs, rows)]
            wrong = [faults(connection, check) for check in check_names()]
        written = jevdb(each, "export", "--out", "-")
        assert written.exit_code == 0, written.stderr
        found.append((stored, wrong, written.stdout))
    assert found[0] == found[1]
    assert not any(found[0][1])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
@pytest.mark.parametrize("after", range(1, 6))
def test_a_killed_rebuild_of_predictions_leaves_the_file_as_it_was(
    before_repeats: Path, tmp_path: Path, after: int
):
    """SIGKILL ahead of each statement of migration 0006 but the first."""
    path = tmp_path / "demo.duckdb"
    shutil.copyfile(before_repeats, path)
    before = digest(path)
    program = textwrap.dedent(
        f"""
        import itertools, os, signal, sys
        from pathlib import Path
        import sqlalchemy as sa
        from jevdb.warehouse import database

        count = itertools.count()
        original = sa.Connection.exec_driver_sql

        def execute(self, statement, *others, **named):
            of_0006 = "predictions" in statement or "n_repeats" in statement
            if of_0006 and "comment" not in statement and next(count) == {after}:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(self, statement, *others, **named)

        sa.Connection.exec_driver_sql = execute
        with database.open_writer(Path(sys.argv[1])) as connection:
            pass
        """
    )
    killed = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(database.__file__).parents[1])},
    )
    assert killed.returncode == -signal.SIGKILL
    assert digest(path) == before


def test_a_newer_schema_is_a_clear_error(warehouse_path: Path):
    with open_writer(warehouse_path) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    with (
        pytest.raises(SchemaError, match=r"schema 9999 is newer .* upgrade jevdb"),
        open_reader(warehouse_path),
    ):
        pass


def test_newer_views_are_a_clear_error(warehouse_path: Path):
    with open_writer(warehouse_path) as connection:
        connection.execute(program_of("999.0"))
    with (
        pytest.raises(SchemaError, match=r"built by jevdb 999\.0"),
        open_reader(warehouse_path),
    ):
        pass


def test_a_missing_file_names_the_remedy(tmp_path: Path):
    with (
        pytest.raises(SchemaError, match="create it with read_only=False"),
        open_reader(tmp_path / "none.duckdb"),
    ):
        pass
    assert not (tmp_path / "none.duckdb").exists()


def test_a_file_that_is_no_database(tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text("hello " * 1000)
    with pytest.raises(SchemaError, match="not a DuckDB file"), open_reader(path):
        pass


@pytest.mark.parametrize("name", ["rows.csv", "rows.json", "rows.parquet"])
@pytest.mark.parametrize("opened", [open_reader, open_writer])
def test_a_data_file_is_not_taken_for_a_warehouse(
    tmp_path: Path, name: str, opened: Callable[[Path], Any]
):
    """DuckDB would show it as a view, in a database that is in memory."""
    path = tmp_path / name
    with duckdb.connect() as connection:
        connection.execute(f"copy (select 1 as a, 2 as b) to '{path}'")
    before = digest(path)
    with pytest.raises(SchemaError, match="not a DuckDB file"), opened(path):
        pass
    assert digest(path) == before


def test_somebody_elses_database_is_left_alone(tmp_path: Path):
    path = tmp_path / "other.duckdb"
    other = duckdb.connect(str(path))
    other.execute("create table t as select 1 as x")
    other.close()
    before = digest(path)
    with (
        pytest.raises(SchemaError, match="not a jevdb warehouse"),
        open_writer(path, create=True),
    ):
        pass
    assert digest(path) == before


def test_an_unreadable_folder_is_an_error_not_a_traceback(tmp_path: Path):
    with (
        pytest.raises(JevdbError),
        open_writer(tmp_path / "no" / "w.duckdb", create=True),
    ):
        pass


def test_tables_that_are_not_ours_are_an_error_not_a_traceback(warehouse_path: Path):
    with open_writer(warehouse_path) as connection:
        connection.execute(program_of("0.0.1"))
        connection.execute("alter table reported_results rename column meta to other")
    damaged = pytest.raises(SchemaError, match="not those of a jevdb warehouse")
    with damaged, open_reader(warehouse_path):
        pass


def test_an_upgraded_file_is_ours(warehouse_path: Path):
    """Each view of it is what a new file's would be, and nobody is warned."""
    with open_writer(warehouse_path) as connection:
        upgrade(connection, to="0001")
    told: list[str] = []
    with open_reader(warehouse_path, on_wait=told.append) as connection:
        place = connection.execute("select path from duckdb_databases()").fetchall()
        assert (str(warehouse_path),) in place
        assert database.looked_into(connection).strangers == ((), (), (), ())
    with open_writer(warehouse_path, on_wait=told.append):
        pass
    assert told == []


def test_views_that_are_written_out_otherwise_are_another_program(
    monkeypatch: pytest.MonkeyPatch,
):
    known = sqlfiles.program_sha256()
    writers = sqlfiles._writers()
    assert b"def stored_program" in writers
    anew = sqlfiles.program_sha256.__wrapped__
    assert anew() == known
    monkeypatch.setattr(sqlfiles, "_writers", lambda: writers + b"#")
    assert anew() != known
