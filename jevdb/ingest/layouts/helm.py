"""HELM: `scenario_state.json` of a run, label-only (docs/formats.md).

It holds a request for each instance. In joint multiple choice the model is shown its
references under letters, and says one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

from jevdb.ingest.decode.rows import (
    ITEM_FIELDS,
    PREDICTION_FIELDS,
    Context,
    Fields,
    RecordLayout,
    Row,
    text_answer,
    typed,
    wrong,
)

SEPARATE = "multiple_choice_separate"
METHOD = "$.adapter_spec.method"
CORRECT = "correct"
PERTURBATION = "instance.perturbation.name"
TRIAL = "train_trial_index"
UNPERTURBED = "null"
FEWEST = 2


class _State(NamedTuple):
    """A request state and where it lies."""

    body: Mapping[str, object]
    path: str

    def part(self, key: str) -> dict[str, object]:
        """Return one of its objects."""
        return typed(self.body.get(key), dict[str, object], f"{self.path}.{key}")

    def item_id(self) -> str:
        """Return the instance's id."""
        given = self.part("instance").get("id")
        return typed(given, str, f"{self.path}.instance.id")

    def perturbation(self) -> str:
        """Return what was done to the instance: ``null`` where nothing was."""
        given = self.part("instance").get("perturbation")
        path = f"{self.path}.instance.perturbation"
        if given is None:
            return UNPERTURBED
        made = typed(given, dict[str, object], path)
        return typed(made.get("name"), str, f"{path}.name")

    def references(self) -> list[tuple[str, bool]]:
        """Return each reference with whether it is correct."""
        path = f"{self.path}.instance.references"
        given = self.part("instance").get("references")
        found = []
        for place, each in enumerate(typed(given, list[dict[str, object]], path)):
            output = typed(
                each.get("output"), dict[str, object], f"{path}[{place}].output"
            )
            text = typed(output.get("text"), str, f"{path}[{place}].output.text")
            tags = typed(each.get("tags") or [], list[str], f"{path}[{place}].tags")
            found.append((text, CORRECT in tags))
        return found


class _Scenario(RecordLayout):
    """What items and answers have alike."""

    name = "helm"
    is_log = True
    keys = frozenset(("adapter_spec", "request_states", "annotator_specs"))

    def recognises(self, first: Fields) -> bool:
        """Whether the record is a scenario state."""
        return {"adapter_spec", "request_states"} <= first.keys()


class Answers(_Scenario):
    """The answers of a run: what was said, by the letters that were shown."""

    row_fields = PREDICTION_FIELDS
    exclusive: ClassVar[tuple[str, ...]] = (PERTURBATION, TRIAL)

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield a row for each request."""
        for state in _states(record, context):
            yield {**_answered(state, context), "facts": _facts(state)}


class Items(_Scenario):
    """The items of a scenario: the references of its instances, as they were."""

    row_fields = ITEM_FIELDS

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield an item for each instance that was not perturbed, once."""
        spec = typed(record.get("adapter_spec"), dict[str, object], "$.adapter_spec")
        seen = set()
        for state in _states(record, context):
            item_id = state.item_id()
            if state.perturbation() != UNPERTURBED or item_id in seen:
                continue
            seen.add(item_id)
            references = state.references()
            options = [text for text, _ in references]
            golds = [text for text, is_correct in references if is_correct]
            is_several = spec.get("multi_label") is True
            path = f"{state.path}.instance.references"
            if len(options) < FEWEST:
                raise wrong(path, "fewer than two: only multiple choice has items")
            if not (golds or is_several) or (len(golds) > 1 and not is_several):
                raise wrong(path, f"{len(golds)} of them are correct; one is asked")
            yield {
                "item_id": item_id,
                "type": "multi_select" if is_several else "choice",
                "options": options,
                "gold": golds if is_several else golds[0],
            }


def _states(record: Fields, context: Context) -> Iterator[_State]:
    spec = typed(record.get("adapter_spec"), dict[str, object], "$.adapter_spec")
    method = typed(spec.get("method"), str, METHOD)
    if method.startswith(SEPARATE):
        raise wrong(
            METHOD,
            f"{method!r} asks for each reference by itself, and only HELM adds its "
            "tokens up; read runs of multiple_choice_joint or generation",
        )
    path = "$.request_states"
    for place, body in enumerate(
        typed(record.get("request_states"), list[object], path)
    ):
        state = _State(
            typed(body, dict[str, object], f"{path}[{place}]"), f"{path}[{place}]"
        )
        if context.is_wanted(state.body):
            yield state


def _facts(state: _State) -> dict[str, str]:
    trial = typed(state.body.get(TRIAL, 0), int, f"{state.path}.{TRIAL}")
    model = state.part("request").get("model")
    named = {"requested_name": model} if isinstance(model, str) and model else {}
    return {**named, PERTURBATION: state.perturbation(), TRIAL: str(trial)}


def _answered(state: _State, context: Context) -> Row:
    item_id = state.item_id()
    row: Row = {"item_id": item_id}
    result, path = state.part("result"), f"{state.path}.result"
    seconds = result.get("request_time")
    if seconds is not None:
        row["latency_s"] = typed(seconds, float, f"{path}.request_time")
    if not typed(result.get("success"), bool, f"{path}.success"):
        error = result.get("error") or "the request failed"
        return {**row, "status": "error", "error": typed(error, str, f"{path}.error")}
    correct = [text for text, is_correct in state.references() if is_correct]
    row["target"] = correct if len(correct) == 1 else None
    given = result.get("completions")
    said = typed(given, list[dict[str, object]], f"{path}.completions")
    if len(said) != 1:
        raise wrong(f"{path}.completions", f"{len(said)} of them; one is an answer")
    text = typed(said[0].get("text"), str, f"{path}.completions[0].text").strip()
    asked = context.items.get(item_id)
    if not text:
        return row
    text = _shown(state).get(text, text)
    if asked is not None and asked.type == "multi_select":
        return {**row, "answer": [text]}
    return row | text_answer(text, asked)


def _shown(state: _State) -> dict[str, str]:
    """Return what the letters stood for, if the model was shown any."""
    given = state.body.get("output_mapping")
    path = f"{state.path}.output_mapping"
    return {} if given is None else typed(given, dict[str, str], path)
