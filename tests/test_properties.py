"""SQL against the oracle on random benchmarks, and the laws every metric obeys."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import compare
import oracle
import pytest
import strategies
from conftest import add_benchmark, add_run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jevdb.database import Connection, open_writer

EXAMPLES = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture(scope="module")
def shared(
    template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connection]:
    """One warehouse for all examples: each adds a benchmark and a run of its own."""
    path = tmp_path_factory.mktemp("properties") / "warehouse.duckdb"
    shutil.copyfile(template, path)
    with open_writer(path) as connection:
        yield connection


def store(connection: Connection, scoring: str, case: strategies.Case) -> str:
    """Store a case and return its run."""
    benchmark = add_benchmark(connection, case.items, scoring=scoring)
    return add_run(
        connection, benchmark, case.predictions, unsupported=case.unsupported
    )


@pytest.mark.parametrize("scoring", strategies.SCORINGS)
@EXAMPLES
@given(data=st.data())
def test_sql_agrees_with_the_oracle(
    shared: Connection, scoring: str, data: st.DataObject
):
    # Several at once: a report costs the same for five small runs as for one.
    cases = data.draw(st.lists(strategies.cases(scoring), min_size=1, max_size=5))
    runs = [store(shared, scoring, case) for case in cases]
    found = compare.sql_reports(shared, runs)
    for run, case in zip(runs, cases, strict=True):
        for method in oracle.METHODS:
            expected = oracle.report(
                scoring,
                case.items,
                case.predictions,
                method=method,
                unsupported=case.unsupported,
            )
            assert compare.disagreements(found[run, method], expected) == []
