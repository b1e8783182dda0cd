"""A replicate is what the SQL says of the items it drew, for every metric."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import oracle
import pytest
import strategies
from building import add_benchmark, add_run, open_to_fill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jevdb.base.connection import Connection
from jevdb.comparison.bootstrap import bootstrap, replicated
from jevdb.comparison.replicates import METRICS, TALLIES_OF
from jevdb.comparison.tallying import COUNTS, UNITS, tally
from jevdb.numerics.resampling import REPLICATES, resample_digest, resampled
from jevdb.scoring.keys import Key
from jevdb.scoring.selection import Selection, selected
from jevdb.scoring.terms import read_terms

TOLERANCE = 1e-12
RELATIVE = 1e-13
EXAMPLES = settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
NUMBERS = (
    "select run_id, report_row, method_id, metric, kind, value from report_metrics"
)
Numbers = dict[tuple[str, Key], float | None]


def sql_numbers(connection: Connection) -> Numbers:
    """The numbers of the metrics that are replicated."""
    rows = connection.execute(NUMBERS).fetchall()
    numbers = {(run_id, Key(*key)): value for run_id, *key, value in rows}
    return {place: numbers[place] for place in numbers if place[1].metric in METRICS}


def weighted_numbers(
    connection: Connection, weights: list[int], items: list[str]
) -> Numbers:
    """The numbers of one replicate that draws each of *items* so many times."""
    drawn = dict(zip(items, weights, strict=True))
    found: Numbers = {}
    for terms in read_terms(connection):
        row = [drawn[item_id] for item_id in terms.items.item_ids]
        values = replicated(
            terms, np.array([row]), list(METRICS), terms.items.report_rows
        )
        for key, value in values.items():
            for run_id, number in zip(terms.run_ids, value[:, 0].tolist(), strict=True):
                found[run_id, key] = None if math.isnan(number) else number
    return found


def assert_same(found: Numbers, expected: Numbers) -> None:
    for place, value in expected.items():
        number = found.get(place)
        if value is None:
            assert number is None, place
        else:
            allowed = TOLERANCE + RELATIVE * abs(value)
            assert number is not None and abs(number - value) <= allowed, place
    assert {place for place, value in found.items() if value is not None} <= set(
        expected
    )


class Drawn(NamedTuple):
    """A benchmark, two runs over it, and how often some replicates draw each item."""

    items: list[dict[str, Any]]
    runs: list[strategies.Case]
    replicates: list[list[int]]


@st.composite
def drawn(draw: st.DrawFn, scoring: str) -> Drawn:
    """One of the runs may lack types.

    A generic benchmark's rules look at all of its items: each is drawn at least once.
    """
    case = draw(strategies.cases(scoring))
    rows = [draw(strategies.predictions(item)) for item in case.items]
    other = strategies.Case(case.items, [row for row in rows if row], [])
    times = st.integers(1 if scoring == "generic" else 0, 3)
    weights = st.lists(times, min_size=len(case.items), max_size=len(case.items))
    replicates = draw(st.lists(weights, min_size=2, max_size=2))
    return Drawn(case.items, [case, other], [[1] * len(case.items), *replicates])


def store(connection: Connection, scoring: str, items, runs) -> list[str]:
    benchmark = add_benchmark(connection, items, scoring=scoring)
    return [
        add_run(connection, benchmark, run.predictions, unsupported=run.unsupported)
        for run in runs
    ]


def store_copies(
    connection: Connection, scoring: str, example: Drawn, weights: list[int]
) -> list[str]:
    """Store the benchmark with each item so many times, and the runs over it."""
    times = {item["item_id"]: n for item, n in zip(example.items, weights, strict=True)}
    runs = [
        strategies.Case([], copied(run.predictions, times), run.unsupported)
        for run in example.runs
    ]
    return store(connection, scoring, copied(example.items, times), runs)


def copied(rows: list[dict[str, Any]], times: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {**row, "item_id": f"{row['item_id']} copy {copy}"}
        for row in rows
        for copy in range(times[row["item_id"]])
    ]


@pytest.mark.parametrize(
    "scoring",
    [
        *("jevbench", "generic"),
        pytest.param("cmdb-1500", marks=pytest.mark.long),
        pytest.param("decision-bench", marks=pytest.mark.long),
    ],
)
@EXAMPLES
@given(data=st.data())
def test_a_replicate_is_the_sql_over_the_items_it_drew(
    warehouse: Connection, scoring: str, data: st.DataObject
):
    """Weights equal the SQL over a benchmark that holds each item so many times.

    Weights of one are the benchmark itself; an item drawn 0 times is not there, which
    makes nulls of every kind.
    """
    examples = data.draw(st.lists(drawn(scoring), min_size=2, max_size=2))
    pairs = []
    for example in examples:
        run_ids = store(warehouse, scoring, example.items, example.runs)
        names = [item["item_id"] for item in example.items]
        with selected(warehouse, Selection(run_ids=run_ids)):
            found = [
                weighted_numbers(warehouse, weights, names)
                for weights in example.replicates
            ]
        for weights, numbers in zip(example.replicates, found, strict=True):
            copies = store_copies(warehouse, scoring, example, weights)
            pairs.append((numbers, dict(zip(copies, run_ids, strict=True))))
    everywhere = [run_id for _, copies in pairs for run_id in copies]
    with selected(warehouse, Selection(run_ids=everywhere)):
        numbers_of_sql = sql_numbers(warehouse)
    for numbers, copies in pairs:
        expected = {
            (copies[run_id], key): value
            for (run_id, key), value in numbers_of_sql.items()
            if run_id in copies
        }
        assert_same(numbers, expected)


def test_tallies_of_one_are_the_sqls_to_the_bit(warehouse: Connection):
    """Thirds and sevenths, whose units need all 53 bits."""
    items = [
        {
            "item_id": f"{kind} {i:02d}",
            "type": kind,
            "options": ["no", "yes"] if kind == "noul" else ["a", "b", "c"],
            "gold": {"noul": "yes", "score": i % 3}.get(kind, "abc"[i % 3]),
            "reference": None if kind == "score" or i % 2 else [1 / 3] * 3,
        }
        for kind in ("choice", "score")
        for i in range(40)
    ]
    rows = [
        {
            "item_id": item["item_id"],
            "probabilities": [(1 + i) / (7 + i), 3 / (7 + i), 3 / (7 + i)],
        }
        for i, item in enumerate(items)
    ]
    [run_id] = store(warehouse, "cmdb-1500", items, [strategies.Case([], rows, [])])
    with selected(warehouse, Selection(run_ids=[run_id], methods=["metrics-md"])):
        [terms] = read_terms(warehouse)
        ones = np.ones((1, len(items)), dtype=np.int64)
        tallies = tally(terms, ones, slice(None), [*COUNTS, *UNITS, "top", "yes"])
        compared = 0
        for found in tallies:
            name = terms.items.item_ids[found.stratum.items[0]]
            expected = sql_tallies(warehouse, name)
            for term, value in expected.items():
                assert found.sums.get(term, np.zeros((1, 1)))[0, 0] == value, term
                compared += value != 0
        assert compared > 20


def sql_tallies(connection: Connection, stratum: str) -> dict[str, float]:
    """A stratum's tallies, units divided by 2^53 as mean_of_units does."""
    sums = {
        name: name if name.startswith("sum_") else f"{name}_units" for name in UNITS
    }
    parts = [f"mean_of_units({sums[name]}, 1) as {name}" for name in UNITS]
    columns = ", ".join([*COUNTS, *parts])
    connection.execute(f"select {columns} from tallies where stratum = ?", [stratum])
    names = [column[0] for column in connection.description or ()]
    [row] = connection.fetchall()
    found = {n: v for n, v in zip(names, row, strict=True) if v is not None}
    gaps = connection.execute(
        "select basis || ' ' || bin, cast(stated_units - n_true * 9007199254740992 "
        "as double) / 9007199254740992e0 from bins where stratum = ?",
        [stratum],
    ).fetchall()
    return found | dict(gaps)


def three_runs(connection: Connection) -> list[str]:
    items = [
        {
            "item_id": f"item {i:03d}",
            "type": ("choice", "noul", "score")[i % 3],
            "modality": ("text", "image")[i % 2],
            "options": ["no", "yes"] if i % 3 == 1 else ["a", "b", "c"],
            "gold": {1: "yes", 2: 1}.get(i % 3, "a"),
        }
        for i in range(90)
    ]
    runs = []
    for shift in range(3):
        rows = []
        for i, item in enumerate(items):
            k = len(item["options"])
            weights = [1 + (i * (shift + 3) + 7 * place) % 11 for place in range(k)]
            stated = [weight / sum(weights) for weight in weights]
            rows.append({"item_id": item["item_id"], "probabilities": stated})
        runs.append(strategies.Case([], rows, []))
    return store(connection, "cmdb-1500", items, runs)


def test_bootstrap_shares_one_resample_within_type_tier_and_modality(
    warehouse: Connection,
):
    run_ids = three_runs(warehouse)
    with selected(warehouse, Selection(run_ids=run_ids, methods=["metrics-md"])):
        found = bootstrap(warehouse)
    assert found.run_ids == sorted(run_ids)
    assert all(v.shape == (3, REPLICATES) for v in found.values.values())
    blocks = [(i % 3, i % 2) for i in range(90)]
    assert found.resample_sha256 == resample_digest(resampled(blocks))
    accuracy = Key("overall", "metrics-md", "accuracy", "all")
    interval = found.difference(accuracy, run_ids[0], run_ids[0])
    assert interval == (0.0, 0.0, 0, 0.0)
    assert found.interval(accuracy._replace(kind="multi_select"), run_ids[0]) is None


OF_BOARDS = {"jevals-0.1", "s1mb-1"}
"""Methods that the oracle leaves to the tests of their boards."""


def test_asking_for_less_changes_nothing(warehouse: Connection):
    run_ids = three_runs(warehouse)
    with selected(warehouse, Selection(run_ids=run_ids)):
        everything = bootstrap(warehouse).values
        part = bootstrap(
            warehouse, metrics=["calibration"], rows=lambda items: ["text"]
        ).values
    assert {key.report_row for key in part} == {"text"}
    assert {key.method_id for key in part} == set(oracle.METHODS) | OF_BOARDS
    for key, value in part.items():
        assert np.array_equal(value, everything[key], equal_nan=True)


def test_every_metric_says_what_it_is_computed_from():
    assert list(TALLIES_OF) == list(METRICS)


def test_null_replicates_have_no_value(warehouse: Connection):
    """One item of two has a reference: a quarter of the resamples lack it."""
    items = [
        {
            **{"item_id": str(i), "type": "choice", "options": ["a", "b"], "gold": "a"},
            "reference": [0.5, 0.5] if i else None,
        }
        for i in range(2)
    ]
    rows = [{"item_id": str(i), "probabilities": [0.75, 0.25]} for i in range(2)]
    run_ids = store(warehouse, "cmdb-1500", items, [strategies.Case([], rows, [])])
    with selected(warehouse, Selection(run_ids=run_ids, methods=["metrics-md"])):
        found = bootstrap(warehouse)
    for metric in ("tvd", "calibration"):
        interval = found.interval(Key("overall", "metrics-md", metric, "all"), *run_ids)
        assert interval is not None
        assert interval.n_null == pytest.approx(REPLICATES / 4, abs=100)
        assert None not in interval


SCRIPT = """
import hashlib, sys
from pathlib import Path
from jevdb.comparison.bootstrap import bootstrap
from jevdb.warehouse.database import open_reader
from jevdb.scoring.selection import Selection, selected
with open_reader(Path(sys.argv[1])) as connection:
    with selected(connection, Selection()):
        found = bootstrap(connection)
digest = hashlib.sha256(found.resample_sha256.encode())
for key in sorted(found.values):
    digest.update(found.values[key].tobytes())
print(digest.hexdigest())
"""


def test_same_bits_on_any_number_of_threads(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        three_runs(connection)
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(warehouse_path)],
            env={
                **os.environ,
                "OPENBLAS_NUM_THREADS": threads,
                "OMP_NUM_THREADS": threads,
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(digests) == 1
