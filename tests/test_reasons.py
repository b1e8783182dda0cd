"""Why an index has no value: what the first of its components lacks (SCORING.md §3).

C needs of choice a distribution and a reference, of yes or no and of levels a
distribution; I needs an answer. A type that the run declared is not asked.
"""

from __future__ import annotations

from typing import Any

from building import add_benchmark, add_run

from jevdb.base.connection import Connection
from jevdb.base.metrics import REGISTRY

CHOICE = {"item_id": "c", "type": "choice", "options": ["a", "b"], "gold": "a"}
GIVEN = {**CHOICE, "reference": [0.5, 0.5]}
NOUL = {"item_id": "n", "type": "noul", "gold": "yes"}
SCORE = {"item_id": "s", "type": "score", "options": ["l", "h"], "gold": 1}
SET = {"item_id": "m", "type": "multi_select", "options": ["a", "b"], "gold": ["a"]}
STATED = {
    "c": {"item_id": "c", "probabilities": [0.75, 0.25]},
    "n": {"item_id": "n", "probabilities": [0.25, 0.75]},
    "s": {"item_id": "s", "probabilities": [0.25, 0.75]},
    "m": {"item_id": "m", "answer": ["a"]},
}
SAID = {
    "c": {"item_id": "c", "answer": "a"},
    "n": {"item_id": "n", "answer": "yes"},
    "s": {"item_id": "s", "answer": 1},
}
WHOLE = [GIVEN, NOUL, SCORE]
Case = tuple[list[dict[str, Any]], str, tuple[str, ...], str | None, str | None]
CASES: list[Case] = [
    # items; those that are only said, without probabilities; what the run declared
    # unsupported; the reasons of C and of I
    (WHOLE, "", (), None, None),
    (WHOLE, "c", (), "no_probabilities", None),
    (WHOLE, "n", (), "no_probabilities", None),
    (WHOLE, "s", (), "no_probabilities", None),
    ([CHOICE, NOUL, SCORE], "", (), "no_reference", None),
    # The first type that lacks something says what.
    ([CHOICE, NOUL, SCORE], "ns", (), "no_reference", None),
    ([CHOICE, NOUL], "n", ("choice",), "no_probabilities", None),
    (WHOLE, "c", ("choice",), None, None),
    (WHOLE, "n", ("noul",), None, None),
    (WHOLE, "s", ("score",), None, None),
    (WHOLE, "s", ("noul",), "no_probabilities", None),
    (WHOLE, "", ("choice", "noul"), None, None),
    (
        *(WHOLE, "", ("choice", "noul", "score")),
        *("unsupported_type", "unsupported_type"),
    ),
    ([SET], "", (), "no_rows", "no_rows"),
]


def rows_of(case: Case) -> list[dict[str, Any]]:
    items, said, declared, *_ = case
    return [
        {"item_id": item["item_id"], "status": "unsupported"}
        if item["type"] in declared
        else (SAID if item["item_id"] in said else STATED)[item["item_id"]]
        for item in items
    ]


def test_why_an_index_has_no_value(warehouse: Connection):
    runs = [
        add_run(
            warehouse,
            add_benchmark(warehouse, case[0], scoring="cmdb-1500"),
            rows_of(case),
            unsupported=case[2],
        )
        for case in CASES
    ]
    found = warehouse.execute(
        "select run_id, metric, reason, value is null from indices "
        "where report_row = 'overall' and method_id = 'metrics-md'"
    ).fetchall()
    told = {(run, metric): tuple(rest) for run, metric, *rest in found}
    for run, (*case, of_calibration, of_intelligence) in zip(runs, CASES, strict=True):
        expected = {"calibration": of_calibration, "intelligence": of_intelligence}
        for metric, reason in expected.items():
            assert told[run, metric] == (reason, reason is not None), (metric, case)


def test_the_view_of_a_metric_is_of_that_metric_alone(warehouse: Connection):
    """Asked of those whose view is the mean of their terms, and nothing more."""
    name = add_benchmark(warehouse, [*WHOLE, SET], scoring="cmdb-1500")
    add_run(warehouse, name, list(STATED.values()))
    metrics = [each.name for each in REGISTRY if each.is_from_means]
    assert {"brier", "nll", "rps", "ordinal_mae"} <= set(metrics)
    for metric in metrics:
        found = warehouse.execute(f"select distinct metric from metric_{metric}")
        assert found.fetchall() == [(metric,)]


def test_a_set_that_was_not_answered_counts_nothing(warehouse: Connection):
    """One of three is right: F1 is 1, 0 of an error, and 0 of what is missing."""
    items = [{**SET, "item_id": each} for each in ("m", "e", "x")]
    name = add_benchmark(warehouse, items, scoring="cmdb-1500")
    run = add_run(warehouse, name, [STATED["m"], {"item_id": "e", "status": "error"}])
    found = warehouse.execute(
        f"select item_id, f1, is_right from scored where run_id = '{run}' order by 1"
    ).fetchall()
    assert found == [("e", 0.0, False), ("m", 1.0, True), ("x", 0.0, False)]
