"""Passwords are never printed, whatever is typed as a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import jevdb

import jevdb as api
from jevdb.base.errors import JevdbError
from jevdb.base.secrets import is_address, redacted, redacted_address
from jevdb.warehouse.new_files import new_file

PASSWORD = "hunter2"
TYPED = (
    "postgres://u:hunter2@h/db",
    "postgresql://u:hunter2@h/db?sslmode=require",
    "lake:postgres://u:hunter2@h/db",
    "lake:u:hunter2@h",
    "lake:host=h password=hunter2",
    "postgres:u:hunter2@h/db",
    "postgres:host=h password=hunter2",
    "postgres:host=h passwd = 'hunter2'",
    "host=h password=hunter2",
    "host=h PGPASSWORD=hunter2",
    "ducklake:postgrs://u:hunter2@h/db",
    "ducklake:postgres//u:hunter2@h/db",
    "ducklake:u:hunter2@h",
    "laek:postgres://u:hunter2@h/db",
    "http:/u:hunter2@h",
    "psql//u:hunter2@h",
    "u:hunter2@h/db",
    "s3://key:hunter2@bucket/prefix",
    "postgres://u:hunter2@with@at@h/db",
)


@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize(
    "command", [["report"], ["init"], ["doctor"], ["lake", "pull"]]
)
def test_no_command_prints_the_password_of_a_name(
    typed: str, command: list[str], tmp_path: Path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    refused = jevdb(typed, *command)
    assert refused.exit_code in (1, 2)
    assert PASSWORD not in refused.output + refused.stderr


@pytest.mark.parametrize("typed", TYPED)
def test_no_error_of_python_shows_it(typed: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(JevdbError) as refused:
        api.open(typed)
    assert PASSWORD not in str(refused.value)
    assert PASSWORD not in refused.value.in_shell


def test_nor_does_a_command_that_is_done(warehouse_path: Path, tmp_path: Path):
    """A URL that is given for a folder is the name of one."""
    out = f"{tmp_path}/https://u:hunter2@h"
    done = jevdb(warehouse_path, "site", "build", out)
    assert done.exit_code == 0
    assert "wrote " in done.stderr
    assert PASSWORD not in done.stderr + done.stdout


def test_nor_do_errors_about_files(warehouse_path: Path):
    url = "https://u:hunter2@host/rows.jsonl"
    for command in (
        ["ingest", "run", url, "--benchmark", "b", "--model", "m"],
        ["ingest", "items", url, "--benchmark", "b"],
        ["restore", url, "--db", "other.duckdb"],
        ["verify", url],
        ["methods", "add", url],
        ["report", "--format", url],
        ["report", url, url, "--by", url],
    ):
        refused = jevdb(warehouse_path, *command)
        assert refused.exit_code in (1, 2), command
        assert PASSWORD not in refused.output + refused.stderr, command


def test_other_names_are_shown_as_they_are():
    for name in ("llama3:8b@r1#hot", "a b@c", "c:d", "x=y", "de-1@r1"):
        assert redacted(name) == name
    assert redacted_address("runs/of:may.duckdb") == "runs/of:may.duckdb"


def test_a_mistyped_address_makes_no_file(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for typed in ("laek:team", ":memory:", ":memory:w", "postgres:service=team"):
        refused = jevdb(typed, "init")
        assert refused.exit_code == 2
        with pytest.raises(JevdbError):
            api.open(typed, read_only=False)
    with pytest.raises(JevdbError, match="in memory"), new_file(Path(":memory:")):
        pass
    assert list(tmp_path.iterdir()) == []


LONG = 3_000_000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("y" * LONG + ": @", id="one word"),
        pytest.param("a:/" * (LONG // 3) + " @", id="schemes"),
        pytest.param("@" + "a:/a:" * (LONG // 5), id="users without a host"),
        pytest.param(":" * LONG, id="colons"),
    ],
)
def test_text_of_megabytes_is_looked_through_once(text: str):
    """What looked again from each letter on would take hours; a run ends it before."""
    assert redacted(text) == text


def test_all_but_the_host_of_a_long_word_is_hidden():
    password = "p" * LONG
    assert redacted(f"(https://me:{password}@host/x)") == "(https://me:***@host/x)"
    assert is_address(f"me:{password}@host")
    assert not is_address("@" + ":" * LONG)
    # A quote ends at the next.
    assert redacted("pwd='" * LONG) == "pwd=***" * (LONG // 2)
