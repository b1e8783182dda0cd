"""`jevdb demo`: the whole story, twice."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from commandline import jevdb
from typer.testing import Result

from jevdb.demonstration.demo import QUERIES
from jevdb.warehouse.database import open_reader

FILES = {"demo.duckdb", "evaluation_results.json", "RESULTS.md"}


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The folder of a demo in a place that --db does not name, and its output."""
    folder = tmp_path_factory.mktemp("demo") / "new" / "folder"
    return folder, jevdb(folder.parent / "other.duckdb", "demo", str(folder))


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
    }


def counts(folder: Path) -> list[tuple[str, int]]:
    with open_reader(folder / "demo.duckdb") as connection:
        tables = connection.execute(
            "select table_name from duckdb_tables() order by 1"
        ).fetchall()
        return [
            (name, connection.execute(f"select count(*) from {name}").fetchall()[0][0])
            for (name,) in tables
        ]


def test_demo_writes_three_files_and_no_other_warehouse(story: tuple[Path, Result]):
    folder, result = story
    assert result.exit_code == 0, result.output
    assert {path.name for path in folder.iterdir()} == FILES
    assert not (folder.parent / "other.duckdb").exists()


def test_report_is_data_and_progress_is_words(story: tuple[Path, Result]):
    _, result = story
    # SCORING.md section 8: I of DE-1 on public_231 by the two methods of the report.
    for text in ("metrics-md", "71.24", "jevbench-v1.5", "60.82", "synthetic-bold"):
        assert text in result.stdout
    assert result.stdout.rstrip().endswith(QUERIES[-1] + '"')
    assert "stored" in result.stderr and "stored" not in result.stdout


def test_exports_hold_the_five_runs(story: tuple[Path, Result]):
    folder, _ = story
    results = json.loads((folder / "evaluation_results.json").read_text("utf-8"))
    runs = [(run["benchmark_id"], run["model"]["name"]) for run in results["runs"]]
    assert runs == [
        ("cmdb-1500-synthetic", "synthetic-bold"),
        ("cmdb-1500-synthetic", "synthetic-steady"),
        ("cmdb-1500-synthetic", "synthetic-terse"),
        ("jevbench-public-231", "de-1"),
        ("jevbench-public-231", "gavel-decide-4b"),
    ]
    assert "71.24" in (folder / "RESULTS.md").read_text("utf-8")


def test_a_second_run_changes_nothing(story: tuple[Path, Result]):
    folder, first = story
    before, rows = digests(folder), counts(folder)
    second = jevdb(Path("unused.duckdb"), "demo", str(folder))
    assert (second.exit_code, second.stdout) == (0, first.stdout)
    assert (digests(folder), counts(folder)) == (before, rows)


@pytest.mark.parametrize("query", QUERIES, ids=["results", "wrong", "reliability"])
def test_queries_to_try(story: tuple[Path, Result], query: str):
    folder, result = story
    assert query in result.stdout
    answer = jevdb(folder / "demo.duckdb", "sql", query, "--format", "json")
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)


def test_a_folder_that_cannot_be_made_is_one_message(tmp_path: Path):
    (tmp_path / "file").write_text("")
    result = jevdb(tmp_path / "w.duckdb", "demo", str(tmp_path / "file" / "demo"))
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ") and "Traceback" not in result.output
