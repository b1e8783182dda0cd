"""The canonical records of DESIGN.md §9, as the strict decoder knows them.

An absent key is UNSET, so that keys can be counted; null means the same as absent.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

INT64_MAX = 2**63 - 1

Nothing = None | UnsetType
Level = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Count = Annotated[int, msgspec.Meta(ge=0, le=INT64_MAX)]


class PredictionRecord(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One answer of a model to one item."""

    item_id: str
    status: Literal["ok", "invalid", "unsupported", "error"] | Nothing = UNSET
    answer: str | Level | float | bool | list[str] | Nothing = UNSET
    probabilities: dict[str, float] | list[float] | Nothing = UNSET
    step_probabilities: list[float] | Nothing = UNSET
    latency_s: float | Nothing = UNSET
    input_tokens: Count | Nothing = UNSET
    output_tokens: Count | Nothing = UNSET
    cost_usd: float | Nothing = UNSET
    error: str | Nothing = UNSET
    meta: dict[str, object] | Nothing = UNSET


class ItemRecord(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One question with its options and its gold."""

    item_id: str
    type: Literal["choice", "noul", "score", "multi_select"]
    gold: str | int | bool | list[str]
    modality: Literal["text", "image", "text_rendered"] | Nothing = UNSET
    tier: Literal["easy", "standard", "judge", "hard"] | Nothing = UNSET
    family: str | Nothing = UNSET
    domain: str | Nothing = UNSET
    options: list[str] | Nothing = UNSET
    gold_distribution: dict[str, float] | list[float] | Nothing = UNSET
    meta: dict[str, object] | Nothing = UNSET


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(
        value,
        ensure_ascii=False,
        allow_nan=False,
        sort_keys=True,
        separators=(",", ":"),
    )
