"""Published results: kept as reported, adding up, each once, never among our own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commandline import fill, jevdb, rows_of

from jevdb.ingest.results.numbers import chance, intelligence
from jevdb.ingest.results.option_counts import option_counts
from jevdb.warehouse.database import open_reader

RESULTS = Path(__file__).parent / "data" / "decision_bench_results"
REPO = "Hanno-Labs/decision-bench"
NIMBLE = "bespokelabs__Bespoke-Nimble-9B"
LAYA = "convaiinnovations__laya"
BONGARD = "AgentBull__bongard-mini"

Content = dict[str, Any]


def stored(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with open_reader(path) as connection:
        return connection.execute(sql).fetchall()


def file_of(model: str) -> Path:
    """Return the result file of a model folder."""
    return next((RESULTS / model).glob("*/DecisionBench*.json"))


@pytest.fixture
def altered(tmp_path: Path) -> Callable[..., Path]:
    """Write a changed copy of a result, alone in its folder."""

    def write(change: Callable[[Content], object], model: str = NIMBLE) -> Path:
        content = json.loads(file_of(model).read_text())
        change(content)
        path = tmp_path / "DecisionBench.json"
        path.write_text(json.dumps(content))
        return path

    return write


def test_six_results_and_twenty_models_load(warehouse_path: Path):
    result = jevdb(warehouse_path, "ingest", "results", str(RESULTS), "--json")
    assert result.exit_code == 0, result.output
    outcomes = [outcome["outcome"] for outcome in json.loads(result.stdout)]
    assert len(outcomes) == 26
    assert outcomes.count("stored") == 6
    assert outcomes.count("described") == 14  # no result beside them
    assert outcomes.count("already_there") == 4  # as their result's model block
    assert outcomes.count("differs") == 2  # laya's and deepseek's
    assert stored(warehouse_path, "select count(*) from models") == [(20,)]
    # 171 + 77 + 165 + 122 + 171 + 171 views of 4 numbers, 5 of the whole for each
    assert stored(warehouse_path, "select count(*) from reported_metrics") == [
        (4 * 877 + 6 * 5,)
    ]
    assert jevdb(warehouse_path, "check").exit_code == 0


def test_the_published_values_of_i(warehouse_path: Path):
    """Published with the results: I over all requested rows, and over the ok rows."""
    jevdb(warehouse_path, "ingest", "results", str(RESULTS))
    rows = {
        row["model"].split("/")[1]: row for row in rows_of(warehouse_path, "results")
    }
    indices = {
        name: (round(row["intelligence"], 2), round(row["intelligence_supported"], 2))
        for name, row in rows.items()
    }
    assert indices == {
        "bongard-mini": (71.02, 71.02),
        "jev-1.13": (63.07, 63.07),
        "deepseek-v4.1-flash": (61.71, 61.87),
        "Bespoke-Nimble-9B": (39.50, 58.75),
        "cua-s1-4b-0.2": (37.08, 50.28),
        "laya": (19.74, 22.54),
    }
    partial = {name for name, row in rows.items() if row["is_partial"]}
    assert partial == rows.keys() - {"bongard-mini", "jev-1.13"}
    assert {row["origin"] for row in rows.values()} == {"reported"}


def test_the_chance_of_the_whole_data_set():
    """.242513 is published; both data set revisions have the same counts."""
    for revision in (
        "071b7b2d2e1504c89e1e5a811a3f82e1bfe3aedb",
        "b7c8107e01ecb1aee7c7eaf5caee4a3ba9f59443",
    ):
        known = option_counts(REPO, revision)
        assert known is not None
        counts = known.items_by_option_count
        assert sum(counts.values()) == 23_900
        assert sum(n for k, n in counts.items() if k > 26) == 4_693
        assert round(float(chance(counts)), 6) == 0.242513
        assert "AgentBull__bongard-mini" in known.source or "jev-1.13" in known.source


def test_intelligence_is_exact():
    """5 of 6 right, c = (3/2 + 3/4) / 6 = 3/8: 100 (11/24) / (5/8) = 100 (11/15)."""
    assert intelligence(5, 6, {2: 3, 4: 3}) == 100 * 11 / 15
    assert intelligence(0, 4, {2: 4}) == -100.0


def test_every_number_has_its_definition_and_n(warehouse_path: Path):
    jevdb(warehouse_path, "ingest", "results", str(file_of(NIMBLE)))
    found = stored(
        warehouse_path,
        "select metric, value, n, is_partial, definition from reported_metrics "
        "where view = 'overall'",
    )
    by_metric = {metric: rest for metric, *rest in found}
    assert by_metric["ece"][:3] == [0.17931275426937182, 18_321, True]
    assert by_metric["ece"][3].startswith("15 equal-width bins on the top probability")
    assert by_metric["nll"][:2] == [1.2675470866158516, 18_321]
    assert "floored at 1e-15" in by_metric["nll"][3]
    assert by_metric["primary_accuracy"][:3] == [0.5417154811715481, 23_900, False]
    assert by_metric["supported_accuracy"][:3] == [0.7066753998144206, 18_321, True]
    assert by_metric["coverage"][:3] == [0.7665690376569038, 23_900, False]
    assert by_metric["intelligence"][1:3] == [23_900, False]
    assert "jev-1.13" in by_metric["intelligence"][3]  # where the counts are from
    assert by_metric["intelligence_supported"][1:3] == [18_321, True]
    slices = stored(
        warehouse_path,
        "select metric, value, n from reported_metrics "
        "where view = 'candidate_count:10' order by metric",
    )
    assert slices == [
        ("accuracy", 0.7461928934010152, 197),
        ("ece", 0.13836281316506438, 197),
        ("latency_s", 0.08557829610426641, 197),
        ("nll", 1.5017810643156075, 197),
    ]


def test_what_is_stored_of_a_result(warehouse_path: Path):
    jevdb(warehouse_path, "ingest", "results", str(RESULTS / LAYA))
    row = stored(
        warehouse_path,
        "select benchmark_id, source_file, tags, requested_rows, ok_rows, "
        "unsupported_rows, error_rows, cast(submitted_at as varchar), "
        "reported_results.meta, parameters, open_weights, models.meta "
        "from reported_results "
        "join models using (model_id)",
    )[0]
    assert row[:7] == (
        *("decision-bench", "DecisionBench--compact.json", ["compact"]),
        *(23_900, 21_700, 2_200, 0),
    )
    assert row[7] == "2026-09-27 19:34:23.964237"
    assert json.loads(row[8])["artifact"]["uri"].startswith("hf://buckets/")
    assert row[9:11] == (421293830, True)  # the result's block, not model_meta.json's
    assert json.loads(row[11])["adapter"] == "laya-native-build-sequence-v1"


def test_a_model_meta_that_differs_is_said(warehouse_path: Path):
    """The meta beside laya's compact result belongs to another result."""
    result = jevdb(warehouse_path, "ingest", "results", str(file_of(LAYA)))
    assert "adapter is 'laya-hf' there and 'laya-native-build-sequence-v1' in" in (
        result.stderr
    )
    assert "parameter_count is 421000000 there and 421293830 in" in result.stderr
    assert stored(warehouse_path, "select parameters from models") == [(421293830,)]


def test_a_result_stands_against_a_meta_that_came_before(warehouse_path: Path):
    meta = file_of(LAYA).with_name("model_meta.json")
    jevdb(warehouse_path, "ingest", "results", str(meta))
    result = jevdb(warehouse_path, "ingest", "results", str(RESULTS / LAYA))
    assert "adapter is 'laya-hf' there" in result.stderr
    rows = rows_of(warehouse_path, "models")
    assert [row["parameters"] for row in rows] == [421293830]


def test_the_same_again_adds_nothing(warehouse_path: Path):
    jevdb(warehouse_path, "ingest", "results", str(RESULTS))
    before = stored(warehouse_path, "select max(seq) from ingests")
    again = jevdb(warehouse_path, "ingest", "results", str(RESULTS))
    assert again.exit_code == 0
    assert again.stderr.count("already there, nothing added") == 24
    assert stored(warehouse_path, "select max(seq) from ingests") == before


def test_layout_is_not_content(warehouse_path: Path, altered: Callable[..., Path]):
    """Sorted keys, an integer coverage, a model_type added later: the same result."""
    jevdb(warehouse_path, "ingest", "results", str(file_of(BONGARD)))

    def lay_out_anew(content: Content) -> None:
        content["coverage"] = 1
        content["views"] = dict(reversed(content["views"].items()))
        content["model"]["model_type"] = "language-model"
        del content["artifact"], content["tags"]

    path = altered(lay_out_anew, BONGARD)
    result = jevdb(warehouse_path, "ingest", "results", str(path))
    assert (result.exit_code, "already there" in result.stderr) == (0, True)


def other_latency(content: Content) -> None:
    """Change numbers that no other follows from."""
    content["mean_latency_seconds"] = 1.0
    content["views"]["overall"]["mean_latency_seconds"] = 1.0


def test_other_numbers_under_the_name_are_a_conflict(
    warehouse_path: Path, altered: Callable[..., Path]
):
    jevdb(warehouse_path, "ingest", "results", str(file_of(NIMBLE)))
    path = altered(other_latency)
    refused = jevdb(warehouse_path, "ingest", "results", str(path))
    assert refused.exit_code == 4
    assert "bespokelabs/Bespoke-Nimble-9B@594dfdcfb6f9" in refused.stderr
    assert "--supersede" in refused.stderr
    assert stored(warehouse_path, "select count(*) from reported_results") == [(1,)]


def latency(path: Path) -> list[float]:
    return [row["latency_s"] for row in rows_of(path, "results")]


def test_superseding_and_back_again(warehouse_path: Path, altered: Callable[..., Path]):
    first, second = str(file_of(NIMBLE)), str(altered(other_latency))
    jevdb(warehouse_path, "ingest", "results", first)
    command = ("ingest", "results", second, "--supersede")
    assert jevdb(warehouse_path, *command).exit_code == 0
    assert latency(warehouse_path) == [1.0]
    idle = jevdb(warehouse_path, "ingest", "results", first)
    assert (idle.exit_code, "superseded" in idle.stderr) == (0, True)
    assert latency(warehouse_path) == [1.0]
    back = jevdb(warehouse_path, "ingest", "results", first, "--supersede")
    assert "stands again" in back.stderr
    assert latency(warehouse_path) == [0.06893868113800178]
    assert jevdb(warehouse_path, "check").exit_code == 0


def test_another_tag_is_another_result(
    warehouse_path: Path, altered: Callable[..., Path]
):
    jevdb(warehouse_path, "ingest", "results", str(file_of(LAYA)))
    path = altered(lambda content: content.update(tags=[]), LAYA)
    assert jevdb(warehouse_path, "ingest", "results", str(path)).exit_code == 0
    tags = [row["tags"] for row in rows_of(warehouse_path, "results")]
    assert tags == [[], ["compact"]]


def test_two_files_of_one_name_in_one_call(
    warehouse_path: Path, altered: Callable[..., Path]
):
    paths = (str(file_of(NIMBLE)), str(altered(other_latency)))
    result = jevdb(warehouse_path, "ingest", "results", *paths, "--supersede")
    assert result.exit_code == 4
    assert "report different numbers" in result.stderr
    assert stored(warehouse_path, "select count(*) from reported_results") == [(0,)]


def set_path(*keys: str, value: object) -> Callable[[Content], None]:
    def change(content: Content) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            set_path("error_rows", value=1),
            "$.requested_rows: 23900, but successful + unsupported + error rows are "
            "18321 + 5579 + 1 = 23901",
        ),
        (
            set_path("coverage", value=0.9),
            "$.coverage: 0.9, but successful / requested",
        ),
        (
            set_path("primary_accuracy", value=0.7),
            "$.primary_accuracy: 0.7, but supported accuracy x coverage is 0.541",
        ),
        (
            set_path("expected_calibration_error", value=0.1),
            "$.expected_calibration_error: 0.1, but 0.17931275426937182 in view",
        ),
        (
            set_path("views", "domain:web", "rows", value=2221),
            "$.views: the domain views have ",
        ),
        (
            set_path("views", "family:reasoning", "accuracy", value=0.4405),
            '$.views["family:reasoning"].accuracy: x 800 rows is 352.4, not a whole',
        ),
        (
            set_path("views", "family:reasoning", "accuracy", value=0.4425),
            "$.views: the family views have 12949 right answers, view 'overall' 12947",
        ),
        (set_path("schema_version", value="v2"), "$.schema_version: not 'decision-b"),
        (set_path("benchmark_name", value="Mine"), "$.benchmark_name: not 'DecisionB"),
        (set_path("tags", value=["a", "a"]), "$.tags: a tag stands there twice"),
        (set_path("submitted_at", value="2026-01-01T00:00:00"), "has no time zone"),
        (
            set_path("requested_rows", value="23900"),
            "$.requested_rows: expected a whole",
        ),
        (set_path("model", "name", value=""), "$.model.name"),
        (lambda content: content.pop("model"), "$.model: missing"),
        (
            lambda content: content["views"].pop("overall"),
            "$.views: no view 'overall'",
        ),
        (
            lambda content: content["views"].update(
                {"candidate_count:x": {"rows": 0, "accuracy": None}}
            ),
            "$.views[\"candidate_count:x\"]: 'x' is no number of candidates",
        ),
    ],
)
def test_a_result_that_cannot_be_is_refused(
    warehouse_path: Path,
    altered: Callable[..., Path],
    change: Callable[[Content], object],
    message: str,
):
    result = jevdb(warehouse_path, "ingest", "results", str(altered(change)))
    assert result.exit_code == 1
    assert f"DecisionBench.json: {message}" in result.stderr or message in result.stderr
    assert stored(warehouse_path, "select count(*) from reported_results") == [(0,)]


def test_nan_is_no_number(warehouse_path: Path, tmp_path: Path):
    path = tmp_path / "DecisionBench.json"
    text = file_of(NIMBLE).read_text()
    path.write_text(text.replace("0.7066753998144206", "NaN"))
    result = jevdb(warehouse_path, "ingest", "results", str(path))
    assert result.exit_code == 1
    assert "$.supported_accuracy: NaN is not JSON; use null" in result.stderr


def test_a_broken_file_of_a_tree_refuses_the_tree(warehouse_path: Path, tmp_path: Path):
    tree = Path(shutil.copytree(RESULTS, tmp_path / "results"))
    broken = next((tree / NIMBLE).glob("*/DecisionBench.json"))
    broken.write_text(broken.read_text()[:-20])
    result = jevdb(warehouse_path, "ingest", "results", str(tree))
    assert result.exit_code == 1
    assert f"{NIMBLE}/{broken.parent.name}/DecisionBench.json:" in result.stderr
    assert str(tmp_path) not in result.stderr
    assert stored(warehouse_path, "select count(*) from models") == [(0,)]


def test_an_unknown_data_set_revision_has_no_i(
    warehouse_path: Path, altered: Callable[..., Path]
):
    path = altered(set_path("dataset_revision", value="0" * 40))
    assert jevdb(warehouse_path, "ingest", "results", str(path)).exit_code == 0
    found = stored(
        warehouse_path,
        "select metric, value is null, reason from reported_metrics "
        "where metric like 'intelligence%' order by metric",
    )
    assert found == [
        ("intelligence", True, "unknown_option_counts"),
        ("intelligence_supported", False, None),
    ]


def test_full_coverage_needs_no_other_counts(
    warehouse_path: Path, altered: Callable[..., Path]
):
    path = altered(set_path("dataset_revision", value="0" * 40), BONGARD)
    jevdb(warehouse_path, "ingest", "results", str(path))
    assert round(rows_of(warehouse_path, "results")[0]["intelligence"], 2) == 71.02


def test_a_result_without_an_ok_row(warehouse_path: Path, altered: Callable[..., Path]):
    def empty(content: Content) -> None:
        content.update(successful_rows=0, error_rows=18_321, coverage=0.0, views={})
        content.update(primary_accuracy=0.0, supported_accuracy=None)
        for name in ("negative_log_likelihood", "latency_seconds"):
            content[f"mean_{name}"] = None
        content["expected_calibration_error"] = None

    result = jevdb(warehouse_path, "ingest", "results", str(altered(empty)))
    assert result.exit_code == 0, result.output
    found = stored(warehouse_path, "select metric, value, reason from reported_metrics")
    by_metric = {metric: rest for metric, *rest in found}
    assert by_metric["supported_accuracy"] == [None, "no_rows"]
    assert by_metric["intelligence_supported"] == [None, "no_rows"]
    # Nothing right: I = -100 c / (1 - c) with c = .242513
    assert by_metric["intelligence"][0] == pytest.approx(-32.0156, abs=1e-3)


def test_a_model_meta_alone_describes_its_model(warehouse_path: Path, tmp_path: Path):
    """`--model-meta` of a run describes the same model in the same words."""
    meta = next(RESULTS.glob("OmniJev__OneJev-4B/*/model_meta.json"))
    assert jevdb(warehouse_path, "ingest", "results", str(meta)).exit_code == 0
    rows = rows_of(warehouse_path, "models")
    assert [(row["model"], row["parameters"]) for row in rows] == [
        ("OmniJev/OneJev-4B", 5174964736)
    ]
    items, answers = tmp_path / "items.jsonl", tmp_path / "answers.jsonl"
    items.write_text('{"item_id": "a", "type": "noul", "gold": "yes"}\n')
    answers.write_text('{"item_id": "a", "answer": "yes"}\n')
    jevdb(warehouse_path, "ingest", "items", str(items), "--benchmark", "b")
    run = jevdb(
        warehouse_path,
        *("ingest", "run", str(answers), "--benchmark", "b"),
        *("--model", "OmniJev/OneJev-4B", "--revision", meta.parent.name),
        *("--model-meta", str(meta)),
    )
    assert run.exit_code == 0, run.output
    assert stored(warehouse_path, "select count(*) from models") == [(1,)]


def test_other_json_is_skipped_in_a_tree_and_refused_by_name(
    warehouse_path: Path, tmp_path: Path
):
    (tmp_path / "package.json").write_text('{"name": "x"}')
    shutil.copy(file_of(NIMBLE), tmp_path / "DecisionBench.json")
    tree = jevdb(warehouse_path, "ingest", "results", str(tmp_path))
    assert tree.exit_code == 0
    assert "no results in: package.json" in tree.stderr
    named = jevdb(warehouse_path, "ingest", "results", str(tmp_path / "package.json"))
    assert named.exit_code == 1
    assert "package.json: neither a Decision Bench result nor a model_meta.json" in (
        named.stderr
    )


def test_a_tree_without_results(warehouse_path: Path, tmp_path: Path):
    result = jevdb(warehouse_path, "ingest", "results", str(tmp_path))
    assert result.exit_code == 1
    assert "no result file" in result.stderr


def test_reported_numbers_stay_out_of_computed_ones(warehouse_path: Path):
    fill(warehouse_path)
    jevdb(warehouse_path, "ingest", "results", str(RESULTS))
    names = {row["model"] for row in rows_of(warehouse_path, "report")}
    assert names == {"first", "se|cond", "third"}
    assert stored(
        warehouse_path, "select count(*) from report_metrics where n > 100"
    ) == [(0,)]


def test_a_slice_and_an_unknown_view(warehouse_path: Path):
    jevdb(warehouse_path, "ingest", "results", str(RESULTS))
    rows = rows_of(warehouse_path, "results", "--view", "family:reasoning")
    by_model = {row["model"]: row for row in rows}
    assert by_model["bespokelabs/Bespoke-Nimble-9B"]["accuracy"] == 0.44
    assert by_model["bespokelabs/Bespoke-Nimble-9B"]["n"] == 800
    assert by_model["AgentBull/bongard-mini"]["intelligence"] is None
    unknown = jevdb(warehouse_path, "results", "--view", "family:resoning")
    assert unknown.exit_code == 2
    assert "did you mean 'family:reasoning'" in unknown.stderr


def test_nothing_published_yet(warehouse_path: Path):
    result = jevdb(warehouse_path, "results")
    assert result.exit_code == 0
    assert "no published results yet" in result.stderr
    assert rows_of(warehouse_path, "results") == []
