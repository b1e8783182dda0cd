"""Three outcomes, an error shared out over a baseline's life, and what a gate sees."""

from __future__ import annotations

import json
import math
import os
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from building import add_benchmark, add_run, open_to_fill
from commandline import jevdb, rows_of
from making import copied
from scipy import stats

from jevdb import Warehouse
from jevdb.comparison.gates.harm import (
    FAIL,
    INCONCLUSIVE,
    PASS,
    Harm,
    gated_name,
    gated_number,
)
from jevdb.comparison.gates.looks import Require, spent
from jevdb.comparison.gates.margins import Margin, margin_words
from jevdb.numerics.estimates import Estimate
from jevdb.scoring.differences import Difference, Discordance

COUNT = 120
ORPHANS = "select subject, detail from orphan_looks"
LOOKS_TO_1000 = """
insert into gate_looks
    (seq, approval, run_id, report_row, method_id, require, metrics, look)
select
    100000 + k, approval, sha256('candidate ' || k), report_row, method_id, require,
    metrics, k
from gate_looks
cross join range(2, 1001) as looks (k)
where look = 1
"""


def items(count: int = COUNT) -> list[dict[str, Any]]:
    return [
        {"item_id": f"{i:03d}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for i in range(count)
    ]


def answers(wrong: set[int], count: int = COUNT) -> list[dict[str, Any]]:
    return [
        {"item_id": f"{i:03d}", "answer": "b" if i in wrong else "a"}
        for i in range(count)
    ]


def losing(lost: int, won: int) -> set[int]:
    """The wrong items of a run that has *lost* and *won* against the base."""
    return set(range(20 - won)) | set(range(20, 20 + lost))


RUNS = {
    "base": losing(0, 0),
    "same": losing(0, 0),
    "much": losing(20, 2),
    "some": losing(11, 2),
    "little": losing(3, 2),
    "better": losing(0, 4),
}
"""20 of 120 are wrong in the base."""


@pytest.fixture(scope="module")
def stored(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("looks") / "looks.duckdb"
    copied(template, path)
    with open_to_fill(path) as connection:
        add_benchmark(connection, items(), benchmark_id="looked")
        for model, wrong in RUNS.items():
            add_run(connection, "looked", answers(wrong), model=model)
    with Warehouse(path, read_only=False) as warehouse:
        warehouse.set_baseline("base", "a test")
    return path


@pytest.fixture
def path(stored: Path, tmp_path: Path) -> Path:
    return copied(stored, tmp_path / "looks.duckdb")


def gated(path: Path, candidate: str, *arguments: str) -> dict[str, Any]:
    arguments = arguments or ("--metric", "accuracy")
    gate = ("gate", "--candidate", candidate, *arguments, "--format", "json")
    result = jevdb(path, *gate)
    verdict = json.loads(result.stdout)
    assert result.exit_code == {PASS: 0, FAIL: 5, INCONCLUSIVE: 7}[verdict["outcome"]]
    assert verdict["passed"] == (verdict["outcome"] == PASS)
    return {**verdict, "check": verdict["checks"][3]}


def test_the_error_is_shared_out_for_ever():
    assert spent(1) == 0.025
    assert sum(spent(look) for look in range(1, 100_001)) < 0.05
    assert math.fsum(spent(k) for k in range(1, 1001)) == pytest.approx(
        0.05 * (1 - 1 / 1001), abs=1e-15
    )
    assert [spent(k, looks=4) for k in (1, 4, 5)] == [0.0125, 0.0125, 0.0]


def test_looks_are_counted_by_candidate(path: Path):
    first = gated(path, "some")
    # b = 11, c = 2: half of 0.0224609375 is at most 0.025.
    assert first["check"]["p_harm"] == 0.01123046875
    assert (first["look"], first["level"], first["outcome"]) == (1, 0.025, FAIL)
    second = gated(path, "little")
    assert (second["look"], second["outcome"]) == (2, PASS)
    assert second["level"] == pytest.approx(0.05 / 6, abs=1e-15)
    # The same candidate again is the same look, and the same verdict.
    assert gated(path, "some") == first
    assert gated(path, "better")["look"] == 3
    rows = rows_of(path, "sql", "select * from gate_looks order by seq")
    assert [(row["look"], row["metrics"]) for row in rows] == [
        (1, ["accuracy"]),
        (2, ["accuracy"]),
        (3, ["accuracy"]),
    ]
    assert {row["require"] for row in rows} == {"not-worse"}
    # Another mode is another count.
    other = ("--metric", "accuracy", "--margin", "0.2", "--require", "non-inferior")
    assert gated(path, "better", *other)["look"] == 1
    with open_to_fill(path) as connection:
        assert connection.execute(ORPHANS).fetchall() == []
        connection.execute("delete from run_events where event = 'baseline_set'")
        assert len(connection.execute(ORPHANS).fetchall()) == 4


def test_late_evidence_is_inconclusive_not_waved_through(path: Path):
    gated(path, "better")
    late = gated(path, "some")
    assert (late["look"], late["outcome"]) == (2, INCONCLUSIVE)
    assert late["sentences"] == [
        "Inconclusive: accuracy -7.5 points, p 0.011, but this is look 2 (limit "
        "0.0083). Repeat it or add items."
    ]
    clear = gated(path, "much")
    assert (clear["look"], clear["outcome"]) == (3, FAIL)
    assert clear["sentences"][0].startswith("Fail: accuracy -15.0 points (-22.2 to")
    assert clear["sentences"][0].endswith("), p <0.001; look 3 of this baseline.")


def test_after_a_thousand_looks_evidence_is_still_told(path: Path):
    gated(path, "little")
    with open_to_fill(path) as connection:
        connection.execute(LOOKS_TO_1000)
    late = gated(path, "much")
    # b = 20, c = 2: (1 + 22 + 231) / 2^22 one way; the level is 0.05 / (1001 x 1002).
    assert late["look"] == 1001
    assert late["level"] == pytest.approx(0.05 / (1001 * 1002), rel=1e-12)
    assert late["check"]["p_harm"] == 254 / 2**22
    assert late["outcome"] == INCONCLUSIVE
    again = gated(path, "much")
    assert (again["look"], again["outcome"]) == (1001, INCONCLUSIVE)
    assert gated(path, "little")["look"] == 1


def test_a_new_approval_starts_again(path: Path):
    gated(path, "better")
    assert gated(path, "little")["look"] == 2
    assert "already" in jevdb(path, "baseline", "set", "base").stderr
    assert gated(path, "much")["look"] == 3
    jevdb(path, "baseline", "set", "base", "--looks", "2")
    found = [gated(path, name) for name in ("better", "some", "much")]
    assert [each["look"] for each in found] == [1, 2, 3]
    # 0.05 / 2 each on two looks; the third can fail nothing.
    assert [each["level"] for each in found] == [0.025, 0.025, 0.0]
    assert [each["outcome"] for each in found] == [PASS, FAIL, INCONCLUSIVE]
    [listed] = rows_of(path, "baseline", "list")
    assert listed["looks"] == 2
    assert jevdb(path, "baseline", "set", "base", "--looks", "0").exit_code == 2


def test_an_approval_taken_back_gates_nothing(path: Path):
    gated(path, "better")
    jevdb(path, "baseline", "clear", "looked")
    gate = ("gate", "--candidate", "some", "--metric", "accuracy")
    assert jevdb(path, *gate).exit_code == 2
    named = gated(path, "some", "--metric", "accuracy", "--baseline", "base")
    assert (named["look"], named["level"], named["outcome"]) == (1, 0.025, FAIL)
    assert named["look_recorded"] is False
    assert "error 2.5 % per gate" in named["sentences"][1]
    jevdb(path, "baseline", "set", "base")
    assert gated(path, "little")["look"] == 1


def test_a_look_that_cannot_be_stored_is_said(path: Path):
    with Warehouse(path) as warehouse:
        verdict = warehouse.gate("some", metrics={"accuracy": 0})
        assert verdict.look is not None
        assert (verdict.look.number, verdict.look.is_recorded) == (1, False)
        assert verdict.sentences()[1].startswith("Look not recorded")
    assert rows_of(path, "sql", "select * from gate_looks") == []
    if os.geteuid() == 0:
        return
    path.chmod(0o444)
    told = jevdb(path, "gate", "--candidate", "some", "--metric", "accuracy")
    assert (told.exit_code, "look not recorded" in told.stderr) == (5, True)


@pytest.mark.parametrize(
    ("clustered", "options", "reason", "cluster"),
    [
        # All items are one cluster: nothing says how clusters differ.
        (COUNT, (), "cluster_is_cell", "group"),
        # Groups on half of the items: by themselves they say nothing,
        (COUNT // 2, (), None, "none"),
        # asked for, 60 items in two clusters hold half of the weight (df below 3).
        (COUNT // 2, ("--cluster", "group"), "few_clusters", "group"),
    ],
)
def test_a_gate_over_clusters(
    path: Path,
    clustered: int,
    options: tuple[str, ...],
    reason: str | None,
    cluster: str,
):
    """The first *clustered* items have two groups, or all items the same one."""
    with open_to_fill(path) as connection:
        connection.execute(
            'update items set "group" = case when $all then 0 '
            "else cast(item_id as integer) // 30 end where cast(item_id as integer) < "
            "$clustered",
            {"all": clustered == COUNT, "clustered": clustered},
        )
    found = gated(path, "some", "--metric", "accuracy", *options)
    assert (found["check"]["reason"], found["cluster"]) == (reason, cluster)
    assert found["outcome"] == (INCONCLUSIVE if reason else FAIL)
    said = jevdb(path, "gate", "--candidate", "some", "--metric", "accuracy", *options)
    assert (" by group)" in said.stdout) is (cluster == "group")


def test_identical_answers_pass_in_every_mode(path: Path):
    for more in ((), ("--require", "non-inferior", "--margin", "0.01")):
        found = gated(path, "same", "--metric", "accuracy", *more)
        assert (found["outcome"], found["check"]["identical"]) == (PASS, True)
        assert found["sentences"] == ["Pass: the candidate's answers are identical."]


def test_non_inferior_needs_evidence(path: Path):
    asked = ("--metric", "accuracy", "--require", "non-inferior", "--margin")
    wide = gated(path, "little", *asked, "0.1")
    assert wide["outcome"] == PASS
    assert wide["check"]["not_excluded"] < 0.1
    near = gated(path, "little", *asked, "0.02")
    assert near["outcome"] == INCONCLUSIVE
    # b = 3, c = 2, n = 120: 2.8016 sqrt(7) / 122, seen at 0.02.
    mde = 2.801585218112968 * math.sqrt(7) / 122
    assert near["check"]["mde"] == pytest.approx(mde, abs=1e-12)
    needed = math.ceil(120 * (mde / 0.02) ** 2)
    assert near["check"]["items_needed"] == needed
    assert near["sentences"][0].startswith(
        "Inconclusive: not shown to be within 2 points; about "
    )
    assert gated(path, "much", *asked, "0.05")["outcome"] == FAIL


def test_a_pass_says_what_it_cannot_exclude(path: Path):
    found = gated(path, "little")
    # INFERENCE.md 1.2 for b = 3, c = 2, n = 120, by another hand.
    p_base, p_other, n = 4 / 122, 3 / 122, 122
    middle = p_other - p_base
    spread = math.sqrt((p_base + p_other - middle**2) / n)
    low = middle - stats.norm.ppf(0.975) * spread
    assert found["check"]["not_excluded"] == pytest.approx(-low, abs=1e-9)
    assert found["sentences"] == [
        f"Pass: no evidence of harm. Drops up to {-100 * low:.1f} points are not "
        "excluded."
    ]
    assert found["check"]["p_harm"] == pytest.approx(
        stats.binom.sf(2, 5, 0.5), abs=1e-12
    )


def test_a_pass_that_excludes_every_drop(path: Path):
    found = gated(path, "base", "--baseline", "much", "--metric", "accuracy")
    assert found["check"]["not_excluded"] == 0
    assert found["sentences"][0] == "Pass: no evidence of harm. Every drop is excluded."


def test_the_level_is_shared_by_the_metrics(path: Path):
    two = ("--metric", "accuracy", "--metric", "I")
    found = gated(path, "some", *two)
    assert {check["level"] for check in found["checks"][3:]} == {0.0125}
    three = gated(path, "some", *two, "--metric", "coverage")
    # 0.0112 is above 0.025 / 3, and below 0.025.
    assert three["check"]["outcome"] == INCONCLUSIVE


def test_junit_skips_what_is_unclear(path: Path, tmp_path: Path):
    gated(path, "better")
    junit = tmp_path / "gate.xml"
    result = jevdb(
        *(path, "gate", "--candidate", "some", "--metric", "accuracy"),
        *("--junit", str(junit)),
    )
    assert result.exit_code == 7
    assert "error: gate inconclusive: 1 of 4 checks: accuracy" in result.stderr
    suite = ET.parse(junit).getroot()
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")
    [skipped] = [case.find("skipped") for case in suite.iter("testcase")][3:]
    assert skipped is not None
    assert str(skipped.get("message")).startswith("Inconclusive: accuracy -7.5 points")


def test_gap_and_ce2_can_be_gated(path: Path):
    assert gated_number("gap_noul") == ("gap", "noul")
    assert gated_name(gated_number("CE2")) == "ce2_pooled"
    for metric in ("ce2_choice", "gap_choice"):
        found = gated(path, "some", "--metric", metric, "--margin", "0.01")
        assert (found["outcome"], found["check"]["reason"]) == (
            FAIL,
            "no_probabilities",
        )
    # Neither is said in points, as accuracy is.
    margin = Margin(0.01, False)
    assert margin_words(margin, "accuracy") == "1 point"
    assert {margin_words(margin, name) for name in ("gap", "ce2")} == {margin.words}


@pytest.mark.parametrize(
    ("lost", "won", "n", "margin"),
    [(30, 12, 220, 0.02), (11, 2, 150, 0.05), (3, 0, 120, 0.01), (0, 9, 50, 0.1)],
)
def test_margins_of_accuracy_by_another_hand(
    lost: int, won: int, n: int, margin: float
):
    pairs = Discordance(0, lost, won, n - lost - won)
    harm = Harm("accuracy", pairs.point, pairs, margin)
    one, two = (lost + 1) / (n + 2), (won + 1) / (n + 2)
    spread = math.sqrt((one + two - (one - two) ** 2) / (n + 2))
    expected = stats.norm.sf((one - two - margin) / spread)
    assert harm.p_harm == pytest.approx(expected, abs=1e-9)
    none = Harm("accuracy", pairs.point, pairs, 0.0)
    exact = stats.binom.sf(lost - 1, lost + won, 0.5)
    assert none.p_harm == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("metric", ["intelligence", "brier"])
@pytest.mark.parametrize("point", [-3.0, 0.5, 4.0])
def test_margins_of_means_by_another_hand(metric: str, point: float):
    """df 17.98 is used as 17."""
    contrast = Difference(Estimate(point, 2.25, 17.98), 40)
    direction = 1 if metric == "intelligence" else -1
    harm = Harm(metric, point, contrast, 1.0)
    expected = stats.t.sf((-direction * point - 1.0) / 1.5, 17)
    assert harm.p_harm == pytest.approx(expected, abs=1e-9)
    drop = -direction * point + stats.t.ppf(0.975, 17) * 1.5
    assert harm.highest_drop == pytest.approx(max(0, drop), abs=1e-9)
    within = harm.outcome(Require.NON_INFERIOR, 0.025) == PASS
    assert within == (drop < 1.0)


def test_clearly_too_few_items_have_no_interval(template: Path, tmp_path: Path):
    path = copied(template, tmp_path / "few.duckdb")
    with open_to_fill(path) as connection:
        add_benchmark(connection, items(3), benchmark_id="few")
        add_run(connection, "few", answers(set(), 3), model="right")
        add_run(connection, "few", answers({0, 1, 2}, 3), model="wrong")
    asked = ("--baseline", "right", "--metric", "accuracy", "--metric", "I")
    found = gated(path, "wrong", *asked)
    accuracy, index = found["checks"][3:]
    # All wrong against all right: half of 0.25, which is no evidence at 3 items.
    assert (accuracy["p_harm"], accuracy["outcome"]) == (0.125, PASS)
    assert (index["reason"], index["outcome"]) == ("too_few_items", INCONCLUSIVE)
    assert found["outcome"] == INCONCLUSIVE
