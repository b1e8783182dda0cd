"""Decision Bench: the ``raw.jsonl`` of a run folder, with items, gold and answers.

Every line carries its whole item (``example``), so one file serves `jevdb ingest items`
and `jevdb ingest run`. A run resumes by appending: the last line of a row is its
answer. Item texts stay out of the warehouse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec
from msgspec import UNSET, UnsetType

from jevdb.base.errors import Problem
from jevdb.ingest.layouts.decision_bench_records import (
    AnswerLine,
    Example,
    ItemLine,
    Scored,
)
from jevdb.ingest.layouts.decision_bench_responses import (
    as_returned,
    resolved_model,
    token_count,
)

if TYPE_CHECKING:
    from jevdb.ingest.decode.decoding import Columns, Problems
    from jevdb.ingest.decode.record_fields import Column

TOO_MANY = "at most 26 candidates"
UNSUPPORTED_ERRORS = (TOO_MANY, f"SystemOne endpoint supports {TOO_MANY}")
IMAGE_ORIGIN = ("image", "text_rendered")


class Answers:
    """The answers of a run: probabilities as returned where the response shows them."""

    name = "decision-bench"
    record: type[msgspec.Struct] = AnswerLine
    has_text_answers = False

    def recognises(self, first: Mapping[str, object]) -> bool:
        """Whether the record is a line of a raw.jsonl."""
        return {"row_id", "status"} <= first.keys() and not first.keys().isdisjoint(
            ("example", "scored", "error_type", "candidate_count")
        )

    def to_canonical(
        self, columns: Columns, source: str, problems: Problems
    ) -> Columns:
        """Return the lines as canonical predictions, with the file's own verdict."""
        _note_faults(columns, source, problems)
        lines = list(_answers(columns))
        given = columns.fields
        fields: dict[str, Column | None] = {
            "item_id": given["row_id"],
            "status": [_status(line) for line in lines],
            "answer": [_scored(line, "selected_candidate_id") for line in lines],
            "probabilities": [_distribution(line) for line in lines],
            "latency_s": given["latency_seconds"],
            "input_tokens": [token_count(line.response, "input") for line in lines],
            "output_tokens": [token_count(line.response, "output") for line in lines],
            "cost_usd": None,
            "error": given["error"],
            "meta": [_answer_meta(line) for line in lines],
            "is_correct": [_scored(line, "correct") for line in lines],
            "target": [
                _given(getattr(line.example, "gold_candidate_id", None))
                for line in lines
            ],
        }
        return columns._replace(fields=fields)


class _Answer(NamedTuple):
    """What of a line is needed together."""

    status: str
    row_id: str
    scored: object
    error_type: object
    error: object
    response: object
    input_contract: object
    example: object


def _answers(columns: Columns) -> Iterator[_Answer]:
    blank: Column = [None] * len(columns.numbers)
    given = [columns.fields[name] or blank for name in _Answer._fields]
    return map(_Answer._make, zip(*given, strict=True))


def _note_faults(columns: Columns, source: str, problems: Problems) -> None:
    for number, line in zip(columns.numbers, _answers(columns), strict=True):
        if line.status == "ok" and not isinstance(line.scored, Scored):
            message = "missing; a line with status ok has it"
            problems.add(Problem(source, number, "$.scored", message))
        for field, inner in (("example", line.example), ("scored", line.scored)):
            row_id = getattr(inner, "row_id", UNSET)
            if isinstance(row_id, str) and row_id != line.row_id:
                message = f"{row_id!r} in the line of row {line.row_id!r}"
                problems.add(Problem(source, number, f"$.{field}.row_id", message))


def _status(line: _Answer) -> str:
    """Return ok, error, or unsupported by the rule of Decision Bench's own results."""
    if line.status == "ok":
        return "ok"
    kind = line.error_type
    if isinstance(kind, str) and kind.startswith("Unsupported"):
        return "unsupported"
    return "unsupported" if line.error in UNSUPPORTED_ERRORS else "error"


def _scored(line: _Answer, field: str) -> object:
    return _given(getattr(line.scored, field, None))


def _given(value: object) -> object:
    return None if isinstance(value, UnsetType) else value


def _distribution(line: _Answer) -> object:
    """Return the distribution by candidate id, so that an item's order is checked."""
    if not isinstance(line.scored, Scored):
        return None
    scored = line.scored.probabilities
    if not isinstance(line.example, Example):
        return scored
    ids = [candidate.id for candidate in line.example.candidates]
    if len(ids) != len(scored) or len(set(ids)) != len(ids):
        return scored
    values = as_returned(line.example, line.response, scored) or scored
    return dict(zip(ids, values, strict=True))


def _answer_meta(line: _Answer) -> object:
    """Return what else is known of a row; texts shown to the model are left out."""
    kept = {
        "error_type": line.error_type,
        "expected_ordinal_score": _scored(line, "expected_ordinal_score"),
        "resolved_model": resolved_model(line.response),
    }
    if isinstance(line.input_contract, dict):
        kept["input_contract"] = {
            key: value
            for key, value in line.input_contract.items()
            if not isinstance(value, dict | list)
        }
    return {key: value for key, value in kept.items() if value is not None} or None


class Items:
    """The items of a run; Decision Bench's are all choice, whatever the primitive."""

    name = "decision-bench"
    record: type[msgspec.Struct] = ItemLine
    has_text_answers = False

    def recognises(self, first: Mapping[str, object]) -> bool:
        """Whether the record is a line of a raw.jsonl with its item."""
        return {"row_id", "example"} <= first.keys()

    def to_canonical(
        self, columns: Columns, source: str, problems: Problems
    ) -> Columns:
        """Return the lines' items in the canonical form, the soft gold with them."""
        _note_faults(columns, source, problems)
        examples = cast("list[Example]", columns.fields["example"])
        for number, example in zip(columns.numbers, examples, strict=True):
            if message := _gold_fault(example):
                field = "$.example.gold_candidate_id"
                problems.add(Problem(source, number, field, message))
        fields: dict[str, Column | None] = {
            "item_id": [example.row_id for example in examples],
            "type": ["choice"] * len(examples),
            "modality": [_modality(example) for example in examples],
            "options": [[each.id for each in e.candidates] for e in examples],
            "gold": [example.gold_candidate_id for example in examples],
            "gold_distribution": [example.gold_probabilities for example in examples],
            "family": [example.family for example in examples],
            "domain": [example.domain for example in examples],
            "meta": [_item_meta(example) for example in examples],
        }
        return columns._replace(fields=fields)


def _gold_fault(example: Example) -> str | None:
    """Return what is wrong if the gold is not a most probable one of the soft gold."""
    golds = example.gold_probabilities
    ids = [candidate.id for candidate in example.candidates]
    if not isinstance(golds, list) or len(golds) != len(ids):
        return None
    gold = example.gold_candidate_id
    if gold in ids and golds[ids.index(gold)] < max(golds):
        return f"{gold!r} is not a most probable one of gold_probabilities"
    return None


def _modality(example: Example) -> str:
    """Return text_rendered where the row itself says that the item was an image.

    No task or family name of the data set says so.
    """
    source = example.source if isinstance(example.source, dict) else {}
    return "text_rendered" if source.get("modality") in IMAGE_ORIGIN else "text"


def _item_meta(example: Example) -> dict[str, object]:
    kept = {"primitive": example.primitive, "task_name": example.task_name}
    meta = {key: value for key, value in kept.items() if isinstance(value, str)}
    values = [candidate.ordinal_value for candidate in example.candidates]
    if all(isinstance(value, float) for value in values):
        return {**meta, "ordinal_values": values}
    return dict(meta)
