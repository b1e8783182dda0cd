"""Layouts on the command line: their names, maps, and what a dry run shows."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from commandline import jevdb
from prepared import DATA, MAPS, write

from jevdb.commands.ingest import ItemsFormat, RunFormat
from jevdb.ingest.layouts.registry import ITEMS, PREDICTIONS
from jevdb.warehouse.database import open_reader

LOG = DATA / "inspect_ai" / "mmlu-summary-choices.eval"
EMOTION = [
    {"item_id": str(place), "type": "choice", "options": list("abc"), "gold": "a"}
    for place in range(3)
]


@pytest.fixture
def ingest(warehouse_path: Path, tmp_path: Path):
    """Store three items, and return a command that ingests a run of them."""
    items = write(tmp_path / "items.jsonl", *EMOTION)
    stored = jevdb(warehouse_path, "ingest", "items", str(items), "--benchmark", "b")
    assert stored.exit_code == 0

    def run(*arguments: str | Path):
        options = ("--benchmark", "b", "--model", "m")
        return jevdb(warehouse_path, "ingest", "run", *map(str, arguments), *options)

    return run


def test_every_layout_has_its_name_on_the_command_line():
    assert {each.value for each in RunFormat} == {each.name for each in PREDICTIONS}
    assert {each.value for each in ItemsFormat} == {each.name for each in ITEMS}


def test_items_and_run_of_one_log(warehouse_path):
    options = ("--benchmark", "mmlu")
    items = jevdb(warehouse_path, "ingest", "items", str(LOG), *options)
    run = jevdb(
        warehouse_path, "ingest", "run", str(LOG), *options, "--model", "gpt-4o"
    )
    assert (items.exit_code, run.exit_code) == (0, 0)
    with open_reader(warehouse_path) as connection:
        found = connection.execute(
            "select name, requested_name, resolved_name, settings->>'task', value "
            "from report_metrics join runs using (run_id) "
            "join models using (model_id) "
            "where metric = 'accuracy' and kind = 'all' and method_id = 'metrics-md'"
        ).fetchall()
    # The model answered C, the target is A: 0 of 1.
    name = "inspect_evals/mmlu_0_shot"
    assert found == [("gpt-4o", "openai/gpt-4o", "gpt-4o-2024-08-06", name, 0.0)]


def test_a_dry_run_shows_the_first_rows_and_touches_nothing(
    ingest, warehouse_path, tmp_path
):
    rows = write(
        tmp_path / "rows.jsonl",
        {"id": "0", "p": [0.49, 0.25, 0.25], "conf": 0.9},
        {"id": "1", "p": [0.5, 0.5, 0.5], "conf": 0.9},
        {"id": "2", "e": "503"},
    )
    before = hashlib.sha256(warehouse_path.read_bytes()).hexdigest()
    fields = ("item_id=id", "probabilities=p", "error=e")
    options = [word for field in fields for word in ("--field", field)]
    result = ingest(rows, "--dry-run", *options)
    assert result.exit_code == 0
    assert hashlib.sha256(warehouse_path.read_bytes()).hexdigest() == before
    lines = result.stderr.splitlines()
    assert lines[:6] == [
        "m on b: would be stored",
        "3 items: 1 ok, 1 invalid, 0 unsupported, 1 error, 0 missing",
        "invalid: 1 probabilities that do not sum to 1 within 0.02 (rows.jsonl:2)",
        "1 distribution rescaled to sum to 1",
        "keys without a meaning here: conf",
        "the first 3 of 3 rows, as they would be stored:",
    ]
    first, second, third = map(json.loads, lines[6:])
    assert (first["probabilities"], first["renormalized"]) == ([0.49, 0.25, 0.25], True)
    assert (second["status"], second["reason"]) == ("invalid", "sum")
    assert (third["status"], third["error"]) == ("error", "503")


def test_a_dry_run_as_json_has_the_rows(ingest, tmp_path):
    rows = write(
        tmp_path / "r.jsonl", *({"item_id": str(n), "answer": "a"} for n in (2, 0))
    )
    result = ingest(rows, "--dry-run", "--json")
    first, second = json.loads(result.stdout)["first_rows"]
    assert (first["item_id"], first["source_line"]) == ("2", 1)
    assert (second["item_id"], second["source_line"]) == ("0", 2)


def test_a_dry_run_lists_the_problems(ingest, tmp_path):
    rows = write(tmp_path / "r.jsonl", {"id": "0"}, {"id": "9"})
    result = ingest(rows, "--dry-run", "--field", "item_id=id", "--field", "answer=x")
    assert result.exit_code == 1
    assert "r.jsonl: x: no record has anything there" in result.stderr
    assert 'r.jsonl:2: $.item_id: no item "9" in benchmark b' in result.stderr


def test_control_characters_of_a_row_do_not_reach_the_terminal(ingest, tmp_path):
    rows = write(
        tmp_path / "r.jsonl", {"item_id": "0", "status": "error", "error": "\x9b2J"}
    )
    assert "\x9b" not in ingest(rows, "--dry-run").stderr


def test_a_shipped_map(warehouse_path, tmp_path):
    items = write(
        tmp_path / "items.jsonl",
        *(
            {
                "item_id": str(n),
                "type": "choice",
                "gold": "joy",
                "options": ["joy", "fear", "anger"],
            }
            for n in range(3)
        ),
    )
    options = ("--benchmark", "emotion")
    jevdb(warehouse_path, "ingest", "items", str(items), *options)
    rows = str(DATA / "mapped" / "abdelstark.jsonl")
    chosen = ("--model", "jev", "--map", str(MAPS / "abdelstark.toml"))
    result = jevdb(warehouse_path, "ingest", "run", rows, *options, *chosen, "--json")
    summary = json.loads(result.stdout)
    assert (summary["ok"], summary["error"], summary["retries"]) == (2, 1, 1)


def test_what_is_left_out_is_said(ingest, tmp_path):
    answers = {"0": {"type": "choice", "choice": "a"}, "area": {"type": "box"}}
    result = ingest(write(tmp_path / "r.jsonl", {"answers": answers}))
    assert "left out: 1 of answers of type 'box'" in result.stderr


def test_options_that_do_not_go_together(ingest, tmp_path):
    rows = write(tmp_path / "r.jsonl", {"id": "0"})
    result = ingest(rows, "--field", "item_id=id", "--format", "canonical")
    assert result.exit_code == 2
    assert "--format does not go with --map or --field" in result.stderr
