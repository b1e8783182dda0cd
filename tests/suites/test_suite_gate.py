"""A suite's gate: three outcomes, and an error shared out over a baseline's life."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from building import open_to_fill
from commandline import jevdb, rows_of
from making import copied
from scipy import stats
from suite_world import member, store, toml

from jevdb import Warehouse

N = 40
LOOKS = "select look, report_row, metrics from gate_looks order by seq"


def marks(lost: int = 0, won: int = 0) -> str:
    """The base has 30 of 40 right; others lose some of those and win of the rest."""
    return "-" * lost + "+" * (30 - lost + won) + "-" * (10 - won)


RUNS = {
    "base": {"one": marks(), "two": marks()},
    "same": {"one": marks(), "two": marks()},
    "worse": {"one": marks(lost=4), "two": marks(lost=2)},
    "little": {"one": marks(lost=1), "two": marks()},
    "partial": {"one": marks()},
}


@pytest.fixture(scope="module")
def stored(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite-gate")
    path = copied(template, folder / "gate.duckdb")
    runs: dict[str, dict[str, str]] = {"one": {}, "two": {}}
    for model, found in RUNS.items():
        for benchmark, right in found.items():
            runs[benchmark][model] = right
    with open_to_fill(path) as connection:
        store(connection, runs, N)
    members = [member("one"), member("two")]
    suite = toml(folder / "small.toml", members, aggregate="mean")
    assert jevdb(path, "suites", "add", str(suite)).exit_code == 0
    return path


@pytest.fixture
def path(stored: Path, tmp_path: Path) -> Path:
    return copied(stored, tmp_path / "gate.duckdb")


def approve(path: Path, name: str = "base", *more: str) -> str:
    result = jevdb(path, "baseline", "set", name, "--suite", "small", *more)
    assert result.exit_code == 0, result.output
    return result.stderr


def gated(path: Path, candidate: str, *more: str) -> dict[str, Any]:
    asked = ("gate", "--suite", "small", "--candidate", candidate, *more)
    result = jevdb(path, *asked, "--format", "json")
    verdict = json.loads(result.stdout)
    codes = {"pass": 0, "fail": 5, "inconclusive": 7}
    assert result.exit_code == codes[verdict["outcome"]]
    assert verdict["passed"] == (verdict["outcome"] == "pass")
    return verdict


def spread(lost: tuple[int, int]) -> tuple[float, int]:
    """The standard error of a mean of two accuracies, in points, and its df."""
    parts = []
    for count in lost:
        gaps = np.array([-1.0] * count + [0.0] * (N - count))
        # Each member makes half of the score.
        parts.append(50**2 * gaps.var(ddof=1) / N)
    whole = sum(parts)
    return math.sqrt(whole), int(whole**2 / sum(v * v / (N - 1) for v in parts))


def test_a_named_baseline_has_no_life_to_share(path: Path):
    found = gated(path, "worse", "--baseline", "base")
    # (4 + 2) of 40, halved: 7.5 points.
    se, df = spread((4, 2))
    assert found["difference"] == pytest.approx(-7.5, abs=1e-9)
    assert found["p_harm"] == pytest.approx(stats.t.sf(7.5 / se, df), abs=1e-9)
    half = stats.t.ppf(0.975, df) * se
    assert found["not_excluded"] == pytest.approx(7.5 + half, abs=1e-9)
    seen = (stats.t.ppf(0.975, df) + stats.t.ppf(0.8, df)) * se
    assert found["mde"] == pytest.approx(seen, abs=1e-9)
    assert (found["outcome"], found["look"], found["level"]) == ("fail", 1, 0.025)
    assert found["sentences"] == [
        f"Fail: score -7.5 points ({-7.5 - half:.1f} to {-7.5 + half:.1f}), p 0.007.",
        "The baseline is not approved: error 2.5 % per gate.",
    ]
    assert rows_of(path, "sql", LOOKS) == []


def test_looks_are_counted_over_an_approval(path: Path):
    assert "is the baseline of small, by its runs on one, two" in approve(path)
    assert "already the baseline" in approve(path)
    found = [gated(path, name) for name in ("little", "same", "worse", "little")]
    assert [each["look"] for each in found] == [1, 2, 3, 1]
    assert [each["look_recorded"] for each in found] == [True] * 4
    assert found[0] == found[3]
    same, late = found[1:3]
    assert (same["outcome"], same["identical"]) == ("pass", True)
    assert (same["reason"], same["not_excluded"]) == ("identical_rows", 0)
    assert same["sentences"] == ["Pass: the candidate's answers are identical."]
    # 0.05 / (3 x 4) is below 0.007: what would have failed at first is not passed.
    assert late["level"] == pytest.approx(0.05 / 12, abs=1e-15)
    assert late["outcome"] == "inconclusive"
    assert late["sentences"] == [
        "Inconclusive: score -7.5 points, p 0.007, but this is look 3 (limit 0.0042). "
        "Repeat it or add items."
    ]
    # Another mode is another count.
    other = ("--require", "non-inferior", "--margin", "20")
    assert gated(path, "worse", *other)["look"] == 1
    with open_to_fill(path) as connection:
        rows = connection.execute(LOOKS).fetchall()
        assert connection.execute("select * from orphan_looks").fetchall() == []
    assert rows == [(look, "suite:small@1", ["mean"]) for look in (1, 2, 3, 1)]
    # A new approval starts again.
    approve(path, "base", "--looks", "1")
    found = [gated(path, name) for name in ("worse", "little")]
    assert [(each["look"], each["level"]) for each in found] == [(1, 0.05), (2, 0.0)]
    assert found[0]["sentences"][0].endswith("p 0.007; look 1 of this baseline.")
    # One run of the entrant that is no baseline any more, and neither is the entrant.
    assert jevdb(path, "baseline", "clear", "two").exit_code == 0
    gone = jevdb(path, "gate", "--suite", "small", "--candidate", "worse")
    assert gone.exit_code == 2
    assert "small@1 has no approved baseline" in gone.stderr


def test_non_inferior_needs_evidence(path: Path):
    asked = ("--baseline", "base", "--require", "non-inferior", "--margin")
    refused = jevdb(
        *(path, "gate", "--suite", "small", "--candidate", "little"),
        *(*asked[:-1], "--margin", "0"),
    )
    assert refused.exit_code == 2
    assert "nothing can be shown to be not worse at all" in refused.stderr
    # One of 40 lost on one member: 1.25 points, and a standard error as large.
    wide, near = (gated(path, "little", *asked, margin) for margin in ("5", "2"))
    assert wide["outcome"] == "pass"
    assert wide["sentences"][0].startswith("Pass: shown to be within 5 points. Drops")
    assert near["outcome"] == "inconclusive"
    said = "Inconclusive: score not shown to be within 2 points."
    assert near["sentences"][0] == said


def test_a_missing_score_fails(path: Path):
    found = gated(path, "partial", "--baseline", "base")
    assert (found["outcome"], found["reason"]) == ("fail", "no_score")
    assert found["sentences"][0] == "Fail: no score of partial."
    refused = jevdb(path, "baseline", "set", "partial", "--suite", "small")
    assert refused.exit_code == 2
    assert "partial has no run on two / overall: it cannot be the" in refused.stderr
    assert rows_of(path, "baseline", "list") == []


def test_a_look_that_cannot_be_stored_is_said(path: Path):
    approve(path)
    with Warehouse(path) as warehouse:
        verdict = warehouse.gate_suite("small", "little")
    assert (verdict.look.number, verdict.look.is_recorded) == (1, False)
    assert verdict.sentences()[1].startswith("Look not recorded")
    assert "score of small@1" in verdict.text()
    assert rows_of(path, "sql", LOOKS) == []
