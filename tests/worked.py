"""SCORING.md section 8 as data: the worked cases and the table of the real runs.

Held by the oracle and by the SQL alike.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import oracle

Key = tuple[str, str]
JEVBENCH = Path(__file__).parents[1] / "seeds" / "demo" / "jevbench"
RUN_FILES = {
    "de-1": ["de-1/easy.jsonl", "de-1/standard.jsonl", "de-1/hard.jsonl"],
    "gavel-decide-4b": ["gavel-decide-4b/public_231_results.jsonl"],
}


class Case(NamedTuple):
    """A small benchmark, one run over it, and what must come out for ``overall``."""

    name: str
    items: list[dict[str, Any]]
    predictions: list[dict[str, Any]]
    expected: dict[Key, float | str]


def choice(item_id: str, k: int = 2, gold: str = "a") -> dict[str, Any]:
    options = list("abcdefgh"[:k])
    return {"item_id": item_id, "type": "choice", "options": options, "gold": gold}


def noul(item_id: str, gold: str = "yes") -> dict[str, Any]:
    return {"item_id": item_id, "type": "noul", "gold": gold}


def rating(item_id: str, k: int, gold: int) -> dict[str, Any]:
    options = [f"level {index}" for index in range(k)]
    return {"item_id": item_id, "type": "score", "options": options, "gold": gold}


def stated(item_id: str, *probabilities: float) -> dict[str, Any]:
    return {"item_id": item_id, "probabilities": list(probabilities)}


def yes(item_id: str, p_yes: float) -> dict[str, Any]:
    return stated(item_id, 1 - p_yes, p_yes)


CASES = [
    Case(
        "one bin holds 0.95 and 1.0",
        [choice("1"), choice("2")],
        [stated("1", 0.95, 0.05), stated("2", 0.0, 1.0)],
        {("ece", "choice"): 0.475},
    ),
    Case(
        "noul is binned by p(yes)",
        [noul("1"), noul("2")],
        [yes("1", 0.0), yes("2", 0.9)],
        {("ece", "noul"): 0.55},
    ),
    Case(
        "0.3 is in the fourth bin",
        [choice("1", 4), choice("2", 4, "b")],
        [stated("1", 0.25, 0.25, 0.25, 0.25), stated("2", 0.3, 0.25, 0.25, 0.2)],
        {("ece", "choice"): 0.525},
    ),
    Case(
        "0.62 and 0.68 share a bin",
        [choice("1"), choice("2")],
        [stated("1", 0.62, 0.38), stated("2", 0.32, 0.68)],
        {("ece", "choice"): 0.15},
    ),
    Case(
        "900 label-only rows",
        [choice(str(index)) for index in range(900)],
        [{"item_id": str(index), "answer": "a"} for index in range(900)],
        {
            ("accuracy", "all"): 1.0,
            ("ece", "choice"): "no_probabilities",
            ("calibration", "all"): "no_probabilities",
        },
    ),
    Case(
        "noul 0.9 and 0.1, both gold yes",
        [noul("1"), noul("2")],
        [yes("1", 0.9), stated("2", 0.9, 0.1)],
        {("ece", "noul"): 0.5, ("ece", "pooled"): 0.4},
    ),
    Case(
        "rps of a rising distribution",
        [rating("1", 4, 2)],
        [stated("1", 0.1, 0.2, 0.3, 0.4)],
        {("rps", "score"): 0.26 / 3},
    ),
    Case(
        "rps at its worst",
        [rating("1", 4, 3)],
        [stated("1", 1.0, 0.0, 0.0, 0.0)],
        {("rps", "score"): 1.0},
    ),
    Case(
        # Chance is (1/2 + 1/4) / 2 = 0.375, so no right answer is 100 x -0.375 / 0.625.
        "chance of 2 and 4 options",
        [choice("1", 2), choice("2", 4)],
        [{"item_id": "1", "answer": "b"}, {"item_id": "2", "answer": "b"}],
        {("intelligence", "all"): -60.0},
    ),
    Case(
        # Rescaled to one half each: 1 - p(gold) is 0.5, (0.5)^2 twice is 0.5.
        "two decimals that sum to 0.98 and 1.02",
        [choice("1"), choice("2")],
        [stated("1", 0.49, 0.49), stated("2", 0.51, 0.51)],
        {
            ("coverage", "all"): 1.0,
            ("tvd", "all"): 0.5,
            ("brier", "choice"): 0.5,
            ("accuracy", "all"): 1.0,
        },
    ),
    Case(
        "a run that answers half",
        [choice(str(index)) for index in range(1, 5)],
        [{"item_id": "1", "answer": "a"}, {"item_id": "2", "answer": "a"}],
        {("coverage", "all"): 0.5, ("accuracy", "all"): 0.5},
    ),
]


class RealRow(NamedTuple):
    """A row of the table of real runs."""

    run: str
    report_row: str
    n: int
    n_correct: int
    ece: tuple[float, float, float]
    rps: float
    intelligence: dict[str, float]


def _methods(*values: float) -> dict[str, float]:
    names = ("metrics-md", "jevbench-v1.5", "jevbench-v1.5-frozen")
    return dict(zip(names, values, strict=True))


REAL_ROWS = [
    RealRow(
        "de-1",
        "public_231",
        231,
        191,
        (0.09897802985074627, 0.11128355183286867, 0.15592044444444444),
        0.038708203528523145,
        _methods(71.23820749227346, 60.81631943880646, 64.34324261861852),
    ),
    RealRow(
        "de-1",
        "hard_111",
        111,
        72,
        (0.09897802985074627, 0.20734979689665206, 0.42159066666666667),
        0.11537007155951388,
        _methods(53.14165134932578, 35.59779170020297, 40.72759909430116),
    ),
    RealRow(
        "gavel-decide-4b",
        "public_231",
        231,
        173,
        (0.13803649522800618, 0.09004167608154484, 0.5543482508811738),
        0.3648799081853394,
        _methods(40.47691907730675, 26.3791747164045, 36.3539992216632),
    ),
]
PUBLISHED_ECE_ALL = {
    ("de-1", "hard_111"): 0.08323733130267792,
    ("gavel-decide-4b", "public_231"): 0.04266122500650256,
}


def real_items() -> list[dict[str, Any]]:
    lines = (JEVBENCH / "public_231.items.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in lines.splitlines()]


@cache
def real_report(run: str, method: str) -> dict[str, Any]:
    """The oracle's report of a run of the real benchmark, worked out once."""
    return oracle.report("jevbench", real_items(), real_predictions(run), method=method)


def real_predictions(run: str) -> list[dict[str, Any]]:
    """The run's rows as the oracle reads them: lists in option order."""
    items = {item["item_id"]: item for item in real_items()}
    rows = []
    for name in RUN_FILES[run]:
        for line in (JEVBENCH / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            item = items[row["task_id"]]
            keys = item.get("options") or ["no", "yes"]
            if item["type"] == "score":
                keys = [str(level) for level in range(len(keys))]
            rows.append(
                {
                    "item_id": row["task_id"],
                    "answer": row["predicted"],
                    "probabilities": [row["probs"][key] for key in keys],
                }
            )
    return rows


def published(run: str) -> dict[str, Any]:
    text = (JEVBENCH / run / "published.json").read_text(encoding="utf-8")
    return dict(json.loads(text))
