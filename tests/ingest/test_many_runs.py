"""Many runs in one command: each whole or absent, the faulty ones named at the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import jevdb
from small_benchmark import OK_ROWS, as_bytes

import jevdb as api

WORDS = ("ingest", "runs", "--benchmark", "b")


@pytest.fixture
def path(stocked: Path, warehouse_path: Path) -> Path:
    warehouse_path.write_bytes(stocked.read_bytes())
    return warehouse_path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Three files: two good ones, between them one with a fault in its second line."""
    rows = {
        "one": OK_ROWS,
        "two": [OK_ROWS[0], {"item_id": "none"}],
        "three": OK_ROWS[:2],
    }
    folder = tmp_path / "answers"
    folder.mkdir()
    paths = [folder / f"{name}.jsonl" for name in rows]
    for each, given in zip(paths, rows.values(), strict=True):
        each.write_bytes(as_bytes(given))
    return paths


def runs(path: Path) -> list[tuple[str, str | None, str | None]]:
    listed = json.loads(jevdb(path, "runs", "--json").stdout)
    return [(each["model"], each["revision"], each["label"]) for each in listed]


def test_the_good_are_stored_and_the_faulty_named_at_the_end(path, files):
    done = jevdb(path, *WORDS, *map(str, files), "--model", "{stem}")
    assert done.exit_code == 1
    assert sorted(runs(path)) == [("one", None, None), ("three", None, None)]
    assert len(done.stdout.split()) == 2
    *_, fault, last = done.stderr.splitlines()
    assert fault.startswith(f"error: {files[1]} (two): two.jsonl:2: $.item_id: no item")
    assert last == "2 runs done, 1 refused"


def test_they_are_the_runs_that_single_commands_store(path, files):
    words = ("--benchmark", "b", "--model", "one", "--setting", "t=0")
    single = jevdb(path, "ingest", "run", str(files[0]), *words)
    again = jevdb(path, *WORDS, str(files[0]), "--model", "{stem}", "--setting", "t=0")
    assert again.stdout == single.stdout
    assert "already there" in again.stderr


def test_rejects_are_kept_with_exit_code_3(path, files):
    done = jevdb(path, *WORDS, *map(str, files), "--model", "{stem}", "--keep-rejects")
    assert done.exit_code == 3
    assert len(runs(path)) == 3


def test_a_dry_run_stores_nothing(path, files):
    done = jevdb(path, *WORDS, str(files[0]), "--model", "{stem}", "--dry-run")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "would be stored" in done.stderr
    assert runs(path) == []


def test_what_became_of_each_as_json(path, files):
    done = jevdb(path, *WORDS, *map(str, files), "--model", "{stem}", "--json")
    told = json.loads(done.stdout)
    assert [each["run"] for each in told] == ["one", "two", "three"]
    assert [each["summary"] and each["summary"]["ok"] for each in told] == [5, None, 2]
    assert "no item" in told[1]["error"]


CSV = (
    "file,model,revision,label,started\none.jsonl,m,r1,,2026-03-01\nthree.jsonl,m,,x,\n"
)
TOML = """
[[runs]]
file = "one.jsonl"
model = "m"
revision = "r1"
started = 2026-03-01

[[runs]]
file = "three.jsonl"
model = "m"
label = "x"
"""


@pytest.mark.parametrize(("name", "text"), [("runs.csv", CSV), ("runs.toml", TOML)])
@pytest.mark.parametrize("before", [(), ("--manifest",)], ids=["alone", "option"])
def test_a_manifest(path, files, name, text, before):
    manifest = files[0].with_name(name)
    manifest.write_text(text)
    done = jevdb(path, *WORDS, *before, str(manifest))
    assert done.exit_code == 0, done.output
    assert sorted(runs(path), key=str) == [("m", "r1", None), ("m", None, "x")]
    listed = json.loads(jevdb(path, "runs", "--json").stdout)
    assert {each["started_at"] for each in listed} == {"2026-03-01T00:00:00Z", None}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "file,modle\na,b\n",
            "runs.csv:1: modle: unknown field; did you mean 'model'?",
        ),
        ("file,model\none.jsonl,\n", "runs.csv:2: model: empty"),
        ("file,model,started\none.jsonl,m,noon\n", "runs.csv:2: started: "),
        ("file,model\none.jsonl,m,x\n", "runs.csv:2: 3 cells where the header has 2"),
        ("file,model\n", "runs.csv: no run in it"),
        ("file,model\none.jsonl,m\nthree.jsonl,m\n", "would both be 'm'"),
    ],
)
def test_faults_of_a_manifest(path, files, text, said):
    manifest = files[0].with_name("runs.csv")
    manifest.write_text(text)
    done = jevdb(path, *WORDS, str(manifest))
    assert done.exit_code in (1, 2)
    assert said in done.stderr
    assert runs(path) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "{stam}"), "{stam} stands for nothing"),
        (("--model", "same"), "would both be 'same'"),
        (("--model", "a@{stem}"), "@"),
        ((), "say --model {stem}"),
        (("--model", "{stem}", "--benchmark", "c"), "unknown benchmark 'c'"),
    ],
)
def test_what_is_said_of_all_is_refused_before_any_work(path, files, words, said):
    done = jevdb(path, *WORDS, str(files[0]), str(files[2]), *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert runs(path) == []


def test_a_missing_file_is_the_fault_of_its_run(path, files):
    given = [files[0], files[0].with_name("none.jsonl")]
    with api.open(path, read_only=False) as warehouse:
        one, none = warehouse.ingest_runs(given, benchmark="b", model="{stem}")
    assert (one.summary.outcome, one.error) == ("stored", None)
    assert "No such file" in str(none.error)
