"""`jevdb init` and `jevdb ingest`: exit codes, what goes to stdout and to stderr."""

from __future__ import annotations

import io
import json

import pytest
from small_benchmark import ITEMS, OK_ROWS, as_bytes
from typer.testing import CliRunner

from jevdb.cli import app
from jevdb.warehouse.database import open_reader

RUN = ("ingest", "run", "--benchmark", "b", "--model", "m")


@pytest.fixture
def call(warehouse_path):
    def run(*words, stdin=None):
        return CliRunner().invoke(
            app, ["--db", str(warehouse_path), *map(str, words)], input=stdin
        )

    return run


@pytest.fixture
def items(call, write):
    result = call("ingest", "items", write(ITEMS, "items.jsonl"), "--benchmark", "b")
    assert result.exit_code == 0
    return result


def count(path, table="runs"):
    with open_reader(path) as connection:
        return connection.execute(f"select count(*) from {table}").fetchall()[0][0]


def test_init_creates_and_then_finds_it_up_to_date(tmp_path):
    path = tmp_path / "new.duckdb"
    first = CliRunner().invoke(app, ["--db", str(path), "init"])
    again = CliRunner().invoke(app, ["--db", str(path), "init"])
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert first.stderr.endswith("new.duckdb: created\n")
    assert again.stderr.endswith("new.duckdb: is up to date\n")
    assert first.stdout == ""


def test_items_say_what_became_of_them(items):
    assert items.stdout == "b\n"
    assert "created benchmark 'b', scored as generic" in items.stderr
    assert "items: 5 new; gold revision 1" in items.stderr


@pytest.mark.usefixtures("items")
def test_a_run_prints_its_id_and_says_its_counts(call, write):
    result = call(*RUN, write([*OK_ROWS[:4], {"item_id": "m1"}]))
    assert result.exit_code == 0
    assert len(result.stdout.strip()) == 64
    assert "m on b: stored" in result.stderr
    assert (
        "5 items: 4 ok, 1 invalid, 0 unsupported, 0 error, 0 missing" in result.stderr
    )
    assert "invalid: 1 neither an answer nor probabilities" in result.stderr
    again = call(*RUN, write([*OK_ROWS[:4], {"item_id": "m1"}]))
    assert (again.exit_code, again.stdout) == (0, result.stdout)
    assert "already there, nothing added" in again.stderr


@pytest.mark.usefixtures("items")
def test_json_is_the_whole_summary(call, write):
    result = call(*RUN, write(OK_ROWS), "--json", "--label", "x")
    summary = json.loads(result.stdout)
    assert (summary["ok"], summary["label"], summary["outcome"]) == (5, "x", "stored")


@pytest.mark.usefixtures("items")
def test_from_stdin(call, warehouse_path):
    result = call(*RUN, "-", stdin=as_bytes(OK_ROWS))
    assert result.exit_code == 0
    with open_reader(warehouse_path) as connection:
        found = connection.execute("select source_files from runs").fetchall()[0][0]
    assert json.loads(found)[0]["name"] == "stdin"
    assert call(*RUN, "-", "-", stdin=b"").exit_code == 2


@pytest.mark.usefixtures("items")
def test_a_dry_run_stores_nothing(call, write, warehouse_path):
    result = call(*RUN, write(OK_ROWS), "--dry-run")
    assert result.exit_code == 0
    assert "would be stored" in result.stderr
    assert count(warehouse_path) == 0
    call(*RUN, write(OK_ROWS))
    assert result.stdout == ""
    assert "already there" in call(*RUN, write(OK_ROWS), "--dry-run").stderr
    assert call(*RUN, write(OK_ROWS[:1]), "--dry-run").exit_code == 4


@pytest.mark.usefixtures("items")
def test_faults_exit_1_and_conflicts_4(call, write, warehouse_path):
    refused = call(*RUN, write(["{"]))
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith("error: rows.jsonl:1: not JSON")
    assert call(*RUN, write(OK_ROWS)).exit_code == 0
    other = call(*RUN, write(OK_ROWS[:2]))
    assert other.exit_code == 4
    assert "--supersede" in other.stderr
    assert call(*RUN, write(OK_ROWS[:2]), "--supersede").exit_code == 0
    assert call(*RUN, write(OK_ROWS[:3]), "--label", "other").exit_code == 0
    assert count(warehouse_path) == 3
    changed = write([ITEMS[0] | {"gold": "b"}], "changed.jsonl")
    assert call("ingest", "items", changed, "--benchmark", "b").exit_code == 4


@pytest.mark.usefixtures("items")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--benchmark", "bb"), "unknown benchmark 'bb'; did you mean 'b'"),
        (
            ("--unsupported", "scores"),
            "unknown item type 'scores'; did you mean 'score'",
        ),
        (("--started", "2026-03-01T12:00:00"), "has no time zone"),
        (("--started", "yesterday"), "is not an ISO 8601 time"),
        (("--setting", "temperature"), "is not of the form K=V"),
        (("--setting", "a=1", "--setting", "a=2"), "--setting a is given twice"),
        (("--model", ""), "--model is empty"),
    ],
)
def test_usage_exits_2(call, write, words, message):
    result = call(*RUN, write(OK_ROWS), *words)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_benchmark_without_items(call, write):
    words = (
        "ingest",
        "run",
        write(OK_ROWS),
        "--model",
        "m",
        "--benchmark",
        "cmdb-1500",
    )
    result = call(*words)
    assert result.exit_code == 1
    assert "'cmdb-1500' has no items yet; store them with `jevdb ingest items`" in (
        result.stderr
    )


def test_a_run_does_not_create_a_warehouse(tmp_path, write):
    path = tmp_path / "none.duckdb"
    result = CliRunner().invoke(app, ["--db", str(path), *RUN, str(write(OK_ROWS))])
    assert result.exit_code == 1
    assert "no such warehouse" in result.stderr
    assert not path.exists()


@pytest.mark.usefixtures("items")
def test_a_model_is_described_by_a_file(call, write, warehouse_path):
    meta = {
        "adapter": "nano",
        "name": "m",
        "open_weights": True,
        "parameter_count": 7510242160,
        "revision": "c81c5b88",
        "url": "https://example.org/m",
        "model_type": None,
    }
    path = write([json.dumps(meta, indent=1)], "model_meta.json")
    words = ("--model-meta", path, "--started", "2026-03-01T12:00:00+02:00")
    assert call(*RUN, write(OK_ROWS), *words).exit_code == 0
    with open_reader(warehouse_path) as connection:
        assert connection.execute(
            "select name, open_weights, parameters, models.meta::varchar, "
            "started_at::varchar from models join runs using (model_id)"
        ).fetchall() == [
            (
                "m",
                True,
                7510242160,
                '{"adapter":"nano","revision":"c81c5b88","url":"https://example.org/m"}',
                "2026-03-01 10:00:00",
            )
        ]


@pytest.mark.usefixtures("items")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"open_weights": "yes"}', "$.open_weights: expected true or false"),
        ('{"parameters": 1.5}', "$.parameters: expected a whole number"),
        ('{"url": "a", "url": "b"}', "$.url: key given twice"),
        ("[]", "expected an object"),
    ],
)
def test_faults_of_a_model_file(call, write, text, message):
    path = write([text], "meta.json")
    result = call(*RUN, write(OK_ROWS), "--model-meta", path)
    assert result.exit_code == 1
    assert f"error: meta.json: {message}" in result.stderr


@pytest.mark.usefixtures("items")
def test_long_files_show_progress(call, write, monkeypatch):
    from jevdb.ingest import progress as words

    monkeypatch.setattr(words, "PATIENCE_S", 0.0)
    assert "5 rows read" in call(*RUN, write(OK_ROWS)).stderr


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_clears_its_line(monkeypatch):
    from jevdb.ingest import progress as words

    screen = Terminal()
    monkeypatch.setattr(words.sys, "stderr", screen)
    monkeypatch.setattr(words, "PATIENCE_S", 0.0)
    with words.Progress() as progress:
        progress.show(1234)
        progress.show(5678)
    assert screen.getvalue() == "\r1,234 rows read\r\x1b[K"
