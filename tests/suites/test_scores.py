"""Every rule of a suite, worked out by hand, in the views and in commands alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from building import add_benchmark, add_run, insert, next_seq
from suite_world import answers, choices, member, store, toml

from jevdb.base.connection import Connection
from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.suites.leaderboard import leaderboard
from jevdb.suites.roster import Request
from jevdb.suites.scores import Scores, read_scores
from jevdb.suites.storing import add_suite, find_suite

FIVE = {
    # Accuracies of four items: the values of S1MB's own Borda test (SUITES.md §4),
    # (1, 1, 0, .5), (0, 0, 1, .5), (.5, .5, .5, .5) by entrant.
    "b1": {"x": "++++", "y": "----", "z": "++--"},
    "b2": {"x": "++++", "y": "----", "z": "++--"},
    "b3": {"x": "----", "y": "++++", "z": "++--"},
    "b4": {"x": "++--", "y": "++--", "z": "++--"},
}


def scored(
    connection: Connection,
    tmp_path: Path,
    members: Sequence[Mapping[str, Any]],
    *,
    request: Mapping[str, Any] | None = None,
    **keys: Any,
) -> Scores:
    suite, _ = add_suite(connection, toml(tmp_path / "s.toml", members, **keys))
    found = read_scores(connection, Request(suite, **(request or {})))
    if not request:
        assert plain(connection) == {
            entrant.name: score.score for entrant, score in found.scores.items()
        }, "the views say the same to a client that knows nothing of jevdb"
    return found


def plain(connection: Connection) -> dict[str, float | None]:
    return dict(
        connection.execute("select entrant, score from suite_scores").fetchall()
    )


def by(found: Scores, rule: str) -> dict[str, float | None]:
    return {entrant.name: score.by(rule) for entrant, score in found.scores.items()}


def total(found: Scores) -> dict[str, float | None]:
    return {entrant.name: score.score for entrant, score in found.scores.items()}


def values(found: Scores, name: str) -> list[float | None]:
    [mine] = [each for entrant, each in found.values.items() if entrant.name == name]
    return [value.value for value in mine]


def test_borda_is_that_of_the_boards_own_test(warehouse: Connection, tmp_path: Path):
    store(warehouse, FIVE)
    found = scored(
        warehouse, tmp_path, [member(each) for each in FIVE], aggregate="borda"
    )
    assert total(found) == {"x": 62.5, "y": 37.5, "z": 50.0}
    points = warehouse.execute(
        "select entrant, points from suite_points where member = 1 order by entrant"
    ).fetchall()
    assert points == [("x", 100.0), ("y", 0.0), ("z", 50.0)]
    # x beats both twice, loses to both once, ties with both once: 5 of 8.
    assert by(found, "win_rate")["x"] == 62.5


def test_mean_areas_geometric_and_median(warehouse: Connection, tmp_path: Path):
    store(warehouse, {"b1": {"x": "++++"}, "b2": {"x": "++--"}, "b3": {"x": "+---"}})
    found = scored(
        warehouse,
        tmp_path,
        [
            member("b1", area="one", weight=1),
            member("b2", area="one", weight=3),
            member("b3", area="two"),
        ],
        aggregate="areas",
        also=["mean", "geometric", "median"],
        areas={"one": 3.0, "two": 1.0},
    )
    # one: (1 + 3 x 1/2) / 4 = 0.625; two: 0.25; (3 x 0.625 + 0.25) / 4
    assert total(found)["x"] == pytest.approx(100 * 2.125 / 4, abs=1e-12)
    # (1 + 3/2 + 1/4) / 5
    assert by(found, "mean")["x"] == pytest.approx(100 * 2.75 / 5, abs=1e-12)
    assert by(found, "median")["x"] == 50.0
    # (0.1 + 0.9 x 0.625)^(3/4) (0.1 + 0.9 x 0.25)^(1/4) = 0.6625^0.75 x 0.325^0.25
    expected = 100 * (0.6625**0.75 * 0.325**0.25 - 0.1) / 0.9
    assert by(found, "geometric")["x"] == pytest.approx(expected, abs=1e-11)
    assert [a.value for a in next(iter(found.areas.values()))] == [0.625, 0.25]


def test_the_transform_its_clip_and_rounding(warehouse: Connection, tmp_path: Path):
    store(warehouse, {"b1": {"x": "+---"}, "b2": {"x": "+---"}, "b3": {"x": "+---"}})
    skill = {"transform": "skill", "base": 0.5}
    found = scored(
        warehouse,
        tmp_path,
        [
            member("b1", **skill),
            member("b2", **skill, clip=True),
            member("b3", transform="skill", base=0.2, best=0.8, round=1),
        ],
    )
    # (1/4 - 1/2) / (1/2); the same cut to 0; 0.25 rounded to 0.3: 0.1 / 0.6
    assert values(found, "x")[:2] == [-0.5, 0.0]
    assert values(found, "x")[2] == pytest.approx(1 / 6, abs=1e-12)


def test_bases_that_the_items_give(warehouse: Connection, tmp_path: Path):
    items = choices(["q1", "q2", "q3"]) + choices(["q4"], "abcd")
    items[2]["gold"] = "b"
    add_benchmark(warehouse, items, benchmark_id="b1")
    add_run(warehouse, "b1", answers("++.."), model="x")
    levels = [
        {"item_id": f"s{n}", "type": "score", "options": list("xyz"), "gold": gold}
        for n, gold in enumerate((0, 0, 1, 2))
    ]
    add_benchmark(warehouse, levels, benchmark_id="b2")
    rows = [{"item_id": f"s{n}", "probabilities": [0.0, 1.0, 0.0]} for n in range(4)]
    add_run(warehouse, "b2", rows, model="x")
    skill = {"transform": "skill"}
    found = scored(
        warehouse,
        tmp_path,
        [
            member("b1", **skill, base="uniform"),
            member("b1", kind="choice", **skill, base="best_fixed"),
            member("b2", metric="rps", **skill, base="constant"),
            member("b2", metric="brier", **skill, base="constant"),
        ],
    )
    [given] = found.values.values()
    # 1/2, 1/2, 1/2, 1/4; "a" or the first: right three times of four
    assert [value.base for value in given[:2]] == [1.75 / 4, 0.75]
    # shares 1/2, 1/4, 1/4: heaped 1/2 and 3/4: (1/4 + 3/16) / 2
    assert given[2].base == pytest.approx(0.21875, abs=1e-12)
    # 1 - (1/4 + 1/16 + 1/16)
    assert given[3].base == pytest.approx(0.625, abs=1e-12)
    # RPS of always the middle: 1/2, 1/2, 0, 1/2 (one of two steps off each)
    assert given[2].value == pytest.approx(1 - 0.375 / 0.21875, abs=1e-12)
    assert given[3].value == pytest.approx(1 - 1.5 / 0.625, abs=1e-12)


def test_what_is_excluded_counts_for_nobody(warehouse: Connection, tmp_path: Path):
    store(warehouse, {"b1": {"x": "++--", "y": "+-++"}})
    found = scored(
        warehouse,
        tmp_path,
        [member("b1", exclude=["q2"]), member("b1", kind="choice")],
    )
    assert values(found, "x") == [1 / 3, 0.5]
    assert values(found, "y") == [1.0, 0.75]
    numbers = warehouse.execute("select distinct report_row from report").fetchall()
    assert numbers == [("overall",)], "no report of the benchmark has another row"


@pytest.mark.parametrize(
    ("unanswered", "accuracy", "brier"),
    [
        # Two right, one wrong, one not ok. Brier: 2 x 0.25^2 or 2 x 0.75^2 of three.
        ("wrong", 0.5, 1 - 1.375 / 3),
        ("left_out", 2 / 3, 1 - 1.375 / 3),
        ("coverage", 0.5, 0.75 * (1 - 1.375 / 3)),
        ("missing", None, None),
    ],
)
def test_answers_that_are_not_ok(
    warehouse: Connection,
    tmp_path: Path,
    unanswered: str,
    accuracy: float | None,
    brier: float | None,
):
    store(warehouse, {"b1": {"x": "++-e"}})
    skill = {"transform": "skill", "base": 1.0}
    members = [member("b1"), member("b1", metric="brier", **skill)]
    found = scored(warehouse, tmp_path, members, unanswered=unanswered)
    if accuracy is None:
        assert values(found, "x") == [None, None]
        assert found.left_out == list(found.members)
    else:
        assert values(found, "x") == pytest.approx([accuracy, brier], abs=1e-12)


@pytest.mark.parametrize(
    ("missing", "score", "is_ranked", "reason"),
    [
        ("unranked", None, False, "missing_member"),
        ("zero", 25.0, True, None),
        ("skip", 50.0, False, None),
    ],
)
def test_an_entrant_without_a_member(
    warehouse: Connection,
    tmp_path: Path,
    missing: str,
    score: float | None,
    is_ranked: bool,
    reason: str | None,
):
    store(warehouse, {"b1": {"x": "++--", "y": "++++"}, "b2": {"y": "++++"}})
    found = scored(warehouse, tmp_path, [member("b1"), member("b2")], missing=missing)
    [x, y] = found.scores.values()
    assert (x.score, x.is_ranked, x.reason, x.n_missing) == (
        *(score, is_ranked, reason, 1),
    )
    assert (y.score, y.is_ranked) == (100.0, True)
    assert y.borda is None, "the only complete entrant is compared with nobody"


def test_a_member_that_nobody_has_a_value_of_is_left_out(
    warehouse: Connection, tmp_path: Path
):
    store(warehouse, {"b1": {"x": "++--"}, "b2": {"x": "++++"}})
    # No item is of type noul: the accuracy of that kind has no rows.
    found = scored(warehouse, tmp_path, [member("b1"), member("b2", kind="noul")])
    assert [each.benchmark_id for each in found.left_out] == ["b2"]
    assert total(found) == {"x": 50.0}
    [x] = found.scores.values()
    assert (x.n_members, x.n_missing) == (1, 0)


def test_a_board_of_one_entrant(warehouse: Connection, tmp_path: Path):
    store(warehouse, {"b1": {"x": "++--"}})
    found = scored(warehouse, tmp_path, [member("b1")], aggregate="borda")
    [x] = found.scores.values()
    assert (x.score, x.reason) == (None, "one_entrant")
    board = leaderboard(warehouse, found.request)
    assert board.sentences() == ["Nobody is ranked by small@1."]
    assert board.entries[0].note == "a rule that compares entrants needs two"


def test_only_current_public_runs_of_exactly_one_name(
    warehouse: Connection, tmp_path: Path
):
    store(warehouse, {"b1": {"x": "++++"}, "b2": {"x": "++++"}})
    add_run(warehouse, "b2", answers("----"), model="x", revision="2")
    hidden = add_run(warehouse, "b1", answers("----"), model="w")
    old = add_run(warehouse, "b2", answers("+---"), model="x", label="cold")
    for run_id, event in ((hidden, "private"), (old, "withdrawn")):
        seq = next_seq(warehouse, "event")
        row = {"seq": seq, "run_id": run_id, "event": event}
        insert(warehouse, "run_events", [row])
    found = scored(warehouse, tmp_path, [member("b1"), member("b2")])
    assert total(found) == {"x": 100.0, "x@2": None}


def test_runs_are_pinned_names_joined_and_entrants_dropped(
    warehouse: Connection, tmp_path: Path
):
    store(warehouse, {"b1": {"x": "++++", "y": "+++-"}, "b2": {"x-api": "++--"}})
    other = add_run(warehouse, "b1", answers("+---"), model="x", label="cold")
    members = [member("b1"), member("b2")]
    add_suite(warehouse, toml(tmp_path / "s.toml", members))
    suite = find_suite(warehouse, "small")

    def read(**keys: Any) -> dict[str, float | None]:
        return total(read_scores(warehouse, Request(suite, **keys)))

    both = [("X", "x"), ("X", "x-api")]
    assert read(joined=both, dropped=["y", "x#cold"]) == {"X": 75.0}
    assert read(joined=[("X", "x#cold"), ("X", "x-api")])["X"] == 37.5
    assert read(runs=[other], joined=[("X", "x#cold"), ("X", "x-api")])["X"] == 37.5
    with pytest.raises(UsageError, match="joined twice"):
        read(joined=[*both, ("Z", "x")])
    with pytest.raises(UsageError, match="both have member 1"):
        read(joined=[*both, ("X", "x#cold")])
    with pytest.raises(UnknownNameError, match="entrant"):
        read(dropped=["nobody"])
    with pytest.raises(UnknownNameError, match="entrant"):
        read(joined=[("X", "nobody")])


def test_a_published_rank_goes_on_while_the_gap_is_within_the_tie(
    warehouse: Connection, tmp_path: Path
):
    marks = {f"m{n}": "+" * n + "-" * (20 - n) for n in (20, 19, 18, 16)}
    store(warehouse, {"b1": marks}, n=20)
    found = scored(warehouse, tmp_path, [member("b1")], tie=5.0)
    board = leaderboard(warehouse, found.request)
    # 100, 95, 90, 80 with 5: a chain of three, then the fourth.
    assert [entry.published_rank for entry in board.entries] == [1, 1, 1, 4]
    assert [entry.rank for entry in board.entries] == [1, 2, 3, 4]


def test_a_base_as_good_as_the_best_leaves_the_member_out(
    warehouse: Connection, tmp_path: Path
):
    """Gold is always the first option: a policy that always says it has 1."""
    store(warehouse, {"b1": {"x": "++--", "y": "++++"}, "b2": {"x": "+---"}})
    skill = {"transform": "skill", "base": "best_fixed", "clip": True}
    found = scored(warehouse, tmp_path, [member("b1", **skill), member("b2")])
    assert [each.benchmark_id for each in found.left_out] == ["b1"]
    assert [each[0].reason for each in found.values.values()] == ["no_headroom"] * 2
    assert total(found) == {"x": 25.0, "y": None}
