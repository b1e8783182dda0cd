"""The lines of Decision Bench's raw.jsonl, as the strict decoder knows them."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET

from jevdb.ingest.decode.records import Nothing


class Candidate(msgspec.Struct):
    """One option of an item; only its id and ordinal value are used."""

    id: str
    label: object = UNSET
    description: object = UNSET
    ordinal_value: float | Nothing = UNSET


class Example(msgspec.Struct):
    """An item with its gold, as Decision Bench's data set has it."""

    row_id: str
    candidates: list[Candidate]
    gold_candidate_id: str
    gold_probabilities: list[float] | Nothing = UNSET
    primitive: str | Nothing = UNSET
    task_name: str | Nothing = UNSET
    family: str | Nothing = UNSET
    domain: str | Nothing = UNSET
    source: dict[str, object] | Nothing = UNSET
    instruction: object = UNSET
    state: object = UNSET


class Scored(msgspec.Struct):
    """What Decision Bench made of a response."""

    probabilities: list[float]
    row_id: str | Nothing = UNSET
    selected_candidate_id: str | Nothing = UNSET
    correct: bool | Nothing = UNSET
    expected_ordinal_score: float | Nothing = UNSET
    gold_candidate_id: object = UNSET
    gold_probabilities: object = UNSET


class _Line(msgspec.Struct, gc=False):
    """What item and answer lines have alike; the unused is declared to be checked."""

    status: Literal["ok", "error"]
    row_id: str
    scored: Scored | Nothing = UNSET
    latency_seconds: float | Nothing = UNSET
    error_type: str | Nothing = UNSET
    error: str | Nothing = UNSET
    response: object = UNSET
    input_contract: dict[str, object] | Nothing = UNSET
    negative_log_likelihood: object = UNSET
    request: object = UNSET
    task_name: object = UNSET
    primitive: object = UNSET
    family: object = UNSET
    domain: object = UNSET
    candidate_count: object = UNSET


class AnswerLine(_Line, kw_only=True):
    """A line read for its answer; the item may have been cut out of it."""

    example: Example | Nothing = UNSET


class ItemLine(_Line, kw_only=True):
    """A line read for its item."""

    example: Example
