"""Exports for others: their shape is kept, their numbers are ours, nothing leaks."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from building import add_benchmark, add_run, open_to_fill
from commandline import FIRST, WORKED, add_event, fill, jevdb

from jevdb.exports.foreign.hugging_face import as_yaml
from jevdb.exports.foreign.names import file_name, stable_uuid

SHAPE = Path(__file__).parent / "data" / "every_eval_ever"
PATH = re.compile(
    r"data/[^/]+/[^/]+/[^/]+/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
    r"[0-9a-f]{12}_samples\.jsonl"
)
"""The pattern of the schema's file_path, in lower case."""


@pytest.fixture
def filled(warehouse_path: Path) -> Path:
    fill(warehouse_path)
    return warehouse_path


HUB = ("--dataset", "Org/set")
"""The dataset that benchmarks without one as their source are exported as."""


def export(path: Path, form: str, out: Path, *options: str) -> None:
    said = HUB if form == "hf" else ()
    result = jevdb(path, "export", "--as", form, "--out", str(out), *said, *options)
    assert result.exit_code == 0, result.output


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def strictly(data: bytes) -> dict[str, Any]:
    def refuse(token: str) -> None:
        raise AssertionError(f"bare {token}")

    return dict(json.loads(data, parse_constant=refuse))


def entries(path: Path, out: Path, *options: str) -> list[dict[str, Any]]:
    export(path, "hf", out, *options)
    return list(yaml.safe_load(out.read_text()))


def test_hf_entries_are_the_reported_numbers(filled: Path, tmp_path: Path):
    found = entries(filled, tmp_path / "first.yaml", "--run", "first")
    values = {entry["dataset"]["task_id"]: entry["value"] for entry in found}
    assert values["overall.accuracy"] == WORKED["accuracy"]
    assert values["overall.intelligence"] == pytest.approx(WORKED["intelligence"])
    assert values["overall.calibration"] == pytest.approx(WORKED["calibration"])
    assert values["overall.ece.noul"] == WORKED["ece_noul"]
    assert values["overall.tvd"] == WORKED["tvd"]
    assert "overall.accuracy.multi_select" not in values  # null: there is none
    assert {entry["dataset"]["id"] for entry in found} == {"Org/set"}


def test_hf_notes_say_method_scope_and_unit(filled: Path, tmp_path: Path):
    found = entries(filled, tmp_path / "first.yaml", "--run", "first")
    notes = {entry["dataset"]["task_id"]: entry["notes"] for entry in found}
    assert notes["overall.intelligence"] == (
        "I (intelligence); unit: points (at most 100); method: metrics-md; scope: "
        f"overall of small, n 4 of 4; gold revision 1; jevdb run {FIRST[:12]}"
    )
    assert notes["overall.ece.choice"].startswith(
        "expected calibration error of choice; unit: proportion (0 to 1)"
    )
    assert all(set(entry) == {"dataset", "value", "notes"} for entry in found)


def test_hf_keeps_date_revision_and_source_where_they_are_known(
    warehouse_path: Path, tmp_path: Path
):
    items, answers = tmp_path / "items.jsonl", tmp_path / "answers.jsonl"
    items.write_text('{"item_id": "a", "type": "noul", "gold": "yes"}\n')
    answers.write_text('{"item_id": "a", "probabilities": {"yes": 0.99999}}\n')
    jevdb(warehouse_path, "ingest", "items", str(items), "--benchmark", "b")
    run = jevdb(
        warehouse_path,
        *("ingest", "run", str(answers), "--benchmark", "b", "--model", "org/m"),
        *("--label", 'say "no": 1', "--started", "2026-11-01T12:00:00+02:00"),
        *("--setting", "dataset_repo=Org/set", "--setting", "dataset_revision=abc"),
        *("--setting", "source_url=https://example.org/run"),
    )
    assert run.exit_code == 0, run.output
    found = entries(warehouse_path, tmp_path / "out.yaml")
    assert found[0]["dataset"] == {
        **{"id": "Org/set", "revision": "abc"},
        "task_id": "overall.accuracy",
    }
    assert found[0]["date"] == "2026-11-01T10:00:00Z"
    assert found[0]["source"] == {"url": "https://example.org/run"}
    assert 'label: say "no": 1; jevdb run' in found[0]["notes"]
    ece = next(e for e in found if e["dataset"]["task_id"] == "overall.ece.noul")
    assert ece["value"] == pytest.approx(0.00001)  # 1e-05, still a number in YAML
    assert isinstance(ece["value"], float)


@pytest.mark.parametrize("form", ["hf", "every-eval-ever"])
def test_private_runs_are_left_out_unless_asked_for(
    filled: Path, tmp_path: Path, form: str
):
    export(filled, form, tmp_path / "public")
    export(filled, form, tmp_path / "all", "--include-private")
    public, everything = contents(tmp_path / "public"), contents(tmp_path / "all")
    assert len(everything) / len(public) == 3 / 2
    assert not any(b"third" in data or "third" in n for n, data in public.items())
    named = jevdb(filled, "export", "--as", form, "--run", "third")
    assert named.exit_code == 2
    assert "--include-private" in named.stderr


@pytest.mark.parametrize("form", ["hf", "every-eval-ever"])
def test_the_same_warehouse_gives_the_same_bytes(
    filled: Path, tmp_path: Path, form: str
):
    for name in ("one", "two"):
        export(filled, form, tmp_path / name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def record_of(path: Path, out: Path, *options: str) -> dict[str, Any]:
    export(path, "every-eval-ever", out, *options)
    return strictly(out.read_bytes())


def samples_of(out: Path) -> list[dict[str, Any]]:
    data = out.with_name(f"{out.stem}_samples.jsonl").read_bytes()
    return [strictly(line) for line in data.splitlines()]


def assert_shape(ours: Any, theirs: Any, path: str = "$") -> None:
    """Every key of theirs is in ours, with a value of the same kind."""
    if isinstance(theirs, dict):
        for key, value in theirs.items():
            assert key in ours, f"{path}.{key}"
            assert_shape(ours[key], value, f"{path}.{key}")
    elif isinstance(theirs, list) and theirs and ours:
        assert_shape(ours[0], theirs[0], f"{path}[0]")
    else:
        assert isinstance(ours, type(theirs)), path


def test_a_record_has_the_shape_of_theirs(filled: Path, tmp_path: Path):
    theirs = strictly(next(SHAPE.glob("*40.json")).read_bytes())
    # Placeholders of an aggregator: our own benchmark has no address and no role.
    del theirs["source_metadata"]["additional_details"]
    del theirs["evaluation_timestamp"]  # not known of this run, so not said
    theirs["evaluation_results"][0]["source_data"] = {
        **{"dataset_name": "", "source_type": ""}
    }
    ours = record_of(filled, tmp_path / "first.json", "--run", "first")
    assert_shape(ours, theirs)
    assert ours["schema_version"] == theirs["schema_version"] == "0.3.0"


def test_a_sample_has_the_shape_of_theirs(warehouse_path: Path, tmp_path: Path):
    items = [{"item_id": "a", "type": "choice", "options": ["x", "y"], "gold": "x"}]
    with open_to_fill(warehouse_path) as connection:
        benchmark = add_benchmark(connection, items)
        add_run(connection, benchmark, [{"item_id": "a", "answer": "x"}])
        connection.execute("update predictions set input_tokens = 3, output_tokens = 4")
    theirs = strictly(next(SHAPE.glob("*.jsonl")).read_bytes())
    del theirs["metadata"]["subject"], theirs["input"]["formatted"]
    export(warehouse_path, "every-eval-ever", tmp_path / "m.json")
    (ours,) = samples_of(tmp_path / "m.json")
    assert_shape(ours, theirs)
    assert ours["token_usage"]["total_tokens"] == 7
    assert ours["sample_hash"] == hashlib.sha256(b"ax").hexdigest()


def test_a_record_has_every_number_with_its_bounds(filled: Path, tmp_path: Path):
    record = record_of(filled, tmp_path / "first.json", "--run", "first")
    results = {
        each["evaluation_result_id"]: each for each in record["evaluation_results"]
    }
    accuracy = results["small.overall.accuracy"]
    assert accuracy["score_details"]["score"] == 0.75
    assert accuracy["score_details"]["details"] == {
        **{"n": "4", "n_scope": "4", "gold_revision": "1"}
    }
    config = results["small.overall.intelligence"]["metric_config"]
    assert (config["min_score"], config["max_score"]) == ("-Infinity", 100.0)
    assert config["metric_parameters"] == {"method": "metrics-md", "kind": "all"}
    assert (config["metric_unit"], config["lower_is_better"]) == ("points", False)
    choice = results["small.overall.intelligence.choice"]
    assert choice["score_details"]["score"] == 0.0
    assert choice["metric_config"]["metric_id"] == "jevdb.intelligence_choice"
    assert results["small.overall.ordinal_mae.score"]["metric_config"]["max_score"] == (
        "Infinity"
    )


def test_samples_are_every_item_and_add_up_to_the_accuracy(
    filled: Path, tmp_path: Path
):
    """The second run answers c1 only: three items are missing, and have a line."""
    out = tmp_path / "second.json"
    record = record_of(filled, out, "--run", "se|cond")
    samples = samples_of(out)
    assert [sample["sample_id"] for sample in samples] == ["c1", "c2", "n1", "s1"]
    assert [sample["evaluation"]["is_correct"] for sample in samples] == [
        *(True, False, False, False)
    ]
    assert "error" not in samples[0]
    assert [sample["error"] for sample in samples[1:]] == ["missing"] * 3
    assert samples[1]["output"] == {"raw": []}
    assert samples[0]["answer_attribution"][0]["extracted_value"] == "a"
    assert json.loads(samples[0]["metadata"]["probabilities"]) == [0.75, 0.25]
    details = record["detailed_evaluation_results"]
    data = out.with_name("second_samples.jsonl").read_bytes()
    assert details["checksum"] == hashlib.sha256(data).hexdigest()
    assert details["total_rows"] == 4
    assert PATH.fullmatch(details["file_path"])
    joined = {sample["evaluation_result_id"] for sample in samples}
    assert joined <= {
        each["evaluation_result_id"] for each in record["evaluation_results"]
    }
    assert {sample["evaluation_id"] for sample in samples} == {record["evaluation_id"]}


def test_every_repeat_has_a_line_and_a_number(warehouse_path: Path, tmp_path: Path):
    """Two answers to each of two items, three of the four right."""
    items = [{"item_id": name, "type": "noul", "gold": "yes"} for name in "ab"]
    rows = [
        {"item_id": name, "repeat": repeat, "probabilities": [1 - yes, yes]}
        for name, said in {"a": (0.75, 0.875), "b": (0.25, 0.75)}.items()
        for repeat, yes in enumerate(said)
    ]
    with open_to_fill(warehouse_path) as connection:
        add_run(connection, add_benchmark(connection, items), rows, repeats=2)
        connection.execute("""update runs set settings = '{"repeats": ["1", "2"]}'""")
    record = record_of(warehouse_path, tmp_path / "m.json")
    found = [
        (each["sample_id"], each["metadata"]["repeat"], each["evaluation"]["score"])
        for each in samples_of(tmp_path / "m.json")
    ]
    assert found == [("a", "0", 1.0), ("a", "1", 1.0), ("b", "0", 0.0), ("b", "1", 1.0)]
    [accuracy] = [
        each["score_details"]
        for each in record["evaluation_results"]
        if each["metric_config"]["metric_id"] == "accuracy"
    ]
    assert accuracy["score"] == 0.75
    assert accuracy["details"]["repeats"] == "2"
    notes = entries(warehouse_path, tmp_path / "m.yaml")[0]["notes"]
    assert "n 2 of 2; gold revision 1; each item asked 2 times; " in notes


def test_a_run_that_asked_once_says_nothing_of_repeats(filled: Path, tmp_path: Path):
    record = record_of(filled, tmp_path / "first.json", "--run", "first")
    samples = samples_of(tmp_path / "first.json")
    assert not any("repeat" in each["metadata"] for each in samples)
    assert "repeats" not in json.dumps(record)


def test_metadata_and_details_are_strings(filled: Path, tmp_path: Path):
    record = record_of(filled, tmp_path / "first.json", "--run", "first")
    details = [
        record["source_metadata"]["additional_details"],
        record["model_info"]["additional_details"],
        *(each["score_details"]["details"] for each in record["evaluation_results"]),
        *(sample["metadata"] for sample in samples_of(tmp_path / "first.json")),
    ]
    assert {type(value) for each in details for value in each.values()} == {str}


def test_multi_select_and_score_answers(warehouse_path: Path, tmp_path: Path):
    items = [
        {"item_id": "m", "type": "multi_select", "options": ["a", "b"], "gold": ["b"]},
        {"item_id": "s", "type": "score", "options": ["low", "high"], "gold": 1},
    ]
    answers = [
        {"item_id": "m", "answer": ["b", "a"]},
        {"item_id": "s", "probabilities": [0.25, 0.75]},
    ]
    with open_to_fill(warehouse_path) as connection:
        add_run(connection, add_benchmark(connection, items), answers)
    export(warehouse_path, "every-eval-ever", tmp_path / "m.json")
    several, level = samples_of(tmp_path / "m.json")
    assert several["output"]["raw"] == ["b", "a"]
    assert several["input"]["reference"] == ["b"]
    assert [each["extraction_method"] for each in several["answer_attribution"]] == [
        *("as_returned", "as_returned")
    ]
    assert (level["output"]["raw"], level["input"]["reference"]) == (["high"], ["high"])
    assert level["answer_attribution"][0]["extraction_method"] == "most_probable_option"


@pytest.mark.parametrize(
    "model",
    [
        "../../etc/passwd",
        "x\n/y: z",
        pytest.param("a/b/../..", marks=pytest.mark.long),
        pytest.param("..", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("form", ["hf", "every-eval-ever"])
def test_a_models_name_is_no_path(
    warehouse_path: Path, tmp_path: Path, model: str, form: str
):
    items = [{"item_id": "a", "type": "noul", "gold": "yes"}]
    with open_to_fill(warehouse_path) as connection:
        benchmark = add_benchmark(connection, items, benchmark_id="../b")
        add_run(connection, benchmark, [{"item_id": "a", "answer": "yes"}], model=model)
    folder = tmp_path / "deep" / "folder"
    export(warehouse_path, form, folder)
    outside = [
        path
        for path in tmp_path.rglob("*")
        if path.is_file() and path != warehouse_path and folder not in path.parents
    ]
    assert outside == []
    for name, data in contents(folder).items():
        if name.endswith(".json"):
            place = strictly(data)["detailed_evaluation_results"]["file_path"]
            assert PATH.fullmatch(place) and ".." not in place.split("/")
        if name.endswith(".yaml"):
            assert yaml.safe_load(data)[0]["value"] == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--as", "hf", "--out", "all.yaml"), "one file, for 2 runs"),
        (("--as", "hf", "--out", "-"), "one file, for 2 runs"),
        (("--as", "every-eval-ever", "--out", "-"), "two files a run"),
        (("--as", "hf", "--markdown", "R.md"), "--as goes without"),
        (("--as", "hf", "--check", "e.json"), "--as goes without"),
        (("--as", "hf", "--method", "jevbench"), "unknown method 'jevbench'"),
        (("--as", "hf"), "this benchmark's source is none; say which with --dataset"),
        (("--as", "hf", "--dataset", "small"), "'small' is no dataset's id"),
        (("--as", "every-eval-ever", *HUB), "--dataset goes with --as hf"),
        (HUB, "--dataset goes with --as hf"),
        (("--as", "mlflow", "--out", "-"), "not stdout"),
        (("--as", "hf", "--gold-revision", "7"), "gold revision"),
    ],
)
def test_options_that_do_not_go_together(
    filled: Path, options: tuple[str, ...], message: str
):
    result = jevdb(filled, "export", *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_one_run_on_stdout(filled: Path):
    result = jevdb(filled, "export", "--as", "hf", *HUB, "--run", "first", "--out", "-")
    assert result.exit_code == 0
    assert yaml.safe_load(result.stdout)[0]["dataset"]["id"] == "Org/set"


def test_nothing_to_export(warehouse_path: Path, tmp_path: Path):
    result = jevdb(
        warehouse_path, "export", "--as", "hf", "--out", str(tmp_path / "none")
    )
    assert (result.exit_code, "0 runs exported" in result.stderr) == (0, True)


def test_a_withdrawn_run_is_not_exported(filled: Path, tmp_path: Path):
    with open_to_fill(filled) as connection:
        add_event(connection, FIRST, "withdrawn")
    export(filled, "hf", tmp_path / "out")
    assert len(contents(tmp_path / "out")) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e-05, "1.0e-05"), (2.5e-07, "2.5e-07"), (71.25, "71.25"), (-0.5, "-0.5")],
)
def test_yaml_numbers_are_numbers_to_every_reader(value: float, text: str):
    """YAML 1.1 asks for a point in the mantissa, 1.2 does not."""
    assert as_yaml([{"value": value}]) == f"- value: {text}\n".encode()


@pytest.mark.parametrize(
    "text",
    [
        *('say "no"', "a: b # c", "line\nbreak\ttab", "\x1b[31m", "é 😀 \u2028"),
        *("-", "", "yes", "1e3", "2026-11-01", "word " * 40),
    ],
)
def test_yaml_text_stands_in_quotes_on_one_line(text: str):
    written = as_yaml([{"notes": text}]).decode()
    assert yaml.safe_load(written) == [{"notes": text}]
    assert re.fullmatch(r'- notes: "[^\n]*"\n', written)


def test_names_of_files():
    assert file_name("org/some model:7b") == "org_some_model_7b"
    assert file_name("...") == "_"
    assert stable_uuid("0" * 64) == "00000000-0000-4000-8000-000000000000"
