"""Every worked value of SCORING.md section 8, through the SQL."""

from __future__ import annotations

import json
from pathlib import Path

import compare
import pytest
import worked
from building import add_benchmark, add_run

from jevdb.base.connection import Connection
from jevdb.ingest import Model, RunOptions, ingest_run

CLOSE = {"rel": 0, "abs": 1e-12}


@pytest.mark.parametrize("case", worked.CASES, ids=lambda case: case.name)
def test_worked_case(warehouse: Connection, case: worked.Case):
    benchmark = add_benchmark(warehouse, case.items)
    run = add_run(warehouse, benchmark, case.predictions)
    found = compare.sql_report(warehouse, run, "metrics-md")["overall"]
    for key, expected in case.expected.items():
        value = found[key]
        if isinstance(expected, str):
            assert (value.value, value.reason) == (None, expected), key
        else:
            assert value.value == pytest.approx(expected, **CLOSE), key


def test_every_bin_is_shown_and_they_hold_every_row(warehouse: Connection):
    """Noul p(yes) 0.0 and 0.9, both gold yes: the bin counts sum to 2."""
    case = next(case for case in worked.CASES if "binned by p(yes)" in case.name)
    run = add_run(warehouse, add_benchmark(warehouse, case.items), case.predictions)
    bins = warehouse.execute(
        "select bin, n, mean_stated, share_true from report_bins where run_id = $run "
        "and report_row = 'overall' and kind = 'noul' and method_id = 'metrics-md' "
        "order by bin",
        {"run": run},
    ).fetchall()
    filled = {0: (1, 0.0, 1.0), 9: (1, 0.9, 1.0)}
    assert bins == [(bin, *filled.get(bin, (0, None, None))) for bin in range(10)]


def test_a_bin_with_many_rows(warehouse: Connection):
    """1,100 right answers with 0.9: 1100 x 2^53 is over 2^63, and ECE must bear it.

    0.9 and the gap 1 - 0.9 are whole in units of 2^-53, so the mean of equal gaps is
    that gap.
    """
    item = {"type": "choice", "options": ["a", "b"], "gold": "a"}
    items = [{**item, "item_id": f"i{number}"} for number in range(1100)]
    rows = [
        {"item_id": each["item_id"], "probabilities": [0.9, 1 - 0.9]} for each in items
    ]
    run = add_run(warehouse, add_benchmark(warehouse, items), rows)
    report = compare.sql_report(warehouse, run, "metrics-md")["overall"]
    (ece,) = {report[key].value for key in report if key[:2] == ("ece", "choice")}
    assert ece == 1 - 0.9


@pytest.mark.parametrize(
    ("probabilities", "status", "is_rescaled"),
    [
        ([0.5, 0.499], "ok", False),
        ([0.49, 0.49], "ok", True),
        ([0.51, 0.51], "ok", True),
        ([0.49, 0.48], "invalid", False),
        ([0.52, 0.51], "invalid", False),
    ],
    ids=["0.999", "0.98", "1.02", "0.97", "1.03"],
)
def test_two_decimals_through_ingest(
    warehouse: Connection,
    tmp_path: Path,
    probabilities: list[float],
    status: str,
    is_rescaled: bool,
):
    benchmark = add_benchmark(warehouse, [worked.choice("1")])
    row = {"item_id": "1", "probabilities": dict(zip("ab", probabilities, strict=True))}
    path = tmp_path / "predictions.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    options = RunOptions(benchmark, Model("model"), allow_invalid=True)
    ingest_run(warehouse, [path], options)
    stored = warehouse.execute(
        "select status, renormalized, probabilities from predictions"
    ).fetchall()
    assert stored == [(status, is_rescaled, probabilities)]
