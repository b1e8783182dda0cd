"""The real JevBench runs, through ingest and SQL: SCORING.md section 8, and the
aggregates their authors published."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import compare
import pytest
import worked
from building import open_to_fill
from making import copied

from jevdb.base.connection import Connection
from jevdb.ingest import ItemsOptions, Model, RunOptions, ingest_items, ingest_run

BENCHMARK = "jevbench-public-231"
METHODS = ("metrics-md", "jevbench-v1.5", "jevbench-v1.5-frozen")
CLOSE = {"rel": 0, "abs": 1e-12}
ROUNDED = {"rel": 0, "abs": 0.0005}
KINDS = ("choice", "noul", "score")
Tables = dict[tuple[str, str], compare.Table]
DE_1 = worked.published("de-1")
GAVEL = worked.published("gavel-decide-4b")


@pytest.fixture(scope="module")
def real(
    template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Connection, dict[str, str]]]:
    """A warehouse with both runs, ingested from their files, and their ids."""
    path = tmp_path_factory.mktemp("real") / "warehouse.duckdb"
    copied(template, path)
    items = worked.JEVBENCH / "public_231.items.jsonl"
    with open_to_fill(path) as connection:
        ingest_items(connection, [items], ItemsOptions(BENCHMARK))
        runs = {}
        for name, files in worked.RUN_FILES.items():
            paths = [worked.JEVBENCH / file for file in files]
            options = RunOptions(BENCHMARK, Model(name))
            runs[name] = ingest_run(connection, paths, options).run_id
        yield connection, runs


@pytest.fixture(scope="module")
def tables(real: tuple[Connection, dict[str, str]]) -> Tables:
    """Run name and method -> every metric."""
    connection, runs = real
    found = compare.sql_reports(connection, list(runs.values()))
    return {
        (name, method): found[run_id, method]
        for name, run_id in runs.items()
        for method in METHODS
    }


@pytest.fixture(scope="module")
def by_tier(real: tuple[Connection, dict[str, str]]) -> Tables:
    connection, runs = real
    found = compare.sql_reports(connection, list(runs.values()), by="tier")
    return {(name, "metrics-md"): found[id, "metrics-md"] for name, id in runs.items()}


@pytest.fixture(scope="module")
def by_family(real: tuple[Connection, dict[str, str]]) -> compare.Table:
    connection, runs = real
    run_id = runs["de-1"]
    return compare.sql_reports(connection, [run_id], by="family")[run_id, "metrics-md"]


@pytest.mark.parametrize(
    "row", worked.REAL_ROWS, ids=lambda r: f"{r.run} {r.report_row}"
)
@pytest.mark.parametrize("method", METHODS)
def test_table_of_real_runs(tables: Tables, row: worked.RealRow, method: str):
    found = tables[row.run, method][row.report_row]
    assert found["accuracy", "all"] == (row.n_correct / row.n, row.n, row.n, None)
    for kind, ece in zip(KINDS, row.ece, strict=True):
        assert found["ece", kind].value == pytest.approx(ece, **CLOSE)
    assert found["rps", "score"].value == pytest.approx(row.rps, **CLOSE)
    intelligence = found["intelligence", "all"]
    assert intelligence.value == pytest.approx(row.intelligence[method], **CLOSE)
    assert intelligence.n == row.n


def test_tvd_and_c_say_that_there_is_no_reference(tables: Tables):
    for table in tables.values():
        for report_row, n in (("public_231", 159), ("hard_111", 111)):
            found = table[report_row]
            assert found["tvd", "all"] == (None, 0, 0, "no_reference")
            assert found["calibration", "all"] == (None, n, n, "no_reference")


@pytest.mark.parametrize("run", worked.RUN_FILES)
@pytest.mark.parametrize("method", METHODS)
def test_every_value_is_the_oracles(tables: Tables, run: str, method: str):
    expected = worked.real_report(run, method)
    assert compare.disagreements(tables[run, method], expected) == []


@pytest.mark.parametrize(("place", "ece"), worked.PUBLISHED_ECE_ALL.items())
def test_published_ece_over_all_types(
    tables: Tables, place: tuple[str, str], ece: float
):
    run, report_row = place
    found = tables[run, "metrics-md"][report_row]["ece", "all"]
    assert found.value == pytest.approx(ece, **CLOSE)


def test_de_1_hard_tier_as_published(tables: Tables):
    found, published = tables["de-1", "metrics-md"]["hard_111"], DE_1["hard"]
    for key, name in {
        ("accuracy", "all"): "accuracy",
        ("brier", "all"): "brier_mean",
        ("ece", "all"): "ece",
        ("ordinal_mae", "score"): "ordinal_mae",
    }.items():
        assert found[key].value == pytest.approx(published[name], **CLOSE), name


@pytest.mark.parametrize("tier", ["easy", "standard"])
def test_de_1_other_tiers_as_published(by_tier: Tables, tier: str):
    found, published = by_tier["de-1", "metrics-md"][f"public_231/{tier}"], DE_1[tier]
    accuracy = found["accuracy", "all"]
    assert (accuracy.value * accuracy.n, accuracy.n) == (
        pytest.approx(published["n_correct"], **CLOSE),
        published["n"],
    )
    brier, ece = found["brier", "all"].value, found["ece", "all"].value
    assert brier == pytest.approx(published["brier_rounded"], **ROUNDED)
    assert ece == pytest.approx(published["ece_rounded"], **ROUNDED)


@pytest.mark.parametrize("family", DE_1["hard"]["per_family"])
def test_de_1_families_as_published(by_family: compare.Table, family: str):
    found = by_family[f"hard_111/{family}"]
    published = DE_1["hard"]["per_family"][family]
    accuracy = found["accuracy", "all"]
    assert accuracy.n == published["n"]
    assert accuracy.value == published["n_correct"] / published["n"]
    assert found["ece", "all"].value == pytest.approx(published["ece"], **CLOSE)
    assert found["brier", "all"].value == pytest.approx(
        published["brier_mean"], **CLOSE
    )
    mae = found["ordinal_mae", "score"].value
    if published["ordinal_mae"] is None:
        assert mae is None
    else:
        assert mae == pytest.approx(published["ordinal_mae"], **CLOSE)


def test_de_1_bins_as_published(real: tuple[Connection, dict[str, str]]):
    connection, runs = real
    bins = connection.execute(
        "select lower, n, mean_stated, share_true from report_bins where run_id = $run "
        "and report_row = 'hard_111' and kind = 'all' and method_id = 'metrics-md' "
        "order by bin",
        {"run": runs["de-1"]},
    ).fetchall()
    assert len(bins) == 10
    filled = [row for row in bins if row[1]]
    for row, published in zip(filled, DE_1["hard"]["ece_bins"], strict=True):
        names = ("lo", "n", "mean_confidence", "accuracy")
        assert row == pytest.approx([published[name] for name in names], **CLOSE)


@pytest.mark.parametrize(
    ("tier", "n_correct", "n"),
    [("easy", 44, 48), ("standard", 53, 72), ("hard", 76, 111)],
)
def test_gavel_by_tier(by_tier: Tables, tier: str, n_correct: int, n: int):
    found = by_tier["gavel-decide-4b", "metrics-md"][f"public_231/{tier}"]
    assert found["accuracy", "all"] == (n_correct / n, n, n, None)
    published = GAVEL["axes"]["tier_accuracy"][tier]
    assert found["accuracy", "all"].value == published


@pytest.mark.parametrize(
    ("kind", "n_correct", "n"),
    [("choice", 107, 139), ("noul", 63, 74), ("score", 3, 18)],
)
def test_gavel_by_type(tables: Tables, kind: str, n_correct: int, n: int):
    found = tables["gavel-decide-4b", "metrics-md"]["public_231"]
    assert found["accuracy", kind] == (n_correct / n, n, n, None)
    published = GAVEL["by_type_and_tier_regrade"]["by_type"][kind]
    assert published == {"correct": n_correct, "n": n}


def test_gavel_hard_ece_as_published(tables: Tables):
    found = tables["gavel-decide-4b", "metrics-md"]["hard_111"]["ece", "all"]
    assert found.value == pytest.approx(GAVEL["axes"]["hard_binned_ece"], **CLOSE)
