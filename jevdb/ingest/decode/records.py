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
    """One answer of a model to one item; ``repeat`` tells several apart."""

    item_id: str | int
    repeat: str | int | Nothing = UNSET
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


class LoosePredictionRecord(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The same as options of reading may want it: conversions hold it to its types."""

    item_id: str | int | float
    repeat: str | int | Nothing = UNSET
    status: Literal["ok", "invalid", "unsupported", "error"] | Nothing = UNSET
    answer: str | Level | float | bool | list[str | Level | float | bool] | Nothing = (
        UNSET
    )
    probabilities: dict[str, float | str] | list[float | str | None] | Nothing = UNSET
    step_probabilities: list[float] | Nothing = UNSET
    latency_s: float | Nothing = UNSET
    input_tokens: Count | Nothing = UNSET
    output_tokens: Count | Nothing = UNSET
    cost_usd: float | Nothing = UNSET
    error: str | Nothing = UNSET
    meta: dict[str, object] | Nothing = UNSET


ItemType = Literal["choice", "noul", "score", "multi_select"]
Modality = Literal["text", "image", "text_rendered"]
Tier = Literal["easy", "standard", "judge", "hard"]


class ItemRecord(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One question with its options and its gold.

    What a person may write otherwise (a tier of their own, options in one text) is
    looked at where items are checked, which names the option that reads it.
    """

    item_id: str | int
    type: ItemType
    gold: str | int | bool | list[str | int]
    modality: Modality | Nothing = UNSET
    tier: str | Nothing = UNSET
    family: str | Nothing = UNSET
    domain: str | Nothing = UNSET
    options: list[str] | str | Nothing = UNSET
    gold_distribution: dict[str, float] | list[float] | Nothing = UNSET
    values: list[float] | Nothing = UNSET
    positive: str | Nothing = UNSET
    group: str | Nothing = UNSET
    meta: dict[str, object] | Nothing = UNSET


class LooseItemRecord(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The same as options of reading may want it."""

    item_id: str | int | float
    type: ItemType
    gold: str | int | float | bool | list[str | int | float | bool]
    modality: Modality | Nothing = UNSET
    tier: str | Nothing = UNSET
    family: str | Nothing = UNSET
    domain: str | Nothing = UNSET
    options: list[str] | str | Nothing = UNSET
    gold_distribution: dict[str, float | str] | list[float | str | None] | Nothing = (
        UNSET
    )
    values: list[float] | Nothing = UNSET
    positive: str | Nothing = UNSET
    group: str | Nothing = UNSET
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
