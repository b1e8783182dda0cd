"""Decision Bench run folders: items, gold and answers from one raw.jsonl."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commandline import jevdb

from jevdb.warehouse.database import open_reader

RUN = Path(__file__).parents[1] / "data" / "decision_bench" / "run"
BENCHMARK = ("--benchmark", "decision-bench")
MODEL = (*BENCHMARK, "--model", "made/decider")

Edit = Callable[[list[dict[str, Any]]], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the run folder, to be changed."""
    return Path(shutil.copytree(RUN, tmp_path / "run"))


def rewrite(folder: Path, edit: Edit) -> None:
    """Change the records of raw.jsonl, and its digest in the manifest with them."""
    raw, manifest = folder / "raw.jsonl", folder / "manifest.json"
    records = [json.loads(line) for line in raw.read_text().splitlines()]
    edit(records)
    raw.write_text("".join(json.dumps(each) + "\n" for each in records))
    stated = json.loads(manifest.read_text())
    stated["files"]["raw.jsonl"] = hashlib.sha256(raw.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(stated))


def stored(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with open_reader(path) as connection:
        return connection.execute(sql).fetchall()


def ingest(path: Path, source: Path, *options: str) -> dict[str, Any]:
    """Ingest items and run of a folder or file; return the run's summary."""
    items = jevdb(path, "ingest", "items", str(source), *BENCHMARK)
    assert items.exit_code == 0, items.output
    run = jevdb(path, "ingest", "run", str(source), *MODEL, "--json", *options)
    assert run.exit_code == 0, run.output
    return dict(json.loads(run.stdout))


def test_items_are_choice_and_keep_what_else_they_are(warehouse_path: Path):
    ingest(warehouse_path, RUN)
    found = stored(
        warehouse_path,
        "select item_id, type, modality, family, domain, options, label_index, "
        "reference, meta from items join golds using (item_id) "
        "where item_id in ('r3', 'r8') order by item_id",
    )
    ordinal, image = found
    assert ordinal[:7] == (
        *("r3", "choice", "text", "rubric_scoring_prioritization", "privacy"),
        ["top", "low", "mid", "none"],
        0,
    )
    assert ordinal[7] == [0.75, 0.0, 0.25, 0.0]
    assert json.loads(ordinal[8]) == {
        "primitive": "ordinal_scoring",
        "task_name": "relevance_score",
        "ordinal_values": [3.0, 1.0, 2.0, 0.0],
    }
    assert image[1:3] == ("choice", "text_rendered")
    assert image[5] == ["zéro", "un"]


def test_counts_follow_the_rules_of_the_results_repository(warehouse_path: Path):
    """ok: r1, r2, r3, r5, r8; r9's values sum to 0.6; r4 and r7 are over 26."""
    summary = ingest(warehouse_path, RUN)
    names = ("expected", "ok", "invalid", "unsupported", "error", "missing")
    assert [summary[name] for name in names] == [9, 5, 1, 2, 1, 0]
    assert (summary["read"], summary["retries"], summary["duplicates"]) == (10, 1, 0)
    assert summary["reasons"] == {"sum": 1}


def test_probabilities_are_those_returned_in_candidate_order(warehouse_path: Path):
    ingest(warehouse_path, RUN)
    rows = stored(
        warehouse_path,
        "select item_id, probabilities, renormalized from predictions "
        "where probabilities is not null order by item_id",
    )
    assert rows == [
        ("r1", [0.9, 1 - 0.9], False),  # P(yes) is candidate 0's
        ("r2", [0.62, 0.30, 0.07], True),  # scored: divided by 0.99
        ("r3", [0.5, 0.125, 0.25, 0.125], False),  # by level: 3, 1, 2, 0
        ("r5", [0.5, 0.5], False),
        ("r8", [0.25, 0.75], False),
        ("r9", [0.45, 0.15], False),
    ]


def test_our_verdict_stands_beside_theirs(warehouse_path: Path):
    """Right: r1, r3, r8 of 9. r5 is a tie: theirs goes to z, ours to a."""
    summary = ingest(warehouse_path, RUN)
    assert summary["mismatched"] == 1
    # They call r5 and r9 correct: a tie goes to their first, a sum of 0.6 is rescaled.
    assert summary["disagreements"] == 2
    report = jevdb(warehouse_path, "report", "--format", "json")
    rows = {row["report_row"]: row for row in json.loads(report.stdout)}
    assert rows["overall"]["accuracy"] == 3 / 9
    assert rows["overall"]["coverage"] == 5 / 9
    assert (rows["image_origin"]["n"], rows["text"]["n"]) == (1, 8)
    # mean(1/K): 4 items with 2 options, 2 with 3, 1 with 4, 2 with 27
    chance = (4 / 2 + 2 / 3 + 1 / 4 + 2 / 27) / 9
    expected = 100 * (3 / 9 - chance) / (1 - chance)
    assert rows["overall"]["intelligence"] == pytest.approx(expected, abs=1e-12)


def test_tokens_latency_errors_and_models(warehouse_path: Path):
    ingest(warehouse_path, RUN)
    rows = stored(
        warehouse_path,
        "select item_id, input_tokens, output_tokens, latency_s, error, meta "
        "from predictions where item_id in ('r1', 'r5', 'r6') order by item_id",
    )
    assert rows[0][:5] == ("r1", 120, 0, 0.25, None)
    assert json.loads(rows[0][5]) == {
        "input_contract": {"policy_version": "balanced-text-cap-v1", "truncated": True},
        "resolved_model": "made-decider-2026",
    }
    assert rows[1][:5] == ("r5", 40, 12, 1.5, None)
    assert rows[2][:5] == ("r6", None, None, None, "OpenRouter returned 500: upstream")
    assert json.loads(rows[2][5]) == {"error_type": "HTTPStatusError"}


def test_the_summary_becomes_settings_and_the_command_line_wins(warehouse_path: Path):
    ingest(warehouse_path, RUN, "--setting", "seed=8")
    settings, requested, files = stored(
        warehouse_path,
        "select settings, requested_name, source_files from runs "
        "join models using (model_id)",
    )[0]
    found = json.loads(settings)
    assert (found["prompt_version"], found["seed"]) == ("v3", "8")
    assert "metrics" not in found
    assert requested == "made/decider"
    digest = hashlib.sha256((RUN / "raw.jsonl").read_bytes()).hexdigest()
    assert json.loads(files) == [{"name": "raw.jsonl", "sha256": digest}]


def test_no_item_text_is_stored(warehouse_path: Path):
    ingest(warehouse_path, RUN)
    tables = ("items", "predictions", "runs", "models", "golds")
    dumps = repr([stored(warehouse_path, f"select * from {name}") for name in tables])
    for text in ("Some state", "Choose: one", "ministère", "what other means"):
        assert text in (RUN / "raw.jsonl").read_text(encoding="utf-8")
        assert text not in dumps


def test_a_file_alone_is_the_same_run(warehouse_path: Path):
    folder_run = ingest(warehouse_path, RUN)
    again = ingest(warehouse_path, RUN / "raw.jsonl")
    assert again["outcome"] == "already_there"
    assert again["run_id"] == folder_run["run_id"]


def test_the_last_line_wins_even_if_it_is_an_error(warehouse_path: Path, folder: Path):
    def append(records: list[dict[str, Any]]) -> None:
        failed = {k: v for k, v in records[-1].items() if k != "scored"}
        records.append({**failed, "status": "error", "error_type": "ReadTimeout"})

    rewrite(folder, append)
    summary = ingest(warehouse_path, folder)
    assert (summary["ok"], summary["error"], summary["retries"]) == (4, 2, 2)


def test_a_later_ok_line_replaces_an_ok_line(warehouse_path: Path, folder: Path):
    def append(records: list[dict[str, Any]]) -> None:
        later = json.loads(json.dumps(records[-1]))
        later["response"] = {}
        later["scored"]["probabilities"] = [1.0, 0.0]
        records.append(later)

    rewrite(folder, append)
    # Its verdict is still that of the line before.
    summary = ingest(warehouse_path, folder, "--allow", "verdict")
    assert (summary["ok"], summary["duplicates"]) == (5, 1)
    row = stored(
        warehouse_path, "select probabilities from predictions where item_id = 'r8'"
    )
    assert row == [([1.0, 0.0],)]


def test_a_changed_file_is_refused_by_the_manifest(warehouse_path: Path, folder: Path):
    with (folder / "raw.jsonl").open("a") as raw:
        raw.write("\n")
    for command in (("items", *BENCHMARK), ("run", *MODEL)):
        result = jevdb(warehouse_path, "ingest", command[0], str(folder), *command[1:])
        assert result.exit_code == 1
        assert 'manifest.json: $.files["raw.jsonl"]: the file\'s' in result.stderr
    assert stored(warehouse_path, "select count(*) from items") == [(0,)]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"../raw.jsonl": "0" * 64}, 'files["../raw.jsonl"]: not a path inside'),
        ({"inspect/a.eval": "0" * 64}, 'files["inspect/a.eval"]: no such file'),
        ({}, "$.files: no hash of raw.jsonl"),
    ],
)
def test_a_manifest_that_vouches_for_something_else(
    warehouse_path: Path, folder: Path, files: dict[str, str], message: str
):
    (folder / "manifest.json").write_text(json.dumps({"files": files}))
    result = jevdb(warehouse_path, "ingest", "items", str(folder), *BENCHMARK)
    assert result.exit_code == 1
    assert message in result.stderr


def test_a_folder_without_manifest_says_so(warehouse_path: Path, folder: Path):
    (folder / "manifest.json").unlink()
    result = jevdb(warehouse_path, "ingest", "items", str(folder), *BENCHMARK)
    assert result.exit_code == 0
    assert "hashes of its files are not verified" in result.stderr


def test_a_folder_without_rows(warehouse_path: Path, folder: Path):
    (folder / "raw.jsonl").unlink()
    result = jevdb(warehouse_path, "ingest", "items", str(folder), *BENCHMARK)
    assert result.exit_code == 1
    assert "run: no raw.jsonl in the folder" in result.stderr


def test_two_folders_are_two_runs(warehouse_path: Path, folder: Path):
    result = jevdb(warehouse_path, "ingest", "run", str(folder), str(RUN), *MODEL)
    assert result.exit_code == 2
    assert "one at a time" in result.stderr


def test_items_come_first(warehouse_path: Path):
    result = jevdb(warehouse_path, "ingest", "run", str(RUN), *MODEL)
    assert result.exit_code == 1
    assert "store them with `jevdb ingest items`" in result.stderr


def drop_scored(records: list[dict[str, Any]]) -> None:
    del records[2]["scored"]


def swap_row(records: list[dict[str, Any]]) -> None:
    records[2]["example"]["row_id"] = "r2"


def wrong_gold(records: list[dict[str, Any]]) -> None:
    records[4]["example"]["gold_candidate_id"] = "mid"


def text_for_number(records: list[dict[str, Any]]) -> None:
    records[2]["scored"]["probabilities"] = ["0.9", 0.1]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (drop_scored, "raw.jsonl:3: $.scored: missing"),
        (swap_row, "raw.jsonl:3: $.example.row_id: 'r2' in the line of row 'r1'"),
        (wrong_gold, "raw.jsonl:5: $.example.gold_candidate_id: 'mid' is not a most"),
        (text_for_number, "raw.jsonl:3: $.scored.probabilities"),
    ],
)
def test_a_fault_of_the_file_names_its_place(
    warehouse_path: Path, folder: Path, edit: Edit, message: str
):
    rewrite(folder, edit)
    result = jevdb(warehouse_path, "ingest", "items", str(folder), *BENCHMARK)
    assert result.exit_code == 1
    assert message in result.stderr


def test_candidates_in_another_order_are_aligned_by_id(
    warehouse_path: Path, folder: Path
):
    """The items are stored already; this run's row lists the candidates reversed."""
    jevdb(warehouse_path, "ingest", "items", str(RUN), *BENCHMARK)

    def turn(records: list[dict[str, Any]]) -> None:
        records[:] = records[-1:]
        records[0]["example"]["candidates"].reverse()
        records[0]["scored"]["probabilities"] = [0.875, 0.125]
        records[0]["response"] = {}

    rewrite(folder, turn)
    result = jevdb(warehouse_path, "ingest", "run", str(folder), *MODEL)
    assert result.exit_code == 0, result.output
    rows = stored(warehouse_path, "select probabilities from predictions")
    assert rows == [([0.125, 0.875],)]
