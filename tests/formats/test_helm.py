"""HELM's scenario states: letters of joint multiple choice, and what is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prepared import DATA, choice, prepare

from jevdb.base.errors import InputError, UsageError
from jevdb.ingest.items.files import read_items

STATE = DATA / "helm" / "scenario_state.json"
READ: dict[str, Any] = json.loads(STATE.read_text())
COLOURS = ("red", "green", "blue")
ITEMS = [
    *(choice(f"id{n}", *COLOURS) for n in range(3)),
    choice("id3", "white", "black"),
]


def changed(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Write the state with its first request changed."""
    state = copy.deepcopy(READ)
    change(state["request_states"][0])
    path.write_text(json.dumps(state, indent=1))
    return path


def test_the_items_are_the_instances():
    rows = read_items([STATE]).rows
    assert [rows[f"id{n}"].label_index for n in range(4)] == [1, 0, 2, 0]
    assert rows["id3"].options == ["white", "black"]


def test_letters_are_what_they_stood_for():
    run = prepare(ITEMS, STATE)
    statuses = {name: row["status"] for name, row in run.rows.items()}
    assert statuses == {"id0": "ok", "id1": "ok", "id2": "invalid", "id3": "error"}
    assert [run.rows[name]["label_index"] for name in ("id0", "id1")] == [1, 2]
    assert run.rows["id1"]["latency_s"] == 1.25
    assert run.rows["id3"]["error"] == "server: model not loaded"
    assert run.options.model.requested_name == "acme/decider-1"


def test_what_was_perturbed_is_a_run_of_its_own(tmp_path: Path):
    def perturb(state: dict[str, Any]) -> None:
        state["instance"]["perturbation"] = {"name": "typos"}

    path = changed(tmp_path / "s.json", perturb)
    with pytest.raises((InputError, UsageError), match=r"instance\.perturbation\.name"):
        prepare(ITEMS, path)
    taken = prepare(ITEMS, path, where={"instance.perturbation.name": "typos"})
    assert list(taken.rows) == ["id0"]
    assert len(read_items([path]).rows) == 3


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        (
            lambda state: state["result"]["completions"].append({"text": "A"}),
            "$.request_states[0].result.completions",
            "2 of them; one is an answer",
        ),
        (
            lambda state: state["instance"].pop("id"),
            "$.request_states[0].instance.id",
            "missing",
        ),
        (
            lambda state: state.pop("result"),
            "$.request_states[0].result",
            "missing",
        ),
        (
            lambda state: state["instance"]["references"][1].pop("output"),
            "$.request_states[0].instance.references[1].output",
            "missing",
        ),
    ],
)
def test_a_fault_has_its_place(
    change: Callable[[dict[str, Any]], None], place: str, words: str, tmp_path: Path
):
    with pytest.raises(InputError) as refused:
        prepare(ITEMS, changed(tmp_path / "s.json", change))
    assert place in [problem.field for problem in refused.value.problems]


def test_references_that_are_asked_one_by_one_are_refused(tmp_path: Path):
    state = copy.deepcopy(READ)
    state["adapter_spec"]["method"] = "multiple_choice_separate_original"
    path = tmp_path / "s.json"
    path.write_text(json.dumps(state))
    with pytest.raises(InputError, match="asks for each reference by itself"):
        prepare(ITEMS, path)


def test_an_item_has_one_correct_reference(tmp_path: Path):
    def both(state: dict[str, Any]) -> None:
        state["instance"]["references"][0]["tags"] = ["correct"]

    with pytest.raises(InputError, match="2 of them are correct"):
        read_items([changed(tmp_path / "s.json", both)])
