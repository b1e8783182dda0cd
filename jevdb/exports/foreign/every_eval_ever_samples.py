"""The lines of an every_eval_ever samples file: one for every answer of a run.

The schema has no place for the number of a repeat, which the metadata keep.
What a provider said of an error stays in the warehouse: it may hold what is private.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from jevdb.base.output import to_json
from jevdb.exports.foreign.reading import ExportedRun, Sample, Stated

SCHEMA_VERSION = "0.3.0"

Json = dict[str, object]


def evaluation_id(exported: ExportedRun) -> str:
    """Return an id that a second export does not mint anew: it ends in the run's."""
    model = f"{exported.developer}_{exported.model}"
    return f"{exported.run.benchmark_id}/{model}/{exported.run.run_id}"


def result_id(exported: ExportedRun, value: Stated) -> str:
    """Return the id that joins a sample to a number of its record."""
    return f"{exported.run.benchmark_id}.{value.name}"


def strings(details: Mapping[str, object]) -> dict[str, str]:
    """Return what is known as the strings that the schema wants."""
    return {key: str(value) for key, value in details.items() if value is not None}


def sample_lines(exported: ExportedRun, samples: Iterable[Sample]) -> Iterator[Json]:
    """Yield a line for every answer, under the accuracy of the row with all items."""
    accuracies = [
        value for value in exported.values if value.number == ("accuracy", "all")
    ]
    widest = max(accuracies, key=lambda value: value.n_scope, default=None)
    if widest is None:
        return
    shared = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id(exported),
        "model_id": exported.model_id,
        "evaluation_name": f"{exported.run.benchmark_id}.{widest.report_row}",
        "evaluation_result_id": result_id(exported, widest),
    }
    for sample in samples:
        yield {**shared, **_sample(sample)}


def _sample(sample: Sample) -> Json:
    """Return what is known of an answer; the item's text is not, its id stands in."""
    raw = sample.item_id
    line: Json = {
        "sample_id": sample.item_id,
        "sample_hash": hashlib.sha256(
            (raw + "".join(sample.gold)).encode()
        ).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": raw, "reference": sample.gold, "choices": sample.options},
        "output": {"raw": sample.answer or []},
        "answer_attribution": list(_attribution(sample)),
        "evaluation": {
            "score": float(sample.is_right),
            "is_correct": sample.is_right,
        },
    }
    if sample.input_tokens is not None and sample.output_tokens is not None:
        line["token_usage"] = {
            "input_tokens": sample.input_tokens,
            "output_tokens": sample.output_tokens,
            "total_tokens": sample.input_tokens + sample.output_tokens,
        }
    if sample.latency_s is not None:
        line["performance"] = {"latency_ms": sample.latency_s * 1000}
    if sample.status != "ok":
        line["error"] = ": ".join(filter(None, (sample.status, sample.reason)))
    return {**line, "metadata": _metadata(sample)}


def _attribution(sample: Sample) -> Iterator[Json]:
    for label in sample.answer or ():
        yield {
            "turn_idx": 0,
            "source": "output.raw",
            "extracted_value": label,
            "extraction_method": "most_probable_option"
            if sample.is_from_distribution
            else "as_returned",
            "is_terminal": True,
        }


def _metadata(sample: Sample) -> dict[str, str]:
    details = {
        "repeat": sample.repeat,
        "status": sample.status,
        "type": sample.type,
        "modality": sample.modality,
        "tier": sample.tier,
        "family": sample.family,
        "domain": sample.domain,
        "group": sample.group,
        "confidence": sample.confidence,
        "probabilities": None
        if sample.probabilities is None
        else to_json(sample.probabilities),
        "input_raw": "the item's id; jevdb keeps no item texts",
    }
    return strings(details)
