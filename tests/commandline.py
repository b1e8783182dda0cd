"""Running the command line in a test, and a small warehouse worked out by hand."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main
from building import add_benchmark, add_run, insert, next_seq, open_to_fill
from typer.testing import CliRunner, Result

from jevdb.base.connection import Connection
from jevdb.cli import app
from jevdb.warehouse.known import remember

COMMAND = [sys.executable, "-c", "from jevdb.cli import main; main()"]
"""The command line in a process of its own."""
GOLDEN = Path(__file__).parent / "golden"

ITEMS = [
    {"item_id": "c1", "type": "choice", "options": ["a", "b"], "gold": "a"},
    {"item_id": "c2", "type": "choice", "options": ["a", "b"], "gold": "b"},
    {"item_id": "n1", "type": "noul", "gold": "yes"},
    {"item_id": "s1", "type": "score", "options": ["low", "mid", "high"], "gold": 2},
]
FAMILIES = {"c1": "tasks", "c2": "facts", "n1": "facts", "s1": "tasks"}
ANSWERS = [
    {"item_id": "c1", "probabilities": [0.75, 0.25]},
    {"item_id": "c2", "probabilities": [0.75, 0.25]},
    {"item_id": "n1", "probabilities": {"no": 0.125, "yes": 0.875}},
    {"item_id": "s1", "probabilities": [0.0, 0.25, 0.75]},
]
"""c1 is right and c2 wrong, both with confidence 0.75; n1 and s1 are right."""

WORKED = {
    "accuracy": 0.75,  # 3 of 4
    # choice 100 (1/2 - 1/2) / (1/2) = 0, noul 100, score: expected rating 1.75, error
    # 0.25/2, a guess over 3 levels errs (2 + 1 + 0) / 3 / 2 = 1/2: 100 (1 - 1/4) = 75
    "intelligence": (0 + 100 + 75) / 3,
    # choice: ECE 0.25 gives 50, TVD 0.5 gives 50; noul: 100 (1 - 2/8) = 75;
    # score: ECE 0.25 gives 50, RPS 1/32 gives 96.875
    "calibration": (50 + 75 + 73.4375) / 3,
    "ece_choice": 0.25,  # one bin: abs(0.75 - 1/2)
    "ece_noul": 0.125,
    "ece_score": 0.25,
    "ece_pooled": 0.625 / 3,  # two in a bin, 2 x 0.25, and one with 0.125
    "tvd": 0.5,  # one-hot gold: (0.25 + 0.75) / 2
    "rps": 0.03125,  # (0^2 + 0.25^2) / 2
    "coverage": 1.0,
}

METHOD = """
method_id = "strict"
document = "note 3"
noul_low = 0.1
noul_high = 0.9
noul_chance_corrected = true
choice_weight = 2
noul_weight = 1
score_weight = 1
bins = 5
probability_floor = 1e-9
tie_rule = "lexicographic"
failed_rating = "largest_error"
"""
"""A scoring method of a user's own."""

FIRST, SECOND, PRIVATE = ("1a" * 32, "2b" * 32, "3c" * 32)
_filled: list[bytes] = []


def jevdb(
    path: Path | str, *arguments: str, stdin: str | bytes | None = None
) -> Result:
    """Run a command on the warehouse at *path*."""
    runner = CliRunner(env={"JEVDB_DB": None, "COLUMNS": "80"})
    return runner.invoke(app, ["--db", str(path), *arguments], input=stdin)


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command and group, with the words that call it."""

    def under(group: object, path: tuple[str, ...]) -> Iterator[Any]:
        for name, command in sorted(getattr(group, "commands", {}).items()):
            yield (*path, name), command
            yield from under(command, (*path, name))

    yield from under(typer.main.get_command(app), ())


def rows_of(path: Path, *arguments: str) -> list[dict[str, Any]]:
    """Run a command with ``--format json`` and return its rows."""
    result = jevdb(path, *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def fill(path: Path) -> None:
    """Store the small benchmark and three runs, one of them private."""
    if _filled:
        path.write_bytes(_filled[0])
        remember(path)
        return
    with open_to_fill(path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS, model="first", run_id=FIRST)
        add_run(
            connection,
            "small",
            ANSWERS[:1],
            **{"model": "se|cond", "revision": "r1", "label": "greedy"},
            run_id=SECOND,
        )
        add_run(connection, "small", ANSWERS[2:], model="third", run_id=PRIVATE)
        add_event(connection, PRIVATE, "private")
    _filled.append(path.read_bytes())


def add_small_benchmark(connection: Connection) -> None:
    """Store the small benchmark, under that name."""
    items = [{**item, "family": FAMILIES[str(item["item_id"])]} for item in ITEMS]
    add_benchmark(connection, items, benchmark_id="small")


def add_event(
    connection: Connection, run_id: str, event: str, value: str | None = None
) -> None:
    """Store an event of a run."""
    seq = next_seq(connection, "event")
    row = {"seq": seq, "run_id": run_id, "event": event, "value": value}
    insert(connection, "run_events", [row])


def assert_golden(name: str, text: str) -> None:
    """Compare with a golden file; ``UPDATE_GOLDEN=1`` rewrites it for review."""
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
