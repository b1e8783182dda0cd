"""every_eval_ever, schema 0.3.0: one record a run, and a line for each of its answers.

The schema is https://github.com/evaleval/every_eval_ever. It has no place for a
distribution, so a sample keeps it as text in its metadata, whose values are strings. An
item that was not answered has a line too: a dropped one would shrink the denominator.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import PurePosixPath

from jevdb.base.metrics import BY_NAME
from jevdb.base.output import to_json
from jevdb.base.version import __version__
from jevdb.exports.foreign.every_eval_ever_samples import (
    SCHEMA_VERSION,
    evaluation_id,
    result_id,
    sample_lines,
    strings,
)
from jevdb.exports.foreign.metrics import bound
from jevdb.exports.foreign.names import file_name, stable_uuid
from jevdb.exports.foreign.reading import UNKNOWN, ExportedRun, Sample, Stated, epoch

COLLECTION = "jevdb"
AVAILABILITY = {True: "open_weights", False: "closed_weights", None: UNKNOWN}

Json = dict[str, object]


def record_files(
    exported: ExportedRun, samples: Iterable[Sample]
) -> dict[PurePosixPath, bytes]:
    """Return the record of a run and its samples, at their place in the data store."""
    lines = [to_json(line) + "\n" for line in sample_lines(exported, samples)]
    data = "".join(lines).encode()
    digest = hashlib.sha256(
        f"{exported.run.run_id} {exported.method}".encode()
    ).hexdigest()
    names = (COLLECTION, exported.developer, exported.model)
    folder = PurePosixPath("data", *map(file_name, names))
    name = stable_uuid(digest)
    samples_path = folder / f"{name}_samples.jsonl"
    record = _record(exported)
    record["detailed_evaluation_results"] = {
        "format": "jsonl",
        "file_path": str(samples_path),
        "hash_algorithm": "sha256",
        "checksum": hashlib.sha256(data).hexdigest(),
        "total_rows": len(lines),
    }
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, indent=2)
    return {folder / f"{name}.json": text.encode() + b"\n", samples_path: data}


def _record(exported: ExportedRun) -> Json:
    facts = exported.facts
    times: Json = {"retrieved_timestamp": epoch(facts.ingested_at)}
    if facts.started_at:
        times = {"evaluation_timestamp": epoch(facts.started_at), **times}
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id(exported),
        **times,
        "source_metadata": {
            "source_name": "jevdb warehouse",
            "source_type": "evaluation_run",
            "source_organization_name": UNKNOWN,
            "evaluator_relationship": "other",
            "additional_details": {
                "run_id": exported.run.run_id,
                "label": exported.run.label or "",
                "rows_sha256": facts.rows_sha256,
                "items_sha256": facts.items_sha256,
            },
        },
        "eval_library": {"name": "jevdb", "version": __version__},
        "model_info": _model_info(exported),
        "evaluation_results": [_result(exported, value) for value in exported.values],
    }


def _model_info(exported: ExportedRun) -> Json:
    facts = exported.facts
    details = {
        "deployment_type": UNKNOWN,
        "model_availability": AVAILABILITY[facts.open_weights],
        "revision": exported.run.revision,
        "parameters": facts.parameters,
        "resolved_name": facts.resolved_name,
    }
    info: Json = {
        "name": exported.model,
        "id": exported.model_id,
        "developer": exported.developer,
        "additional_details": strings(details),
    }
    if facts.provider:
        info["inference_platform"] = facts.provider
    return info


def _result(exported: ExportedRun, value: Stated) -> Json:
    metric = BY_NAME[value.number.metric]
    lowest, highest = metric.bounds
    details = {
        "n": value.n,
        "n_scope": value.n_scope,
        "gold_revision": exported.facts.gold_revision,
        "repeats": value.marks.n_repeats if value.marks.n_repeats > 1 else None,
        "partial_types": None
        if value.marks.partial_types is None
        else ", ".join(value.marks.partial_types),
        "incomplete": "true" if value.marks.is_incomplete else None,
    }
    kind = "" if value.number.kind == "all" else f", {value.number.kind}"
    return {
        "evaluation_result_id": result_id(exported, value),
        "evaluation_name": f"{exported.run.benchmark_id}.{value.report_row}",
        "source_data": _source_data(exported),
        "metric_config": {
            "metric_id": _metric_id(value),
            "metric_name": f"{metric.title}{kind}",
            "metric_kind": metric.name,
            "metric_unit": metric.unit,
            "metric_parameters": {"method": exported.method, "kind": value.number.kind},
            "lower_is_better": not metric.is_higher_better,
            "score_type": "continuous",
            "min_score": bound(lowest),
            "max_score": bound(highest),
        },
        "score_details": {"score": value.value + 0.0, "details": strings(details)},
    }


def _metric_id(value: Stated) -> str:
    metric, kind = value.number
    name = metric if kind == "all" else f"{metric}_{kind}"
    return name if metric == "accuracy" else f"jevdb.{name}"


def _source_data(exported: ExportedRun) -> Json:
    facts = exported.facts
    named: Json = {"dataset_name": exported.run.benchmark_id}
    details = strings({"version": facts.benchmark_version})
    if exported.dataset:
        hub = {"hf_repo": exported.dataset, "samples_number": facts.n_items}
        return {
            **named,
            **{"source_type": "hf_dataset", **hub, "additional_details": details},
        }
    if facts.benchmark_source and "://" in facts.benchmark_source:
        url = {"source_type": "url", "url": [facts.benchmark_source]}
        return {**named, **url, "additional_details": details}
    return {**named, "source_type": "other", "additional_details": details}
