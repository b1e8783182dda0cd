"""How sure a suite's score is: worked by hand, and held to resampling."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from building import add_benchmark, add_run
from suite_world import answers, choices, member, store, toml

from jevdb.base.connection import Connection
from jevdb.numerics.student import critical
from jevdb.suites import intervals
from jevdb.suites.leaderboard import leaderboard, made
from jevdb.suites.roster import Request
from jevdb.suites.rows import read_rows
from jevdb.suites.rules import ruled
from jevdb.suites.scores import scored
from jevdb.suites.storing import add_suite


def board_of(
    connection: Connection, tmp_path: Path, members: list[dict[str, Any]], **keys: Any
) -> Any:
    suite, _ = add_suite(connection, toml(tmp_path / "s.toml", members, **keys))
    return leaderboard(connection, Request(suite))


def test_the_interval_of_a_mean_by_satterthwaite(warehouse: Connection, tmp_path: Path):
    runs = {"b1": {"x": "+" * 6 + "-" * 4}, "b2": {"x": "+" * 16 + "-" * 4}}
    store(warehouse, {"b1": runs["b1"]}, n=10)
    store(warehouse, {"b2": runs["b2"]}, n=20)
    board = board_of(
        warehouse, tmp_path, [member("b1", weight=3), member("b2", weight=1)]
    )
    [entry] = board.entries
    # Variance of a mean of n zeros and ones: p (1 - p) / (n - 1); weights 3/4 and 1/4.
    first = (75 * math.sqrt(0.6 * 0.4 / 9)) ** 2
    second = (25 * math.sqrt(0.8 * 0.2 / 19)) ** 2
    freedom = (first + second) ** 2 / (first**2 / 9 + second**2 / 19)
    assert 9 < freedom < 28
    half = critical(0.05, math.floor(freedom)) * math.sqrt(first + second)
    assert entry.score.score == pytest.approx(65.0, abs=1e-12)
    assert entry.interval == pytest.approx((65 - half, 65 + half), abs=1e-6)


def test_members_of_one_cluster_answer_together(warehouse: Connection, tmp_path: Path):
    """Two members that say the same have the spread of one; apart, less of it."""
    same = "+" * 12 + "-" * 8
    store(warehouse, {"b1": {"x": same}, "b2": {"x": same}}, n=20)
    members = [member("b1", cluster="c"), member("b2", cluster="c")]
    [one] = board_of(warehouse, tmp_path, members).entries
    apart = [member("b1"), member("b2")]
    [two] = board_of(warehouse, tmp_path, apart, version="2").entries
    half = critical(0.05, 19) * 100 * math.sqrt(0.6 * 0.4 / 19)
    assert one.interval == pytest.approx((60 - half, 60 + half), abs=1e-6)
    half = critical(0.05, 38) * 100 * math.sqrt(0.6 * 0.4 / 19 / 2)
    assert two.interval == pytest.approx((60 - half, 60 + half), abs=1e-6)


def test_items_of_a_group_answer_together(warehouse: Connection, tmp_path: Path):
    items = [
        {**item, "group": f"g{place // 2}"}
        for place, item in enumerate(choices([f"q{n}" for n in range(1, 21)]))
    ]
    add_benchmark(warehouse, items, benchmark_id="b1")
    add_run(warehouse, "b1", answers("+" * 12 + "-" * 8), model="x")
    [entry] = board_of(warehouse, tmp_path, [member("b1")]).entries
    # Ten pairs, six right: the spread of ten items.
    half = critical(0.05, 9) * 100 * math.sqrt(0.6 * 0.4 / 9)
    assert entry.interval == pytest.approx((60 - half, 60 + half), abs=1e-6)


def test_a_pair_is_compared_on_what_the_same_items_add(
    warehouse: Connection, tmp_path: Path
):
    """x is right wherever y is, and three times more: the gap hardly varies."""
    x, y = "+" * 23 + "-" * 17, "+" * 20 + "-" * 20
    store(warehouse, {"b1": {"x": x, "y": y}}, n=40)
    suite, _ = add_suite(warehouse, toml(tmp_path / "s.toml", [member("b1")]))
    found = made(warehouse, Request(suite))
    one, two = found.scores.scores
    difference = found.evidence.difference(two, one)
    # Three ones and 37 zeros: variance (0.075 - 0.075^2) / 39.
    se = 100 * math.sqrt((0.075 - 0.075**2) / 39)
    assert difference.estimate.se == pytest.approx(se, rel=1e-6)
    assert difference.estimate.df == 39


def test_a_base_of_the_items_varies_with_them(warehouse: Connection, tmp_path: Path):
    items = choices(["q1", "q2", "q3", "q4", "q5", "q6"])
    items += [{**item, "item_id": f"{item['item_id']}b"} for item in choices(["q7"])]
    items = [
        {**item, "options": ["a", "b", "c", "d"]} if place % 2 else item
        for place, item in enumerate(items)
    ]
    add_benchmark(warehouse, items, benchmark_id="b1")
    rows = [
        {
            "item_id": item["item_id"],
            "answer": "a" if place < 5 else "b",
        }
        for place, item in enumerate(items)
    ]
    add_run(warehouse, "b1", rows, model="x")
    skill = {"transform": "skill", "base": "uniform"}
    [entry] = board_of(warehouse, tmp_path, [member("b1", **skill)]).entries
    right = np.array([1, 1, 1, 1, 1, 0, 0])
    chance = np.array([0.5, 0.25, 0.5, 0.25, 0.5, 0.25, 0.5])
    p, c = right.mean(), chance.mean()
    # d (p - c) / (1 - c): 1 / (1 - c) for p, -(1 - p) / (1 - c)^2 for c.
    each = (right - p) / (1 - c) - (1 - p) * (chance - c) / (1 - c) ** 2
    se = 100 * math.sqrt((each**2).sum() / 7 / 6)
    half = critical(0.05, 6) * se
    low, high = entry.interval
    assert (high - low) / 2 == pytest.approx(half, rel=1e-6)


@pytest.fixture
def mixed(warehouse: Connection, tmp_path: Path) -> Any:
    """Three benchmarks, two of them on the same items, and four entrants."""
    rng = np.random.default_rng(3)
    runs: dict[str, dict[str, str]] = {}
    for benchmark in ("b1", "b2", "b3"):
        hard = rng.uniform(size=60)
        runs[benchmark] = {
            name: "".join("+" if skill > each else "-" for each in hard)
            for name, skill in zip("wxyz", (0.35, 0.5, 0.55, 0.75), strict=True)
        }
        for name, marks in runs[benchmark].items():
            flipped = rng.uniform(size=60) < 0.2
            runs[benchmark][name] = "".join(
                {"+": "-", "-": "+"}[mark] if turn else mark
                for mark, turn in zip(marks, flipped, strict=True)
            )
    store(warehouse, runs, n=60)
    members = [
        member("b1", area="one", cluster="c"),
        member("b2", area="two", cluster="c", weight=2),
        member("b3", area="two", transform="skill", base="uniform"),
    ]
    suite, _ = add_suite(
        warehouse, toml(tmp_path / "s.toml", members, aggregate="areas")
    )
    with scored(warehouse, Request(suite)) as scores:
        yield scores, read_rows(warehouse, scores)


def test_the_rules_over_replicates_are_those_of_the_views(mixed: Any):
    scores, _ = mixed
    entrants = list(scores.scores)
    values = np.array([[v.value for v in scores.values[e]] for e in entrants]).T
    for rule in ("mean", "areas", "geometric", "borda", "win_rate", "median"):
        found = ruled(scores, entrants, rule, values[:, :, np.newaxis])[:, 0]
        expected = [scores.scores[entrant].by(rule) for entrant in entrants]
        assert found.tolist() == pytest.approx(expected, abs=1e-9), rule


def test_resampling_agrees_with_the_variances(
    mixed: Any, monkeypatch: pytest.MonkeyPatch
):
    scores, rows = mixed
    plain = intervals.evidence(scores, rows, "areas")
    assert not plain.is_resampled
    monkeypatch.setattr(intervals, "GRADIENTS", {})
    drawn = intervals.evidence(scores, rows, "areas")
    assert drawn.is_resampled
    for entrant in plain.entrants:
        one, two = plain.sure(entrant).se, drawn.sure(entrant).se
        # A resample of 60 spreads by 59/60; 2,000 draws tell a spread to 2 %.
        assert one is not None
        assert two is not None
        assert two / one == pytest.approx(1.0, abs=0.07)
    pairs = ~np.eye(4, dtype=bool)
    ratio = drawn.spreads.variances[pairs] / plain.spreads.variances[pairs]
    assert np.sqrt(ratio) == pytest.approx(1.0, abs=0.07)


def test_draws_depend_on_the_suite_and_the_member_alone():
    assert intervals.seed_of("0" * 64, 1) != intervals.seed_of("0" * 64, 2)
    assert intervals.seed_of("0" * 64, 1) == intervals.seed_of("0" * 64, 1)


def test_borda_points_have_intervals_and_ranks(warehouse: Connection, tmp_path: Path):
    good, fair, bad = "+" * 36 + "-" * 4, "+" * 22 + "-" * 18, "-" * 36 + "+" * 4
    store(warehouse, {"b1": {"x": good, "y": fair, "z": bad}}, n=40)
    add = {"b2": {"x": good[::-1], "y": fair[::-1], "z": bad[::-1]}}
    store(warehouse, add, n=40)
    board = board_of(
        warehouse, tmp_path, [member("b1"), member("b2")], aggregate="borda"
    )
    assert board.is_resampled
    assert [entry.score.score for entry in board.entries] == [100.0, 50.0, 0.0]
    for entry in board.entries:
        if entry.interval is not None:
            assert 0 <= entry.interval.low <= entry.interval.high <= 100


def test_what_is_near_its_clip_is_resampled(warehouse: Connection, tmp_path: Path):
    store(warehouse, {"b1": {"x": "+" * 21 + "-" * 19, "y": "+" * 34 + "-" * 6}}, n=40)
    skill = {"transform": "skill", "base": 0.5, "clip": True}
    board = board_of(warehouse, tmp_path, [member("b1", **skill)])
    assert board.is_resampled
    plain = {**skill, "clip": False}
    board = board_of(warehouse, tmp_path, [member("b1", **plain)], version="2")
    assert not board.is_resampled


def test_calibration_errors_have_no_interval(warehouse: Connection, tmp_path: Path):
    store(warehouse, {"b1": {"x": "+" * 30 + "-" * 10, "y": "+" * 40}}, n=40)
    ece = {"metric": "ece", "kind": "choice", "transform": "skill", "base": 0.5}
    board = board_of(warehouse, tmp_path, [{"benchmark": "b1", **ece}])
    assert [entry.interval for entry in board.entries] == [None, None]
    assert {entry.interval_reason for entry in board.entries} == {"biased_statistic"}
    assert [entry.rank for entry in board.entries] == [1, 2]
    assert {entry.standing and entry.standing.leads for entry in board.entries} == {
        None
    }


def test_i_as_a_member_has_the_interval_of_its_report(
    warehouse: Connection, tmp_path: Path
):
    """One member, whose value is I: what the report says of the run itself."""
    store(warehouse, {"b1": {"x": "+" * 26 + "-" * 14}}, n=40)
    members = [{"benchmark": "b1", "metric": "intelligence"}]
    board = board_of(warehouse, tmp_path, members, scale=1.0)
    [entry] = board.entries
    # I = 100 (0.65 - 0.5) / 0.5; its standard error 200 sqrt(p (1 - p) / 39).
    assert entry.score.score == pytest.approx(30.0, abs=1e-9)
    se = 200 * math.sqrt(0.65 * 0.35 / 39)
    half = critical(0.05, 39) * se
    assert entry.interval == pytest.approx((30 - half, 30 + half), abs=1e-5)


def test_equal_repeats_are_no_more_evidence(warehouse: Connection, tmp_path: Path):
    once = answers("+" * 12 + "-" * 8)
    add_benchmark(
        warehouse, choices([f"q{n}" for n in range(1, 21)]), benchmark_id="b1"
    )
    add_run(warehouse, "b1", once, model="x")
    run_id = add_run(warehouse, "b1", once, model="y")
    warehouse.execute(
        "update runs set n_repeats = 3 where run_id = $id", {"id": run_id}
    )
    for repeat in (1, 2):
        warehouse.execute(
            "insert into predictions select * replace ($repeat as repeat) "
            "from predictions where run_id = $id and repeat = 0",
            {"id": run_id, "repeat": repeat},
        )
    brier = {"metric": "brier", "transform": "skill", "base": 1.0}
    board = board_of(warehouse, tmp_path, [member("b1"), {"benchmark": "b1", **brier}])
    one, two = board.entries
    assert one.score.score == pytest.approx(two.score.score, abs=1e-12)
    assert one.interval == pytest.approx(two.interval, abs=1e-9)
