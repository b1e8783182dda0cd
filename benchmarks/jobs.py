"""Five jobs of whoever compares models, by jevdb and by three other tools.

`python -m benchmarks.jobs` makes five logs of lm-evaluation-harness, installs the other
tools with uv, each in an environment of its own, and prints the table of jobs.md. The
variable `PYTHON_3.12` names a Python of that version which uv does not find.
Seconds are processor time (user and system) of the whole command, the best of three.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from uv import find_uv_bin

from benchmarks.measure import CHECKOUT, JEVDB

ITEMS = 1000
SKILLS = {"a": 0.5, "b": 0.75, "c": 0.4, "d": 0.9, "e": 0.2}
TOOLS = {
    "errorbars": ("errorbars==0.2.4", "3.11"),
    "evalsig": ("evalsig==0.1.2", "3.11"),
    "nel": ("nemo-evaluator==0.3.0", "3.12"),
}
VERDICTS = (0, 1, 2, 5, 7)
"""Exit codes that are answers: a gate may say no."""


def log(path: Path, right: Sequence[bool]) -> None:
    """Write the samples of a model: four options, one far likelier than the others."""
    with path.open("w") as file:
        for number, is_right in enumerate(right):
            gold = number % 4
            top = gold if is_right else (gold + 1) % 4
            values = [str(-0.3 if option == top else -4.0) for option in range(4)]
            record = {
                "doc_id": number,
                "doc": {"id": number},
                "target": gold,
                "arguments": [["Question?", f" option {n}"] for n in range(4)],
                "resps": [[[value, "False"]] for value in values],
                "filtered_resps": [[value, "False"] for value in values],
                "filter": "none",
                "metrics": ["acc"],
                "acc": float(is_right),
            }
            file.write(json.dumps(record) + "\n")


def bundle(folder: Path, right: Sequence[bool]) -> None:
    """Write a run as nel compares it: a bundle beside its results."""
    folder.mkdir()
    scores = {"accuracy": {"value": sum(right) / len(right)}}
    told = {"run_id": folder.name, "benchmark": {"name": "made-up", "scores": scores}}
    (folder / "eval-run.json").write_text(json.dumps(told))
    rows = (
        {"problem_idx": number, "repeat": 0, "reward": float(is_right)}
        for number, is_right in enumerate(right)
    )
    (folder / "results.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in rows))


def installed(folder: Path, name: str) -> Path | None:
    """Return a tool in an environment of its own; None where it does not install."""
    package, version = TOOLS[name]
    python = os.environ.get(f"PYTHON_{version}", version)
    environment = folder / f"env-{name}"
    for command in (
        ("venv", "--quiet", "--python", python, environment),
        ("pip", "install", "--quiet", "--python", environment / "bin/python", package),
    ):
        done = subprocess.run([find_uv_bin(), *map(str, command)], check=False)
        if done.returncode:
            return None
    return environment / "bin" / name


def seconds(command: Sequence[str | Path], folder: Path) -> float:
    """Return the least processor time of three runs."""
    return min(_once(command, folder) for _ in range(3))


def _once(command: Sequence[str | Path], folder: Path) -> float:
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in VERDICTS:
        raise SystemExit(f"failed: {command}")
    return usage.ru_utime + usage.ru_stime


def jobs(tools: dict[str, Path]) -> dict[str, dict[str, list[str | Path]]]:
    """Return the command of each job by each tool that can do it."""
    named = [f"{name}={name}.jsonl" for name in SKILLS]
    gold, db = ("--gold", "a.jsonl"), ("--db", "w.duckdb")
    gate = ("--candidate", "b", "--baseline", "a", "--metric", "accuracy")
    found: dict[str, dict[str, list[str | Path]]] = {
        "Is B better than A?": {
            "jevdb": [*JEVDB, "compare", "a.jsonl", "b.jsonl", *gold],
            "errorbars": ["compare", *named[:2]],
            "evalsig": [
                *("compare", "--format", "lm_eval", "--metric", "acc"),
                *("--baseline", "a.jsonl", "--candidate", "b.jsonl"),
            ],
            "nel": ["compare", "run-a", "run-b", "--no-report", "--verbose"],
        },
        "Rank five models": {
            "jevdb": [*JEVDB, *db, "leaderboard", "--by", "accuracy"],
            "errorbars": ["leaderboard", *named],
        },
        "Gate a release": {
            "jevdb": [*JEVDB, *db, "gate", *gate],
            "evalsig": [
                *("gate", "--format", "lm_eval", "--metric", "acc"),
                *("--baseline", "a.jsonl", "--candidate", "b.jsonl"),
                *("--min-delta", "0"),
            ],
            "nel": ["compare", "run-a", "run-b", "--no-report", "--strict"],
        },
        "One model with error bars": {
            "jevdb": [*JEVDB, *db, "report", "--run", "a"],
            "errorbars": ["summarize", named[0]],
        },
        "How many items would tell?": {
            "jevdb": [*JEVDB, "compare", "a.jsonl", "b.jsonl", *gold],
            "errorbars": ["power", "--delta", "0.02", "--baseline", "0.6"],
            "evalsig": ["mde", "--sd-diff", "0.5", "--target-delta", "0.02"],
        },
    }
    for by_tool in found.values():
        for name in list(by_tool):
            if name in tools:
                by_tool[name] = [tools[name], *by_tool[name]]
            elif name != "jevdb":
                del by_tool[name]
    return found


def main() -> None:
    """Make the logs, run each job, and print the table."""
    random_ = random.Random(7)
    difficulty = [random_.gauss(0, 1) for _ in range(ITEMS)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ingest = [*JEVDB, "--db", "w.duckdb"]
        _once([*ingest, "init"], folder)
        for model, skill in SKILLS.items():
            right = [random_.gauss(0, 1) + skill > hard for hard in difficulty]
            log(folder / f"{model}.jsonl", right)
            bundle(folder / f"run-{model}", right)
        items = ("ingest", "items", "a.jsonl", "--benchmark", "made-up")
        _once([*ingest, *items], folder)
        for model in SKILLS:
            run = ("ingest", "run", f"{model}.jsonl", "--benchmark", "made-up")
            _once([*ingest, *run, "--model", model], folder)
        found = {tool: path for tool in TOOLS if (path := installed(folder, tool))}
        columns = ("jevdb", *TOOLS)
        print(f"| job | {' | '.join(columns)} |")
        print(f"|---|{'---:|' * len(columns)}")
        for job, by_tool in jobs(found).items():
            cells = [
                f"{seconds(by_tool[tool], folder):.2f} s" if tool in by_tool else "-"
                for tool in columns
            ]
            print(f"| {job} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
