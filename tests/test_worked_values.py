"""Every worked value of SCORING.md section 8, through the SQL."""

from __future__ import annotations

import compare
import pytest
import worked
from conftest import add_benchmark, add_run

from jevdb.database import Connection

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
