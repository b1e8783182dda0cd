"""`runs`, `models`, `benchmarks`, `scopes` and `methods` as lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from building import insert, next_seq, open_to_fill
from commandline import FIRST, PRIVATE, SECOND, fill, jevdb, rows_of

from jevdb.warehouse.sqlfiles import program

LISTS = [["runs"], ["models"], ["benchmarks"], ["scopes"], ["methods"]]


def named(arguments: list[str]) -> str:
    return " ".join(arguments)


@pytest.mark.parametrize(
    "arguments", [*LISTS, ["scopes", "--benchmark", "small"]], ids=named
)
@pytest.mark.parametrize("form", ["table", "markdown", "json", "jsonl", "csv"])
def test_every_list_has_every_format(
    warehouse_path: Path, arguments: list[str], form: str
):
    fill(warehouse_path)
    result = jevdb(warehouse_path, *arguments, "--format", form)
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    records = {
        "table": lines[1:],
        "markdown": lines[2:],
        "json": json.loads(result.stdout) if form == "json" else [],
        "jsonl": [json.loads(line) for line in lines] if form == "jsonl" else [],
        "csv": lines[1:],
    }[form]
    assert len(records) == len(rows_of(warehouse_path, *arguments)) > 0


@pytest.mark.parametrize("name", ["runs", "models"])
def test_an_empty_list_is_said_on_stderr(warehouse_path: Path, name: str):
    result = jevdb(warehouse_path, name, "--format", "json")
    assert result.exit_code == 0
    assert result.stdout == "[]\n"
    assert f"no {name} yet" in result.stderr


def test_runs_say_their_name_state_and_counts(warehouse_path: Path):
    fill(warehouse_path)
    first, second, third = rows_of(warehouse_path, "runs")
    assert [run["run_id"] for run in (first, second, third)] == [FIRST, SECOND, PRIVATE]
    assert (second["model"], second["revision"], second["label"]) == (
        *("se|cond", "r1", "greedy"),
    )
    assert [run["n_rows"] for run in (first, second, third)] == [4, 1, 2]
    assert [run["is_private"] for run in (first, second, third)] == [False, False, True]
    assert first["ingested_at"].endswith("Z")
    assert first["unsupported_types"] == []


def test_runs_for_people_have_short_ids_and_a_state(warehouse_path: Path):
    fill(warehouse_path)
    lines = jevdb(warehouse_path, "runs").stdout.splitlines()
    assert lines[3].split() == [
        *("3c3c3c3c3c3c", "small", "third", "2", "2", "0", "0", "0", "private")
    ]


def test_runs_of_one_benchmark(warehouse_path: Path):
    fill(warehouse_path)
    assert len(rows_of(warehouse_path, "runs", "--benchmark", "small")) == 3
    assert rows_of(warehouse_path, "runs", "--benchmark", "cmdb-1500") == []


@pytest.mark.parametrize("name", ["runs", "scopes"])
def test_an_unknown_benchmark_names_the_near_one(warehouse_path: Path, name: str):
    result = jevdb(warehouse_path, name, "--benchmark", "cmdb")
    assert result.exit_code == 2
    assert (
        result.stderr == "error: unknown benchmark 'cmdb'; did you mean 'cmdb-1500'?\n"
    )
    assert result.stdout == ""


def test_models_have_their_newest_description_and_current_runs(warehouse_path: Path):
    fill(warehouse_path)
    with open_to_fill(warehouse_path) as connection:
        seq = next_seq(connection, "run")
        described = {"model_id": "x", "name": "first", "provider": "us", "seq": seq}
        insert(
            connection, "models", [{**described, "parameters": 7, "meta": '{"a": 1}'}]
        )
    first, second, third = rows_of(warehouse_path, "models")
    assert [first["model"], first["provider"], first["n_runs"]] == ["first", "us", 1]
    assert first["meta"] == {"a": 1}
    assert first["parameters"] == 7
    assert [second["model"], second["revision"]] == ["se|cond", "r1"]
    assert third["n_runs"] == 1


def test_benchmarks_have_items_revision_and_runs(warehouse_path: Path):
    fill(warehouse_path)
    found = {row["benchmark_id"]: row for row in rows_of(warehouse_path, "benchmarks")}
    assert sorted(found) == [
        *("cmdb-1500", "decision-bench", "jevbench-public-231", "small")
    ]
    small = found["small"]
    assert [small["n_items"], small["gold_revision"], small["n_runs"]] == [4, 1, 3]
    assert [small["scoring"], small["incomplete"]] == ["generic", None]
    assert found["cmdb-1500"]["n_items"] == 0


def test_scopes_name_their_views_and_the_digest_of_their_files(warehouse_path: Path):
    digests = {item.name: item.sha256 for item in program()}
    rows = rows_of(warehouse_path, "scopes")
    assert {row["scoring"]: row["sha256"] for row in rows} == {
        "cmdb-1500": digests["scope_cmdb_1500"],
        "decision-bench": digests["scope_decision_bench"],
        "generic": digests["scope_generic"],
        "jevbench": digests["scope_jevbench"],
    }


def test_scopes_of_a_benchmark_count_items_by_row_subset_and_type(warehouse_path: Path):
    fill(warehouse_path)
    rows = rows_of(warehouse_path, "scopes", "--benchmark", "small")
    counts = {(row["subset"], row["kind"]): row["n_items"] for row in rows}
    assert counts["all", "all"] == 4
    assert counts["ece_choice", "choice"] == 2
    assert counts["pooled", "all"] == 3
    assert counts["rps", "score"] == 1
    assert {row["report_row"] for row in rows} == {"overall"}


def test_scopes_of_a_seeded_benchmark_say_what_metrics_md_counts(warehouse_path: Path):
    rows = rows_of(warehouse_path, "scopes", "--benchmark", "cmdb-1500")
    expected = {
        (row["report_row"], row["subset"], row["kind"]): row["n_expected"]
        for row in rows
    }
    assert expected["overall", "pooled", "all"] == 1234
    assert expected["text", "tvd", "all"] == 47
    assert all(row["n_items"] == 0 for row in rows)


def test_methods_have_every_parameter(warehouse_path: Path):
    rows = {row["method_id"]: row for row in rows_of(warehouse_path, "methods")}
    assert rows["metrics-md"] == {
        "method_id": "metrics-md",
        "document": "METRICS.md",
        **{"noul_low": 0.2, "noul_high": 0.8, "noul_chance_corrected": False},
        **{"choice_weight": 1.0, "noul_weight": 1.0, "score_weight": 1.0},
        "tier_weights": {"easy": 0.1, "standard": 0.2, "judge": 0.3, "hard": 0.4},
        **{"bins": 10, "probability_floor": 1e-15},
        **{"tie_rule": "lexicographic", "failed_rating": "largest_error"},
        **{"noul_half": "no", "failed_distribution": "left_out"},
    }
    assert rows["jevbench-v1.5-frozen"]["noul_weight"] == 0.25
