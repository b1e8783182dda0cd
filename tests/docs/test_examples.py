"""Every example of every command's help does what it says."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer.main
from commandline import commands
from example_world import make_world
from pages import Reader

from jevdb.cli import app

ELSEWHERE = re.compile(r"\b(lake:|ducklake:|ssh )|jevdb (lake|site) |--as mlflow")
"""Another machine, a server, or what is not installed here: such a line is only held
to what the command takes."""

ACME = "jevdb scopes show generic | sed \"s/'generic'/'acme'/\" > acme.sql"
BEFORE = {
    "backup": "mkdir backups",
    "baseline clear": "jevdb baseline set de-1@r1",
    "compact": "jevdb --db team.duckdb init",
    "doctor": "jevdb --db team.duckdb init",
    "gate": "jevdb baseline set de-1@r1; "
    "jevdb calibration de-1 --kind choice --target 0.8 --out thresholds.json",
    "ingest items": "cp items.jsonl text.jsonl; duckdb -c \"copy (select item_id || 'p'"
    " as item_id, type, options, gold from 'items.jsonl') to 'images.parquet'\"",
    "ingest run": "jevdb ingest items runs/nimble --benchmark decision-bench; "
    "jevdb ingest items log.eval --benchmark mmlu",
    "leaderboard": "jevdb ingest items runs/nimble --benchmark decision-bench; "
    "jevdb ingest run runs/nimble --benchmark decision-bench --model nimble; "
    "jevdb ingest results decision-bench-results/results",
    "methods compare": "jevdb methods add acme.toml",
    "report": f"{ACME}; jevdb scopes add acme.sql; "
    "jevdb ingest items items.jsonl --benchmark mine --scoring acme; "
    "jevdb ingest run answers.jsonl --benchmark mine --model my-model; "
    "sed -i 's/^-- Source.*/-- A second version./' acme.sql; "
    "jevdb scopes add acme.sql",
    "restore": "mkdir backups; jevdb backup backups/2026-11-30; "
    "jevdb backup warehouse.tar",
    "results": "jevdb ingest results decision-bench-results/results",
    "scopes add": ACME,
    "scopes show": f"{ACME}; jevdb scopes add acme.sql",
    "snapshots show": "jevdb export --snapshot 2026-04-model-card",
    "verify": "jevdb export --markdown RESULTS.md",
}
"""What was done before, where the examples of a command begin in the middle."""

EXITS = {
    "jevdb explain de-1 accuracy --as-of 2026-03-31": 2,
    "jevdb export --as-of 2026-03-31 --out march.json": 2,
    "jevdb leaderboard --benchmark cmdb-1500-synthetic --as-of 2026-03-31 "
    "--format json": 2,
    "jevdb report --as-of 2026-03-31": 2,
    "jevdb gate --candidate de-1 --rule 'min(p_gold) >= 0.8'": 5,
    "jevdb gate --candidate de-1 --rule 'share(latency_s <= 2) >= 95%' "
    "--junit gate.xml --markdown gate.md": 5,
}
"""A gate may say no, and the demo is younger than a date."""


EXAMPLES = [
    (" ".join(path), command.epilog.split("\n\n")[1:])
    for path, command in commands()
    if command.epilog
]


@pytest.fixture(scope="module")
def world(
    demo_path: Path, warm_jevdb: Path, tmp_path_factory: pytest.TempPathFactory
) -> Reader:
    """A folder to copy, one for each command."""
    return make_world(
        tmp_path_factory.mktemp("examples") / "world", demo_path, warm_jevdb
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "examples"),
    [pytest.param(*each, id=each[0].replace(" ", "-")) for each in EXAMPLES],
)
def test_the_examples_of_a_command_work(
    world: Reader, tmp_path: Path, command: str, examples: list[str]
):
    folder = tmp_path / "here"
    shutil.copytree(world.folder, folder)
    reader = Reader(folder, None, warm(world))
    reader.bash(BEFORE.get(command, ""), 0)
    for number, example in enumerate(examples):
        # A picture takes a second or two, and has its own tests: one each.
        is_drawn_before = command.startswith("plot") and number > 0
        if ELSEWHERE.search(example) or is_drawn_before:
            assert_taken(example)
            continue
        try:
            reader.bash(example, EXITS.get(example, 0))
        except AssertionError as error:
            raise AssertionError(f"{example}: {error}") from error


def warm(world: Reader) -> Path:
    return Path(world.environment["PATH"].partition(":")[0]) / "jevdb"


def assert_taken(example: str) -> None:
    """Hold each jevdb of a line to its options, without doing anything."""
    for part in re.split(r"\||\$\(|\)", example):
        words = shlex.split(part, comments=True)
        if "jevdb" not in words:
            continue
        words = words[words.index("jevdb") + 1 :]
        command: Any = typer.main.get_command(app)
        context = None
        while getattr(command, "commands", None):
            context = command.make_context("jevdb", words, parent=context)
            words = [*context._protected_args, *context.args]
            assert words, example
            command = command.commands[words.pop(0)]
        command.make_context(command.name, words, parent=context)
