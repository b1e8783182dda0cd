"""The metrics of SUITES.md §3: worked by hand, S1MB's own test, and scikit-learn's."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from building import add_benchmark, add_run, open_for_a_test
from making import copied

from jevdb.base.connection import Connection

S1MB = json.loads(
    Path(__file__)
    .with_name("data")
    .joinpath("s1mb/diagnostics.7-of-11.json")
    .read_bytes()
)
S1MB_METHOD = "s1mb-1"
ALPHABET = ["a", "b", "c"]


@pytest.fixture(scope="module")
def warehouse(
    template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connection]:
    """One warehouse for all tests: each has a benchmark of its own."""
    path = tmp_path_factory.mktemp("targets") / "targets.duckdb"
    copied(template, path)
    with open_for_a_test(path) as connection:
        yield connection


class Found(NamedTuple):
    """A number of the report row ``overall``."""

    value: float | None
    n: int
    n_scope: int
    reason: str | None


def numbers(
    connection: Connection, run_id: str, method: str = "metrics-md"
) -> dict[str, Found]:
    """Return every number of a run by metric and kind, as ``f1.noul``."""
    rows = connection.execute(
        "select metric || '.' || kind, value, n, n_scope, reason from report_metrics "
        "where run_id = ? and method_id = ? and report_row = 'overall'",
        [run_id, method],
    ).fetchall()
    return {name: Found(*row) for name, *row in rows}


def choices(
    connection: Connection,
    gold: Iterable[str],
    said: Iterable[str | None],
    **more: object,
) -> str:
    """Store choice items with these golds, and a run that said this; None failed."""
    items = [
        {"item_id": f"q{place:03}", "type": "choice", "options": ALPHABET, **more}
        | {"gold": label}
        for place, label in enumerate(gold)
    ]
    return answers(connection, items, said)


def answers(
    connection: Connection, items: Sequence[Mapping[str, Any]], said: Iterable[Any]
) -> str:
    """Store items, and a run that gave these labels or distributions."""
    benchmark = add_benchmark(connection, items)
    rows = [
        {"item_id": item["item_id"]}
        | (
            {"status": "error"}
            if each is None
            else {"probabilities": each}
            if isinstance(each, list) and isinstance(each[0], float)
            else {"answer": each}
        )
        for item, each in zip(items, said, strict=True)
    ]
    return add_run(connection, benchmark, rows)


def scores(
    connection: Connection,
    golds: Sequence[int],
    said: Sequence[list[float] | int | float | None],
    **more: object,
) -> str:
    options = more.pop("options", ["low", "mid", "high"])
    items = [
        {"item_id": f"s{place}", "type": "score", "options": options, "gold": gold}
        | {name: value[place] for name, value in more.items()}  # type: ignore[index]
        for place, gold in enumerate(golds)
    ]
    return answers(connection, items, said)


# Worked by hand: SUITES.md §3.


def test_classes_worked_by_hand(warehouse: Connection):
    found = numbers(warehouse, choices(warehouse, "aabc", "abba"))
    # F1 2 x 1 / (2 + 1 said too often + 1 missed) = 1/2 of a; 2/3 of b; 0 of c.
    assert found["macro_f1.choice"].value == pytest.approx((1 / 2 + 2 / 3) / 3)
    # Recalls 1/2, 1, 0.
    assert found["balanced_accuracy.choice"] == Found(0.5, 4, 4, None)
    assert found["macro_f1.all"] == found["macro_f1.choice"]
    assert found["conservative_f1.choice"].value == found["macro_f1.choice"].value
    assert found["f1.choice"] == Found(None, 0, 4, "no_positive")
    assert found["f1.noul"] == Found(None, 0, 0, "no_rows")


def test_an_answer_that_is_not_ok_misses_its_class(warehouse: Connection):
    found = numbers(warehouse, choices(warehouse, "aabc", [*"abb", None]))
    # a 2/3, b 2/3, c 0.
    assert found["macro_f1.choice"].value == pytest.approx(4 / 9)
    # m = 1 for every class: a 2 / (2 + 1 + 1), b 2 / (2 + 1 + 1), c 0.
    assert found["conservative_f1.choice"].value == pytest.approx(1 / 3)
    assert found["balanced_accuracy.choice"] == Found(0.5, 4, 4, None)


def test_a_missing_answer_is_one_that_is_not_ok(warehouse: Connection):
    run_id = choices(warehouse, "aabc", [*"abb", None])
    failed = numbers(warehouse, run_id)
    warehouse.execute(
        "delete from predictions where run_id = ? and status = 'error'", [run_id]
    )
    assert numbers(warehouse, run_id) == failed


def test_a_class_that_is_nowhere_counts_in_the_fixed_list_alone(warehouse: Connection):
    found = numbers(warehouse, choices(warehouse, "aabb", "aabb"))
    assert found["macro_f1.choice"].value == 1
    assert found["balanced_accuracy.choice"].value == 1
    assert found["conservative_f1.choice"].value == pytest.approx(2 / 3)


def test_one_class_in_gold(warehouse: Connection):
    found = numbers(warehouse, choices(warehouse, "aaa", "aab"))
    assert found["balanced_accuracy.choice"] == Found(None, 0, 3, "one_class")
    # a 2 x 2 / (4 + 1), b 0; c is nowhere.
    assert found["macro_f1.choice"].value == pytest.approx(0.4)
    assert found["brier_skill.choice"] == Found(None, 0, 3, "one_class")


def test_positive_class_of_a_choice(warehouse: Connection):
    found = numbers(warehouse, choices(warehouse, "aabc", "abba", positive="b"))
    assert found["f1.choice"] == Found(pytest.approx(2 / 3), 4, 4, None)
    nowhere = numbers(warehouse, choices(warehouse, "aa", "aa", positive="b"))
    assert nowhere["f1.choice"] == Found(None, 0, 2, "no_rows")


def test_different_positive_classes_are_none(warehouse: Connection):
    items = [
        {"item_id": label, "type": "choice", "options": ALPHABET, "gold": label}
        | {"positive": label}
        for label in "ab"
    ]
    found = numbers(warehouse, answers(warehouse, items, "ab"))
    assert found["f1.choice"] == Found(None, 0, 2, "no_positive")


def test_options_in_another_order_are_the_same_classes(warehouse: Connection):
    items = [
        {"item_id": f"q{place}", "type": "choice", "options": options, "gold": gold}
        for place, (options, gold) in enumerate(
            [(["a", "b"], "a"), (["b", "a"], "a"), (["b", "a"], "b")]
        )
    ]
    # By label a a b against a b b: a 2/3, b 2/3.
    found = numbers(warehouse, answers(warehouse, items, "abb"))
    assert found["macro_f1.choice"].value == pytest.approx(2 / 3)
    # The best label has 2 of 3; the places 0, 1, 0: also 2 of 3.
    assert found["chance.best_fixed"].value == pytest.approx(2 / 3)


def test_different_options_have_no_classes(warehouse: Connection):
    items = [
        {"item_id": "q1", "type": "choice", "options": ["a", "b"], "gold": "a"},
        {"item_id": "q2", "type": "choice", "options": ["a", "c"], "gold": "c"},
    ]
    found = numbers(warehouse, answers(warehouse, items, [[0.5, 0.5], [0.25, 0.75]]))
    for metric in ("balanced_accuracy", "macro_f1", "conservative_f1", "brier_skill"):
        assert found[f"{metric}.choice"] == Found(None, 0, 2, "no_common_options")
    # a: 1 of q1 and 0 of q2; c: 1/2 of q1, which lacks it, and 1: 1.5 of 2.
    assert found["chance.best_fixed"] == Found(0.75, 2, 2, None)
    assert found["chance.uniform_choice"] == Found(0.5, 2, 2, None)


def test_noul_worked_by_hand(warehouse: Connection):
    golds = ["yes"] * 11 + ["no"] * 89
    items = [
        {"item_id": f"n{place:03}", "type": "noul", "gold": gold}
        for place, gold in enumerate(golds)
    ]
    said = [[0.0, 1.0]] + [[1.0, 0.0]] * 99
    found = numbers(warehouse, answers(warehouse, items, said))
    assert found["balanced_accuracy.noul"].value == pytest.approx(6 / 11, rel=1e-14)
    assert found["f1.noul"] == Found(pytest.approx(1 / 6), 100, 100, None)
    # 1 - 0.2 / (2 x 0.11 x 0.89)
    assert found["brier_skill.noul"].value == pytest.approx(1 - 0.1 / 0.0979)
    assert found["chance.best_fixed_noul"].value == 0.89


def test_skill_of_ratings(warehouse: Connection):
    labels = [23, 27, 35, 90, 125]
    golds = [level for level, count in enumerate(labels) for _ in range(count)]
    items = [
        {"item_id": f"s{place:03}", "type": "score", "gold": gold}
        | {"options": [str(level) for level in range(5)]}
        for place, gold in enumerate(golds)
    ]
    # HelpSteer2's labels: the constant's RPS is 0.163947 (SUITES.md §3). All on level 4
    # errs by (4 - gold) / 4: RPS (4 x 23 + 3 x 27 + 2 x 35 + 90) / 4 / 300.
    run_id = answers(warehouse, items, [[0.0, 0.0, 0.0, 0.0, 1.0]] * 300)
    found = numbers(warehouse, run_id)
    assert found["rps.score"].value == pytest.approx(333 / 1200)
    assert found["soft_rps.score"] == found["rps.score"]
    constant = (1 - found["rps_skill.score"].value) ** -1 * 333 / 1200  # type: ignore[operator]
    assert constant == pytest.approx(0.163947, abs=5e-7)
    # The median is level 3: (3 x 23 + 2 x 27 + 35 + 125) / 4 / 300 against 333 / 1200.
    assert found["mae_skill.score"].value == pytest.approx(1 - 333 / 283)


def test_values_of_levels(warehouse: Connection):
    values = [0.0, 1.0, 5.0]
    more: dict[str, Any] = {
        "values": [values] * 3,
        "reference": [None, [0.5, 0.0, 0.5], None],
    }
    run_id = scores(warehouse, [1, 0, 2], [[0.5, 0.0, 0.5], 1, 1.5], **more)
    found = numbers(warehouse, run_id)
    # 2.5 against 1, 1 against 2.5, halfway between 1 and 5 against 5; of a range of 5.
    assert found["value_mae.score"] == Found(
        pytest.approx((1.5 + 1.5 + 2) / 5 / 3), 3, 3, None
    )
    # Targets 1, 2.5 and 5: their median 2.5, distances 1.5, 0, 2.5.
    assert found["mae_skill.score"].value == pytest.approx(1 - 5 / 4)
    assert found["ordinal_mae.score"].value == pytest.approx((0 + 1 + 0.5) / 3)


def test_values_that_are_even_change_nothing(warehouse: Connection):
    said: list[Any] = [[0.2, 0.5, 0.3], 2, None]
    plain = numbers(warehouse, scores(warehouse, [0, 1, 2], said))
    even: dict[str, Any] = {"values": [[10.0, 20.0, 30.0]] * 3}
    valued = numbers(warehouse, scores(warehouse, [0, 1, 2], said, **even))
    assert valued["value_mae.score"].value == pytest.approx((1.1 + 1) / 2 / 2)
    assert plain["value_mae.score"].value == pytest.approx(
        valued["value_mae.score"].value
    )


def test_equal_targets_leave_no_headroom(warehouse: Connection):
    run_id = scores(warehouse, [1, 1], [[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])
    found = numbers(warehouse, run_id)
    assert found["rps_skill.score"] == Found(None, 0, 2, "no_headroom")
    assert found["mae_skill.score"] == Found(None, 0, 2, "no_headroom")
    assert found["brier_skill.score"] == Found(None, 0, 2, "one_class")
    soft: dict[str, Any] = {"reference": [[0.5, 0.25, 0.25]] * 2}
    run_id = scores(warehouse, [0, 0], [[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]], **soft)
    assert numbers(warehouse, run_id)["brier_skill.score"].reason == "no_headroom"


def test_soft_targets(warehouse: Connection):
    items = [
        {"item_id": f"q{place}", "type": "choice", "options": ALPHABET, "gold": "a"}
        | {"reference": target}
        for place, target in enumerate([[0.5, 0.25, 0.25], [0.75, 0.25, 0.0], None])
    ]
    said = [[0.5, 0.5, 0.0], [0.25, 0.75, 0.0], [0.5, 0.25, 0.25]]
    found = numbers(warehouse, answers(warehouse, items, said))
    # a, b and a: masses 0.5, 0.25 and 1.
    assert found["soft_accuracy.choice"] == Found(pytest.approx(1.75 / 3), 3, 3, None)
    assert found["accuracy.choice"].value == pytest.approx(2 / 3)
    # 1/16 + 1/16; 1/4 + 1/4; 1/4 + 1/16 + 1/16.
    assert found["soft_brier.choice"].value == pytest.approx((0.125 + 0.5 + 0.375) / 3)
    # Masses a 2.25, b 0.5, c 0.25; hit a 1.5, b 0.25.
    assert found["balanced_accuracy.choice"].value == pytest.approx((2 / 3 + 0.5) / 3)
    # Said a twice, b once: F1 a 3 / 4.25, b 0.5 / 1.5, c 0.
    assert found["macro_f1.choice"].value == pytest.approx((3 / 4.25 + 1 / 3) / 3)
    # The mean target is (0.75, 1/6, 1/12).
    q = [0.75, 1 / 6, 1 / 12]
    squares = (0.375 + 0.625 + 1) / 3
    assert found["brier_skill.choice"].value == pytest.approx(
        1 - (1 / 3) / (squares - sum(x * x for x in q))
    )


def test_soft_accuracy_of_hard_gold_is_accuracy(warehouse: Connection):
    items = [
        {"item_id": "c", "type": "choice", "options": ALPHABET, "gold": "a"},
        {"item_id": "m", "type": "multi_select", "options": ALPHABET, "gold": ["a"]},
        {"item_id": "n", "type": "noul", "gold": "no"},
        {"item_id": "s", "type": "score", "options": ["x", "y"], "gold": 1},
    ]
    run_id = answers(warehouse, items, ["a", ["a"], None, 0])
    found = numbers(warehouse, run_id)
    for kind in ("all", "choice", "noul", "score", "multi_select"):
        assert found[f"soft_accuracy.{kind}"] == found[f"accuracy.{kind}"]
    # No options are shared between the types.
    assert found["macro_f1.all"] == Found(None, 0, 3, "no_common_options")
    assert found["macro_f1.noul"].value == 0


def test_scikit_learn_says_the_same(warehouse: Connection):
    from sklearn.metrics import balanced_accuracy_score, f1_score

    dice = random.Random(3)
    for places in (40, 7):
        gold = [*"abc", *(dice.choice("aab") for _ in range(places))]
        said = [dice.choice("abbc") for _ in gold]
        found = numbers(warehouse, choices(warehouse, gold, said, positive="b"))
        expected = {
            "balanced_accuracy.choice": balanced_accuracy_score(gold, said),
            "macro_f1.choice": f1_score(gold, said, average="macro"),
            "f1.choice": f1_score(gold, said, labels=["b"], average="macro"),
            "conservative_f1.choice": f1_score(
                gold, said, labels=ALPHABET, average="macro", zero_division=0
            ),
        }
        for name, value in expected.items():
            assert found[name].value == pytest.approx(value, abs=1e-14), name


# Parameters of methods.


def test_noul_at_a_half(warehouse: Connection):
    items = [{"item_id": gold, "type": "noul", "gold": gold} for gold in ("yes", "no")]
    run_id = answers(warehouse, items, [[0.5, 0.5], [0.5, 0.5]])
    found = {
        method: numbers(warehouse, run_id, method)
        for method in ("metrics-md", "s1mb-1", "jevals-0.1")
    }
    assert found["metrics-md"]["accuracy.noul"].value == 0.5
    assert found["s1mb-1"]["accuracy.noul"].value == 0.5
    assert found["jevals-0.1"]["accuracy.noul"].value == 0
    # By no: no is right, yes never said: F1 of yes 0. By yes 2 / (2 + 1).
    assert found["metrics-md"]["f1.noul"].value == 0
    assert found["s1mb-1"]["f1.noul"].value == pytest.approx(2 / 3)
    assert found["jevals-0.1"]["f1.noul"].value == 0
    labels = warehouse.execute(
        "select method_id, item_id, top_label, is_right from terms "
        "inner join frames using (run_id, rule) where run_id = ? and item_id = 'yes' "
        "and method_id in ('metrics-md', 's1mb-1', 'jevals-0.1') order by all",
        [run_id],
    ).fetchall()
    assert labels == [
        ("jevals-0.1", "yes", None, False),
        ("metrics-md", "yes", "no", False),
        ("s1mb-1", "yes", "yes", True),
    ]


def test_the_first_of_equal_options(warehouse: Connection):
    items = [
        {"item_id": gold, "type": "choice", "options": ["z", "b", "a"], "gold": gold}
        for gold in "za"
    ]
    run_id = answers(warehouse, items, [[0.4, 0.2, 0.4]] * 2)
    by_label = numbers(warehouse, run_id)
    by_place = numbers(warehouse, run_id, S1MB_METHOD)
    assert by_label["macro_f1.choice"].value == pytest.approx(1 / 3)
    right = warehouse.execute(
        "select item_id, method_id from terms inner join frames using (run_id, rule) "
        "where run_id = ? and is_right and method_id in ('metrics-md', 's1mb-1') "
        "order by all",
        [run_id],
    ).fetchall()
    assert right == [("a", "metrics-md"), ("z", "s1mb-1")]
    assert by_place["accuracy.choice"].value == 0.5


def test_failed_answers_are_uniform_in_proper_scores(warehouse: Connection):
    golds = [0, 1]
    run_id = scores(warehouse, golds, [[1.0, 0.0, 0.0], None])
    left_out = numbers(warehouse, run_id)
    uniform = numbers(warehouse, run_id, "jevals-0.1")
    assert left_out["brier.score"] == Found(0, 1, 2, None)
    # (2/3)^2 + 2 (1/3)^2 = 2/3, over both answers.
    assert uniform["brier.score"] == Found(pytest.approx(1 / 3), 2, 2, None)
    assert uniform["soft_brier.score"] == Found(pytest.approx(1 / 3), 2, 2, None)
    assert uniform["nll.score"].value == pytest.approx(math.log(3) / 2)
    # (1/3)^2 + (1/3)^2, of two steps: 1/9.
    assert uniform["rps.score"].value == pytest.approx(1 / 18)
    # Constants: shares 1/2, 1/2: Brier 1/2; F = 1/2, 1: RPS (1/4) / 2.
    assert uniform["brier_skill.score"].value == pytest.approx(1 - (1 / 3) / (1 / 2))
    assert uniform["rps_skill.score"].value == pytest.approx(1 - (1 / 18) / (1 / 8))
    for name in ("accuracy.score", "ece.score", "value_mae.score", "coverage.all"):
        assert uniform[name] == left_out[name]


def test_a_declared_type_is_not_uniform(warehouse: Connection):
    items = [{"item_id": "n", "type": "noul", "gold": "no"}]
    benchmark = add_benchmark(warehouse, items)
    run_id = add_run(warehouse, benchmark, [], unsupported=["noul"])
    found = numbers(warehouse, run_id, "jevals-0.1")
    for name in ("brier.noul", "soft_brier.noul", "f1.noul", "brier_skill.noul"):
        assert found[name] == Found(None, 0, 1, "unsupported_type")


# S1MB's own test: tests/data/s1mb.


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case["name"], marks=pytest.mark.long if more else ())
        for kind in {case["task"]: 0 for case in S1MB}
        for more, case in enumerate(each for each in S1MB if each["task"] == kind)
    ],
)
def test_s1mb_expects_the_same(warehouse: Connection, case: dict[str, Any]):
    run_id = s1mb_run(warehouse, case)
    found = s1mb_numbers(warehouse, run_id, case["task"])
    for name, expected in case["expected"].items():
        value = found[name]
        if expected is None:
            assert value is None, name
        else:
            assert value == pytest.approx(expected, abs=1e-12), name


def s1mb_run(connection: Connection, case: dict[str, Any]) -> str:
    ids = [option["id"] for option in case["options"]]
    samples = [sample for sample in case["samples"] for _ in range(sample["repeat"])]
    item = {"type": case["task"]}
    if case["task"] != "noul":
        item["options"] = ids
    if case["task"] == "score":
        item["values"] = [float(option["value"]) for option in case["options"]]
    items, said = [], []
    for place, sample in enumerate(samples):
        target = [float(sample["target"][name]) for name in ids]
        gold: Any = target.index(max(target))
        if case["task"] != "score":
            gold = (item.get("options") or ["no", "yes"])[gold]
        items.append(
            {**item, "item_id": f"{place:03}", "gold": gold, "reference": target}
        )
        said.append([float(sample["prediction"][name]) for name in ids])
    return answers(connection, items, said)


def s1mb_numbers(connection: Connection, run_id: str, task: str) -> dict[str, Any]:
    """Return what S1MB reports, made of our numbers."""
    found = numbers(connection, run_id, S1MB_METHOD)

    def value(name: str) -> float | None:
        return found[name].value

    def skill(x: float | None, base: float | None) -> float | None:
        if x is None or base is None or base == 1:
            return None
        return (x - base) / (1 - base)

    def half(x: float | None) -> float | None:
        return None if x is None else x / 2

    accuracy, fixed = value("soft_accuracy.all"), value("chance.best_fixed")
    balanced = value(f"balanced_accuracy.{task}") if task != "score" else None
    cells = connection.execute(
        "select class, mean_of_units(target_units, 1), mean_of_units(hit_units, 1), "
        "mean_of_units(said_units, 1) from class_cells "
        "inner join frames using (run_id, report_row, rule) "
        "where run_id = ? and method_id = ? and kind = 'all'",
        [run_id, S1MB_METHOD],
    ).fetchall()
    gold, hit, said = ({row[0]: row[n] for row in cells} for n in (1, 2, 3))
    rmse = connection.execute(
        "select sqrt(avg(power(term_value_error, 2))) from terms "
        "inner join frames using (run_id, rule) where run_id = ? and method_id = ?",
        [run_id, S1MB_METHOD],
    ).fetchall()[0][0]
    constants = connection.execute(
        "select squared_constant, value_constant from constants where kind = ? "
        "and benchmark_id = (select benchmark_id from runs where run_id = ?)",
        [task, run_id],
    ).fetchall()[0]
    yes = {
        name: each.get("yes", 0)
        for name, each in {"gold": gold, "hit": hit, "said": said}.items()
    }
    no = {
        name: each.get("no", 0)
        for name, each in {"gold": gold, "hit": hit, "said": said}.items()
    }
    adjusted = {
        "noul": skill(balanced, 0.5),
        "choice": skill(accuracy, fixed),
        "score": value("mae_skill.score"),
    }
    return {
        "accuracy": accuracy,
        "target_mass_at_prediction": accuracy,
        "balanced_accuracy": balanced,
        "positive_recall": yes["hit"] / yes["gold"] if yes["gold"] else None,
        "specificity": no["hit"] / no["gold"] if no["gold"] else None,
        "precision": yes["hit"] / yes["said"] if yes["said"] else None,
        "f1": value("f1.all"),
        "true_positive": yes["hit"],
        "false_positive": yes["said"] - yes["hit"],
        "false_negative": yes["gold"] - yes["hit"],
        "true_negative": no["hit"],
        "binary_brier": half(value("soft_brier.all")),
        "constant_brier_baseline": half(constants[0]),
        "brier_skill": value("brier_skill.all"),
        "majority_accuracy_baseline": fixed,
        "fixed_answer_accuracy_baseline": fixed,
        "uniform_accuracy_baseline": value("chance.uniform"),
        "normalized_expected_score_mae": value("value_mae.score"),
        "normalized_score_rmse": rmse,
        "constant_mae_baseline": constants[1],
        "constant_score_baseline": None if constants[1] is None else 1 - constants[1],
        "baseline_adjusted_score": adjusted[task],
    }
