"""The oracle against every value of SCORING.md section 8, before it judges others."""

from __future__ import annotations

import oracle
import pytest
import worked

METHODS = ("metrics-md", "jevbench-v1.5", "jevbench-v1.5-frozen")
CLOSE = {"rel": 0, "abs": 1e-12}
KINDS = ("choice", "noul", "score")


@pytest.mark.parametrize("case", worked.CASES, ids=lambda case: case.name)
def test_worked_case(case: worked.Case):
    found = oracle.report("generic", case.items, case.predictions)["overall"]
    for key, expected in case.expected.items():
        value = found[key]
        if isinstance(expected, str):
            assert (value.value, value.reason) == (None, expected), key
        else:
            assert value.value == pytest.approx(expected, **CLOSE), key


@pytest.mark.parametrize(
    "row", worked.REAL_ROWS, ids=lambda r: f"{r.run} {r.report_row}"
)
@pytest.mark.parametrize("method", METHODS)
def test_real_run(row: worked.RealRow, method: str):
    found = worked.real_report(row.run, method)[row.report_row]
    assert found["accuracy", "all"].value == row.n_correct / row.n
    for kind, ece in zip(KINDS, row.ece, strict=True):
        assert found["ece", kind].value == pytest.approx(ece, **CLOSE)
    assert found["rps", "score"].value == pytest.approx(row.rps, **CLOSE)
    intelligence = found["intelligence", "all"]
    assert intelligence.value == pytest.approx(row.intelligence[method], **CLOSE)
    assert found["tvd", "all"][::3] == (None, "no_reference")
    assert found["calibration", "all"][::3] == (None, "no_reference")


@pytest.mark.parametrize(("key", "ece"), worked.PUBLISHED_ECE_ALL.items())
def test_published_ece_over_all_types(key: tuple[str, str], ece: float):
    run, report_row = key
    predictions = worked.real_predictions(run)
    table = oracle.report("jevbench", worked.real_items(), predictions)
    assert table[report_row]["ece", "all"].value == pytest.approx(ece, **CLOSE)


def test_published_values_of_the_hard_tier():
    published = worked.published("de-1")["hard"]
    predictions = worked.real_predictions("de-1")
    found = oracle.report("jevbench", worked.real_items(), predictions)["hard_111"]
    brier, mae = found["brier", "all"].value, found["ordinal_mae", "score"].value
    assert brier == pytest.approx(published["brier_mean"], **CLOSE)
    assert mae == pytest.approx(published["ordinal_mae"], **CLOSE)
