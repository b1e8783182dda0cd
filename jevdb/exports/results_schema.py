"""The JSON Schema of ``evaluation_results.json``: a frame, and the metrics in it.

The frame, a file beside this one, has everything but what the registry of metrics says:
which metrics and kinds there are, between which bounds, and why one has no value.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from jevdb.base.metrics import REASONS, REGISTRY, Metric

FRAME = Path(__file__).with_name("evaluation_results.frame.json")
NAMED = {
    (0.0, 1.0): "share",
    (0.0, 2.0): "brier",
    (0.0, math.inf): "unbounded",
}
"""Bounds that the frame has a definition for."""


def schema_text() -> str:
    """Return the schema as it is printed, the same bytes always."""
    text = FRAME.read_text(encoding="utf-8")
    reasons = f'"reason": {{ "enum": {json.dumps([*REASONS])} }}'
    metrics = "\n".join(_lines()).lstrip()
    return text.replace('"reason": true', reasons).replace('"metrics": true', metrics)


def _lines() -> Iterator[str]:
    metrics = [metric for metric in REGISTRY if not metric.is_index]
    yield '    "metrics": {'
    yield from _object(metric.name for metric in metrics)
    yield '      "properties": {'
    yield ",\n".join("\n".join(_metric(metric)) for metric in metrics)
    yield "      }"
    yield "    }"


def _object(names: Iterable[str], indent: str = "      ") -> Iterator[str]:
    """Yield what says that an object has these keys and no others."""
    yield f'{indent}"type": "object",'
    yield f'{indent}"additionalProperties": false,'
    yield f'{indent}"required": {json.dumps([*names])},'


def _metric(metric: Metric) -> Iterator[str]:
    each, kinds = _bounded(metric.bounds), [f'"{kind}": ' for kind in metric.kinds]
    yield f'        "{metric.name}": {{'
    yield from _object(metric.kinds, " " * 10)
    if len(kinds) == 1:
        yield f'          "properties": {{ {kinds[0]}{each} }}'
    else:
        yield '          "properties": {'
        yield ",\n".join(f"            {kind}{each}" for kind in kinds)
        yield "          }"
    yield "        }"


def _bounded(bounds: tuple[float, float]) -> str:
    """Return the schema of a number between bounds, by name where it has one."""
    if bounds in NAMED:
        return f'{{ "$ref": "#/$defs/{NAMED[bounds]}" }}'
    low, high = bounds
    ends = {"minimum": low, "maximum": high}
    finite = {name: end for name, end in ends.items() if math.isfinite(end)}
    value = json.dumps({"value": finite})
    return f'{{ "$ref": "#/$defs/plain", "properties": {value} }}'
