"""JevBench: official item files, and the rows its Runner writes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, cast

import msgspec
from msgspec import UNSET

from jevdb.base.errors import Problem
from jevdb.ingest.decode.records import Count, Level, Nothing, canonical_json

if TYPE_CHECKING:
    from jevdb.ingest.decode.decoding import Columns, Problems
    from jevdb.ingest.decode.record_fields import Column

UNPROCESSABLE = 422
TIER_OF_SPLIT = {
    "easy": "easy",
    "original": "standard",
    "standard": "standard",
    "judge": "judge",
    "hard": "hard",
}


class RunnerRecord(msgspec.Struct, gc=False):
    """A row of a Runner file; what jevdb has no use for is declared to be checked."""

    task_id: str
    status: str | Nothing = UNSET
    ok: bool | Nothing = UNSET
    valid: bool | Nothing = UNSET
    correct: bool | Nothing = UNSET
    predicted: str | Level | float | bool | list[str] | Nothing = UNSET
    probs: dict[str, float] | list[float] | Nothing = UNSET
    probs_as_returned: dict[str, float] | list[float] | Nothing = UNSET
    ordinal_ev: float | Nothing = UNSET
    probs_source: str | Nothing = UNSET
    error: object = UNSET
    schema_error: object = UNSET
    status_code: int | Nothing = UNSET
    latency_s: float | Nothing = UNSET
    input_tokens: Count | Nothing = UNSET
    output_tokens: Count | Nothing = UNSET
    usage: dict[str, object] | Nothing = UNSET
    cost_usd: float | Nothing = UNSET
    family: object = UNSET
    split: object = UNSET
    group: object = UNSET
    ts: object = UNSET
    strict_valid: object = UNSET
    renormalized: object = UNSET
    model: object = UNSET
    cost_basis: object = UNSET
    reserved_usd: object = UNSET
    charged_usd: object = UNSET
    raw_sha256: object = UNSET
    runtime: object = UNSET


class Runner:
    """The rows of a JevBench Runner."""

    name = "jevbench"
    record: type[msgspec.Struct] = RunnerRecord
    has_text_answers = True

    def recognises(self, first: Mapping[str, object]) -> bool:
        """Whether the record has the Runner's key and one of its verdicts."""
        return "task_id" in first and not first.keys().isdisjoint(
            ("predicted", "probs", "valid", "ok")
        )

    def to_canonical(
        self, columns: Columns, source: str, problems: Problems
    ) -> Columns:
        """Return the rows as canonical predictions, with the file's own verdict."""
        given = columns.fields
        fields: dict[str, Column | None] = {
            "item_id": given["task_id"],
            "status": _statuses(columns, source, problems),
            "answer": given["predicted"],
            "probabilities": _first_given(given["probs_as_returned"], given["probs"]),
            "latency_s": given["latency_s"],
            "input_tokens": _tokens(given, "input_tokens", "prompt_tokens"),
            "output_tokens": _tokens(given, "output_tokens", "completion_tokens"),
            "cost_usd": given["cost_usd"],
            "error": _texts(_first_given(given["error"], given["schema_error"])),
            "meta": _metas(given["ordinal_ev"], given["probs_source"]),
            "is_correct": given["correct"],
        }
        return columns._replace(fields=fields)


def _first_given(first: Column | None, second: Column | None) -> Column | None:
    if first is None or second is None:
        return first or second
    return [b if a is None else a for a, b in zip(first, second, strict=True)]


def _statuses(columns: Columns, source: str, problems: Problems) -> Column | None:
    """Return each row's status from the Runner's verdicts; ok where it has none."""
    names = ("status", "ok", "valid", "status_code")
    given = [columns.fields[name] for name in names]
    if not any(given):
        return None
    blank: Column = [None] * len(columns.numbers)
    rows = list(zip(*(column or blank for column in given), strict=True))
    # Files have a few combinations of verdicts.
    known = {row: _status(*row) for row in set(rows)}
    statuses = list(map(known.__getitem__, rows))
    if None in known.values():
        for number, status in zip(columns.numbers, statuses, strict=True):
            if status is None:
                message = "unknown status; expected ok, invalid, unsupported or error"
                problems.add(Problem(source, number, "$.status", message))
    return statuses


def _status(status: object, ok: object, valid: object, code: object) -> object:
    known = status in ("ok", "invalid", "unsupported", "error")
    if status in ("invalid", "unsupported"):
        return status
    if ok is False or (status == "error" and ok is not True):
        return "invalid" if code == UNPROCESSABLE else "error"
    if valid is False:
        return "invalid"
    return "ok" if known or status is None else None


def _tokens(given: Mapping[str, Column | None], *names: str) -> Column | None:
    """Return a count given by itself, or inside the Runner's usage object."""
    own, usage = given.get(names[0]), given["usage"]
    if usage is None:
        return own
    inside: Column = [
        next((found[n] for n in names if type(found.get(n)) is int), None)
        if isinstance(found, dict)
        else None
        for found in usage
    ]
    return _first_given(own, inside)


def _texts(column: Column | None) -> Column | None:
    if column is None or set(map(type, column)) <= {str, type(None)}:
        return column
    return [
        each if each is None or isinstance(each, str) else canonical_json(each)
        for each in column
    ]


def _metas(ratings: Column | None, origins: Column | None) -> Column | None:
    ratings, origins = _if_any(ratings), _if_any(origins)
    if ratings is None and origins is None:
        return None
    blank: Column = [None] * len(ratings or origins or ())
    return list(map(_meta, ratings or blank, origins or blank))


def _if_any(column: Column | None) -> Column | None:
    """Return the column, or None where all of it is."""
    return column if column and column.count(None) < len(column) else None


@lru_cache(maxsize=4096)
def _meta(rating: object, origin: object) -> object:
    kept = {"ordinal_ev": rating, "probs_source": origin}
    return {key: value for key, value in kept.items() if value is not None} or None


class Question(msgspec.Struct):
    """The part of an official item that says how it is answered."""

    type: Literal["choice", "noul", "score"]
    instructions: object = UNSET
    criteria: object = UNSET


class OfficialItem(msgspec.Struct):
    """A line of JevBench's easy, original or hard file."""

    id: str
    question: Question
    expected: str | int | bool
    labels: list[str | int] | dict[str, object] | Nothing = UNSET
    family: str | Nothing = UNSET
    group: str | Nothing = UNSET
    split: str | Nothing = UNSET
    gold_probs: dict[str, float] | list[float] | Nothing = UNSET


class Items:
    """The official item files; question texts are left out."""

    name = "jevbench"
    record: type[msgspec.Struct] = OfficialItem
    has_text_answers = True

    def recognises(self, first: Mapping[str, object]) -> bool:
        """Whether the record has the official keys."""
        return {"id", "question", "expected"} <= first.keys()

    def to_canonical(
        self,
        columns: Columns,
        source: str,
        problems: Problems,
    ) -> Columns:
        """Return the items in the canonical form; the tier is the split or the file."""
        given = columns.fields
        count = len(columns.numbers)
        blank: Column = [None] * count
        questions = cast("list[Question]", given["question"])
        labels = given["labels"] or blank
        stem = PurePath(source).name.split(".")[0]
        fields: dict[str, Column | None] = {
            "item_id": given["id"],
            "type": [question.type for question in questions],
            "options": list(map(_options, questions, labels)),
            "gold": given["expected"],
            "gold_distribution": given["gold_probs"],
            "family": given["family"],
            "group": given["group"],
            "tier": [
                TIER_OF_SPLIT.get(str(split)) or TIER_OF_SPLIT.get(stem)
                for split in given["split"] or blank
            ],
        }
        return columns._replace(fields=fields)


def _options(question: Question, labels: object) -> object:
    if question.type == "noul" or not isinstance(labels, list | dict):
        return None
    return [str(label) for label in labels]
