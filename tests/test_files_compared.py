"""Files compared without a warehouse: the same numbers, and nothing is left."""

from __future__ import annotations

import gc
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from making import copied
from typer.testing import CliRunner, Result

from jevdb.api.files import run_names
from jevdb.cli import app
from jevdb.warehouse import fresh

OPTIONS = ["red", "green", "blue"]
ITEMS = [
    {"item_id": f"c{n}", "type": "choice", "options": OPTIONS, "gold": OPTIONS[n % 3]}
    for n in range(12)
]


def answers(right: int) -> list[dict[str, Any]]:
    """Answers of which so many of the first are right."""
    return [
        {
            "item_id": item["item_id"],
            "probabilities": {
                each: 0.5 if each == _answer(n, right) else 0.25 for each in OPTIONS
            },
        }
        for n, item in enumerate(ITEMS)
    ]


def _answer(place: int, right: int) -> str:
    return OPTIONS[(place if place < right else place + 1) % 3]


@pytest.fixture
def folder(tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of files, with a place of its own for what is temporary."""
    place, temporary = tmp_path / "work", tmp_path / "temporary"
    place.mkdir()
    temporary.mkdir()
    for name, rows in (("items", ITEMS), ("a", answers(6)), ("b", answers(9))):
        write(place / f"{name}.jsonl", rows)
    monkeypatch.chdir(place)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    # The schema takes longer than all else, and a test below makes it.
    monkeypatch.setattr(fresh, "make", lambda path: copied(template, path))
    return place


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def run(*words: str) -> Result:
    done = CliRunner(env={"JEVDB_DB": None, "COLUMNS": "80"}).invoke(app, words)
    # What a traceback still holds is let go at the latest when a process ends.
    done.exception = done.exc_info = None
    gc.collect()
    assert not list(Path(tempfile.gettempdir()).iterdir())
    return done


def test_two_files_compare_as_through_a_warehouse(folder: Path):
    before = sorted(folder.iterdir())
    done = run("compare", "a.jsonl", "b.jsonl", "--gold", "items.jsonl", "--json")
    assert done.exit_code == 0, done.output
    assert sorted(folder.iterdir()) == before
    run("init")
    run("ingest", "items", "items.jsonl", "--benchmark", "items")
    for name in ("a", "b"):
        words = ("--benchmark", "items", "--model", name)
        run("ingest", "run", f"{name}.jsonl", *words)
    stored = run("compare", "a", "b", "--json")
    assert json.loads(done.stdout) == json.loads(stored.stdout)
    lines = {each["metric"]: each for each in json.loads(done.stdout)}
    assert (lines["accuracy"]["base_value"], lines["accuracy"]["value"]) == (
        6 / 12,
        9 / 12,
    )


def test_items_won_and_lost_are_listed(folder: Path):
    words = ("compare", "a.jsonl", "b.jsonl", "--gold", "items.jsonl", "--items")
    won = json.loads(run(*words, "--json").stdout)
    assert sorted(each["item_id"] for each in won) == ["c6", "c7", "c8"]


def test_a_report_on_a_file(folder: Path):
    done = run("report", "b.jsonl", "--gold", "items.jsonl", "--json")
    [line] = json.loads(done.stdout)
    assert (line["model"], line["accuracy"], line["n"]) == ("b", 0.75, 12)


def test_options_of_reading_hold_for_every_file(folder: Path):
    letters = [
        {"item_id": item["item_id"], "answer": "ABC"[n % 3]}
        for n, item in enumerate(ITEMS)
    ]
    write(folder / "letters.jsonl", letters)
    words = ("letters.jsonl", "--gold", "items.jsonl")
    refused = run("report", *words)
    assert refused.exit_code == 1
    assert "--answer-style letter" in refused.stderr
    done = run("report", *words, "--answer-style", "letter", "--json")
    assert [each["accuracy"] for each in json.loads(done.stdout)] == [1.0]


def test_answers_without_items_name_the_option(folder: Path):
    done = run("compare", "a.jsonl", "b.jsonl")
    assert done.exit_code == 2
    assert "a.jsonl: answers without their items" in done.stderr
    assert "--gold" in done.stderr


def test_logs_carry_their_items(folder: Path):
    sample = {"epoch": 1, "input": "?", "choices": OPTIONS, "output": {}}
    for name, wrong in (("one", 1), ("two", 2)):
        samples = [
            {
                **sample,
                "id": n,
                "target": "A",
                "scores": {"choice": {"answer": "B" if n < wrong else "A"}},
            }
            for n in range(8)
        ]
        log = {"eval": {"task": "t", "model": "m"}, "samples": samples}
        (folder / f"{name}.json").write_text(json.dumps(log))
    done = run("compare", "one.json", "two.json", "--json")
    lines = {each["metric"]: each for each in json.loads(done.stdout)}
    assert (lines["accuracy"]["base_value"], lines["accuracy"]["value"]) == (
        7 / 8,
        6 / 8,
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", "a.jsonl", "none.jsonl", "--gold", "items.jsonl"), "no such file"),
        (("compare", "a.jsonl", "b.jsonl", "--gold", "none.jsonl"), "no such file"),
        (
            ("report", "a.jsonl", "--gold", "items.jsonl", "--run", "a"),
            "--run: goes with runs of a warehouse",
        ),
        (("report", "--scale", "percent"), "--scale: goes with files of answers"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_options_that_do_not_go_together(folder: Path, words: Any, said: str):
    done = run(*words)
    assert done.exit_code == 2
    assert said in done.stderr


def test_a_faulty_file_is_refused_as_an_ingest_does(folder: Path):
    write(folder / "b.jsonl", [{"item_id": "c0", "prediction": "red"}])
    done = run("compare", "a.jsonl", "b.jsonl", "--gold", "items.jsonl")
    assert done.exit_code == 1
    assert "error: b.jsonl:1: $.prediction: unknown key" in done.stderr


def test_files_of_one_name_are_told_apart(tmp_path: Path):
    paths = [tmp_path / "x" / "a.jsonl.gz", tmp_path / "y" / "a.csv", Path("m@1#z.csv")]
    assert run_names(paths) == ["x/a", "y/a", "m-1-z"]
    assert run_names([tmp_path / "a.csv"] * 2) == [
        f"{tmp_path.name}/a-1",
        f"{tmp_path.name}/a-2",
    ]
