"""lighteval's details: softmax of log-likelihoods, and generated labels, in Parquet."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from prepared import DATA, choice, prepare

from jevdb.base.errors import InputError, UsageError
from jevdb.ingest.items.files import read_items

FOLDER = DATA / "lighteval"
COLOURS, SPOKEN = FOLDER / "details_colours.parquet", FOLDER / "details_spoken.parquet"
OPTIONS = ("red", "green", "blue")
ITEMS = [choice(name, *OPTIONS) for name in ("0", "1", "2")]
DETAIL: dict[str, Any] = pq.read_table(COLOURS).to_pylist()[0]


def changed(path: Path, **parts: dict[str, Any]) -> Path:
    """Write the first detail, some of its parts changed."""
    detail = copy.deepcopy(DETAIL)
    for name, values in parts.items():
        detail[name] |= values
    pq.write_table(pa.Table.from_pylist([detail]), path)
    return path


def test_the_items_are_those_of_the_documents():
    rows = read_items([COLOURS]).rows
    assert [row.label_index for row in rows.values()] == [1, 0, 2]
    assert rows["0"].options == list(OPTIONS)


def test_probabilities_are_the_softmax():
    """Of -4.1, -0.25 and -2: e to the x is 0.016573, 0.778801, 0.135335 (tables)."""
    run = prepare(ITEMS, COLOURS)
    total = 0.016572675 + 0.778800783 + 0.135335283
    assert run.rows["0"]["probabilities"] == pytest.approx(
        [0.016572675 / total, 0.778800783 / total, 0.135335283 / total], abs=1e-8
    )
    assert run.summary.ok == 3
    assert run.options.settings == {
        "probabilities": "softmax of the options' log-likelihoods",
        "doc.task_name": "colours|0",
    }


def test_a_generated_answer_is_a_label_where_it_is_one():
    run = prepare(ITEMS, SPOKEN)
    assert (run.rows["0"]["status"], run.rows["0"]["label_index"]) == ("ok", 1)
    assert run.rows["1"]["status"] == "invalid"  # "It is blue."


@pytest.mark.parametrize(
    ("parts", "place", "words"),
    [
        (
            {"model_response": {"logprobs": [-1.0, -2.0]}},
            "$.model_response.logprobs",
            "2 log-likelihoods for 3 choices",
        ),
        (
            {"doc": {"choices": [" red", " red", " blue"]}},
            "$.doc.choices",
            '"red" is an option twice',
        ),
        ({"doc": {"gold_index": [3]}}, "$.doc.gold_index", "3 is no place among 3"),
        ({"doc": {"id": ""}}, "$.doc.id", "not numbered"),
        (
            {"model_response": {"logprobs": [], "text": ["red", "blue"]}},
            "$.model_response.text",
            "2 samples of a model",
        ),
    ],
)
def test_a_fault_has_its_place(
    parts: dict[str, dict[str, Any]], place: str, words: str, tmp_path: Path
):
    with pytest.raises(InputError) as refused:
        prepare(ITEMS, changed(tmp_path / "details.parquet", **parts))
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (1, place)
    assert words in problem.message


def test_an_item_has_one_gold(tmp_path: Path):
    path = changed(tmp_path / "details.parquet", doc={"gold_index": [0, 1]})
    with pytest.raises(InputError, match="2 golds, any of which is right"):
        read_items([path])


def test_tasks_are_runs_of_their_own():
    """They number their documents alike."""
    with pytest.raises((InputError, UsageError), match=r"doc\.task_name"):
        prepare(ITEMS, COLOURS, SPOKEN)
