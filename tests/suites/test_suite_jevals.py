"""Jevals' five-epoch log as a member: the Decision Score, with an interval."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import jevdb

from jevdb.warehouse.assets import asset_folder

DATA = Path(__file__).parents[1] / "data" / "jevals"
SEEDS = asset_folder("seeds")


def test_the_decision_score_is_the_boards(warehouse_path: Path, tmp_path: Path):
    log = DATA / "jev__pubmedqa__0.1.0.items-1-150.jsonl"
    name = "jevals-pubmedqa"
    for arguments in (
        ("ingest", "items", str(DATA / "items.jsonl"), "--benchmark", name),
        (
            *("ingest", "run", str(log), "--benchmark", name, "--model", "jev"),
            *("--map", str(SEEDS / "maps" / "jevals.toml")),
        ),
    ):
        assert jevdb(warehouse_path, *arguments).exit_code == 0
    whole = (SEEDS / "suites" / "jevals-0.1.toml").read_text("utf-8")
    head, first, *_ = whole.split("[[member]]")
    (tmp_path / "one.toml").write_text(f"{head}[[member]]{first}", "utf-8")
    added = jevdb(warehouse_path, "suites", "add", str(tmp_path / "one.toml"))
    assert added.exit_code == 0
    board = jevdb(
        warehouse_path, "leaderboard", "--suite", "jevals", "--format", "json"
    )
    [entry] = json.loads(board.stdout)
    published = json.loads((DATA / "published.json").read_text("utf-8"))
    [independent] = [v for k, v in published.items() if k.startswith("of the 150")]
    assert entry["score"] == pytest.approx(independent["decision_score"], abs=1e-11)
    assert entry["low"] < entry["score"] < entry["high"]
