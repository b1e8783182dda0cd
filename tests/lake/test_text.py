"""Text that a lake cannot keep is refused where it stands; passwords are never told."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from commandline import jevdb
from places import Machine, Place, answer_rows, benchmark_rows, caching, write_rows

from jevdb.base.errors import InputError
from jevdb.base.secrets import redacted
from jevdb.lake import publish
from jevdb.lake.placeholders import NAMES, REFUSED
from jevdb.lake.target import resolve
from jevdb.scoring.run_events import set_baseline
from jevdb.scoring.runs import asked_for

HARMLESS = [
    "'; drop table runs; --",
    '"double" and \\ back',
    "%s {0} {DATA_PATH {data_path} {OTHER}",
    "naïve 🙂 " + "x" * 10_000,
]


@pytest.mark.parametrize("name", NAMES)
def test_every_placeholder_is_known(name: str):
    """In braces and as it is written, and only so."""
    text = f"a {{{name}}} b {name} {{{name.lower()}}}"
    assert [found.group() for found in re.finditer(REFUSED, text)] == [f"{{{name}}}"]


@pytest.mark.parametrize("name", [NAMES[0], NAMES[-1]])
def test_a_placeholder_in_an_answer_is_refused_with_its_line(
    place: Place, machine: Machine, name: str, tmp_path: Path
):
    rows = answer_rows(20, "0")
    rows[4]["meta"] = {"note": [f"see {{{name}}} here"]}
    rows[7]["error"] = f"{{{name}}}"
    path = write_rows(tmp_path / "rows.jsonl", rows)
    names = ("--benchmark", "small", "--model", "alpha")
    before = set(place.data.rglob("*.parquet"))
    result = machine.jevdb("ingest", "run", str(path), *names)
    assert result.exit_code == 1, result.output
    first, second, last, page = result.stderr.splitlines()[-4:]
    assert page.endswith("docs/canonical.md")
    assert first.startswith(f"error: rows.jsonl:5: meta: the text {{{name}}} is one")
    assert second.startswith(f"rows.jsonl:8: error: the text {{{name}}} is one")
    assert last == "2 faults of 2 kinds in 1 file; nothing was stored"
    assert set(place.data.rglob("*.parquet")) == before
    assert json.loads(machine.jevdb("runs", "--format", "json").stdout) == []


def test_names_options_and_reasons_are_held_to_it_too(
    place: Place, machine: Machine, tmp_path: Path
):
    bad = "{SNAPSHOT_ID}"
    item = {**benchmark_rows(1)[0], "options": [bad, "b"], "gold": "b"}
    path = write_rows(tmp_path / "items.jsonl", [item])
    refused = machine.jevdb("ingest", "items", str(path), "--benchmark", "other")
    assert f"error: other q00000: options: the text {bad} is one" in refused.stderr
    refused = machine.ingest(f"my {bad} model")
    assert f"error: models: name: the text {bad} is one" in refused.stderr
    assert machine.ingest("alpha").exit_code == 0
    refused = machine.jevdb("baseline", "set", "alpha", "--reason", bad)
    assert f"error: run_events: reason: the text {bad} is one" in refused.stderr
    assert refused.exit_code == 1


def test_a_nul_is_refused(place: Place, machine: Machine):
    assert machine.ingest("alpha").exit_code == 0

    def approved(connection):
        (run,) = asked_for(connection, ["alpha"])
        set_baseline(connection, run, "a\0b")

    with pytest.raises(InputError, match=r"run_events: reason: .* a NUL character"):
        publish(place.target, approved)
    listed = machine.jevdb("baseline", "list", "--format", "json")
    assert json.loads(listed.stdout) == []


def test_other_text_comes_back_as_it_was(place: Place, machine: Machine):
    for number, name in enumerate(HARMLESS):
        assert machine.ingest(name, str(number)).exit_code == 0
    there = place.machine("there")
    listed = json.loads(there.jevdb("runs", "--format", "json").stdout)
    assert sorted(row["model"] for row in listed) == sorted(HARMLESS)
    again = there.ingest(HARMLESS[0], "0")
    assert "already there" in again.stderr
    assert there.ingest(HARMLESS[0], "9").exit_code == 4
    assert there.jevdb("check").exit_code == 0


@pytest.mark.parametrize(
    "text, safe",
    [
        ("host=h password=secret dbname=d", "host=h password=*** dbname=d"),
        ("host=h password='se cr\\'et' user=u", "host=h password=*** user=u"),
        ("PASSWORD = secret", "PASSWORD = ***"),
        ("postgresql://me:se:cr@t@h/d", "postgresql://me:***@h/d"),
        ("postgresql://h/d?password=secret&x=1", "postgresql://h/d?password=***&x=1"),
        ("sslpassword=secret", "sslpassword=***"),
        ("no password here", "no password here"),
    ],
)
def test_passwords_are_hidden(text: str, safe: str):
    assert redacted(text) == safe


def test_a_password_that_works_is_never_told(place: Place, tmp_path: Path):
    secret = "opensesame"
    dsn = f"{place.dsn()} password={secret}"
    with caching(tmp_path):
        for words in [
            ("lake", "status"),
            ("doctor", "--quick"),
            ("runs", "withdraw", "nobody", "--reason", "x"),
            ("sql", "select path from duckdb_databases()"),
            ("restore", "nothing.tar"),
            ("init",),
        ]:
            result = jevdb(dsn, *words)
            assert secret not in result.output
            assert secret not in result.stderr
        assert secret not in " ".join(os.listdir(tmp_path))


def test_lakes_by_name_by_service_and_by_secret(
    place: Place, machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The data is seen under another path, as on another mount."""
    assert machine.ingest("alpha").exit_code == 0
    moved = tmp_path / "mounted elsewhere"
    place.data.rename(moved)
    service = tmp_path / "services.conf"
    service.write_text(
        f"[evals]\nhost=127.0.0.1\nport={place.postgres.port}\nuser=keeper\n"
        f"dbname={place.database}\n"
    )
    lakes = tmp_path / "lakes.toml"
    lakes.write_text(
        f'[lakes.team]\ncatalog = "postgres:service=evals"\ndata = "{moved}"\n'
    )
    monkeypatch.setenv("PGSERVICEFILE", str(service))
    monkeypatch.setenv("JEVDB_LAKES", str(lakes))
    monkeypatch.setenv("JEVDB_CACHE", str(tmp_path / "elsewhere"))
    assert "alpha" in jevdb("lake:team", "runs").stdout
    path = write_rows(tmp_path / "rows.jsonl", answer_rows(20, "1"))
    stored = jevdb(
        *("lake:team", "ingest", "run", str(path)),
        *("--benchmark", "small", "--model", "beta"),
    )
    assert stored.exit_code == 0, stored.output
    moved.rename(place.data)
    assert "beta" in machine.jevdb("runs").stdout
    unknown = jevdb("lake:taem", "runs")
    assert unknown.exit_code == 2
    assert "did you mean 'team'?" in unknown.stderr
    lakes.write_text('[lakes.team]\ncatalog = "sqlite:x"\nfolder = 1\n')
    refused = jevdb("lake:team", "runs")
    assert refused.exit_code == 1
    assert "lakes.team.catalog" in refused.stderr
    assert "lakes.team.folder: unknown key" in refused.stderr


def test_user_sql_meets_no_extension(place: Place, machine: Machine):
    """The function that could read the server's files is not known there."""
    probe = "select * from postgres_query('x', 'select pg_read_file(''PG_VERSION'')')"
    refused = machine.jevdb("sql", probe)
    assert refused.exit_code == 1
    assert "postgres_query does more than read" in refused.stderr
    known = machine.jevdb(
        *("sql", "--format", "csv"),
        "select count(*) filter (where function_name similar to '(postgres|ducklake)"
        ".*') as of_a_lake, count(*) > 1000 as others from duckdb_functions()",
    )
    assert known.stdout == "of_a_lake,others\n0,true\n"
    databases = machine.jevdb("sql", "select path from duckdb_databases()").stdout
    assert "postgres" not in databases.replace("jevdb-postgres", "")


def test_a_lake_is_told_by_what_db_says():
    assert resolve("ducklake:evals").catalog == "evals"
    assert resolve("ducklake:postgres:service=x").database is None
    assert resolve("ducklake:postgres:dbname='my db' host=h").database == "my"
    assert resolve("ducklake:postgres:postgresql://h:1/db?x=1").database == "db"
