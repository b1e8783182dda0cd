"""Calibration in depth: chance, thresholds, zeros; worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from building import add_benchmark, add_run
from commandline import FIRST, fill, jevdb, rows_of

from jevdb.base.connection import Connection
from jevdb.base.errors import UsageError
from jevdb.scoring.calibration import accuracy_coverage, null_band, out_of_bag, reaching
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
    band = null_band(stated, bins, observed=0.0)
    assert band.mean == pytest.approx(mean, abs=SLACK)
    assert band.low == pytest.approx(low, abs=1e-12)
    assert band.high == pytest.approx(high, abs=1e-12)
    assert band.share_at_least == 1.0


def test_how_often_chance_gives_as_much():
    # K is 1 in half the cases: then the ECE is 0.
    assert null_band([0.5, 0.5], 10, observed=0.5).share_at_least == pytest.approx(
        0.5, abs=SLACK
    )
    assert null_band([0.5, 0.5], 10, observed=0.6).share_at_least == 0.0


def test_chance_is_seeded():
    stated = [i / 97 for i in range(97)]
    assert null_band(stated, 10, 0.1) == null_band(stated, 10, 0.1)
    assert null_band(stated, 10, 0.1, seed=1) != null_band(stated, 10, 0.1)


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


def test_out_of_bag_by_enumeration():
    """Two rows give four resamples: aa, ab, ba, bb."""
    # 0.9 wrong, 0.6 right. Only bb reaches accuracy 1, at 0.6; a is left out, accepted
    # and wrong.
    found = out_of_bag([0.9, 0.6], [False, True], 1.0)
    assert found.share_found == pytest.approx(0.25, abs=SLACK)
    assert (found.accuracy, found.coverage) == (0.0, 1.0)
    # 0.9 right, 0.6 wrong. aa, ab, ba reach it at 0.9; only aa leaves a row out, b,
    # which 0.9 does not accept.
    found = out_of_bag([0.9, 0.6], [True, False], 1.0)
    assert found.share_found == pytest.approx(0.75, abs=SLACK)
    assert (found.accuracy, found.coverage) == (None, 0.0)
    # Equal confidences stand or fall together: aa reaches it and accepts b, wrong.
    found = out_of_bag([0.9, 0.9], [True, False], 1.0)
    assert found.share_found == pytest.approx(0.25, abs=SLACK)
    assert (found.accuracy, found.coverage) == (0.0, 1.0)


def test_out_of_bag_at_the_ends():
    # aa leaves out b, below its threshold; bb leaves out a, above it.
    found = out_of_bag([0.9, 0.5], [True, True], 1.0)
    assert found[:2] == (1.0, 1.0)
    assert found.coverage == pytest.approx(0.5, abs=2 * SLACK)
    assert out_of_bag([0.9, 0.5], [False] * 2, 0.5) == (0.0, None, None)
    with pytest.raises(UsageError):
        out_of_bag([0.5], [True], 0.0)


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
    assert found["choice"]["threshold"] is None
    assert [tuple(point.values()) for point in found["choice"]["curve"]] == [
        (0.75, 2, 1.0, 0.5)
    ]
    # n1 at 0.875 is right; then three at 0.75, one of them wrong.
    assert [tuple(point.values()) for point in found["all"]["curve"]] == [
        (0.875, 1, 0.25, 1.0),
        (0.75, 4, 1.0, 0.75),
    ]
    assert found["all"]["threshold"] == 0.875
    occupied = [each for each in found["pooled"]["bins"] if each["n"]]
    assert [(each["bin"], each["n"]) for each in occupied] == [(7, 2), (8, 1)]
    assert sum(each["occupancy"] for each in found["pooled"]["bins"]) == 1.0
    (lower,) = rows_of(
        *(warehouse_path, "calibration", FIRST, "--kind", "all", "--target", "0.7")
    )
    assert (lower["threshold"], lower["accuracy"]) == (0.75, 0.75)


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
    assert "ECE 0.4216; chance alone gives 0.3" in text


def test_labels_alone_have_no_calibration(warehouse: Connection, warehouse_path: Path):
    item = {"item_id": "c", "type": "choice", "options": ["a", "b"], "gold": "a"}
    add_benchmark(warehouse, [item], benchmark_id="b")
    add_run(warehouse, "b", [{"item_id": "c", "answer": "a"}], model="m")
    warehouse.close()
    (row, *_) = rows_of(warehouse_path, "calibration", "m")
    assert (row["ece"], row["reason"]) == (None, "no_probabilities")
    assert (row["null_mean"], row["oob_accuracy"], row["curve"]) == (None, None, [])
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
