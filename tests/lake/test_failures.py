"""What goes wrong with a lake is said in one line: what, where, and what to do."""

from __future__ import annotations

import importlib.util
import os
import resource
import shutil
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path

import duckdb
import pytest
from commandline import COMMAND, jevdb
from places import Machine, Place, caching
from servers import HOST, free_port

from jevdb.base.installing import to_install
from jevdb.lake import extensions
from jevdb.lake.connecting import Lake
from jevdb.lake.failures import refused_storage
from jevdb.lake.files import DataFile, register

PASSWORD = "opensesame"


def said(place: Place, dsn: str, *arguments: str) -> str:
    """Return the one line that a failing command says."""
    with caching(place.folder):
        result = jevdb(dsn, *(arguments or ("runs",)))
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert PASSWORD not in result.stderr
    (line,) = result.stderr.splitlines()
    return line


def test_a_catalog_that_cannot_be_reached(
    place: Place, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "2")
    port = free_port()
    dsn = f"ducklake:postgres:host={HOST} port={port} dbname=evals password={PASSWORD}"
    assert said(place, dsn) == (
        f"error: lake catalog {HOST}:{port}/evals: connection refused; "
        "is PostgreSQL running?"
    )
    url = f"ducklake:postgres:postgresql://me:{PASSWORD}@{HOST}:{port}/evals"
    assert f"{HOST}:{port}/evals: connection refused" in said(place, url)
    with socket.create_server((HOST, 0)) as silent:
        port = silent.getsockname()[1]
        dsn = f"ducklake:postgres:host={HOST} port={port} dbname=evals"
        assert said(place, dsn) == (
            f"error: lake catalog {HOST}:{port}/evals: no answer; "
            "is the host right, and reachable from here?"
        )
    assert "no such host" in said(place, "ducklake:postgres:host=nowhere.invalid")
    assert "no such service" in said(place, "ducklake:postgres:service=nothing_of_it")
    assert "no DuckDB secret" in said(place, "ducklake:nothing_of_it")


def test_a_database_or_role_that_is_not_there(place: Place):
    where = f"error: lake catalog {HOST}:{place.postgres.port}"
    dsn = place.dsn().replace(place.database, "nowhere")
    assert said(place, dsn) == (
        f'{where}/nowhere: database "nowhere" does not exist; '
        "ask the lake's keeper for it"
    )
    assert 'role "nobody_here" does not exist' in said(
        place, place.dsn(role="nobody_here")
    )


def test_a_database_that_is_no_lake(place: Place):
    dsn = place.dsn().replace(place.database, "postgres")
    expected = f"not a jevdb lake; run: jevdb --db '{dsn}' init --data PATH"
    assert said(place, dsn) == f"error: {dsn}: {expected}"
    # Nothing was made of it.
    found = "select count(*) from pg_tables where tablename like 'ducklake%'"
    assert place.postgres.psql(found) == "0"


def test_a_role_that_only_reads(place: Place, machine: Machine):
    assert machine.ingest("alpha").exit_code == 0
    place.psql(
        "do $$ begin create role reader login; exception when duplicate_object "
        "then end $$; grant select on all tables in schema public to reader"
    )
    dsn = place.dsn(role="reader")
    with caching(place.folder):
        listed = jevdb(dsn, "runs")
        assert listed.exit_code == 0, listed.output
        assert "alpha" in listed.stdout
    before = set(place.data.rglob("*"))
    line = said(place, dsn, "baseline", "set", "alpha")
    assert line.endswith(
        "role reader may not write; ask the lake's keeper for the right"
    )
    assert set(place.data.rglob("*")) == before


def test_a_lake_of_another_format_or_schema(place: Place, machine: Machine):
    def version(key: str) -> None:
        place.psql(
            f"update ducklake_metadata set value = '{key}' where key = 'version'"
        )

    version("1.1")
    assert "its DuckLake format is 1.1, this extension's is 1.0" in said(
        place, place.dsn()
    )
    assert (
        place.psql("select value from ducklake_metadata where key='version'") == "1.1"
    )
    version("1.0")
    with Lake(place.target) as lake:
        lake.rows("insert into alembic_version values ('9999')")
    assert "schema 9999 is newer than this jevdb knows" in said(place, place.dsn())
    assert "upgrade jevdb" in said(place, place.dsn(), "init")


def test_storage_that_cannot_be_written(place: Place, machine: Machine):
    """A file lies where the folder of a table should be."""
    events = place.data / "main" / "run_events"
    assert machine.ingest("alpha").exit_code == 0
    events.write_text("")
    refused = machine.jevdb("baseline", "set", "alpha")
    assert refused.exit_code == 1
    assert refused.stderr == (
        f"error: the lake's storage refused {events}: File exists; "
        "nothing was published\n"
    )
    events.unlink()
    assert machine.jevdb("baseline", "set", "alpha").exit_code == 0
    assert machine.jevdb("check").exit_code == 0


def test_what_is_written_is_of_the_group_of_a_shared_folder(
    place: Place, machine: Machine
):
    """Whatever the umask: new files, new folders, merged files; others get nothing."""
    group = 4242 if os.geteuid() == 0 else os.getgroups()[-1]
    for folder, _, _ in os.walk(place.data):
        os.chown(folder, -1, group)
        Path(folder).chmod(0o2770)
    shutil.rmtree(place.data / "main" / "predictions", ignore_errors=True)
    before = set(place.data.rglob("*"))
    umask = os.umask(0o077)
    try:
        for number in range(2):
            done = machine.ingest(f"model-{number}", str(number))
            assert done.exit_code == 0, done.output
        assert machine.jevdb("lake", "compact").exit_code == 0
    finally:
        os.umask(umask)
    made = set(place.data.rglob("*")) - before
    kinds = {path.is_dir() for path in made}
    assert kinds == {True, False}
    for path in made:
        found = path.stat()
        assert found.st_gid == group, path
        assert oct(found.st_mode & 0o7777) == oct(0o2770 if path.is_dir() else 0o660)


def test_a_folder_of_no_group_of_mine_is_said():
    said = str(refused_storage("/share/main/runs", "Permission denied"))
    assert "must be of a group that you are in, and writable to it" in said


def test_storage_that_is_not_there_is_not_called_damaged(
    place: Place, machine: Machine
):
    """One file is gone; then all: an unmounted share leaves an empty folder."""
    run_id = machine.ingest("alpha").stdout.strip()
    (path,) = (place.data / "main" / "predictions").glob("*.parquet")
    path.rename(aside := place.folder / "aside.parquet")
    assert said(place, place.dsn()) == (
        f"error: {place.target.name}: file missing: run {run_id[:12]} in "
        f"predictions: file {path}; check that the share is whole; if somebody "
        "removed the file, put it back"
    )
    verified = machine.jevdb("lake", "verify", "--format", "jsonl")
    assert verified.exit_code == 1
    assert '"missing_file"' in verified.stdout
    assert f'"run {run_id[:12]} in predictions"' in verified.stdout
    assert "damaged" not in verified.stdout
    aside.rename(path)
    place.data.rename(elsewhere := place.folder / "elsewhere")
    unmounted = (
        f"error: {place.target.name}: the lake's files are not at {place.data}/; check "
        "that the share is mounted there"
    )
    assert said(place, place.dsn()) == unmounted
    place.data.mkdir()
    assert said(place, place.dsn()) == unmounted
    assert said(place, place.dsn(), "lake", "verify") == unmounted
    place.data.rmdir()
    elsewhere.rename(place.data)
    assert machine.jevdb("lake", "verify").exit_code == 0


def test_a_fault_that_names_no_file_is_looked_for(place: Place, machine: Machine):
    """DuckDB says only "Out of buffer" and the like of a page whose header is wrong."""
    run_id = machine.ingest("alpha").stdout.strip()
    (path,) = (place.data / "main" / "predictions").glob("*.parquet")
    path.write_bytes(unnamed(path))
    line = said(place, place.dsn())
    assert f"warehouse damaged: run {run_id[:12]} in predictions: file {path}: " in line
    assert line.endswith("restore the file from a backup of the lake's storage")


def unnamed(path: Path) -> bytes:
    """Return the file with a bit flipped so that DuckDB's complaint names no file."""
    whole = path.read_bytes()
    tried = path.with_suffix(".tried")
    with duckdb.connect() as reader:
        reader.execute("set enable_external_file_cache = false")
        for at in range(4, len(whole) - 8):
            flipped = bytearray(whole)
            flipped[at] ^= 0x80
            tried.write_bytes(flipped)
            try:
                reader.execute(f"from read_parquet('{tried}')").fetchall()
            except duckdb.Error as error:
                if str(error).startswith(("Out of buffer", "TProtocolException")):
                    tried.unlink()
                    return bytes(flipped)
    raise AssertionError(f"every complaint of {path} names it")


def half(whole: bytes) -> bytes:
    return whole[: len(whole) // 2]


def all_but_one(whole: bytes) -> bytes:
    return whole[:-1]


def nothing(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize(
    "cuts",
    [
        pytest.param([half, nothing], id="two"),
        pytest.param([half, all_but_one, nothing], id="three", marks=pytest.mark.long),
    ],
)
def test_a_truncated_file_names_its_run(
    place: Place, machine: Machine, cuts: list[Callable[[bytes], bytes]]
):
    run_id = machine.ingest("alpha").stdout.strip()
    (path,) = (place.data / "main" / "predictions").glob("*.parquet")
    whole = path.read_bytes()
    mirror = place.folder / place.target.mirror.name
    mirror.unlink(missing_ok=True)
    for cut in cuts:
        is_new = not mirror.exists()
        path.write_bytes(cut(whole))
        # First into a mirror that has yet to be made, then into one without the run.
        line = said(place, place.dsn())
        assert f"warehouse damaged: run {run_id[:12]} in predictions" in line
        assert str(path) in line
        assert line.endswith("restore the file from a backup of the lake's storage")
        assert mirror.exists() is not is_new
        shutil.copyfile(place.mirror, mirror)
        verified = machine.jevdb("lake", "verify", "--format", "jsonl")
        assert verified.exit_code == 1
        assert f'"run {run_id[:12]} in predictions"' in verified.stdout
    path.write_bytes(whole)
    assert machine.jevdb("lake", "verify").exit_code == 0


def test_verify_names_the_run_of_a_flipped_byte(place: Place, machine: Machine):
    """A flipped byte of what rows hold is told (in a column of nulls, nothing is)."""
    run_id = machine.ingest("alpha").stdout.strip()
    assert machine.ingest("beta", "1").exit_code == 0
    path = next(
        path
        for path in (place.data / "main" / "predictions").glob("*.parquet")
        if path.read_bytes().find(run_id.encode()) >= 0
    )
    whole = path.read_bytes()
    columns = duckdb.sql(
        "select path_in_schema, data_page_offset + total_compressed_size // 2 "
        f"from parquet_metadata('{path}')"
    ).fetchall()
    middles = {name.split(",")[0]: place for name, place in columns}
    found = set()
    for name in ("item_id", "probabilities"):
        flipped = bytearray(whole)
        flipped[middles[name]] ^= 0x10
        path.write_bytes(flipped)
        verified = machine.jevdb("lake", "verify", "--format", "jsonl")
        assert verified.exit_code == 1, (name, verified.output)
        found.add(run_id[:12] in verified.stdout)
    assert found == {True}


def misread(path: Path) -> bytes:
    """Return the file with one bit flipped so that it is read, as other rows."""
    whole = path.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    tried = path.with_suffix(".tried")
    with duckdb.connect() as reader:
        reader.execute("set enable_external_file_cache = false")
        rows = reader.execute(f"from read_parquet('{path}')").fetchall()
        for place, bit in product(range(4, footer), (1, 2, 4)):
            flipped = bytearray(whole)
            flipped[place] ^= bit
            tried.write_bytes(flipped)
            with suppress(duckdb.Error):
                found = reader.execute(f"from read_parquet('{tried}')").fetchall()
                if found != rows and len(found) == len(rows):
                    tried.unlink()
                    return bytes(flipped)
    raise AssertionError(f"every bit of {path} is noticed when it is read")


@pytest.mark.parametrize(
    "table, subject", [("predictions", "run {run}"), ("items", "ingest 1")]
)
def test_a_flipped_byte_that_can_be_read_is_not_pulled(
    place: Place, machine: Machine, tmp_path: Path, table: str, subject: str
):
    """Into a mirror that has all but the run, and into one that has yet to be made."""
    run_id = machine.ingest("alpha").stdout.strip()
    there = place.machine("there")
    (path,) = (place.data / "main" / table).glob("*.parquet")
    whole = path.read_bytes()
    path.write_bytes(misread(path))
    mirror = there.cache / place.target.mirror.name
    if table == "items":
        mirror.unlink()
    before = mirror.read_bytes() if mirror.exists() else None
    # A lake moves into a file or a bundle by way of the mirror.
    refused = there.jevdb("backup", str(tmp_path / "bundle.tar"))
    assert refused.exit_code == 1, refused.output
    assert f"warehouse damaged: {subject.format(run=run_id)}: " in refused.stderr
    assert "nothing was pulled; restore the lake's storage" in refused.stderr
    assert (mirror.read_bytes() if mirror.exists() else None) == before
    path.write_bytes(whole)
    assert "alpha" in there.jevdb("runs").stdout


def test_rows_that_came_twice_are_not_pulled(place: Place, machine: Machine):
    """A file registered twice; into a mirror that is behind, and into a new one."""
    there = place.machine("there")
    run_id = machine.ingest("alpha").stdout.strip()
    (path,) = (place.data / "main" / "predictions").glob("*.parquet")
    twice = path.with_name("twice.parquet")
    twice.write_bytes(path.read_bytes())
    with Lake(place.target) as lake, lake.writing():
        register(lake, [DataFile("predictions", str(twice))])
    mirror = there.cache / place.target.mirror.name
    for is_new in (False, True):
        if is_new:
            mirror.unlink()
        refused = there.jevdb("runs")
        assert refused.exit_code == 1, refused.output
        assert f"warehouse damaged: run {run_id}: rows_sha256 " in refused.stderr
        assert mirror.exists() is not is_new


def test_a_mirror_on_a_full_disk_stays_as_it_was(place: Place, machine: Machine):
    assert machine.ingest("alpha").exit_code == 0
    there = place.machine("there")
    mirror = there.cache / place.target.mirror.name
    before = mirror.read_bytes()
    most = (len(before), len(before))
    refused = subprocess.run(
        [*COMMAND, "--db", place.dsn(), "runs"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, most),
        env={**os.environ, "JEVDB_CACHE": str(there.cache)},
        check=False,
    )
    assert refused.returncode == 1, refused.stderr
    (line,) = refused.stderr.splitlines()
    assert line == f"error: cannot write {mirror}: File too large"
    assert refused.stdout == ""
    assert "alpha" in there.jevdb("runs").stdout
    assert there.jevdb("check").exit_code == 0


def test_extensions_that_are_not_installed(
    place: Place, monkeypatch: pytest.MonkeyPatch
):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name: None if name.endswith("_ducklake") else find(name),
    )
    extensions.engine.cache_clear()
    try:
        assert said(place, place.dsn()) == (
            f"error: a lake needs DuckDB's extension ducklake: {to_install('lake')}; "
            "or set JEVDB_LAKE_EXTENSIONS=install, and DuckDB fetches it from its own "
            "repository"
        )
    finally:
        extensions.engine.cache_clear()


def test_a_lock_that_another_holds(place: Place, machine: Machine):
    with Lake(place.target) as holder:
        holder.lock(1, None)
        path = place.folder / "rows.jsonl"
        assert path.parent.exists()
        waited = machine.jevdb("--lock-timeout", "0.2", "lake", "compact")
        assert waited.exit_code == 6, waited.output
        assert f"locked by keeper on {HOST}/32, since " in waited.stderr
        assert waited.stderr.endswith("try again when it is done\n")
    assert machine.jevdb("--lock-timeout", "0.2", "lake", "compact").exit_code == 0


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("lake", "status"), "a file; name a lake"),
        (("init", "--data", "x"), "go with a lake"),
        (("restore", "b.tar", "--data", "x"), "--data goes with a lake"),
    ],
)
def test_what_only_a_lake_has(tmp_path: Path, arguments: list[str], words: str):
    result = jevdb(tmp_path / "w.duckdb", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_what_only_a_file_has(tmp_path: Path):
    result = jevdb("ducklake:postgres:dbname=x", "compact")
    assert result.exit_code == 2
    assert "`jevdb lake compact`" in result.stderr
