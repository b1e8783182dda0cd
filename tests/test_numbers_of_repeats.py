"""Numbers of runs that asked every item several times (SUITES.md §2)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from building import add_benchmark, add_run

from jevdb.base.connection import Connection
from jevdb.numerics.binomial import clopper_pearson
from jevdb.scoring.report import Intervals, Request, read_report
from jevdb.scoring.runs import all_runs

METHOD = "metrics-md"
OF_REPEATS = ("flip_rate", "pass_all", "pass_any", "accuracy_sd", "disagreement")
WORKED = [
    {"item_id": "q1", "type": "noul", "gold": "yes"},
    {"item_id": "q2", "type": "noul", "gold": "no"},
    {"item_id": "q3", "type": "noul", "gold": "yes"},
]
SAID = {"q1": (0.9, 0.7), "q2": (0.2, 0.6), "q3": (0.4, 0.4)}
MIXED = [
    {"item_id": "c1", "type": "choice", "options": ["a", "b", "c"], "gold": "a"},
    {"item_id": "c2", "type": "choice", "options": ["a", "b"], "gold": "b"},
    {"item_id": "m1", "type": "multi_select", "options": ["a", "b"], "gold": ["a"]},
    {"item_id": "n1", "type": "noul", "gold": "yes"},
    {"item_id": "s1", "type": "score", "options": ["0", "1", "2"], "gold": 2},
]


def answers(item: str, *said: float) -> list[dict[str, object]]:
    return [
        {"item_id": item, "repeat": k, "probabilities": [1 - yes, yes]}
        for k, yes in enumerate(said)
    ]


def numbers(warehouse: Connection) -> dict[str, tuple[float | None, int, str | None]]:
    found = warehouse.execute(
        "select metric, value, n, reason from report_metrics "
        "where method_id = $method and kind = 'all'",
        {"method": METHOD},
    ).fetchall()
    return {metric: (value, n, reason) for metric, value, n, reason in found}


@pytest.fixture
def worked(warehouse: Connection) -> Connection:
    benchmark = add_benchmark(warehouse, WORKED)
    rows = [row for item, said in SAID.items() for row in answers(item, *said)]
    add_run(warehouse, benchmark, rows, repeats=2)
    return warehouse


def test_the_worked_values(worked: Connection):
    """SUITES.md §2, worked: accuracy 3/6, Brier 0.4066667, ECE of the top label 0.4."""
    found = numbers(worked)
    # Two options: 2 (1 - p(gold))^2 an answer.
    brier = (
        sum(
            2 * (Fraction(str(yes)) - (item != "q2")) ** 2
            for item, said in SAID.items()
            for yes in said
        )
        / 6
    )
    assert brier == Fraction(61, 150)
    assert found["accuracy"] == (0.5, 3, None)
    assert found["brier"][:2] == (pytest.approx(61 / 150, abs=1e-15), 3)
    # Bins .6 (n 3: .6 .6 .6, none right), .7 .8 .9 (one right each).
    ece = (3 * 0.6 + 0.3 + 0.2 + 0.1) / 6
    assert found["ece"][:2] == (pytest.approx(ece, abs=1e-15), 3)
    assert found["coverage"] == (1.0, 3, None)


def test_the_worked_numbers_of_repeats(worked: Connection):
    """q2 flips, q1 is always right, q3 never; accuracies 2/3 and 1/3, apart by 1/3."""
    found = numbers(worked)
    third = pytest.approx(1 / 3, abs=1e-15)
    assert found["flip_rate"] == (third, 3, None)
    assert found["pass_all"] == (third, 3, None)
    assert found["pass_any"] == (pytest.approx(2 / 3, abs=1e-15), 3, None)
    assert found["accuracy_sd"] == (pytest.approx(18**-0.5, abs=1e-15), 3, None)
    # Two answers differ for q2 alone.
    assert found["disagreement"] == (third, 3, None)


def test_a_run_that_asked_once_has_none(warehouse: Connection):
    benchmark = add_benchmark(warehouse, WORKED)
    add_run(warehouse, benchmark, answers("q1", 0.9))
    found = numbers(warehouse)
    for metric in OF_REPEATS:
        assert found[metric] == (None, 0, "no_repeats")


def test_an_item_needs_two_ok_answers_to_flip(warehouse: Connection):
    """q1 has one, q2 none, q3 two that agree; what is not ok is wrong."""
    benchmark = add_benchmark(warehouse, WORKED)
    error = {"item_id": "q2", "status": "error"}
    rows = [*answers("q1", 0.9), error, *answers("q3", 0.8, 0.6)]
    add_run(warehouse, benchmark, rows, repeats=2)
    found = numbers(warehouse)
    assert found["flip_rate"] == (0.0, 1, None)
    assert found["pass_all"] == (pytest.approx(1 / 3), 3, None)
    assert found["pass_any"] == (pytest.approx(2 / 3), 3, None)
    add_run(warehouse, benchmark, [error], model="silent", repeats=2)
    silent = warehouse.execute(
        "select value, n, n_scope, reason from metric_flip_rate "
        "inner join run_states using (run_id) "
        "where model = 'silent' and method_id = $method and kind = 'all'",
        {"method": METHOD},
    ).fetchall()
    assert silent == [(None, 0, 3, "no_repeats")]


def test_three_right_of_five_differ_in_six_of_ten_pairs(warehouse: Connection):
    """INFERENCE.md §3: 2 k (R - k) / (R (R - 1)) = 2 x 3 x 2 / 20."""
    benchmark = add_benchmark(warehouse, WORKED[:1])
    rows = answers("q1", 0.9, 0.8, 0.7, 0.2, 0.1)
    add_run(warehouse, benchmark, rows, repeats=5)
    assert numbers(warehouse)["disagreement"] == (pytest.approx(0.6), 1, None)


def test_sets_flip_by_what_they_hold(warehouse: Connection):
    benchmark = add_benchmark(warehouse, [MIXED[2]])
    for name, other in (("same", ["b", "a"]), ("other", ["a"])):
        rows = [
            {"item_id": "m1", "repeat": 0, "answer": ["a", "b"]},
            {"item_id": "m1", "repeat": 1, "answer": other},
        ]
        add_run(warehouse, benchmark, rows, model=name, repeats=2)
    found = warehouse.execute(
        "select model, value from metric_flip_rate inner join run_states "
        "using (run_id) where method_id = $method and kind = 'multi_select'",
        {"method": METHOD},
    ).fetchall()
    assert dict(found) == {"same": 0.0, "other": 1.0}


def test_what_is_not_ok_is_wrong_and_out_of_what_is_stated(warehouse: Connection):
    """Of q1 one answer is missing, of q2 both are errors."""
    benchmark = add_benchmark(warehouse, WORKED)
    rows = [
        *answers("q1", 0.9),
        *({"item_id": "q2", "repeat": k, "status": "error"} for k in (0, 1)),
        *answers("q3", 0.8, 0.6),
    ]
    add_run(warehouse, benchmark, rows, repeats=2)
    found = numbers(warehouse)
    assert found["accuracy"] == (0.5, 3, None)
    assert found["coverage"] == (0.5, 3, None)
    pooled = 2 * (0.1**2 + 0.2**2 + 0.4**2) / 3
    assert found["brier"][:2] == (pytest.approx(pooled, abs=1e-15), 2)
    missing = warehouse.execute(
        "select item_id, repeat from scored where status = 'missing'"
    ).fetchall()
    assert missing == [("q1", 1)]


DIVIDED = ("macro_f1", "conservative_f1", "f1")
"""Metrics that divide by what was said, and so are no means over repeats."""


def of_one(kind: str, k: int) -> list[dict[str, object]]:
    """Answers to the mixed items, other ones in each repeat."""
    level = [[0.1, 0.2, 0.7], [0.5, 0.25, 0.25], [0.0, 1.0, 0.0]][k]
    rows: list[dict[str, object]] = [
        {"item_id": "c1", "probabilities": level},
        {"item_id": "c2", "answer": "ab"[k % 2]},
        {"item_id": "m1", "answer": [["a"], ["a", "b"], ["b"]][k]},
        {"item_id": "n1", "probabilities": [0.25 * (k + 1), 1 - 0.25 * (k + 1)]},
        {"item_id": "s1", "probabilities": level},
    ]
    return rows if kind == "all" else rows[:k]


def test_a_mean_over_repeats_is_the_mean_of_runs_of_one(warehouse: Connection):
    """Every item is asked as often, so I, accuracy and RPS are means of the three.

    What divides by what was said (F1) is not, nor what bins answers.
    """
    benchmark = add_benchmark(warehouse, MIXED)
    rows = [{**row, "repeat": k} for k in range(3) for row in of_one("all", k)]
    whole = add_run(warehouse, benchmark, rows, model="whole", repeats=3)
    for k in range(3):
        add_run(warehouse, benchmark, of_one("all", k), model=f"run {k}")
    found = warehouse.execute(
        "select metric, kind, max(value) filter (where run_id = $whole) as whole, "
        "avg(value) filter (where run_id <> $whole) as mean, count(*) as n, "
        "count(distinct n) as sizes from report_metrics where method_id = $method "
        "group by all having not list_contains($others, metric)",
        {
            "whole": whole,
            "method": METHOD,
            "others": ["ece", "calibration", *DIVIDED, *OF_REPEATS],
        },
    ).fetchall()
    assert len(found) > 15
    for metric, kind, value, mean, n, sizes in found:
        assert (n, sizes) == (4, 1), (metric, kind)
        assert value == pytest.approx(mean, abs=1e-12), (metric, kind)


def test_equal_answers_give_the_numbers_of_one(warehouse: Connection):
    benchmark = add_benchmark(warehouse, MIXED)
    rows = [{**row, "repeat": k} for k in range(5) for row in of_one("all", 0)]
    add_run(warehouse, benchmark, rows, model="five", repeats=5)
    add_run(warehouse, benchmark, of_one("all", 0), model="one")
    found = warehouse.execute(
        "select metric, kind, count(*) as n, max(value) - min(value) as gap, "
        "count(distinct (n, n_scope, coalesce(reason, ''))) as words "
        "from report_metrics where method_id = $method "
        "and not list_contains($others, metric) group by all",
        {"method": METHOD, "others": OF_REPEATS},
    ).fetchall()
    assert len(found) > 20
    for metric, kind, n, gap, words in found:
        # The sum of five answers is rounded once, and so is that of one.
        assert (n, words) == (2, 1) and (gap or 0) < 1e-13, (metric, kind)


def test_five_equal_answers_give_the_intervals_of_one(warehouse: Connection):
    """Items are sampled, answers are not: counting them would narrow by sqrt(5)."""
    items = [
        {"item_id": f"n{place:02d}", "type": "noul", "gold": "yes"}
        for place in range(40)
    ]
    benchmark = add_benchmark(warehouse, items)
    one = [
        {"item_id": item["item_id"], "probabilities": [place / 50, 1 - place / 50]}
        for place, item in enumerate(items)
    ]
    add_run(warehouse, benchmark, one, model="one")
    five = [{**row, "repeat": k} for k in range(5) for row in one]
    add_run(warehouse, benchmark, five, model="five", repeats=5)
    runs = all_runs(warehouse)
    lines = read_report(warehouse, Request(runs, intervals=Intervals()))
    found = {line.run.model: line.intervals for line in lines}
    # P(yes) is above a half for the places 0 to 24 (at 25 it is a tie, which says no).
    assert found["five"]["accuracy"] == found["one"]["accuracy"]
    assert found["one"]["accuracy"] == clopper_pearson(25, 40)
    assert found["five"]["intelligence"] == pytest.approx(
        found["one"]["intelligence"], abs=1e-9
    )
