"""A parameter that takes a few words refuses others, and names the near one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commandline import fill

import jevdb


@pytest.fixture
def warehouse(warehouse_path: Path) -> jevdb.Warehouse:
    fill(warehouse_path)
    return jevdb.open(warehouse_path, read_only=False)


Call = Callable[[Any], object]
MISTYPED: dict[str, tuple[Call, str]] = {
    "compare cohort": (lambda w: w.compare("first", "third", cohort="shard"), "shared"),
    "compare by": (lambda w: w.compare("first", "x", break_down="teir"), "tier"),
    "compare modality": (lambda w: w.compare("first", "x", modality="txt"), "text"),
    "items cohort": (lambda w: w.compare_items("a", "b", cohort="own_"), "own"),
    "board cohort": (lambda w: w.leaderboard("small", cohort="strct"), "strict"),
    "report by": (lambda w: w.report("first", by="familly"), "family"),
    "metrics by": (lambda w: w.metrics("first", by="domian"), "domain"),
    "kinds": (lambda w: w.calibration("first", kinds=["choise"]), "choice"),
    "plot kinds": (lambda w: w.plot_reliability("first", kinds=["nool"]), "noul"),
    "plot by": (lambda w: w.plot_profile("first", by=["famly"]), "family"),
    "risk kind": (lambda w: w.plot_risk_coverage("first", kind="scor"), "score"),
    "foreign": (lambda w: list(w.export_foreign("hff")), "hf"),
    "on_duplicate": (
        lambda w: w.ingest_run([], benchmark="small", model="m", on_duplicate="lst"),
        "last",
    ),
}


@pytest.mark.parametrize(("call", "near"), MISTYPED.values(), ids=MISTYPED)
def test_a_mistyped_word_is_refused(warehouse: jevdb.Warehouse, call: Call, near: str):
    with pytest.raises(jevdb.UsageError) as refused:
        call(warehouse)
    assert "is none of" in str(refused.value)
    assert f"did you mean '{near}'?" in str(refused.value)


def test_what_is_no_word_at_all_is_refused(warehouse: Any):
    with pytest.raises(jevdb.UsageError, match="by is a word, not 3"):
        warehouse.report("first", by=3)


def test_one_run_is_no_comparison(warehouse: jevdb.Warehouse):
    with pytest.raises(jevdb.UsageError, match="name two runs or more"):
        warehouse.compare("first")
