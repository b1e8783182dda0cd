"""Decision Bench's per-model result file, in its older and newer layouts.

Keys that a layout does not have are absent; keys that are not declared are kept apart
and stored with the result.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET

from jevdb.ingest.decode.records import Count, Nothing

RESULT_V1 = "decision-bench-result-v1"
BENCHMARK_NAME = "DecisionBench"
BENCHMARK_ID = "decision-bench"
OVERALL = "overall"
ECE_BINS = 15

Text = Annotated[str, msgspec.Meta(min_length=1)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Positive = Annotated[float, msgspec.Meta(ge=0)]
AtLeastOne = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]


class View(msgspec.Struct):
    """The numbers of one slice, all over its ok rows."""

    rows: Count
    accuracy: Share | Nothing = UNSET
    mean_negative_log_likelihood: Positive | Nothing = UNSET
    expected_calibration_error: Share | Nothing = UNSET
    mean_latency_seconds: Positive | Nothing = UNSET
    ece_bins: AtLeastOne | Nothing = UNSET


class ModelBlock(msgspec.Struct):
    """The model of a result, and the whole of a model_meta.json."""

    name: Text
    revision: Text
    open_weights: bool | Nothing = UNSET
    parameter_count: Count | Nothing = UNSET
    adapter: str | Nothing = UNSET
    probability_source: str | Nothing = UNSET
    model_type: str | Nothing = UNSET
    url: str | Nothing = UNSET


class Result(msgspec.Struct):
    """A result file."""

    schema_version: str
    benchmark_name: str
    dataset_repo: Text
    dataset_revision: Text
    model: ModelBlock
    requested_rows: AtLeastOne
    successful_rows: Count
    unsupported_rows: Count
    error_rows: Count
    coverage: Share
    primary_accuracy: Share
    views: dict[str, View]
    supported_accuracy: Share | Nothing = UNSET
    mean_negative_log_likelihood: Positive | Nothing = UNSET
    expected_calibration_error: Share | Nothing = UNSET
    mean_latency_seconds: Positive | Nothing = UNSET
    benchmark_version: str | Nothing = UNSET
    task_spec_sha256: str | Nothing = UNSET
    tags: list[str] | Nothing = UNSET
    artifact: dict[str, object] | Nothing = UNSET
    submitted_at: str | Nothing = UNSET


def given(value: float | str | Nothing) -> float | str | None:
    """Return the value, None where the key is absent."""
    return value if isinstance(value, int | float | str) else None


def number(value: float | Nothing) -> float | None:
    """Return the number, None where the key is absent."""
    return float(value) if isinstance(value, int | float) else None
