"""The doctor sees every state of a file, tells a remedy, and changes nothing."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from commandline import ANSWERS, ITEMS, jevdb

from jevdb import __version__
from jevdb.base.installing import to_install
from jevdb.diagnosing import doctor, installed, on_disk
from jevdb.warehouse.connecting import log_of
from jevdb.warehouse.database import open_writer, upgrade
from jevdb.warehouse.sqlfiles import program_sha256, program_view
from jevdb.warehouse.versions import head_revision

HOLDING = (
    "import sys, duckdb; "
    "connection = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == 'read'); "
    "print('held', flush=True); sys.stdin.read()"
)


class Seen(NamedTuple):
    """What the doctor said: its exit code, its JSON and its words."""

    code: int
    told: dict[str, Any]
    text: str

    @property
    def findings(self) -> list[tuple[str, str, str]]:
        rows = self.told["findings"]
        return [(row["level"], row["what"], row["remedy"]) for row in rows]


def seen(path: Path, *options: str) -> Seen:
    """Look quickly, unless *options* are given."""
    options = options or ("--quick",)
    before = content(path)
    written = jevdb(path, "doctor", *options, "--format", "json")
    text = jevdb(path, "doctor", *options)
    assert content(path) == before, "a look changes nothing"
    told = json.loads(written.stdout)
    assert written.exit_code == text.exit_code == told["exit_code"]
    for row in told["findings"]:
        assert f"{row['level']}: {row['what']}" in text.stdout
        assert row["remedy"] in text.stdout
    assert ("all is well" in text.stdout) == (written.exit_code == 0)
    assert bool(text.stderr) == (written.exit_code != 0)
    return Seen(written.exit_code, told, text.stdout)


def content(path: Path) -> dict[str, str]:
    return {
        other.name: hashlib.sha256(other.read_bytes()).hexdigest()
        for other in sorted(path.parent.iterdir())
        if other.is_file()
    }


@contextmanager
def held(path: Path, access: str) -> Iterator[int]:
    """Have another process hold the file, and give its id."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(path), access],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout and process.stdout.readline() == "held\n"
        yield process.pid
    finally:
        process.communicate(timeout=60)


CHECKING = ("--format", "text")
"""The defaults: every check is run."""


@pytest.fixture(scope="session")
def stored(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small warehouse that the commands made."""
    folder = tmp_path_factory.mktemp("doctor")
    path = folder / "stored.duckdb"
    shutil.copyfile(template, path)
    for name, records in (("items", ITEMS), ("rows", ANSWERS)):
        lines = "".join(f"{json.dumps(record)}\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines)
    small = ("--benchmark", "small")
    for arguments in (
        ["items", str(folder / "items.jsonl"), *small],
        ["run", str(folder / "rows.jsonl"), *small, "--model", "first"],
        ["run", str(folder / "rows.jsonl"), *small, "--model", "second"],
    ):
        assert jevdb(path, "ingest", *arguments).exit_code == 0
    return path


@pytest.fixture
def filled(stored: Path, tmp_path: Path) -> Path:
    """A copy of it, alone in its folder."""
    path = tmp_path / "a lone" / "warehouse.duckdb"
    path.parent.mkdir()
    shutil.copyfile(stored, path)
    return path


def test_all_is_well(filled: Path):
    result = seen(filled, *CHECKING)
    assert (result.code, result.findings) == (0, [])
    warehouse = result.told["warehouse"]
    assert warehouse["fit"] == "current"
    assert warehouse["schema"] == warehouse["schema_of_program"] == head_revision()
    assert warehouse["jevdb_version"] == result.told["program"]["jevdb"] == __version__
    assert set(warehouse["faults"].values()) == {0}
    tables = {table["name"]: table for table in warehouse["tables"]}
    # Two runs of four answers.
    assert (tables["runs"]["rows"], tables["predictions"]["rows"]) == (2, 8)
    assert tables["predictions"]["bytes"] > 0 == tables["snapshots"]["bytes"]
    assert result.told["file"]["size"] == filled.stat().st_size
    assert result.told["file"]["header"]["written_by"] == f"v{duckdb.__version__}"
    assert f"DuckDB {duckdb.__version__}" in result.text
    assert result.told["holders"] == []


def test_quick_runs_no_check(filled: Path):
    assert seen(filled).told["warehouse"]["faults"] is None


def test_no_file(tmp_path: Path):
    result = seen(tmp_path / "none.duckdb")
    [(level, what, remedy)] = result.findings
    assert (result.code, level) == (1, "problem")
    assert what.endswith("no such warehouse") and "jevdb init" in remedy
    assert result.told["warehouse"] is None


def test_a_log_without_its_file(tmp_path: Path):
    path = tmp_path / "gone.duckdb"
    log_of(path).write_bytes(b"x")
    result = seen(path)
    assert [what for _, what, _ in result.findings] == [
        f"{path}: no such warehouse",
        f"{log_of(path)}: the log of a database that is gone",
    ]


@pytest.mark.parametrize(
    ("content", "what", "remedy"),
    [
        (b"", "empty", "jevdb init"),
        (b"item_id,status\nq1,ok\n" * 9, "not a DuckDB file", "--db"),
        (b"\0" * 100, "not a DuckDB file", "restore"),
    ],
)
def test_another_file(tmp_path: Path, content: bytes, what: str, remedy: str):
    path = tmp_path / "other.duckdb"
    path.write_bytes(content)
    [(level, told, advice)] = seen(path).findings
    assert (level, told) == ("problem", f"{path}: {what}")
    assert remedy in advice


def test_a_folder(tmp_path: Path):
    assert seen(tmp_path).findings[0][1] == f"{tmp_path}: not a file"


def test_a_database_of_somebody_else(tmp_path: Path):
    path = tmp_path / "other.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("create table t as select 1 as x")
    result = seen(path)
    assert result.code == 1
    assert result.findings[0][1].endswith("a DuckDB file, but not a jevdb warehouse")
    assert result.told["warehouse"]["tables"][0]["rows"] == 1


def test_a_database_without_tables_becomes_a_warehouse(tmp_path: Path):
    path = tmp_path / "empty.duckdb"
    duckdb.connect(path).close()
    result = seen(path)
    assert (result.code, result.findings[0][0]) == (0, "note")
    assert jevdb(path, "init").exit_code == 0
    assert seen(path).findings == []


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="no list of locks here")
def test_a_writer_elsewhere_is_named(filled: Path):
    with held(filled, "write") as pid:
        result = seen(filled)
    assert result.code == 6
    [(level, what, remedy)] = result.findings
    assert level == "problem" and f"held by process {pid}" in what and remedy
    [holder] = result.told["holders"]
    assert (holder["pid"], holder["access"]) == (pid, "write")
    assert "duckdb.connect" in holder["command"]
    assert holder["since"].endswith("Z")
    assert f"process {pid}" in result.text
    # What can be known without opening it is told all the same.
    assert result.told["file"]["header"]["storage_version"] > 0
    assert result.told["warehouse"] is None


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="no list of locks here")
def test_a_reader_elsewhere_does_no_harm(filled: Path):
    with held(filled, "read") as pid:
        result = seen(filled)
    assert (result.code, result.findings) == (0, [])
    [holder] = result.told["holders"]
    assert (holder["pid"], holder["access"]) == (pid, "read")


def test_the_locks_of_another_file_are_not_told(filled: Path, tmp_path: Path):
    other = tmp_path / "other.duckdb"
    shutil.copyfile(filled, other)
    with held(other, "write"):
        assert seen(filled).told["holders"] == []


@pytest.mark.parametrize("damage", ["header", "block", "cut"])
def test_a_damaged_file(demo_path: Path, tmp_path: Path, damage: str):
    path = tmp_path / "damaged.duckdb"
    content = bytearray(demo_path.read_bytes())
    if damage == "header":
        content[4096:4200] = b"\xff" * 104
    elif damage == "block":
        at = content.index(b"synthetic-steady")
        content[at] ^= 1
    else:
        del content[len(content) // 2 :]
    path.write_bytes(content)
    result = seen(path, *CHECKING)
    assert result.code == 1
    level, what, remedy = result.findings[-1]
    assert level == "problem" and str(path) in what
    assert "restore" in remedy


def test_a_file_cut_short_is_told_with_the_remedy(demo_path: Path, tmp_path: Path):
    path = tmp_path / "cut.duckdb"
    whole = demo_path.read_bytes()
    for kept in (100, 20_000, len(whole) // 2):
        path.write_bytes(whole[:kept])
        refused = jevdb(path, "runs")
        assert refused.exit_code == 1
        (line,) = refused.stderr.splitlines()
        assert line.startswith(f"error: {path}: damaged: ")
        assert line.endswith("`jevdb --db NEW restore BUNDLE`")


def test_a_file_of_sqlite_is_not_a_duckdb_file(tmp_path: Path):
    path = tmp_path / "other.duckdb"
    with sqlite3.connect(path) as other:
        other.execute("create table runs (run_id text)")
    refused = jevdb(path, "runs")
    assert refused.exit_code == 1
    assert refused.stderr == (
        f"error: {path}: not a DuckDB file; name a warehouse with --db\n"
    )


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_what_is_no_file_is_told_at_once(tmp_path: Path, make: Callable[[Path], None]):
    """Opening a pipe waits for whoever writes into it: for ever, mostly."""
    path = tmp_path / "w.duckdb"
    make(path)
    for command in (["runs"], ["init"], ["compact"]):
        refused = jevdb(path, *command)
        assert refused.exit_code == 1
        assert refused.stderr == (
            f"error: {path}: not a DuckDB file; name a warehouse with --db\n"
        )


@pytest.mark.parametrize(
    "statement",
    [
        "update alembic_version set version_num = ''",
        "update alembic_version set version_num = '0000'",
        "update alembic_version set version_num = 'head'",
        "insert into alembic_version values ('0001')",
        "delete from alembic_version",
    ],
)
def test_a_schema_that_no_jevdb_wrote(filled: Path, statement: str):
    with open_writer(filled) as connection:
        connection.execute(statement)
    before = filled.read_bytes()
    refused = jevdb(filled, "runs")
    assert refused.exit_code == 1
    (line,) = refused.stderr.splitlines()
    assert line == f"error: {filled}: a DuckDB file, but not a jevdb warehouse"
    assert filled.read_bytes() == before


def test_a_flipped_bit_in_any_table_is_found(demo_path: Path, tmp_path: Path):
    """Also in a column that no check reads."""
    path = tmp_path / "damaged.duckdb"
    content = bytearray(demo_path.read_bytes())
    content[content.index(b"METRICS.md")] ^= 1
    path.write_bytes(content)
    assert seen(path, *CHECKING).code == 1


def test_an_older_schema_is_upgraded_by_others(filled: Path):
    with open_writer(filled) as connection:
        upgrade(connection, to="0001")
    result = seen(filled)
    assert result.code == 0
    [(level, what, remedy)] = result.findings
    assert level == "note" and "schema 0001" in what and "jevdb init" in remedy
    assert jevdb(filled, "init").exit_code == 0
    assert seen(filled).findings == []


def as_if_built_by(path: Path, version: str, digest: str) -> None:
    with duckdb.connect(path) as connection:
        statement = program_view().replace(f"'{__version__}' as", f"'{version}' as")
        connection.execute(statement.replace(program_sha256(), digest))


def test_stale_views_are_told(filled: Path):
    as_if_built_by(filled, __version__, "0" * 64)
    result = seen(filled)
    assert (result.code, result.told["warehouse"]["fit"]) == (0, "older views")
    assert result.findings[0][0] == "note"
    assert "not as this jevdb's" in result.text


def test_views_of_a_newer_jevdb(filled: Path):
    as_if_built_by(filled, "99.0.0", "0" * 64)
    result = seen(filled)
    assert result.code == 1
    assert "made by jevdb 99.0.0" in result.findings[0][1]
    assert "upgrade jevdb" in result.findings[0][2]


def test_a_newer_schema(filled: Path):
    with duckdb.connect(filled) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    result = seen(filled)
    assert (result.code, result.told["warehouse"]["fit"]) == (1, "newer schema")


def test_an_older_file_that_nobody_may_write(
    filled: Path, monkeypatch: pytest.MonkeyPatch
):
    """Root may write anything, so the answer of the system is made up."""
    as_if_built_by(filled, __version__, "0" * 64)
    monkeypatch.setattr(on_disk, "_may", lambda path, mode: mode != os.W_OK)
    result = seen(filled)
    assert result.code == 1
    assert [level for level, *_ in result.findings] == ["note", "problem"]
    assert "writable" in result.findings[1][2]


def test_a_file_that_one_may_not_read(filled: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(on_disk, "_may", lambda path, mode: False)
    monkeypatch.setattr(on_disk, "_header", lambda path: None)
    assert seen(filled).findings[0][1].endswith("you may not read it")


def test_a_log_that_a_kill_left(filled: Path):
    code = (
        "import sys, duckdb; c = duckdb.connect(sys.argv[1]); "
        "c.execute(\"insert into gold_revisions values ('x', 1, null, 0)\"); "
        "import os; os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", code, str(filled)], check=False)
    size = log_of(filled).stat().st_size
    result = seen(filled)
    assert (result.code, result.findings[0][0]) == (0, "note")
    assert f"{size:,} bytes" in result.findings[0][1]
    # Its rows are there, also before they are in the file.
    tables = {t["name"]: t["rows"] for t in result.told["warehouse"]["tables"]}
    assert tables["gold_revisions"] == 2
    assert jevdb(filled, "init").exit_code == 0
    assert seen(filled).findings == []


def test_files_that_a_kill_left(filled: Path):
    left = filled.with_name(f".{filled.name}.compacting")
    left.write_bytes(b"")
    in_use = filled.with_name(f".{filled.name}.{os.getpid()}")
    in_use.write_bytes(b"")
    [(level, _, remedy)] = seen(filled).findings
    assert (level, remedy) == ("note", f"rm {shlex.quote(str(left))}")


def test_little_room_is_noted(filled: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(on_disk, "_free", lambda folder: 1_000_000)
    result = seen(filled)
    assert (result.code, result.findings[0][0]) == (0, "note")
    assert "1,000,000 bytes free" in result.findings[0][1]


def test_free_bytes_are_noted(warehouse_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "MUCH_FREE", 0)
    with open_writer(warehouse_path) as connection:
        connection.execute("create table big as select random() from range(1000000)")
        connection.execute("create table last as select random() from range(1000000)")
    with open_writer(warehouse_path) as connection:
        connection.execute("drop table big")
    (_, stranger, _), (level, _, remedy) = seen(warehouse_path).findings
    assert stranger.endswith("not jevdb's: the table last")
    assert level == "note" and "jevdb compact" in remedy
    assert jevdb(warehouse_path, "compact").exit_code == 0
    [(_, told, _)] = seen(warehouse_path).findings
    assert told == stranger


def test_faults_are_counted_by_check(filled: Path):
    with open_writer(filled) as connection:
        connection.execute("update runs set n_ok = n_ok + 1, n_rows = n_rows + 1")
    result = seen(filled, *CHECKING)
    assert result.code == 1
    assert "wrong_row_counts 2" in result.findings[0][1]
    assert "jevdb check" in result.findings[0][2]


def test_a_missing_extra_names_what_to_install(
    filled: Path, monkeypatch: pytest.MonkeyPatch
):
    real = installed._version
    monkeypatch.setattr(
        installed, "_version", lambda name: None if name == "altair" else real(name)
    )
    result = seen(filled)
    assert result.code == 0
    assert result.told["program"]["extras"]["plot"] is False
    assert "altair missing" in result.text
    assert to_install("plot") in result.text


def test_extras_are_those_of_the_project():
    names = set(installed.installed().extras)
    project = Path(__file__).parents[1] / "pyproject.toml"
    declared = tomllib.loads(project.read_text())["project"]["optional-dependencies"]
    assert names == declared.keys() - {"dev"}
