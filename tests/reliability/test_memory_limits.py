"""Memory that is limited: told at the start, or at the end of what took too much."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import duckdb
import pytest
from commandline import COMMAND, fill, jevdb
from processes import digest

from jevdb.base import memory
from jevdb.base.errors import JevdbError
from jevdb.commands.limits import memory_of
from jevdb.warehouse.database import open_reader

LEAST = memory.LEAST // memory.MIB
LIST = "select list(range) from range(100000000)"
DEAF = "select length(repeat('x', 2000000000))"
"""One call of a function whose memory DuckDB does not count."""
ITEMS, ANSWERS = "items.jsonl", "answers.jsonl"


def within(mib: int, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in an address space of so many MiB."""
    most = mib * memory.MIB
    return subprocess.run(
        [*COMMAND, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=cwd,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_AS, (most, most)),
        timeout=300,
    )


@pytest.fixture
def path(warehouse_path: Path) -> Path:
    fill(warehouse_path)
    return warehouse_path


def test_too_small_an_address_space_is_told_at_the_start(path: Path):
    before = digest(path)
    refused = within(150, "--db", str(path), "report", cwd=path.parent)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        f"error: the address space is limited to 150 MiB, and jevdb needs {LEAST}; "
        "raise the limit (ulimit -v)\n"
    )
    assert digest(path) == before
    assert within(60, "report", "--help", cwd=path.parent).returncode == 0


def test_in_the_least_a_report_is_the_same(path: Path):
    found = within(LEAST, "--db", str(path), "report", cwd=path.parent)
    assert (found.returncode, found.stdout) == (0, jevdb(path, "report").stdout)


def test_drawing_takes_more_addresses(path: Path):
    out = path.parent / "a.svg"
    command = ("plot", "reliability", "first", "--out", str(out))
    refused = within(LEAST, "--db", str(path), *command, cwd=path.parent)
    assert refused.returncode == 1
    assert "and drawing needs 69,632; raise the limit" in refused.stderr
    assert not out.exists()


COMMANDS = (
    *(("report",), ("models",), ("check",), ("doctor",), ("export", "--out", "-")),
    *(("compare", "de-1", "gavel-decide-4b"), ("calibration", "de-1")),
    ("leaderboard", "--benchmark", "cmdb-1500-synthetic"),
    *(("sql", "select py_mcnemar_exact(3, 4)"), ("runs", "dump", "de-1")),
    *(("compact",), ("ingest", "items", ITEMS, "--benchmark", "more")),
    ("ingest", "run", ANSWERS, "--benchmark", "many", "--model", "m"),
)


@pytest.mark.long
def test_every_command_in_every_little_space(demo_path: Path, tmp_path: Path):
    """It is done, or it is said that memory is missing; the warehouse stays whole."""
    n = 30_000
    items = [{"item_id": str(i), "type": "noul", "gold": "yes"} for i in range(n)]
    answers = [{"item_id": str(i), "answer": "yes"} for i in range(n)]
    for name, rows in ((ITEMS, items), (ANSWERS, answers)):
        (tmp_path / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    whole = tmp_path / "whole.duckdb"
    shutil.copyfile(demo_path, whole)
    ingest = ("ingest", "items", str(tmp_path / ITEMS), "--benchmark", "many")
    assert jevdb(whole, *ingest).exit_code == 0
    for mib in (*range(50, LEAST, 150), LEAST, LEAST + 40, LEAST + 200):
        path = tmp_path / f"{mib}.duckdb"
        shutil.copyfile(whole, path)
        for arguments in COMMANDS:
            done = within(mib, "--db", str(path), *arguments, cwd=tmp_path)
            assert done.returncode in ((0, 1) if mib >= LEAST else (1,)), done
            assert "Traceback" not in done.stderr
            if done.returncode:
                assert "memory" in done.stderr or "address space" in done.stderr
                assert done.stderr.count("\n") == 1, done
        assert jevdb(path, "check").exit_code == 0


@pytest.mark.parametrize("query", [LIST, DEAF])
def test_a_query_that_takes_too_much_is_ended(path: Path, query: str):
    done = subprocess.run(
        [*COMMAND, "--db", str(path), "sql", "--memory", "200MB", query],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "error: the query took more than 200 MB of memory; give it more with --memory "
        "SIZE (0 is no limit)\n"
    )


def test_duckdb_is_held_to_three_quarters_of_it(path: Path):
    asked = "select parse_formatted_bytes(current_setting('memory_limit')) as n"
    done = jevdb(path, "sql", asked, "--memory", "1024 MiB", "--format", "jsonl")
    assert json.loads(done.stdout) == {"n": 768 * 2**20}


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        *(("1.5GB", 1_500_000_000), ("512 mib", 2**29), ("2TiB", 2**41)),
        *(("700", 700), ("0", None), ("0GB", None), ("10kb", 10_000)),
    ],
)
def test_sizes(size: str, expected: int | None):
    assert memory_of(size) == expected


def test_unless_given_it_is_half_of_the_machines():
    machine = memory.total()
    assert machine is not None
    assert memory_of(None) == machine // 2


@pytest.mark.parametrize("size", ["", "-1GB", "much", "5 XB", "1e9"])
def test_what_is_no_size(path: Path, size: str):
    refused = jevdb(path, "sql", "select 1", f"--memory={size}")
    assert refused.exit_code == 2
    assert refused.stderr == (
        f"error: --memory {size!r} is no size; give one as 500MB or 2GB\n"
    )


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        ImportError("libx.so: failed to map segment from shared object"),
        ImportError("libx.so: cannot allocate memory in static TLS block"),
        RuntimeError("can't start new thread"),
    ],
)
def test_missing_memory_is_told_without_a_traceback(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
):
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr("jevdb.scoring.adhoc.select", failing)
    told = jevdb(path, "sql", "select 1", "--memory", "0")
    assert (told.exit_code, told.stderr) == (1, "error: out of memory\n")


@pytest.mark.parametrize(
    "error",
    [
        duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate"),
        duckdb.InvalidInputException("arrow_scan: Failed to launch worker thread"),
    ],
)
def test_so_is_what_a_database_in_memory_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
):
    """Judges have one, which is no file whose name could be told."""

    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("jevdb.api.warehouse.Warehouse.benchmarks", failing)
    told = jevdb(tmp_path / "w.duckdb", "benchmarks")
    assert (told.exit_code, told.stderr) == (1, "error: out of memory\n")


FULL = """
import resource, sys
import duckdb, pyarrow
from jevdb.base.arrow import register, start_threads

resource.setrlimit(resource.RLIMIT_AS, (2**36, 2**36))
start_threads()
connection = duckdb.connect(config={"threads": 1})
rows = pyarrow.table({"n": range(1000)})
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + 2**22
resource.setrlimit(resource.RLIMIT_AS, (most, most))
register(connection, "rows", rows)
print(connection.execute("select sum(n) from rows").fetchall())
"""
"""Rows of Arrow are read where there is no room for the stack of another thread."""


def test_a_table_is_read_where_no_thread_can_start():
    done = subprocess.run(
        [sys.executable, "-c", FULL],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("[(499500,)]\n", "")


def test_another_error_is_not_taken_for_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    def failing(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("jevdb.scoring.adhoc.select", failing)
    told = jevdb(path, "sql", "select 1")
    assert isinstance(told.exception, RuntimeError)


def test_a_limit_of_the_address_space_binds_duckdb(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(memory, "address_space", lambda: memory.RESERVED + 2**28)
    with open_reader(path) as connection:
        found = connection.execute(
            "select parse_formatted_bytes(current_setting('memory_limit'))"
        ).fetchall()
    assert found == [(2**28,)]
    assert memory.for_duckdb(2**27)["memory_limit"] == f"{2**27}B"
    with pytest.raises(JevdbError, match=r"limited to 656 MiB, and it needs 700"):
        memory.require(700 * memory.MIB, "it")
