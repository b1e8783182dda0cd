"""`jevdb ingest guess`: a mapping that an ingest takes, or what cannot be known."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from commandline import jevdb
from prepared import DATA

CASES = DATA / "door"
WORDS = ("--benchmark", "door")


@pytest.fixture
def place(warehouse_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Go to a copy of a case, whose items are stored; return the warehouse and file."""

    def go(name: str) -> tuple[Path, str]:
        [case] = CASES.glob(f"{name}-*")
        folder = tmp_path / "case"
        shutil.copytree(case, folder)
        monkeypatch.chdir(folder)
        words = json.loads((case / "case.json").read_text())
        assert jevdb(warehouse_path, *words["items"]).exit_code == 0
        return warehouse_path, words["run"][2]

    return go


@pytest.mark.parametrize(
    ("name", "says", "accuracy"),
    [
        ("09", 'scale = "percent"', 5 / 6),
        ("30", 'split = "|"', 0.75),
        ("32", 'item_id = "question_id"', 0.75),
        ("34", 'decimal = "comma"', 0.75),
        ("38", '"*" = "p_*"', 6 / 7),
        ("39", 'probability = "prob"', 5 / 6),
        ("44", 'ids = "integer"', 2 / 3),
        ("60", 'answer = "prediction"', 1.0),
    ],
)
def test_a_guess_is_what_the_remedy_says(place, name, says, accuracy):
    path, file = place(name)
    done = jevdb(path, "ingest", "guess", file, *WORDS, "--out", "map.toml")
    assert done.exit_code == 0, done.stderr
    assert says in Path("map.toml").read_text()
    words = ("--model", "m", "--map", "map.toml")
    stored = jevdb(path, "ingest", "run", file, *WORDS, *words)
    assert stored.exit_code == 0, stored.stderr
    [line] = json.loads(jevdb(path, "report", "--json").stdout)
    assert line["accuracy"] == pytest.approx(accuracy, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "option", "line"),
    [
        ("05", "--noul-order", '# noul_order = "yes,no"'),
        ("08", "--alias", '# "y" = "yes"'),
        ("10", "--scale", "scale"),
    ],
)
def test_what_cannot_be_known_is_a_comment(place, name, option, line):
    path, file = place(name)
    done = jevdb(path, "ingest", "guess", file, *WORDS)
    assert done.exit_code == 1
    assert option in done.stderr
    assert line in done.stdout
    assert jevdb(path, "runs", "--json").stdout.strip() == "[]"


def test_a_guess_says_what_it_saw(place):
    path, file = place("33")
    done = jevdb(path, "ingest", "guess", file, *WORDS)
    said = done.stderr.splitlines()
    assert said[0] == "answers.tsv: a table, 4 records looked at"
    assert "columns by tab" in said
    assert "  latency_s: number" in said
    assert any("would be stored" in line for line in said)


def test_fields_alone_without_a_benchmark(place):
    path, file = place("32")
    done = jevdb(path, "ingest", "guess", file)
    assert done.exit_code == 0
    assert done.stdout == '[fields]\nitem_id = "question_id"\nanswer = "pred"\n'


def test_a_file_of_a_tool_needs_no_mapping(place):
    path, file = place("51")
    done = jevdb(path, "ingest", "guess", file, *WORDS)
    assert done.exit_code == 2
    assert "'inspect-ai', which needs no mapping" in done.stderr


def test_items(place):
    path, _ = place("32")
    rows = "id,choice_1,choice_2,target,type\nq1,tea,rum,tea,choice\n"
    Path("items.csv").write_text(rows)
    done = jevdb(path, "ingest", "guess", "items.csv", "--items", "--out", "m.toml")
    assert done.exit_code == 0, done.stderr
    stored = jevdb(
        *(path, "ingest", "items", "items.csv", "--benchmark", "drinks"),
        *("--map", "m.toml"),
    )
    assert stored.exit_code == 0, stored.stderr


def test_what_no_key_is_called_is_left_open(place):
    path, _ = place("32")
    Path("odd.csv").write_text("question_id,xyz\ng0,Lima\n")
    done = jevdb(path, "ingest", "guess", "odd.csv", *WORDS)
    assert done.exit_code == 1
    assert "# answer = " in done.stdout
    assert "answer: no key has a usual name for it" in done.stderr


def test_what_is_left_out_is_said_and_offered(tmp_path: Path, warehouse_path: Path):
    """A key without a usual name may be the field that is missing."""
    file = tmp_path / "questions.csv"
    file.write_text("id,option_1,option_2,best,family\nq1,a,b,a,f\nq2,a,b,b,f\n")
    done = jevdb(warehouse_path, "ingest", "guess", str(file), "--items")
    assert done.exit_code == 1
    assert '# gold = "best"\n' in done.stdout
    assert "left out: best\n" in done.stderr


def test_a_type_that_no_key_says_is_offered_in_every_word(
    tmp_path: Path, warehouse_path: Path
):
    file = tmp_path / "items.jsonl"
    file.write_text('{"item_id": "a", "options": ["x", "y"], "gold": "x"}\n')
    done = jevdb(warehouse_path, "ingest", "guess", str(file), "--items")
    assert done.exit_code == 1
    _, _, offered = done.stdout.partition("[default]\n")
    words = ("choice", "noul", "score", "multi_select")
    assert offered == "".join(f'# "type" = "{word}"\n' for word in words)
    mapping = tmp_path / "map.toml"
    mapping.write_text(done.stdout.replace('# "type" = "choice"', '"type" = "choice"'))
    stored = jevdb(
        *(warehouse_path, "ingest", "items", str(file), "--benchmark", "b"),
        *("--map", str(mapping)),
    )
    assert stored.exit_code == 0, stored.output
