"""Calibration in depth: chance, thresholds, zeros; worked out by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import oracle
import pytest
from building import add_benchmark, add_run, open_to_fill
from commandline import FIRST, fill, jevdb, rows_of
from making import copied
from scipy import stats

from jevdb.base.connection import Connection
from jevdb.numerics.promised import counts_tried, least_rows, promised
from jevdb.scoring.calibration import accuracy_coverage, null_band, reaching
from jevdb.scoring.calibration_depths import chance_words
from jevdb.scoring.calibration_error import (
    StatedRow,
    difference_of,
    gap_alone,
    gap_of,
    squared_error,
    squared_influence,
)
from jevdb.scoring.calibration_report import is_repeated
from jevdb.scoring.differences import Difference
from jevdb.warehouse.database import open_reader

SLACK = 0.04
"""Four standard errors of a share over 2,000 simulations are below this."""


@pytest.mark.parametrize(
    ("stated", "bins", "mean", "low", "high"),
    [
        # Certain, and so always as stated.
        pytest.param([0.0, 1.0, 1.0], 10, 0.0, 0.0, 0.0, id="certain"),
        # abs(0.5 - 0) and abs(0.5 - 1).
        pytest.param([0.5], 10, 0.5, 0.5, 0.5, id="one even row"),
        # 0.25 in three cases of four, 0.75 in one.
        pytest.param([0.25], 10, 0.375, 0.25, 0.75, id="one row"),
        # abs(1 - K) / 2, K of 0, 1, 1, 2: 1/2 in half the cases.
        pytest.param([0.5, 0.5], 10, 0.25, 0.0, 0.5, id="one bin of two"),
        # Two bins: (0.5 + 0.45) / 2 or (0.5 + 0.55) / 2.
        pytest.param([0.5, 0.45], 10, 0.4975, 0.475, 0.525, id="two bins"),
        # One bin with one in all: abs(0.95 - K) / 2, K 0 in 0.275, 1 in 0.5, 2 in
        # 0.225 of the cases: (0.275 x 0.95 + 0.5 x 0.05 + 0.225 x 1.05) / 2.
        pytest.param([0.5, 0.45], 1, 0.26125, 0.025, 0.525, id="one bin in all"),
    ],
)
def test_what_chance_alone_gives(
    stated: list[float], bins: int, mean: float, low: float, high: float
):
    band = null_band(stated, bins)
    assert band.mean == pytest.approx(mean, abs=SLACK)
    assert band.low == pytest.approx(low, abs=1e-12)
    assert band.high == pytest.approx(high, abs=1e-12)
    assert (band.share_at_least, band.verdict) == (None, None)


def test_how_often_chance_gives_as_much():
    # K is 1 in half the cases: then the ECE is 0, and else 1/2.
    even, uneven = ([True, False], [True, True])
    assert null_band([0.5, 0.5], 10, even).share_at_least == 1.0
    found = null_band([0.5, 0.5], 10, uneven)
    assert found.share_at_least == pytest.approx(0.5, abs=SLACK)
    assert found.verdict == "consistent"


def test_ties_count_whichever_side_they_fall():
    """Ten rows at 0.9, eight right or ten: 1 - P(Bin(10, 0.9) = 9) = 0.612579511."""
    eight, ten = ([True] * 8 + [False] * 2, [True] * 10)
    shares = [null_band([0.9] * 10, 10, each).share_at_least for each in (eight, ten)]
    assert shares[0] == shares[1]
    # Four standard errors of 9,999 simulations.
    assert shares[0] == pytest.approx(0.612579511, abs=0.0195)
    assert stats.binom.pmf(9, 10, 0.9) == pytest.approx(1 - 0.612579511, abs=1e-9)


def test_what_chance_never_gives_is_miscalibrated():
    found = null_band([0.9] * 40, 10, [False] * 40)
    assert (found.share_at_least, found.verdict) == (1 / 10_000, "miscalibrated")
    # One of 10,000 is not none.
    assert chance_words(0.9, found).endswith("; as much or more in <0.1 %.")


def test_many_rows_are_counted_in_whole_units():
    """5,000 rows: a sum of units is beyond 64 bits. 4,500 of them true is no gap."""
    found = null_band([0.9] * 5000, 10, [True] * 4500 + [False] * 500, replicates=99)
    assert found.share_at_least == 1.0
    # E abs(K - 4500) / 5000, nearly normal: sqrt(2 x 450 / pi) / 5000.
    assert found.mean == pytest.approx(0.003385, abs=0.0012)


def test_chance_is_seeded():
    stated = [i / 97 for i in range(97)]
    assert null_band(stated, 10) == null_band(stated, 10)
    assert null_band(stated, 10, seed=1) != null_band(stated, 10)


def test_the_curve_takes_equal_confidences_together():
    points = accuracy_coverage([0.6, 0.9, 0.6, 0.8], [False, True, True, True], 5)
    assert [tuple(point) for point in points] == [
        (0.9, 1, 0.2, 1.0),
        (0.8, 2, 0.4, 1.0),
        (0.6, 4, 0.8, 0.75),
    ]
    assert reaching(points, 1.0).threshold == 0.8
    assert reaching(points, 0.75).threshold == 0.6
    assert reaching(points, 0.7).n == 4


def test_a_later_threshold_may_reach_what_an_earlier_did_not():
    points = accuracy_coverage([0.9, 0.8, 0.7], [False, True, True], 3)
    # 0, 1/2, 2/3
    assert reaching(points, 0.6).threshold == 0.7
    assert reaching(points, 0.7) is None


def test_the_worked_gap_and_squared_error():
    """INFERENCE.md 7.2: five rows at 0.8, four right; four at 0.6, one right."""
    stated = np.array([0.8] * 5 + [0.6] * 4)
    true = np.array([1.0] * 4 + [0.0, 1.0, 0.0, 0.0, 0.0])
    assert gap_of(stated, true) == pytest.approx(0.1555555556, abs=1e-10)
    found = squared_error(stated, true, 10)
    assert found.value == pytest.approx(1 / 225, abs=1e-15)
    assert found.n_alone == 0
    # 4/9 x abs(0.6 - 1/4); the plain squares, of 4/9 x 0.35^2, are the other's 12 fold.
    points = list(zip(stated.tolist(), (true == 1).tolist(), strict=True))
    assert float(oracle.ece(points)) == pytest.approx(0.1555555556, abs=1e-10)
    assert found.value * 12.25 == pytest.approx(0.0544444444, abs=1e-10)
    # A row alone in its bin adds 0 to the sum, and 1 to n.
    alone = squared_error(np.append(stated, 0.15), np.append(true, 1.0), 10)
    assert alone.value == pytest.approx(9 / 10 / 225, abs=1e-15)
    assert alone.n_alone == 1


def test_the_influence_is_what_a_row_changes():
    """Against the plug-in sum of n_b / n x gap_b^2, whose derivative it is."""
    stated = np.array([0.81, 0.85, 0.88, 0.61, 0.64, 0.66, 0.69])
    true = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0])
    found = squared_influence(stated, true, 10)
    step = 1e-6
    for place in range(len(stated)):
        weights = np.ones(len(stated))
        values = []
        for change in (-step, step):
            weights[place] = 1 + change
            total = weights.sum()
            values.append(
                sum(
                    weights[mine].sum()
                    / total
                    * np.average((stated - true)[mine], weights=weights[mine]) ** 2
                    for mine in (stated > 0.7, stated < 0.7)
                )
            )
        slope = (values[1] - values[0]) / (2 * step) * len(stated)
        assert found[place] == pytest.approx(slope, abs=1e-6)


def rows_of_kind(n: int, said: float, n_true: int) -> list[StatedRow]:
    return [
        StatedRow(
            *("run", "choice", f"{i:03d}", 0, said, said, i < n_true, i < n_true, True),
            *("choice", None, "text", None, None, None),
        )
        for i in range(n)
    ]


def test_the_gap_by_another_hand():
    """60 rows at 0.8, 42 right: mean 0.1, the variance of a mean of one cell."""
    found = gap_alone(rows_of_kind(60, 0.8, 42))
    assert found.value == pytest.approx(0.1, abs=1e-12)
    gaps = np.array([0.8 - 1] * 42 + [0.8] * 18)
    half = stats.t.ppf(0.975, 59) * gaps.std(ddof=1) / math.sqrt(60)
    assert found.interval == pytest.approx((0.1 - half, 0.1 + half), abs=1e-9)
    few = gap_alone(rows_of_kind(29, 0.8, 20))
    assert (few.interval, few.reason) == (None, "too_few_items")
    flat = gap_alone(rows_of_kind(30, 0.8, 30))
    assert (flat.interval, flat.reason) == (None, "no_variation")


def test_differences_of_calibration_by_another_hand():
    base, other = rows_of_kind(40, 0.7, 28), rows_of_kind(40, 0.9, 20)
    found = difference_of("gap", base, other, 10)
    assert isinstance(found, Difference)
    assert found.point == pytest.approx(0.4, abs=1e-12)
    gaps = np.array([0.9 - (i < 20) - 0.7 + (i < 28) for i in range(40)])
    assert found.se == pytest.approx(gaps.std(ddof=1) / math.sqrt(40), abs=1e-12)
    squared = difference_of("ce2", base, other, 10)
    assert isinstance(squared, Difference)
    # Each has one bin: (G^2 - Q) / (n (n - 1)).
    values = [
        (gap.sum() ** 2 - (gap**2).sum()) / (40 * 39)
        for gap in (
            np.array([0.7 - (i < 28) for i in range(40)]),
            np.array([0.9 - (i < 20) for i in range(40)]),
        )
    ]
    assert squared.point == pytest.approx(values[1] - values[0], abs=1e-12)
    assert difference_of("gap", base[:4], other[:4], 10).reason == "too_few_items"


def test_the_least_rows_that_can_promise():
    assert [least_rows(target) for target in (0.9, 0.95, 0.99)] == [29, 59, 299]
    # All right: 0.9^29 is below 0.05 and 0.9^28 is not.
    assert 0.9**29 < 0.05 < 0.9**28
    confidences = [0.99 - i / 1000 for i in range(29)]
    assert promised(confidences[:28], [True] * 28, 0.9) == "too_few_rows"
    assert promised(confidences, [True] * 29, 1.0) == "too_few_rows"
    found = promised(confidences, [True] * 29, 0.9)
    assert (found.threshold, found.n) == (confidences[28], 29)
    assert found.p_value == pytest.approx(0.9**29, abs=1e-12)
    assert promised(confidences, [False] + [True] * 28, 0.9) == "not_shown"


def test_a_promise_by_another_hand():
    """88 right of 90 at 0.9 has p 0.0046044975; the ends are fixed beforehand."""
    confidences = [0.95] * 90 + [0.6] * 110
    is_right = [True] * 88 + [False] * 2 + [False] * 110
    found = promised(confidences, is_right, 0.9)
    assert (found.threshold, found.n, found.n_right) == (0.95, 90, 88)
    assert found.p_value == pytest.approx(0.0046044975, abs=1e-10)
    assert found.p_value == pytest.approx(stats.binom.sf(87, 90, 0.9), abs=1e-9)
    low = stats.beta.ppf(0.05, 88, 3)
    assert found.accuracy_low == pytest.approx(low, abs=1e-9)


def test_thresholds_are_tried_evenly_from_the_strictest():
    # 29, 29 + 171/9 = 48, ..., 200.
    descending = [1 - i / 1000 for i in range(200)]
    assert counts_tried(descending, 29) == [29 + 19 * step for step in range(10)]
    # The first that fails ends the search, though later ones would hold.
    is_right = [i >= 3 for i in range(200)]
    assert promised(descending, is_right, 0.9) == "not_shown"
    assert stats.binom.sf(196, 200, 0.9) < 0.05


@pytest.fixture(scope="module")
def promising(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """100 items; good says 0.9 and gets 97 right, bad gets 70 right."""
    path = tmp_path_factory.mktemp("promising") / "promising.duckdb"
    copied(template, path)
    items = [
        {"item_id": f"{i:03d}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for i in range(100)
    ]
    with open_to_fill(path) as connection:
        add_benchmark(connection, items, benchmark_id="promising")
        for model, n_right in (("good", 97), ("bad", 70)):
            rows = [
                {
                    "item_id": f"{i:03d}",
                    "probabilities": [0.9, 0.1] if i < n_right else [0.1, 0.9],
                }
                for i in range(100)
            ]
            add_run(connection, "promising", rows, model=model)
    return path


PROMISE = ("--kind", "choice", "--target", "0.9", "--out")


def test_thresholds_are_written_and_held_to(promising: Path, tmp_path: Path):
    file = tmp_path / "thresholds.json"
    done = jevdb(promising, "calibration", "good", *PROMISE, str(file))
    assert done.exit_code == 0, done.output
    assert "From confidence 0.9: at least 90 % right, 95 % sure (coverage 1.00)." in (
        done.stdout
    )
    # 0.9 stated, 0.97 right.
    assert done.stdout.startswith("Says 7.0 points less than it gets right (3.6 to 10.")
    document = json.loads(file.read_text())
    [threshold] = document["thresholds"]
    assert {name: threshold[name] for name in ("threshold", "promise", "n")} == {
        "threshold": 0.9,
        "promise": 0.9,
        "n": 100,
    }
    assert threshold["accuracy_low"] == pytest.approx(stats.beta.ppf(0.05, 97, 4))
    assert document["run_id"] and document["rows_sha256"] and document["items_sha256"]
    gate = ("gate", "--thresholds", str(file), "--candidate")
    assert jevdb(promising, *gate, "good").exit_code == 0
    broken = jevdb(promising, *gate, "bad")
    assert broken.exit_code == 5
    assert broken.stdout.startswith(
        "Fail: choice: 70 of 100 right where 90 % were promised, p "
    )


def test_what_cannot_promise_is_not_written(promising: Path, tmp_path: Path):
    file = tmp_path / "thresholds.json"
    strict = jevdb(
        *(promising, "calibration", "good", "--kind", "choice"),
        *("--target", "0.99", "--out", str(file)),
    )
    assert strict.exit_code == 1
    assert "100 rows cannot promise 0.99, 299 are needed" in strict.stderr
    unshown = jevdb(promising, "calibration", "bad", *PROMISE, str(file))
    assert unshown.exit_code == 1
    assert "0.9 is not shown with 100 rows" in unshown.stderr
    assert not file.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no", "no JSON"),
        ("{}", "format: must be 'jevdb-thresholds-1'"),
        ('{"format": "jevdb-thresholds-1"}', "benchmark_id: must be a text"),
        (
            '{"format": "jevdb-thresholds-1", "benchmark_id": "promising", '
            '"report_row": "overall", "items": "all", "thresholds": '
            '[{"kind": "choice", "threshold": 2, "promise": 0.9}]}',
            "thresholds[0].threshold: must be a number from 0 to 1",
        ),
    ],
)
def test_a_file_of_thresholds_that_is_none(
    promising: Path, tmp_path: Path, text: str, words: str
):
    file = tmp_path / "thresholds.json"
    file.write_text(text)
    done = jevdb(promising, "gate", "--candidate", "good", "--thresholds", str(file))
    assert done.exit_code == 1
    assert words in done.stderr


def test_thresholds_look_at_all_items_of_a_type(demo_path: Path):
    """JevBench's ECE of choice is over the 67 hard ones alone."""
    found = {
        items: rows_of(
            *(demo_path, "calibration", "de-1", "--kind", "choice"),
            *("--items", items),
        )[0]
        for items in ("all", "ece")
    }
    assert found["ece"]["threshold_n_scope"] == found["all"]["n_scope"] == 67
    assert found["all"]["threshold_n_scope"] > 67
    assert found["all"]["ece"] == found["ece"]["ece"]


def test_the_command_by_hand(warehouse_path: Path):
    fill(warehouse_path)
    rows = rows_of(warehouse_path, "calibration", FIRST)
    found = {row["kind"]: row for row in rows}
    assert list(found) == ["choice", "noul", "score", "pooled", "all"]
    # commandline.WORKED.
    assert found["choice"]["ece"] == 0.25
    assert found["noul"]["ece"] == 0.125
    # One row at 0.875: 0.125 in seven cases of eight, else 0.875.
    assert found["noul"]["null_mean"] == pytest.approx(0.21875, abs=SLACK)
    # c1 right and c2 wrong, both at 0.75: half of them, whatever the threshold.
    assert found["choice"]["threshold_in_sample"] is None
    assert [tuple(point.values()) for point in found["choice"]["curve"]] == [
        (0.75, 2, 1.0, 0.5)
    ]
    # n1 at 0.875 is right; then three at 0.75, one of them wrong.
    assert [tuple(point.values()) for point in found["all"]["curve"]] == [
        (0.875, 1, 0.25, 1.0),
        (0.75, 4, 1.0, 0.75),
    ]
    assert found["all"]["threshold_in_sample"] == 0.875
    # Four rows promise nothing.
    assert (found["all"]["threshold"], found["all"]["threshold_reason"]) == (
        None,
        "too_few_rows",
    )
    assert found["all"]["gap_reason"] == "too_few_items"
    occupied = [each for each in found["pooled"]["bins"] if each["n"]]
    assert [(each["bin"], each["n"]) for each in occupied] == [(7, 2), (8, 1)]
    assert sum(each["occupancy"] for each in found["pooled"]["bins"]) == 1.0
    (lower,) = rows_of(
        *(warehouse_path, "calibration", FIRST, "--kind", "all", "--target", "0.7")
    )
    assert lower["threshold_in_sample"] == 0.75


def test_the_ece_is_that_of_the_report(demo_path: Path):
    rows = rows_of(demo_path, "calibration", "de-1", "--row", "hard_111")
    found = {row["kind"]: row["ece"] for row in rows}
    # SCORING.md section 8.
    assert found["noul"] == pytest.approx(0.20734979689665206, abs=1e-12)
    assert found["score"] == pytest.approx(0.42159066666666667, abs=1e-12)
    # Published, of all types together.
    assert found["all"] == pytest.approx(0.08323733130267792, abs=1e-12)


def test_six_items_are_not_over_read(demo_path: Path):
    text = jevdb(demo_path, "calibration", "de-1", "--row", "hard_111").stdout
    assert "score  (6 of 6 items have a distribution)" in text
    assert "ECE 0.422: chance alone gives 0.3" in text


def test_labels_alone_have_no_calibration(warehouse: Connection, warehouse_path: Path):
    item = {"item_id": "c", "type": "choice", "options": ["a", "b"], "gold": "a"}
    add_benchmark(warehouse, [item], benchmark_id="b")
    add_run(warehouse, "b", [{"item_id": "c", "answer": "a"}], model="m")
    warehouse.close()
    (row, *_) = rows_of(warehouse_path, "calibration", "m")
    assert (row["ece"], row["reason"]) == (None, "no_probabilities")
    assert (row["null_mean"], row["gap"], row["curve"]) == (None, None, [])
    assert (
        "no answer has a probability"
        in jevdb(warehouse_path, "calibration", "m").stdout
    )


def test_zeros_for_gold(warehouse: Connection):
    """One of three choice rows with a distribution, and the noul row."""
    items = [
        {"item_id": f"c{i}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for i in range(4)
    ]
    items.append({"item_id": "n", "type": "noul", "gold": "yes"})
    benchmark = add_benchmark(warehouse, items)
    rows = [
        {"item_id": "c0", "probabilities": [0.0, 1.0]},
        {"item_id": "c1", "probabilities": [1e-300, 1.0]},
        {"item_id": "c2", "probabilities": [1.0, 0.0]},
        {"item_id": "c3", "answer": "a"},
        {"item_id": "n", "probabilities": [1.0, 0.0]},
    ]
    add_run(warehouse, benchmark, rows)
    found = warehouse.execute(
        "select kind, value, n, n_scope, reason from report_zero_gold "
        "where method_id = 'metrics-md' order by kind"
    ).fetchall()
    assert found == [
        ("all", 0.5, 4, 5, None),
        ("choice", 1 / 3, 3, 4, None),
        ("noul", 1.0, 1, 1, None),
        ("score", None, 0, 0, "no_rows"),
    ]


def test_zero_gold_has_the_columns_of_a_metric(demo_path: Path):
    with open_reader(demo_path) as connection:
        columns = [
            connection.execute(f"describe {view}").fetchall()
            for view in ("report_zero_gold", "metric_brier")
        ]
    assert [row[:2] for row in columns[0]] == [row[:2] for row in columns[1]]


@pytest.mark.parametrize("target", ["0", "1.5", "-1"])
def test_no_such_target(demo_path: Path, target: str):
    done = jevdb(demo_path, "calibration", "de-1", "--target", target)
    assert done.exit_code == 2


def stated_rows(repeats: int) -> list[StatedRow]:
    """Forty items that are stated and right in different measure, asked so often."""
    return [
        StatedRow(
            *("r", "choice", f"{i:02d}", repeat, stated, stated, i % 3 > 0, i % 3 > 0),
            *(True, "choice", None, "text", None, None, None),
        )
        for i in range(40)
        for repeat in range(repeats)
        for stated in [0.5 + i / 100]
    ]


def test_five_equal_answers_say_what_one_says():
    """Answers to one item are no sample of items: no interval narrows."""
    once, often = gap_alone(stated_rows(1)), gap_alone(stated_rows(5))
    assert once.interval is not None
    assert often.interval == pytest.approx(once.interval, abs=1e-12)
    # Nor does that of a difference, though only one of the runs asked five times.
    other = [row._replace(stated=0.6, run_id="o") for row in stated_rows(1)]
    for metric in ("gap", "ce2"):
        one = difference_of(metric, stated_rows(1), other, 10)
        five = difference_of(metric, stated_rows(5), other, 10)
        assert isinstance(one, Difference) and isinstance(five, Difference)
        # ce2 takes away a little less noise where a bin has more rows.
        near = {"gap": 1e-12, "ce2": 0.002}[metric]
        assert five.estimate.se == pytest.approx(one.estimate.se, abs=near)
        assert five.n == 40
    assert is_repeated(stated_rows(2)) and not is_repeated(stated_rows(1))
