"""The benchmark of the report compares like with like: three ways, the same numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import rows_of

from benchmarks import score_numpy, score_python
from benchmarks.score import ITEMS, PREDICTIONS
from benchmarks.world import build
from jevdb.warehouse.database import open_reader

BOTH = {
    "accuracy": "accuracy all",
    "intelligence": "intelligence",
    "calibration": "calibration",
    "ece_choice": "ece choice",
    "ece_noul": "ece noul",
    "ece_score": "ece score",
    "ece_pooled": "ece pooled",
    "tvd": "tvd",
    "rps": "rps",
    "coverage": "coverage",
}
METHODS = ("--method", "metrics-md", "--method", "jevbench-v1.5")
RUNS = 2


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    build(folder / "world.duckdb", RUNS)
    with open_reader(folder / "world.duckdb", outward=True) as connection:
        for name, query in (("items", ITEMS), ("predictions", PREDICTIONS)):
            for kind in ("parquet", "json"):
                connection.execute(f"copy ({query}) to '{folder / name}.{kind}'")
    return folder


def test_plain_python_gives_every_number_of_the_report(world: Path):
    found = score_python.main(
        str(world / "items.json"), str(world / "predictions.json")
    )
    theirs = {(r["run_id"], r["report_row"], r["method_id"]): r for r in found}
    ours = rows_of(world / "world.duckdb", "report", *METHODS)
    assert len(ours) == len(theirs) == RUNS * 3 * 2
    for row in ours:
        other = theirs[row["run_id"], row["report_row"], row["method_id"]]
        for name, their_name in BOTH.items():
            expected = other[their_name]
            if expected is not None:
                expected = pytest.approx(expected, rel=1e-12)
            assert row[name] == expected, name


def test_numpy_gives_the_numbers_of_one_method(world: Path):
    found = score_numpy.main(
        str(world / "items.parquet"), str(world / "predictions.parquet")
    )
    names = {**BOTH, "accuracy": "accuracy"}
    for row in rows_of(world / "world.duckdb", "report", *METHODS[:2]):
        for name, their_name in names.items():
            values = found.get(f"{row['report_row']} {their_name}")
            if row[name] is not None:
                assert values is not None, name
                # Runs in the order in which numpy met them.
                assert min(abs(values - row[name])) < 1e-12 * max(1, abs(row[name]))
