"""promptfoo's results: what it wrote itself, in one document and line by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from prepared import DATA, choice, noul, prepare, write

from jevdb.base.errors import InputError, UsageError
from jevdb.ingest.reading_options import reading_options

FOLDER = DATA / "promptfoo"
WHOLE, LINES = FOLDER / "results.json", FOLDER / "results.jsonl"
COLOURS = ("red", "green", "blue")
ITEMS = [
    *(choice("q1", *COLOURS), noul("q2"), choice("q3", *COLOURS)),
    *(choice("q4", *COLOURS), choice("q5", "refund", "exchange")),
]
FOLD = reading_options({"labels": "fold"})
RESULT: dict[str, Any] = json.loads(LINES.read_text().splitlines()[0])


def test_the_document_and_the_lines_are_the_same_run():
    with pytest.raises(InputError, match=r'would be one, as "yes"'):
        prepare(ITEMS, WHOLE)
    whole, lines = (prepare(ITEMS, path, reading=FOLD) for path in (WHOLE, LINES))
    digests = [
        {name: row["digest"] for name, row in run.rows.items()}
        for run in (whole, lines)
    ]
    assert digests[0] == digests[1]
    statuses = {name: row["status"] for name, row in whole.rows.items()}
    assert statuses == {**dict.fromkeys(("q1", "q2", "q3", "q5"), "ok"), "q4": "error"}
    assert [whole.rows[name]["label_index"] for name in ("q1", "q3")] == [1, 2]
    assert whole.rows["q4"]["error"] == "API error: model not loaded"
    assert whole.rows["q5"]["probabilities"] == [0.2, 0.8]
    assert whole.options.model.requested_name == "acme:decider-1"


def test_what_it_took():
    """20 and 1 tokens and 0.0001 dollars, as the provider told; its error told none."""
    rows = prepare(ITEMS, WHOLE, reading=FOLD).rows
    told = [rows["q1"][name] for name in ("input_tokens", "output_tokens", "cost_usd")]
    assert told == [20, 1, 0.0001]
    assert "cost_usd" not in rows["q4"]


def test_a_test_without_a_name_is_its_number(tmp_path: Path):
    result = {**RESULT, "vars": {}, "testIdx": 4}
    run = prepare([choice("4", *COLOURS)], write(tmp_path / "r.jsonl", result))
    assert run.rows["4"]["label_index"] == 1


@pytest.mark.parametrize(
    ("change", "name", "wanted"),
    [
        ({"provider": {"id": "other"}}, "provider.id", "acme:decider-1"),
        ({"promptIdx": 1}, "promptIdx", "0"),
    ],
)
def test_providers_and_prompts_are_runs_of_their_own(
    change: dict[str, Any], name: str, wanted: str, tmp_path: Path
):
    path = write(tmp_path / "r.jsonl", RESULT, {**RESULT, **change})
    with pytest.raises((InputError, UsageError), match=name):
        prepare(ITEMS, path)
    assert prepare(ITEMS, path, where={name: wanted}).summary.ok == 1


def test_an_answer_from_a_cache_took_no_time(tmp_path: Path):
    result = {**RESULT, "response": {**RESULT["response"], "cached": True}}
    run = prepare(ITEMS, write(tmp_path / "r.jsonl", result))
    assert "latency_s" not in run.rows["q1"]


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        (
            {"response": {"output": {"label": "green"}}},
            "$.response.output",
            "an object without answer or probabilities (its keys: label)",
        ),
        ({"vars": {"item_id": 0.5}}, "$.vars.item_id", "expected"),
        ({"promptIdx": None}, "$.promptIdx", "expected"),
        ({"latencyMs": "2"}, "$.latencyMs", "expected"),
    ],
)
def test_a_fault_has_its_place(
    change: dict[str, Any], place: str, words: str, tmp_path: Path
):
    with pytest.raises(InputError) as refused:
        prepare(ITEMS, write(tmp_path / "r.jsonl", {**RESULT, **change}))
    assert place in [problem.field for problem in refused.value.problems]
    assert words in str(refused.value)


def test_other_assertions_are_no_verdict(tmp_path: Path):
    """A test may fail for its price; only equality is about the answer."""
    graded = {
        "pass": False,
        "componentResults": [{"pass": False, "assertion": {"type": "cost"}}],
    }
    result = {**RESULT, "success": False, "gradingResult": graded}
    run = prepare(ITEMS, write(tmp_path / "r.jsonl", result))
    assert run.summary.ok == 1
