"""Which way is better, for every metric, in everything that says better or worse.

Two runs are compared of which one is better in every respect: it is right, and says so,
where the other is wrong, and says so. What is better is known by that, not from our
registry.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from building import add_benchmark, add_run, open_to_fill
from commandline import jevdb, rows_of
from making import copied

from jevdb.base.metrics import BY_NAME, NUMBERS, Number, sign
from jevdb.comparison.gates.harm import CALIBRATION_NUMBERS

HIGHER = {"intelligence", "calibration", "accuracy", "coverage", "multi_select_f1"}
LOWER = {"ece", "tvd", "rps", "brier", "nll", "ordinal_mae"}
"""By METRICS.md and SCORING.md §3: scores, and errors or distances."""
N = 40
LEVELS = ["bad", "fair", "good"]


def item(name: str, kind: str) -> dict[str, Any]:
    given = {
        "choice": {"options": ["a", "b"], "gold": "a"},
        "noul": {"gold": "yes"},
        "score": {"options": LEVELS, "gold": 2},
        "multi_select": {"options": ["x", "y", "z"], "gold": ["x", "y"]},
    }
    return {"item_id": name, "type": kind, **given[kind]}


def answer(name: str, kind: str, p_gold: float) -> dict[str, Any]:
    """Give gold this probability; a set is right above 1/2."""
    rest = 1 - p_gold
    said: dict[str, Any] = {
        "choice": {"probabilities": [p_gold, rest]},
        "noul": {"probabilities": {"no": rest, "yes": p_gold}},
        "score": {"probabilities": [rest, 0.0, p_gold]},
        "multi_select": {"answer": ["x", "y"] if p_gold > 0.5 else ["z"]},
    }[kind]
    return {"item_id": name, **said}


@pytest.fixture(scope="module")
def path(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 items of each type: `good` gives gold 0.9 to 1, `bad` 0.1 to 0.2.

    Every fifth answer of `bad` has no probabilities, the first of them is none at all,
    and every tenth is right, so that no difference is the same on all items.
    """
    path = tmp_path_factory.mktemp("directions") / "two.duckdb"
    copied(template, path)
    items, good, bad = [], [], []
    for kind in ("choice", "noul", "score", "multi_select"):
        for number in range(N):
            name = f"{kind}{number:02d}"
            items.append(item(name, kind))
            part = number % 11 / 110
            good.append(answer(name, kind, 0.9 + part))
            wrong = {"choice": "b", "noul": "no", "score": 0, "multi_select": ["z"]}
            if number == 0:
                bad.append({"item_id": name, "status": "error"})
            elif number % 5 == 0:
                bad.append({"item_id": name, "answer": wrong[kind]})
            else:
                bad.append(answer(name, kind, 0.8 if number % 10 == 1 else 0.1 + part))
    with open_to_fill(path) as connection:
        add_benchmark(connection, items, benchmark_id="two")
        add_run(connection, "two", good, model="good")
        add_run(connection, "two", bad, model="bad")
    return path


@pytest.fixture(scope="module")
def values(path: Path) -> dict[tuple[str, Number], float]:
    """The values of both runs, by model and number, where both have one."""
    found = rows_of(
        path,
        "sql",
        "select model, metric, kind, value from report_metrics join run_states "
        "using (run_id) where method_id = 'metrics-md' and value is not null",
    )
    return {
        (row["model"], Number(row["metric"], row["kind"])): row["value"]
        for row in found
    }


def test_the_directions_of_the_documents():
    assert {name for name in HIGHER | LOWER if BY_NAME[name].is_higher_better} == HIGHER


def test_in_every_number_the_better_run_is_on_the_better_side(values):
    seen = set()
    for number in NUMBERS:
        good, bad = values.get(("good", number)), values.get(("bad", number))
        if good is None or bad is None or good == bad:
            continue
        seen.add(number.metric)
        is_higher = number.metric in HIGHER
        if number.metric in HIGHER | LOWER:
            assert (good > bad) == is_higher, number
        assert (good - bad) * sign(number.metric) > 0, number
    assert seen >= HIGHER | LOWER


@pytest.mark.parametrize("metric", sorted(HIGHER | LOWER))
def test_a_board_has_the_better_run_first(path: Path, metric: str):
    rows = rows_of(path, "leaderboard", "--by", metric, "--cohort", "own")
    assert [row["model"] for row in rows] == ["good", "bad"]


@pytest.mark.parametrize(
    ("base", "other", "word"),
    [
        ("good", "bad", "worse"),
        ("bad", "good", "better"),
    ],
)
def test_every_verdict_of_a_comparison(path: Path, base: str, other: str, word: str):
    rows = rows_of(path, "compare", base, other, "--all")
    verdicts: dict[str, set[str]] = {}
    for row in rows:
        verdicts.setdefault(row["metric"], set()).add(row["verdict"])
    said = {word for words in verdicts.values() for word in words}
    assert {"better", "worse"} & said == {word}
    spoken = {metric for metric, words in verdicts.items() if word in words}
    assert spoken >= {"accuracy", "intelligence", "tvd", "rps", "brier", "nll"}
    assert "ordinal_mae" in spoken


GATED = [
    *("accuracy", "I", "tvd", "rps", "brier", "nll", "ordinal_mae", "ce2_choice"),
    *("coverage", "multi_select_f1"),
]


def checks(path: Path, candidate: str, baseline: str) -> dict[str, str]:
    asked = [part for name in GATED for part in ("--metric", name)]
    runs = ("--candidate", candidate, "--baseline", baseline)
    done = jevdb(path, "gate", *runs, *asked, "--allow", "unscored", "--json")
    found = json.loads(done.stdout)["checks"][3:]
    return {name: check["outcome"] for name, check in zip(GATED, found, strict=True)}


def test_a_gate_lets_the_better_run_pass_and_no_worse_one(path: Path):
    assert set(CALIBRATION_NUMBERS) == {"gap", "ce2"}
    better, worse = checks(path, "good", "bad"), checks(path, "bad", "good")
    assert {name for name, outcome in better.items() if outcome == "fail"} == set()
    assert {name for name, outcome in worse.items() if outcome == "pass"} == set()
    tested = {"accuracy", "I", "tvd", "rps", "brier", "nll", "ordinal_mae"}
    assert {name for name in tested if better[name] != "pass"} == set()
    assert {name for name in tested if worse[name] != "fail"} == set()
