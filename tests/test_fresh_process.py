"""Views are pure SQL: written by one process, read by others that know no jevdb."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from jevdb.warehouse.sqlfiles import program

VIEW_ITEMS = [item for item in program() if item.kind == "view"]
VIEWS = [item.name for item in VIEW_ITEMS]
PARTS = {
    item.name
    for item in VIEW_ITEMS
    if item.layer == "metrics" and len(item.read_names & set(VIEWS)) == 1
}
"""The metrics that show some rows of a view that shows several."""
READER = """
import json, sys
import duckdb

connection = duckdb.connect(sys.argv[1], read_only=True)
connection.execute("set enable_progress_bar = false")
counts = {
    view: connection.execute(f'select count(*) from (from "{view}")').fetchall()[0][0]
    for view in json.loads(sys.argv[2])
}
assert not [name for name in sys.modules if name.split(".")[0] in ("jevdb", "numpy")]
print(json.dumps(counts))
"""
DUCKDB_CLI = Path(sys.executable).with_name("duckdb")


def duckdb_cli(path: Path, query: str) -> list[dict[str, object]]:
    command = [str(DUCKDB_CLI), "-readonly", "-json", str(path), "-c", query]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout or "[]"))


def counted(path: Path, views: Sequence[str]) -> dict[str, int]:
    """Return the rows of views, as a process that imports only duckdb counts them."""
    command = [sys.executable, "-I", "-c", READER, str(path), json.dumps(views)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize(
    "views",
    [
        pytest.param([name for name in VIEWS if name not in PARTS], id="but parts"),
        pytest.param(VIEWS, id="all", marks=pytest.mark.long),
    ],
)
def test_every_view_is_read_with_duckdb_alone(demo_path: Path, views: Sequence[str]):
    assert len(PARTS) < len(VIEWS) / 4
    counts = counted(demo_path, views)
    assert counts.keys() == set(views)
    # Two runs with 2 report rows and three with 3, by five methods.
    assert counts["report"] == (2 * 2 + 3 * 3) * 5
    # ... with five kinds of ECE in ten bins each.
    assert counts["report_bins"] == counts["report"] * 5 * 10
    assert counts["golden_items"] == 231 + 1500
    assert counts["scored"] == 2 * 231 + 3 * 1500
    checks = [item.name for item in program() if item.layer == "checks"]
    assert {name: counts[name] for name in checks} == dict.fromkeys(checks, 0)


OF_EACH_LAYER = sorted({item.layer: item.name for item in VIEW_ITEMS}.values())


@pytest.mark.parametrize(
    "views",
    [
        pytest.param(OF_EACH_LAYER, id="one of each layer"),
        pytest.param(VIEWS, id="all", marks=pytest.mark.long),
    ],
)
def test_views_are_read_by_the_command_line_client(
    demo_path: Path, views: Sequence[str]
):
    query = " union all ".join(
        f"select '{view}' as name, (select count(*) from \"{view}\") as n"
        for view in views
    )
    found = {str(row["name"]): row["n"] for row in duckdb_cli(demo_path, query)}
    assert found == counted(demo_path, views)


def test_the_number_is_the_same_one(demo_path: Path):
    rows = duckdb_cli(
        demo_path,
        "select cast(intelligence as varchar) as i from report where model = 'de-1' "
        "and report_row = 'public_231' and method_id = 'metrics-md'",
    )
    # SCORING.md section 8.
    assert float(str(rows[0]["i"])) == pytest.approx(
        71.23820749227346, rel=0, abs=1e-12
    )


def test_views_and_macros_tell_what_they_are(demo_path: Path):
    rows = duckdb_cli(
        demo_path,
        "select view_name from duckdb_views() where not internal and comment is null "
        "union all select function_name from duckdb_functions() "
        "where not internal and macro_definition is not null and comment is null",
    )
    assert rows == []
