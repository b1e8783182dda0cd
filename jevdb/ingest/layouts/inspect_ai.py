"""Inspect AI: `.eval` archives and JSON logs, label-only (FORMATS.md §3.12).

Both arrive as records ``{"eval": ..., "samples": [...]}``. A score's value "C" is the
grade *correct*; its answer "C" is the third choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jevdb.base.wording import how
from jevdb.ingest.decode.records import Count, canonical_json
from jevdb.ingest.decode.rows import (
    ITEM_FIELDS,
    PREDICTION_FIELDS,
    Asked,
    Context,
    Fields,
    RecordLayout,
    Row,
    WrongRecord,
    known,
    text_answer,
    typed,
    wrong,
)
from jevdb.ingest.decode.strict import member, type_word

CHOICE = "choice"
GRADES = {"C": True, "I": False}
LETTERS = 26
SUCCESS = "success"
INCOMPLETE = "incomplete"
"""The word that allows a log which says of itself that it is not finished."""


class _Sample(NamedTuple):
    """A sample and where it lies."""

    body: Mapping[str, object]
    path: str

    def at(self, key: str) -> str:
        """Return the JSON path of one of its keys."""
        return member(self.path, key)

    def item_id(self) -> str:
        """Return the sample's id as text: Inspect has numbers and strings."""
        given = self.body.get("id")
        if isinstance(given, int) and not isinstance(given, bool):
            return str(given)
        return typed(given, str, self.at("id"))

    def choices(self) -> list[str] | None:
        """Return the texts of the choices, in the order of their letters."""
        given = self.body.get("choices")
        return None if given is None else typed(given, list[str], self.at("choices"))


class _Log(RecordLayout):
    """What a log's items and its answers have alike."""

    name = "inspect-ai"
    is_log = True
    keys = frozenset(
        (
            "version",
            "status",
            "eval",
            "samples",
            "plan",
            "results",
            "stats",
            "reductions",
        )
    )

    def recognises(self, first: Fields) -> bool:
        """Whether the record is a log, or a sample in the shape of one."""
        return {"eval", "samples"} <= first.keys()


class Answers(_Log):
    """The answers of a run; every epoch answers all items, and is a repeat."""

    row_fields = PREDICTION_FIELDS

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield a row for each sample."""
        described = _object(record, "eval")
        whole = {**_wholeness(record, context), **_limit(described)}
        model = known(described.get("model"), "$.eval.model")
        for sample in _samples(record, context):
            facts = {**_facts(described, sample), **whole}
            answered = _answered(sample, model, context)
            yield {**answered, "repeat": int(facts["epoch"]), "facts": facts}


class Items(_Log):
    """The items of a log: choices with their target."""

    row_fields = ITEM_FIELDS

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield an item for each sample."""
        _wholeness(record, context)
        for sample in _samples(record, context):
            choices = sample.choices()
            if not choices:
                raise wrong(sample.at("choices"), "missing; an item needs its options")
            picked = _targets(sample, choices)
            is_single = len(picked) == 1
            yield {
                "item_id": sample.item_id(),
                "type": "choice" if is_single else "multi_select",
                "options": choices,
                "gold": picked[0] if is_single else picked,
            }


def _object(record: Fields, key: str) -> dict[str, object]:
    return typed(record.get(key), dict[str, object], member("$", key))


def _wholeness(record: Fields, context: Context) -> dict[str, str]:
    """Return the status of a log that was not finished, if such a one is allowed."""
    status = record.get("status", SUCCESS)
    if status == SUCCESS:
        return {}
    word = typed(status, str, "$.status")
    if INCOMPLETE not in context.allow:
        raise wrong(
            "$.status",
            f"the log says of itself that it is {word!r}, not a finished run; store "
            f"what it has with {how('allow', INCOMPLETE)}",
        )
    return {"status": word}


def _limit(described: Fields) -> dict[str, str]:
    """Return to how many samples the log was capped, if it was."""
    config = described.get("config")
    limit = config.get("limit") if isinstance(config, dict) else None
    if limit is None:
        return {}
    return {"limit": canonical_json(known(limit, "$.eval.config.limit"))}


def _samples(record: Fields, context: Context) -> Iterator[_Sample]:
    samples = record.get("samples")
    if not samples:
        raise wrong("$.samples", "none; the log was written without its samples")
    for place, body in enumerate(typed(samples, list[object], "$.samples")):
        path = f"$.samples[{place}]"
        sample = _Sample(typed(body, dict[str, object], path), path)
        if context.is_wanted(sample.body):
            yield sample


def _facts(described: Fields, sample: _Sample) -> dict[str, str]:
    output = sample.body.get("output")
    epoch = typed(sample.body.get("epoch", 1), int, sample.at("epoch"))
    resolved = output.get("model") if isinstance(output, dict) else None
    named = {
        "task": known(described.get("task"), "$.eval.task"),
        "requested_name": known(described.get("model"), "$.eval.model"),
        "resolved_name": known(resolved, f"{sample.at('output')}.model"),
    }
    texts = {key: name for key, name in named.items() if name and isinstance(name, str)}
    return {**texts, "epoch": str(epoch)}


def _answered(sample: _Sample, model: object, context: Context) -> Row:
    item_id = sample.item_id()
    row: Row = {"item_id": item_id, **_cost(sample, model)}
    error = known(sample.body.get("error"), sample.at("error"))
    if error is not None:
        path = f"{sample.at('error')}.message"
        said = known(error.get("message"), path) if isinstance(error, dict) else error
        text = said if isinstance(said, str) else canonical_json(error)
        return {**row, "status": "error", "error": text}
    row["target"] = _own_gold(sample, context.items.get(item_id))
    score = _score(sample)
    if score is None:
        return row
    answer = known(score.get("answer"), f"{sample.at('scores')}.answer")
    if isinstance(answer, str) and answer:
        row |= _answer(answer, sample, context.items.get(item_id))
        value = score.get("value")
        row["is_correct"] = GRADES.get(value) if isinstance(value, str) else None
    return row


def _score(sample: _Sample) -> Mapping[str, object] | None:
    """Return the score to read: the choice scorer's, else the only one."""
    given = sample.body.get("scores")
    if not given:
        return None
    scores = typed(given, dict[str, object], sample.at("scores"))
    name = CHOICE if CHOICE in scores else min(scores)
    if CHOICE not in scores and len(scores) > 1:
        listed = ", ".join(sorted(scores))
        raise wrong(sample.at("scores"), f"none called {CHOICE!r} among {listed}")
    return typed(scores[name], dict[str, object], member(sample.at("scores"), name))


def _answer(answer: str, sample: _Sample, asked: Asked | None) -> Row:
    """Return the choices that letters stand for, or the text of an answer without.

    Letters outside the choices stay as they are: no option, the model's fault. So do
    they where the item's own options are letters.
    """
    choices = sample.choices()
    is_several = asked is not None and asked.type == "multi_select"
    if choices is None:
        return {"answer": [answer]} if is_several else text_answer(answer, asked)
    letters = [letter.strip() for letter in answer.split(",")]
    options = [_letter(place) for place in range(len(choices))]
    if asked is not None and asked.options == options:
        choices = options
    named = dict(zip(options, choices, strict=True))
    picked = [named.get(letter, letter) for letter in letters]
    if is_several:
        return {"answer": picked}
    return text_answer(picked[0] if len(picked) == 1 else answer, asked)


def _letter(place: int) -> str:
    """Return how Inspect names a choice: A to Z, then 1, 2, ..."""
    return chr(ord("A") + place) if place < LETTERS else str(place - LETTERS + 1)


def _own_gold(sample: _Sample, asked: Asked | None) -> list[str] | None:
    """Return the sample's own gold by the names that its item's options have."""
    choices = sample.choices()
    if choices is None:
        given = sample.body.get("target")
        return [given] if isinstance(given, str) else None
    if asked is not None and asked.options == [_letter(n) for n in range(len(choices))]:
        choices = asked.options
    try:
        return _targets(sample, choices)
    except WrongRecord:
        return None


def _targets(sample: _Sample, choices: list[str]) -> list[str]:
    """Return the choices that the target's letters stand for."""
    given = sample.body.get("target")
    listed = given if isinstance(given, list) else [given]
    letters = [typed(each, str, sample.at("target")).strip() for each in listed]
    if len(letters) == 1 and len(choices) <= LETTERS:
        letters = list(letters[0])
    named = {_letter(place): choice for place, choice in enumerate(choices)}
    for letter in letters:
        if letter not in named:
            word = type_word(given)
            raise wrong(sample.at("target"), f"expected letters of choices, got {word}")
    if not letters:
        raise wrong(sample.at("target"), "names no choice")
    return [named[letter] for letter in letters]


def _cost(sample: _Sample, model: object) -> Row:
    """Return a sample's working time, and the tokens of the model that answered."""
    row: Row = {}
    for key in ("working_time", "total_time"):
        if sample.body.get(key) is not None and "latency_s" not in row:
            row["latency_s"] = typed(sample.body[key], float, sample.at(key))
    used = sample.body.get("model_usage")
    if isinstance(used, dict) and isinstance(model, str) and model in used:
        path = member(sample.at("model_usage"), model)
        usage = typed(used[model], dict[str, object], path)
        for name in ("input_tokens", "output_tokens"):
            if usage.get(name) is not None:
                row[name] = typed(usage[name], Count, member(path, name))
    return row
