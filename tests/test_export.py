"""evaluation_results.json and RESULTS.md: every key, the same bytes, checked again."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from building import add_benchmark, add_gold_revision, add_run, open_to_fill
from commandline import (
    ANSWERS,
    FIRST,
    PRIVATE,
    SECOND,
    WORKED,
    add_event,
    add_small_benchmark,
    assert_golden,
    fill,
    jevdb,
)
from making import copied

from jevdb.base.metrics import REGISTRY, Number
from jevdb.exports.check import differences
from jevdb.exports.results_file import row_json
from jevdb.exports.results_schema import schema_text
from jevdb.scoring.numbers import Value
from jevdb.warehouse.database import open_reader

METRICS = {
    metric.name: tuple(metric.kinds) for metric in REGISTRY if not metric.is_index
}
NO_ROWS = {"value": None, "reason": "no_rows", "n": 0, "n_scope": 0}
SCHEMA = json.loads(schema_text())


def export_text(path: Path, *arguments: str) -> str:
    result = jevdb(path, "export", "--out", "-", *arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def small_export(template: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The export of the small benchmark's warehouse."""
    path = copied(template, tmp_path_factory.mktemp("small") / "w.duckdb")
    fill(path)
    return export_text(path)


def exported(path: Path, *arguments: str) -> dict[str, Any]:
    document = json.loads(export_text(path, *arguments))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def run_ids(document: dict[str, Any]) -> list[str]:
    return [run["run_id"] for run in document["runs"]]


def test_the_schema_is_one_and_can_be_printed(tmp_path: Path):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    printed = jevdb(tmp_path / "no.duckdb", "export", "--json-schema")
    assert json.loads(printed.stdout) == SCHEMA


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row.pop("calibration"),
        lambda row: row["metrics"]["tvd"]["all"].update(value=1.1),
        lambda row: row["metrics"]["tvd"]["all"].update(value=None),
        lambda row: row["metrics"]["tvd"]["all"].update(reason="no_rows"),
        lambda row: row["metrics"]["rps"].update(all=NO_ROWS),
        lambda row: row["intelligence"]["components"].pop("noul"),
        lambda row: row["intelligence"].update(value=100.5),
        lambda row: row["calibration"].update(value=-1),
        lambda row: row.update(incomplete=False),
        lambda row: row.update(scored_at="2026-01-01"),
    ],
)
def test_the_schema_says_no_to_other_documents(
    small_export: str, change: Callable[[dict[str, Any]], None]
):
    document = json.loads(small_export)
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(document)
    change(document["runs"][0]["rows"]["overall"])
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(document)


def test_intelligence_has_no_minimum(warehouse_path: Path):
    fill(warehouse_path)
    row = exported(warehouse_path)["runs"][1]["rows"]["overall"]
    # Choice 0, noul 0, score 100 (1 - 1 / 0.5) = -100: a missing rating errs by 1.
    assert math.isclose(row["intelligence"]["value"], -100 / 3, rel_tol=1e-12)


def test_values_worked_out_by_hand(warehouse_path: Path):
    fill(warehouse_path)
    row = exported(warehouse_path)["runs"][0]["rows"]["overall"]
    metrics = row["metrics"]
    found = {
        "accuracy": metrics["accuracy"]["all"],
        "intelligence": row["intelligence"],
        "calibration": row["calibration"],
        **{f"ece_{kind}": metrics["ece"][kind] for kind in ("choice", "noul", "score")},
        "ece_pooled": metrics["ece"]["pooled"],
        "tvd": metrics["tvd"]["all"],
        "rps": metrics["rps"]["score"],
        "coverage": metrics["coverage"]["all"],
    }
    for name, value in WORKED.items():
        assert math.isclose(found[name]["value"], value, rel_tol=1e-12), name
    components = row["intelligence"]["components"]
    assert components == {
        "choice": {"value": 0.0, "n": 2, "n_scope": 2},
        "noul": {"value": 100.0, "n": 1, "n_scope": 1},
        "score": {"value": 75.0, "n": 1, "n_scope": 1},
    }
    assert row["calibration"]["n"] == 4
    # Brier: c1 2 x 0.25^2, c2 2 x 0.75^2, n1 2 x 0.125^2, s1 2 x 0.25^2
    assert metrics["brier"]["choice"]["value"] == (0.125 + 1.125) / 2
    assert metrics["brier"]["all"]["value"] == (0.125 + 1.125 + 0.03125 + 0.125) / 4
    assert metrics["ordinal_mae"]["score"]["value"] == 0.25
    nll = -(math.log(0.75) + math.log(0.25)) / 2
    assert math.isclose(metrics["nll"]["choice"]["value"], nll, rel_tol=1e-12)


def test_every_key_is_there_and_null_has_a_reason(warehouse_path: Path):
    fill(warehouse_path)
    document = exported(warehouse_path)
    assert set(document) == {"schema_version", "method", "benchmarks", "runs"}
    for run in document["runs"]:
        for row in run["rows"].values():
            assert set(row) == {"intelligence", "calibration", "metrics", "repeats"}
            assert {name: set(kinds) for name, kinds in row["metrics"].items()} == {
                name: set(kinds) for name, kinds in METRICS.items()
            }
    row = document["runs"][0]["rows"]["overall"]
    assert row["metrics"]["multi_select_f1"] == {"multi_select": NO_ROWS}
    assert row["metrics"]["accuracy"]["multi_select"] == NO_ROWS


def test_a_row_without_numbers_has_every_key():
    row = row_json({})
    assert row["intelligence"] == {
        **NO_ROWS,
        "components": {"choice": NO_ROWS, "noul": NO_ROWS, "score": NO_ROWS},
    }
    for metric, kinds in METRICS.items():
        assert row["metrics"][metric] == dict.fromkeys(kinds, NO_ROWS)


def test_negative_zero_is_zero():
    row = row_json({Number("nll", "all"): Value(-0.0, 1, 1, None)})
    assert repr(row["metrics"]["nll"]["all"]["value"]) == "0.0"


def test_method_has_every_parameter(warehouse_path: Path):
    fill(warehouse_path)
    method = exported(warehouse_path, "--method", "jevbench-v1.5-frozen")["method"]
    assert method == {
        "method_id": "jevbench-v1.5-frozen",
        "document": "JevBench METHOD v1.5 as frozen 2026-09-25",
        **{"noul_low": 0.2, "noul_high": 0.8, "noul_chance_corrected": True},
        "type_weights": {"choice": 0.5, "noul": 0.25, "score": 0.25},
        "tier_weights": {"easy": 0.1, "standard": 0.2, "judge": 0.3, "hard": 0.4},
        **{"bins": 10, "probability_floor": 1e-15},
        **{"tie_rule": "lexicographic", "failed_rating": "largest_error"},
        **{"noul_half": "no", "failed_distribution": "left_out"},
    }


def test_runs_are_sorted_null_first_and_benchmarks_by_id(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_benchmark(
            connection,
            [{"item_id": "c1", "type": "choice", "options": ["a", "b"], "gold": "a"}],
            benchmark_id="another",
        )
        names = [
            ("b", None, None),
            ("a", "r", None),
            ("a", None, "x"),
            ("a", None, None),
        ]
        for model, revision, label in names:
            named = {"model": model, "revision": revision, "label": label}
            add_run(connection, "small", ANSWERS, **named)
        add_run(connection, "another", ANSWERS[:1], model="z")
    document = exported(warehouse_path)
    found = [
        (run["benchmark_id"], *run["model"].values(), run["label"])
        for run in document["runs"]
    ]
    assert found == [
        ("another", "z", None, None),
        ("small", "a", None, None),
        ("small", "a", None, "x"),
        ("small", "a", "r", None),
        ("small", "b", None, None),
    ]
    benchmarks = [row["benchmark_id"] for row in document["benchmarks"]]
    assert benchmarks == ["another", "small"]


def test_layout_of_the_bytes(warehouse_path: Path):
    fill(warehouse_path)
    text = export_text(warehouse_path)
    document = json.loads(text)
    assert text == json.dumps(document, indent=2, sort_keys=True) + "\n"
    assert not re.search(r"seq|_at\b|version\": \"|/", text), (
        "no clock, path or version"
    )
    # Only the layout is pinned: every number in it is asserted elsewhere.
    assert_golden("evaluation_results.json", re.sub(r"\d\.\d{9,}", "0.0", text))


def test_same_rows_in_another_order_give_the_same_bytes(tmp_path: Path, template: Path):
    texts = set()
    for number in range(3):
        path = tmp_path / f"{number}.duckdb"
        path.write_bytes(template.read_bytes())
        dice = random.Random(number)
        with open_to_fill(path) as connection:
            add_small_benchmark(connection)
            runs = [("m", FIRST), ("k", SECOND)]
            for model, run_id in dice.sample(runs, 2):
                rows = dice.sample(ANSWERS, len(ANSWERS))
                add_run(connection, "small", rows, model=model, run_id=run_id)
            if number == 1:
                add_event(connection, FIRST, "private")
                add_event(connection, FIRST, "public")
        texts.add(export_text(path))
    assert len(texts) == 1


def test_only_public_current_runs_unless_asked(warehouse_path: Path):
    fill(warehouse_path)
    assert run_ids(exported(warehouse_path)) == [FIRST, SECOND]
    assert run_ids(exported(warehouse_path, "--include-private")) == [
        *(FIRST, SECOND, PRIVATE)
    ]
    with open_to_fill(warehouse_path) as connection:
        add_event(connection, FIRST, "withdrawn")
        add_event(connection, SECOND, "superseded")
    assert run_ids(exported(warehouse_path)) == []
    assert exported(warehouse_path)["benchmarks"] == []
    assert run_ids(exported(warehouse_path, "--run", FIRST[:8])) == [FIRST]


def test_a_private_run_needs_more_than_its_name(warehouse_path: Path):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "export", "--run", "third", "--out", "-")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "third (3c3c3c3c3c3c); add --include-private" in result.stderr
    named = exported(warehouse_path, "--run", "third", "--include-private")
    assert run_ids(named) == [PRIVATE]


def test_incomplete_and_partial_appear_only_when_true(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS[:3], model="p", unsupported=["score"])
        add_run(connection, "small", ANSWERS, model="q")
    partial, whole = exported(warehouse_path)["runs"]
    assert partial["rows"]["overall"]["partial"] == ["choice", "noul"]
    assert "partial" not in whole["rows"]["overall"]
    assert "incomplete" not in whole["rows"]["overall"]


def test_gold_revision_pins_the_numbers_and_says_so(warehouse_path: Path):
    fill(warehouse_path)
    before = export_text(warehouse_path)
    with open_to_fill(warehouse_path) as connection:
        corrected = {"item_id": "c2", "type": "choice", "options": ["a", "b"]}
        add_gold_revision(connection, "small", 2, [{**corrected, "gold": "a"}])
    now = exported(warehouse_path)
    assert now["benchmarks"][0]["gold_revision"] == 2
    accuracy = now["runs"][0]["rows"]["overall"]["metrics"]["accuracy"]["all"]
    assert accuracy["value"] == 1.0
    assert export_text(warehouse_path, "--gold-revision", "1") == before
    beyond = jevdb(warehouse_path, "export", "--gold-revision", "9", "--out", "-")
    assert beyond.exit_code == 2


def test_check_recomputes_what_the_file_holds(warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    file = tmp_path / "evaluation_results.json"
    written = jevdb(
        warehouse_path,
        *("export", "--method", "jevbench-v1.5", "--run", "first", "--out", str(file)),
    )
    assert (written.exit_code, written.stdout) == (0, "")
    good = jevdb(warehouse_path, "export", "--check", str(file))
    assert (good.exit_code, good.stdout) == (0, "")
    assert "recomputes byte for byte, 1 run" in good.stderr
    with open_to_fill(warehouse_path) as connection:
        corrected = {"item_id": "c2", "type": "choice", "options": ["a", "b"]}
        add_gold_revision(connection, "small", 2, [{**corrected, "gold": "a"}])
    stale = jevdb(warehouse_path, "export", "--check", str(file))
    assert stale.exit_code == 1
    assert "$.benchmarks[0].gold_revision: 1 in the file, 2 here" in stale.stderr
    assert (
        "$.runs[0].rows.overall.metrics.accuracy.all.value: 0.75 in the file, 1.0 here"
        in stale.stderr
    )
    pinned = ("--check", str(file), "--gold-revision", "1")
    assert jevdb(warehouse_path, "export", *pinned).exit_code == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("0.75", "0.76", 1), "0.76 in the file, 0.75 here"),
        (lambda text: text.replace('"n": 4', '"n": 4.0', 1), "4.0 in the file, 4 here"),
        (
            lambda text: text + "\n",
            "the values recompute, but the file is laid out anew",
        ),
        (
            lambda text: text.replace(FIRST, "9" * 64),
            "not in this warehouse: runs 9999",
        ),
        (lambda text: text.replace('"metrics-md"', '"metrics"'), "unknown method"),
        (lambda text: text[:-10], "not JSON"),
        (lambda text: "[1]", "no object"),
        (lambda text: '{"runs": []}', "names no method"),
        (lambda text: "[" * 100_000, "not JSON"),
    ],
)
def test_check_says_what_differs(
    warehouse_path: Path, tmp_path: Path, small_export: str, change: Any, message: str
):
    fill(warehouse_path)
    file = tmp_path / "results.json"
    file.write_text(change(small_export))
    result = jevdb(warehouse_path, "export", "--check", str(file))
    assert result.exit_code == 1
    assert message in result.stderr


def test_check_of_a_missing_file(warehouse_path: Path, tmp_path: Path):
    result = jevdb(warehouse_path, "export", "--check", str(tmp_path / "none.json"))
    assert result.exit_code == 1
    assert "none.json: cannot read: No such file or directory" in result.stderr


def test_differences_name_every_leaf():
    published = {"a": [1, {"b": None}], "c": 1}
    fresh = {"a": [1, {"b": 2}, 3], "d": "x"}
    assert list(differences(published, fresh)) == [
        "$.a[1].b: null in the file, 2 here",
        "$.a[2]: nothing in the file, 3 here",
        "$.c: 1 in the file, nothing here",
        '$.d: nothing in the file, "x" here',
    ]


def test_default_file_and_markdown(
    warehouse_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fill(warehouse_path)
    monkeypatch.chdir(tmp_path)
    result = jevdb(warehouse_path, "export", "--markdown", "RESULTS.md")
    assert (result.exit_code, result.stdout) == (0, "")
    assert sorted(file.name for file in tmp_path.glob("[!w]*")) == [
        *("RESULTS.md", "evaluation_results.json")
    ]
    assert Path("evaluation_results.json").read_text() == export_text(warehouse_path)
    text = Path("RESULTS.md").read_text()
    assert "| se\\|cond@r1#greedy |" in text
    assert "third" not in text, "a private run"
    assert_golden("RESULTS.md", text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--check", "x.json", "--run", "first"],
        ["--check", "x.json", "--out", "-"],
        ["--out", "-", "--markdown", "-"],
        ["--run", "fist"],
        ["--method", "metric-md"],
    ],
    ids=" ".join,
)
def test_usage_errors_write_nothing(
    warehouse_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
):
    fill(warehouse_path)
    monkeypatch.chdir(tmp_path)
    result = jevdb(warehouse_path, "export", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert list(tmp_path.glob("*.json")) == []


def test_a_file_that_cannot_be_written_is_an_error(
    warehouse_path: Path, tmp_path: Path
):
    fill(warehouse_path)
    for out, message in [
        (
            tmp_path / "no" / "such.json",
            f"there is no folder {tmp_path / 'no'}; make it first",
        ),
        (tmp_path, "cannot write: Is a directory"),
    ]:
        result = jevdb(warehouse_path, "export", "--out", str(out))
        assert result.exit_code == 1
        assert f"{out}: {message}" in result.stderr


def test_a_failed_write_leaves_the_old_file(
    warehouse_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fill(warehouse_path)
    out = tmp_path / "results.json"
    out.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = jevdb(warehouse_path, "export", "--out", str(out))
    assert result.exit_code == 1
    assert "No space left on device" in result.stderr
    assert out.read_text() == "old"
    assert [file.name for file in tmp_path.glob("*results*")] == ["results.json"]


def test_export_is_read_only(warehouse_path: Path):
    fill(warehouse_path)
    before = warehouse_path.read_bytes()
    exported(warehouse_path)
    assert warehouse_path.read_bytes() == before
    with open_reader(warehouse_path) as connection:
        temporary = connection.execute(
            "select count(*) from duckdb_tables() where temporary"
        ).fetchall()
    assert temporary == [(0,)]
