"""S1MB's made-up board: Task Avg and Borda of soft targets, to 1e-12 (SUITES.md §7)."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from building import add_benchmark, add_run, open_for_a_test
from making import copied

from jevdb.base.connection import Connection
from jevdb.suites.board import SuiteBoard
from jevdb.suites.leaderboard import leaderboard
from jevdb.suites.roster import Request
from jevdb.suites.rows import read_rows
from jevdb.suites.scores import scored
from jevdb.suites.statistics import statistic
from jevdb.suites.storing import add_suite
from jevdb.warehouse.assets import asset_folder

DATA = Path(__file__).parents[1] / "data" / "s1mb" / "made-up"
BOARD = json.loads((DATA / "board.json").read_text("utf-8"))
NOUL = {"false": "no", "true": "yes"}
MOSS = """
[[member]]
benchmark = "moss-noul-test-v1"
area = "noul"
metric = "balanced_accuracy"
kind = "noul"
transform = "skill"
base = 0.5
clip = true
"""


def item(case: dict[str, Any]) -> dict[str, Any]:
    target = [case["target"][option["id"]] for option in case["options"]]
    top = target.index(max(target))
    names = [NOUL.get(option["id"], option["id"]) for option in case["options"]]
    found = {
        "item_id": case["case_id"],
        "type": case["task"],
        "options": names,
        "gold": top if case["task"] == "score" else names[top],
        "reference": target,
    }
    if case["task"] == "score":
        found["values"] = [float(option["value"]) for option in case["options"]]
    return found


def row(said: dict[str, Any]) -> dict[str, Any]:
    if said.get("error"):
        return {"item_id": said["case_id"], "status": "error", "error": said["error"]}
    shares = {NOUL.get(k, k): v for k, v in said["probabilities"].items()}
    return {"item_id": said["case_id"], "probabilities": shares}


def store(connection: Connection) -> None:
    for path in sorted((DATA / "gold").glob("*.jsonl")):
        lines = path.read_text("utf-8").splitlines()
        items = [item(json.loads(line)) for line in lines]
        benchmark = add_benchmark(connection, items, benchmark_id=path.stem)
        for folder in sorted(DATA.glob("example__*")):
            packed = (folder / f"{path.stem}.json.xz").read_bytes()
            said = json.loads(lzma.decompress(packed))
            rows = [row(each) for each in said["predictions"]]
            add_run(connection, benchmark, rows, model=folder.name)


@pytest.fixture(scope="module")
def board(template: Path, tmp_path_factory: pytest.TempPathFactory) -> SuiteBoard:
    """The board by the suite that ships, with the fourth of its made-up benchmarks."""
    folder = tmp_path_factory.mktemp("s1mb")
    copied(template, folder / "s.duckdb")
    text = (asset_folder("seeds") / "suites" / "s1mb-english-1.toml").read_text("utf-8")
    (folder / "s.toml").write_text(text + MOSS, "utf-8")
    with open_for_a_test(folder / "s.duckdb") as connection:
        store(connection)
        suite, _ = add_suite(connection, folder / "s.toml")
        return leaderboard(connection, Request(suite))


def test_task_average_and_borda_are_those_of_the_board(board: SuiteBoard):
    found = {entry.entrant.name: entry.score for entry in board.entries}
    assert {name for name, score in found.items() if score.is_ranked} == set(
        BOARD["ranked"]
    )
    for name in BOARD["ranked"]:
        average, borda = BOARD["task_avg"][name], BOARD["borda"][name]
        assert (found[name].score or 0) / 100 == pytest.approx(average, abs=1e-12)
        assert found[name].borda == pytest.approx(borda, abs=1e-12)


def test_every_value_is_that_of_the_board(board: SuiteBoard):
    raws = {
        "choice": "target_mass_at_prediction",
        "noul": "balanced_accuracy",
        "score": "baseline_adjusted_skill",
    }
    checked = 0
    for entry in board.entries:
        theirs = BOARD["metrics"][entry.entrant.name]
        if entry.entrant.name not in BOARD["ranked"]:
            assert entry.score.reason == "missing_member"
            continue
        for member, value in zip(board.scores.members, entry.values, strict=True):
            expected = theirs[member.benchmark_id]
            number = expected[raws[str(member.area)]]
            assert value.raw == pytest.approx(number, abs=1e-12)
            score = expected["baseline_adjusted_score"]
            assert value.value == pytest.approx(score, abs=1e-12)
            if member.area == "choice":
                base = expected["fixed_answer_accuracy_baseline"]
                assert value.base == pytest.approx(base, abs=1e-12)
            checked += 1
    assert checked == 12


def test_the_board_has_the_intervals_it_lacks(board: SuiteBoard):
    for entry in board.ranked:
        assert entry.interval is not None
        assert entry.interval.low < entry.score.score < entry.interval.high


MANY = {
    "kites-choice-test-v1": {
        "choice": ("soft_accuracy", "accuracy", "intelligence"),
    },
    "moss-noul-test-v1": {
        "noul": (
            *("balanced_accuracy", "macro_f1", "conservative_f1", "f1"),
            *("brier_skill", "brier", "soft_brier", "intelligence"),
        ),
    },
    "tides-score-test-v1": {
        "score": (
            *("rps_skill", "mae_skill", "value_mae", "rps", "macro_f1"),
            *("intelligence", "brier_skill"),
        ),
    },
}


def test_what_is_resampled_is_what_the_views_say(template: Path, tmp_path: Path):
    """With the items as they are, the functions of means are the numbers themselves."""
    copied(template, tmp_path / "s.duckdb")
    lines = ['name = "many"', 'version = "1"', 'method = "s1mb-1"', 'missing = "skip"']
    for benchmark, kinds in MANY.items():
        for kind, metrics in kinds.items():
            for metric in metrics:
                lines += [
                    *("[[member]]", f'benchmark = "{benchmark}"', f'kind = "{kind}"'),
                    f'metric = "{metric}"',
                ]
                if metric in ("soft_brier", "brier"):
                    lines += ['transform = "skill"', 'base = "constant"']
                elif metric in ("rps", "value_mae"):
                    lines += ['transform = "skill"', "base = 0.4"]
    (tmp_path / "s.toml").write_text("\n".join(lines), "utf-8")
    with open_for_a_test(tmp_path / "s.duckdb") as connection:
        store(connection)
        suite, _ = add_suite(connection, tmp_path / "s.toml")
        with scored(connection, Request(suite)) as scores:
            rows = read_rows(connection, scores)
            checked = 0
            for member in scores.members:
                found = [each[member.member - 1] for each in scores.values.values()]
                run_ids = [str(value.run_id) for value in found]
                nothing: list[frozenset[str]] = [frozenset()] * len(run_ids)
                made = statistic(member, rows, run_ids, "wrong", nothing)
                assert made is not None, member.metric
                values = made.bare(*made.means()).tolist()
                expected = [value.value for value in found]
                assert values == pytest.approx(expected, abs=1e-9), member.metric
                influences = made.influences()
                assert influences.sum(axis=1) == pytest.approx(0.0, abs=1e-9)
                checked += 1
    assert checked == 18
