"""No traceback reaches the user, whatever the arguments, streams and files are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import duckdb
import pytest
from commandline import COMMAND, FIRST, commands, fill, jevdb

from jevdb.base.connection import Connection
from jevdb.base.errors import JevdbError
from jevdb.cli import main
from jevdb.warehouse.database import open_reader, open_writer


def process(
    *arguments: str | bytes, stdout: int = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        check=False,
    )


def test_an_argument_that_is_not_utf8(warehouse_path: Path):
    fill(warehouse_path)
    for arguments in (["sql", b"select '\xff'"], ["runs", "relabel", "first", b"\xff"]):
        result = process("--db", str(warehouse_path), *arguments)
        assert result.returncode == 2
        assert result.stderr.startswith(b"error: not UTF-8 text: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["sql", "from range(100000)"],
        ["models"],
        ["report"],
        ["report", "--format", "json"],
        ["export", "--out", "-"],
        ["runs", "dump", "first"],
    ],
    ids=" ".join,
)
def test_a_full_disk_behind_stdout(warehouse_path: Path, arguments: list[str]):
    fill(warehouse_path)
    with Path("/dev/full").open("wb") as full:
        result = process("--db", str(warehouse_path), *arguments, stdout=full.fileno())
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == b"error: No space left on device"


def test_a_reader_that_goes_away(warehouse_path: Path):
    fill(warehouse_path)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = process(
            *("--db", str(warehouse_path), "sql", "from range(100000)"), stdout=writing
        )
    finally:
        os.close(writing)
    assert (result.returncode, result.stderr) == (0, b"")


def test_a_terminal_without_unicode(warehouse_path: Path):
    result = process(
        *("--db", str(warehouse_path), "sql", "select 'é' as x"),
        PYTHONIOENCODING="ascii",
    )
    assert (result.returncode, result.stdout) == (0, b"x\n\\xe9\n")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("w.duckdb", ""), ("w.duckdb", "x" * 5000), ("w.duckdb", "a,b\n1,2\n")),
        *(("w.csv", "a,b\n1,2\n"), ("w.json", '{"a": 1}'), ("w.parquet", "PAR1")),
    ],
)
def test_a_file_that_is_no_warehouse(tmp_path: Path, name: str, text: str):
    """DuckDB would open a CSV or JSON file in memory, and lose what is written."""
    path = tmp_path / name
    path.write_text(text)
    for command in (["report"], ["runs", "private", "x"]):
        result = jevdb(path, *command)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"error: {path}: ")
        assert len(result.stderr.splitlines()) == 1
    assert path.read_text() == text


@pytest.mark.parametrize(
    "arguments, dropped",
    [
        pytest.param(["check"], "table rejects", id="check"),
        pytest.param(["runs", "rejects", FIRST], "table rejects", id="rejects"),
        pytest.param(["backup", "bundle.tar"], "table rejects", id="backup"),
        pytest.param(["runs", "private", FIRST], "table run_events", id="a write"),
        pytest.param(["report"], "view run_states", id="a view"),
        pytest.param(["calibration", FIRST], "macro confidence_bin", id="a macro"),
    ],
)
def test_something_that_was_dropped_in_another_client(
    warehouse_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    dropped: str,
):
    fill(warehouse_path)
    with duckdb.connect(warehouse_path) as client:
        client.execute(f"drop {dropped}")
    monkeypatch.chdir(tmp_path)
    result = jevdb(warehouse_path, *arguments)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {warehouse_path}: damaged: ")
    assert dropped.split()[1] in result.stderr
    assert "restore a backup into a new file: `jevdb --db NEW " in result.stderr
    assert not (tmp_path / "bundle.tar").exists()


@pytest.mark.parametrize("opened", [open_reader, open_writer])
def test_a_wrong_statement_of_ours_is_not_called_damage(
    warehouse_path: Path, opened: Callable[[Path], AbstractContextManager[Connection]]
):
    fill(warehouse_path)
    with pytest.raises(JevdbError) as told, opened(warehouse_path) as connection:
        connection.execute("select no_such_column from runs")
    message = str(told.value)
    assert "the file is whole" in message
    assert 'Referenced column "no_such_column" not found' in message
    assert "damaged" not in message


def commands_and_the_root() -> list[list[str]]:
    return [[], *(list(words) for words, _ in commands())]


@pytest.mark.parametrize("words", commands_and_the_root(), ids=" ".join)
def test_a_closed_stdout_is_told_before_anything_is_done(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["jevdb", *words])
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert capsys.readouterr().err == (
        "error: standard output is closed; nothing was done (where nobody wants the "
        "output send it to /dev/null)\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("closed", "expected"),
    [
        ("<&-", (0, b"one\n  1\n", b"")),
        ("2>&-", (0, b"one\n  1\n", b"")),
        ("<&- 2>&-", (0, b"one\n  1\n", b"")),
        (">&-", (1, b"", b"error: standard output is closed; nothing was done")),
        (">&- 2>&-", (1, b"", b"")),
    ],
)
def test_the_places_of_closed_streams_are_not_taken_by_the_warehouse(
    warehouse_path: Path, closed: str, expected: tuple[int, bytes, bytes]
):
    """What a library says on a closed stream would go into the file otherwise."""
    line = f'exec "$0" "$@" {closed}'
    call = [*COMMAND, "--db", str(warehouse_path), "sql", "select 1 as one"]
    done = subprocess.run(["sh", "-c", line, *call], check=False, capture_output=True)
    told = (done.returncode, done.stdout, done.stderr[: len(expected[2])])
    assert told == expected
    assert b"Traceback" not in done.stderr
