"""Small benchmarks, entrants and suites whose scores are worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from building import add_benchmark, add_run

from jevdb.base.connection import Connection

RIGHT, WRONG = [0.75, 0.25], [0.25, 0.75]


def choices(
    names: Sequence[str], options: Sequence[str] = ("a", "b")
) -> list[dict[str, Any]]:
    """Choice items whose gold is the first option."""
    return [
        {"item_id": each, "type": "choice", "options": list(options), "gold": "a"}
        for each in names
    ]


def answers(right: str) -> list[dict[str, Any]]:
    """Answers to q1, q2 ...: ``+`` right, ``-`` wrong, ``e`` an error, ``.`` none."""
    rows = []
    for number, mark in enumerate(right, 1):
        row: dict[str, Any] = {"item_id": f"q{number}"}
        if mark == "e":
            rows.append({**row, "status": "error", "error": "down"})
        elif mark != ".":
            rows.append({**row, "probabilities": RIGHT if mark == "+" else WRONG})
    return rows


def store(
    connection: Connection, runs: Mapping[str, Mapping[str, str]], n: int = 4
) -> dict[tuple[str, str], str]:
    """Store benchmarks of *n* items and runs, as benchmark: {model: marks}."""
    found = {}
    for benchmark, models in runs.items():
        items = choices([f"q{number}" for number in range(1, n + 1)])
        add_benchmark(connection, items, benchmark_id=benchmark)
        for model, marks in models.items():
            found[benchmark, model] = add_run(
                connection, benchmark, answers(marks), model=model
            )
    return found


def member(benchmark: str, **keys: Any) -> dict[str, Any]:
    return {"benchmark": benchmark, "metric": "accuracy", **keys}


def toml(path: Path, members: Sequence[Mapping[str, Any]], **keys: Any) -> Path:
    """Write a suite; its name is ``small``, its version 1."""
    given = {"name": "small", "version": "1", **keys}
    areas = given.pop("areas", None)
    lines = [f"{key} = {_literal(value)}" for key, value in given.items()]
    if isinstance(areas, str):
        lines.append(f"areas = {_literal(areas)}")
    elif areas:
        lines += ["[areas]", *(f"{k} = {_literal(v)}" for k, v in areas.items())]
    for each in members:
        lines += ["[[member]]", *(f"{k} = {_literal(v)}" for k, v in each.items())]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value) if isinstance(value, int | float) else f'"{value}"'
