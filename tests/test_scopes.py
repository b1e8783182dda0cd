"""The counts of METRICS.md and SCORING.md section 6, on real and made-up items."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import strategies
import worked
from building import add_benchmark

from jevdb.base.connection import Connection
from jevdb.warehouse.database import open_reader

CMDB = "cmdb-1500-synthetic"
JEVBENCH = "jevbench-public-231"

# Subset -> items. ece_choice is METRICS.md's "CMDB uses all-choice ECE within each
# scope": 1,234 pooled less the noul items, which are all text.
N_NOUL = 314
CMDB_COUNTS = {
    "overall": {
        "all": 1500,
        "index": 1400,
        "ece_choice": 1234 - N_NOUL,
        "ece_noul": N_NOUL,
        "ece_score": 166,
        "pooled": 1234,
        "tvd": 67,
        "rps": 166,
        "multi_select": 100,
    },
    "text": {
        "all": 1200,
        "index": 1100,
        "ece_choice": 934 - N_NOUL,
        "ece_noul": N_NOUL,
        "ece_score": 166,
        "pooled": 934,
        "tvd": 47,
        "rps": 166,
        "multi_select": 100,
    },
    "image": {
        "all": 300,
        "index": 300,
        "ece_choice": 300,
        "pooled": 300,
        "tvd": 20,
    },
}
# The copy of the items that ships has no reference distributions: no tvd.
JEVBENCH_COUNTS = {
    "public_231": {
        "all": 231,
        "index": 139 + 74 + 18,
        "ece_choice": 67,
        "ece_noul": 74,
        "ece_score": 18,
        "pooled": 139 + 74,
        "rps": 18,
    },
    "hard_111": {
        "all": 111,
        "index": 67 + 38 + 6,
        "ece_choice": 67,
        "ece_noul": 38,
        "ece_score": 6,
        "pooled": 67 + 38,
        "rps": 6,
    },
}


@pytest.fixture(scope="module")
def demo(demo_path: Path) -> Iterator[Connection]:
    with open_reader(demo_path) as connection:
        yield connection


def counts(connection: Connection, benchmark: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for report_row, subset, n, distinct in connection.execute(
        "select report_row, subset, count(*), count(distinct item_id) from scopes "
        "where benchmark_id = $benchmark group by all",
        {"benchmark": benchmark},
    ).fetchall():
        assert n == distinct, "an item is in a subset once"
        found.setdefault(report_row, {})[subset] = n
    return found


@pytest.mark.parametrize(
    ("benchmark", "expected"), [(CMDB, CMDB_COUNTS), (JEVBENCH, JEVBENCH_COUNTS)]
)
def test_counts_of_metrics_md(
    demo: Connection, benchmark: str, expected: dict[str, dict[str, int]]
):
    assert counts(demo, benchmark) == expected


def test_types_of_the_index(demo: Connection):
    types = demo.execute(
        "select report_row, type, count(*) from scopes "
        "join items using (benchmark_id, item_id) "
        f"where subset = 'index' and benchmark_id = '{JEVBENCH}' group by all"
    ).fetchall()
    assert sorted(types) == [
        ("hard_111", "choice", 67),
        ("hard_111", "noul", 38),
        ("hard_111", "score", 6),
        ("public_231", "choice", 139),
        ("public_231", "noul", 74),
        ("public_231", "score", 18),
    ]
    images = demo.execute(
        "select distinct type from scopes join items using (benchmark_id, item_id) "
        f"where report_row = 'image' and benchmark_id = '{CMDB}'"
    ).fetchall()
    assert images == [("choice",)]


def test_hard_is_inside_public_and_both_share_the_hard_choice_items(demo: Connection):
    def members(report_row: str, subset: str) -> set[str]:
        rows = demo.execute(
            "select item_id from scopes where benchmark_id = $benchmark "
            "and report_row = $report_row and subset = $subset",
            {"benchmark": JEVBENCH, "report_row": report_row, "subset": subset},
        ).fetchall()
        return {item_id for (item_id,) in rows}

    assert members("hard_111", "all") < members("public_231", "all")
    choice = members("hard_111", "ece_choice")
    assert choice == members("public_231", "ece_choice") and len(choice) == 67


def test_n_and_n_scope_of_the_report(demo: Connection):
    """The counts again where a reader meets them; synthetic-terse lacks rows."""
    found = demo.execute(
        "select metric, kind, n_scope from report_metrics "
        "join run_states using (run_id) "
        "where model = 'synthetic-terse' and report_row = 'overall' "
        "and method_id = 'metrics-md' and metric || ' ' || kind in "
        "('accuracy all', 'intelligence all', 'ece pooled', 'tvd all', 'rps score')"
    ).fetchall()
    assert sorted(found) == [
        ("accuracy", "all", 1500),
        ("ece", "pooled", 1234),
        ("intelligence", "all", 1400),
        ("rps", "score", 166),
        ("tvd", "all", 67),
    ]


def test_synthetic_counts_are_complete_and_jevbench_lacks_its_references(
    demo: Connection,
):
    marked = demo.execute(
        "select distinct benchmark_id, is_incomplete from report order by all"
    ).fetchall()
    assert marked == [(CMDB, False), (JEVBENCH, True)]


def test_jevbench_tvd_is_over_hard_choice_items_with_a_reference(warehouse: Connection):
    half = {"reference": [0.5, 0.5]}
    items = [
        worked.choice("easy choice") | half | {"tier": "easy"},
        worked.choice("hard choice") | half | {"tier": "hard"},
        worked.choice("hard without") | {"tier": "hard"},
        worked.noul("hard noul") | half | {"tier": "hard"},
    ]
    benchmark = add_benchmark(warehouse, items, scoring="jevbench")
    rows = warehouse.execute(
        "select report_row, item_id from scopes where subset = 'tvd' "
        "and benchmark_id = $benchmark order by all",
        {"benchmark": benchmark},
    ).fetchall()
    assert rows == [("hard_111", "hard choice"), ("public_231", "hard choice")]


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        ("decision-bench", {"overall": 3, "text": 1, "image_origin": 2}),
        ("generic", {"overall": 3, "text": 1, "text_rendered": 2}),
        ("cmdb-1500", {"overall": 3, "text": 1}),
    ],
)
def test_report_rows_by_modality(
    warehouse: Connection, scoring: str, expected: dict[str, int]
):
    modalities = ("text", "text_rendered", "text_rendered")
    items = [
        worked.choice(str(number)) | {"modality": modality}
        for number, modality in enumerate(modalities)
    ]
    benchmark = add_benchmark(warehouse, items, scoring=scoring)
    found = counts(warehouse, benchmark)
    assert {row: subsets["all"] for row, subsets in found.items()} == expected


def test_generic_with_one_modality_has_one_row(warehouse: Connection):
    benchmark = add_benchmark(warehouse, [worked.choice("1"), worked.noul("2")])
    assert counts(warehouse, benchmark) == {
        "overall": {
            "all": 2,
            "index": 2,
            "ece_choice": 1,
            "ece_noul": 1,
            "pooled": 2,
            # No reference at all: every choice item, against one-hot gold.
            "tvd": 1,
        }
    }


def test_every_scoring_has_a_view(warehouse: Connection):
    views = {
        name
        for (name,) in warehouse.execute(
            "select view_name from duckdb_views() where view_name like 'scope\\_%' "
            "escape '\\'"
        ).fetchall()
    }
    expected = {"scope_" + name.replace("-", "_") for name in strategies.SCORINGS}
    assert views == expected


CHOICE = {"type": "choice", "options": ["a", "b"], "gold": "a"}
NOUL = {"type": "noul", "gold": "yes"}
SCORE = {"type": "score", "options": ["l", "h"], "gold": 0}
SET = {"type": "multi_select", "options": ["a", "b"], "gold": ["a"]}
GIVEN = {"reference": [0.5, 0.5]}
EVERY_KIND = {
    "c1": {**CHOICE, **GIVEN, "tier": "hard"},
    "c2": {**CHOICE, "tier": "hard"},
    "c3": {**CHOICE, **GIVEN, "tier": "easy"},
    "n1": {**NOUL, **GIVEN, "tier": "hard"},
    "n2": {**NOUL, "tier": "easy"},
    "s1": {**SCORE, **GIVEN, "tier": "easy"},
    "m1": {**SET, "tier": "easy"},
}
ORIGINS = {
    "d1": {**CHOICE, "modality": "text"},
    "d2": {**CHOICE, **GIVEN, "modality": "text_rendered"},
    "d3": {**CHOICE, "modality": "image"},
}
BY_TYPE = {
    **{"all": "c1 c2 c3 m1 n1 n2 s1", "index": "c1 c2 c3 n1 n2 s1"},
    **{"ece_choice": "c1 c2 c3", "ece_noul": "n1 n2", "ece_score": "s1"},
    **{"pooled": "c1 c2 c3 n1 n2", "tvd": "c1 c3 n1", "rps": "s1"},
    "multi_select": "m1",
}
ALIKE = ("all", "index", "ece_choice", "pooled", "tvd")
PLACED = {
    "generic": (EVERY_KIND, {"overall": BY_TYPE}),
    "cmdb-1500": (EVERY_KIND, {"overall": BY_TYPE, "text": BY_TYPE}),
    # Only hard choice items are in choice ECE and TVD, and only choice items in TVD.
    "jevbench": (
        EVERY_KIND,
        {
            "public_231": {**BY_TYPE, "ece_choice": "c1 c2", "tvd": "c1"},
            "hard_111": {
                **{"all": "c1 c2 n1", "index": "c1 c2 n1", "ece_choice": "c1 c2"},
                **{"ece_noul": "n1", "pooled": "c1 c2 n1", "tvd": "c1"},
            },
        },
    ),
    # Everything is choice, and compared with its one-hot gold.
    "decision-bench": (
        ORIGINS,
        {
            "overall": dict.fromkeys(ALIKE, "d1 d2 d3"),
            "text": dict.fromkeys(ALIKE, "d1"),
            "image_origin": dict.fromkeys(ALIKE, "d2"),
        },
    ),
}


@pytest.mark.parametrize("scoring", PLACED)
def test_every_kind_of_item_stands_where_the_documents_say(
    warehouse: Connection, scoring: str
):
    """By hand from SCORING.md section 6; another benchmark has the same ids."""
    items, expected = PLACED[scoring]
    add_benchmark(warehouse, [{"item_id": "c1", **NOUL}, {"item_id": "d1", **NOUL}])
    listed = [{"item_id": item_id, **item} for item_id, item in items.items()]
    name = add_benchmark(warehouse, listed, scoring=scoring)
    rows = warehouse.execute(
        "select report_row, subset, string_agg(item_id, ' ' order by item_id) "
        f"from scopes where benchmark_id = '{name}' group by all"
    ).fetchall()
    found: dict[str, dict[str, str]] = {}
    for report_row, subset, there in rows:
        found.setdefault(report_row, {})[subset] = there
    assert found == expected
