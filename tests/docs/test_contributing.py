"""The page for contributors, followed in a copy of the checkout."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from pages import CHECKOUT, DOCS, NOT_RUN, Block, Reader, blocks_of

PAGE = DOCS / "contributing.md"
NEEDED = ("jevdb", "sql", "migrations", "seeds", "tests")
FILES = ("pyproject.toml", ".sqlfluffignore")
NAMES = [f"c{number}" for number in range(1, 9)]
"""Eight items: of fewer than five a difference has no interval."""
ITEMS = [
    {"item_id": name, "type": "choice", "options": ["a", "b"], "gold": "a"}
    for name in NAMES
]
SURE, UNSURE = [1.0, 0.0], [3 / 7, 4 / 7]
ROWS = [
    {"item_id": name, "probabilities": stated}
    for name, stated in zip(NAMES, [SURE, UNSURE] * 4, strict=True)
]
"""The spherical score is 1 and (3/7) / (5/7), of four rows each: 0.8 on average."""
OTHER_ROWS = [{"item_id": name, "probabilities": UNSURE} for name in NAMES]
"""It is 0.6."""
SHIM = """\
#!/bin/sh
PYTHONPATH={folder} exec {python} -c 'from jevdb.cli import main; main()' "$@"
"""


def approx(value: float) -> object:
    return pytest.approx(value, abs=1e-12)


@pytest.fixture
def reader(template: Path, tmp_path: Path) -> Reader:
    """A contributor in a checkout of his own, with a small warehouse."""
    folder = tmp_path / "checkout"
    ignored = shutil.ignore_patterns("__pycache__", "*_cache", "data")
    for name in NEEDED:
        shutil.copytree(CHECKOUT / name, folder / name, ignore=ignored)
    for name in FILES:
        shutil.copy(CHECKOUT / name, folder)
    files = {"items": ITEMS, "rows": ROWS, "other": OTHER_ROWS}
    for name, records in files.items():
        text = "".join(f"{json.dumps(record)}\n" for record in records)
        (folder / f"{name}.jsonl").write_text(text)
    command = tmp_path / "bin" / "jevdb"
    command.parent.mkdir()
    command.write_text(SHIM.format(folder=folder, python=sys.executable))
    command.chmod(0o755)
    reader = Reader(folder, None, command)
    reader.environment["PYTHONPATH"] = str(folder)
    shutil.copyfile(template, folder / "jevdb.duckdb")
    return reader


@pytest.mark.long
def test_the_page_can_be_followed(reader: Reader):
    blocks = blocks_of(PAGE)
    assert sum(block.note.startswith(NOT_RUN) for block in blocks) == 4
    reader.follow(blocks)


ASKING = """
import json, sys
sys.path.insert(0, "tests")
from pathlib import Path
from commandline import jevdb
import jevdb as package

assert Path(package.__file__).is_relative_to(Path.cwd())
said = {}
for name, words in json.load(sys.stdin).items():
    result = jevdb("jevdb.duckdb", *words)
    assert result.exit_code == 0, (name, result.output, result.exception)
    said[name] = result.stdout
    if name == "explain_sql":
        rows = jevdb("jevdb.duckdb", "sql", "-", "--format", "json", stdin=said[name])
        said["asked"] = rows.stdout
listed = package.open("jevdb.duckdb").metrics(benchmark="mine").to_dicts()
said["metrics"] = [row for row in listed if row["metric"] == "spherical"]
json.dump(said, sys.stdout)
"""
"""Every command in one process, in the copy of the checkout."""
COMMANDS = {
    **{"items": "ingest items items.jsonl --benchmark mine"},
    **{"run": "ingest run rows.jsonl --benchmark mine --model m"},
    **{"other": "ingest run other.jsonl --benchmark mine --model o"},
    **{"report": "report --benchmark mine --format json"},
    **{"explain": "explain m spherical --format json --items"},
    **{"explain_text": "explain m spherical"},
    **{"explain_sql": "explain m spherical_choice --sql"},
    **{"compare": "compare o m --format json"},
    **{"leaderboard": "leaderboard --benchmark mine --by spherical --format json"},
    **{"calibration": "calibration m --format json"},
    **{"schema": "export --json-schema"},
    **{"export": "export --out -"},
    **{"hugging_face": "export --as hf --dataset a/b --out hf"},
    **{"every_eval": "export --as every-eval-ever --out eee"},
    **{"plot": "plot indices --x spherical --y accuracy --out plane.html"},
    **{"site": "site build pages"},
}


def metric_section() -> list[Block]:
    """The files and the edits of "Add a metric", without what is asked afterwards."""
    blocks = blocks_of(PAGE)
    text = PAGE.read_text(encoding="utf-8")
    first, last = (
        text[: text.index(heading)].count("\n")
        for heading in ("\n## Add a metric", "\n## Add a benchmark")
    )
    return [
        block
        for block in blocks
        if first < block.line < last and (block.title or block.text.startswith("sed "))
    ]


def test_a_metric_that_is_added_is_everywhere(reader: Reader):
    reader.follow(metric_section())
    done = subprocess.run(
        [sys.executable, "-c", ASKING],
        cwd=reader.folder,
        env=reader.environment,
        input=json.dumps({name: words.split() for name, words in COMMANDS.items()}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)

    by_model = {row["model"]: row for row in said["metrics"] if row["kind"] == "all"}
    assert {(row["kind"], row["model"]) for row in said["metrics"]} == {
        (kind, model) for kind in ("all", "choice", "noul", "score") for model in "mo"
    }
    assert by_model["m"]["value"] == approx(0.8)
    assert by_model["o"]["value"] == approx(0.6)
    assert (by_model["m"]["n"], by_model["m"]["n_scope"]) == (8, 8)

    explained = json.loads(said["explain"])
    assert explained["value"] == approx(0.8)
    assert explained["terms"] == {"n": 8, "total": approx(6.4)}
    by_item = {item["item_id"]: item["term"] for item in explained["items"]}
    assert by_item == dict(zip(NAMES, [approx(1.0), approx(0.6)] * 4, strict=True))
    assert explained["rows"] == [{"n": 8, "use": "averaged", "fate": "scored"}]
    assert "length of the distribution" in said["explain_text"]
    assert json.loads(said["asked"]) == [{"value": approx(0.8)}]

    [line] = [
        line
        for line in json.loads(said["compare"])
        if (line["metric"], line["kind"]) == ("spherical", "all")
    ]
    assert (line["base_value"], line["value"]) == (approx(0.6), approx(0.8))
    assert line["difference"] == approx(0.2)
    assert line["low"] < 0.2 < line["high"]

    board = json.loads(said["leaderboard"])
    assert [(row["rank"], row["model"]) for row in board] == [(1, "m"), (2, "o")]
    assert [row["value"] for row in board] == [approx(0.8), approx(0.6)]
    # Four are right at 1.0, four wrong at 4/7: 1/2 x 4/7.
    pooled = [
        row["ece"] for row in json.loads(said["calibration"]) if row["kind"] == "pooled"
    ]
    assert pooled
    assert all(ece == approx(2 / 7) for ece in pooled)

    document = json.loads(said["export"])
    jsonschema.Draft202012Validator(json.loads(said["schema"])).validate(document)
    [exported] = [run for run in document["runs"] if run["model"]["name"] == "m"]
    numbers = exported["rows"]["overall"]["metrics"]["spherical"]
    assert numbers["all"] == {"value": approx(0.8), "n": 8, "n_scope": 8}
    assert numbers["score"]["reason"] == "no_rows"
    numbers["all"]["value"] = 1.5
    assert not jsonschema.Draft202012Validator(json.loads(said["schema"])).is_valid(
        document
    )

    handed_on = [
        path.read_text(encoding="utf-8")
        for path in (reader.folder / "eee").rglob("*.json")
    ]
    assert any('"jevdb.spherical"' in text for text in handed_on)

    assert "0.8000" in (reader.folder / "plane.html").read_text(encoding="utf-8")
    shown = [
        page.read_text(encoding="utf-8")
        for page in (reader.folder / "pages").rglob("*.html")
    ]
    assert any("id=spherical.choice>" in page for page in shown)
    assert any(">Spherical<" in page and ">0.8000<" in page for page in shown)
