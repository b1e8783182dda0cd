"""Hugging Face's ``.eval_results/*.yaml``: one number an entry, its terms in the notes.

The format has no place for a method, a scope or a unit, so the notes of every entry say
all three. See https://huggingface.co/docs/hub/eval-results.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from jevdb.base.errors import UsageError
from jevdb.base.metrics import BY_NAME
from jevdb.base.text import short_id
from jevdb.base.wording import option
from jevdb.exports.foreign.metrics import range_words
from jevdb.exports.foreign.names import file_name
from jevdb.exports.foreign.reading import ExportedRun, Stated, iso

DATASET_REVISION = "dataset_revision"
SOURCE_URL = "source_url"
DATASET = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
TEXT = "tag:yaml.org,2002:str"

Entry = dict[str, "str | float | Entry"]


def eval_results(
    exported: ExportedRun, dataset: str | None = None
) -> dict[PurePosixPath, bytes]:
    """Return the YAML file of a run's reported numbers.

    Raises
    ------
    UsageError
        Nobody says which dataset on the hub they are about.
    """
    run = exported.run
    named = dataset or exported.dataset
    if named is None:
        raise UsageError(
            f"{run.benchmark_id}: on Hugging Face a result names a dataset of the hub, "
            "and this benchmark's source is none; say which with "
            f"{option('dataset', 'ORG/NAME')}"
        )
    if not DATASET.fullmatch(named):
        raise UsageError(f"{named!r} is no dataset's id; expected ORG/NAME")
    stem = [run.benchmark_id, run.model, run.label or "", short_id(run.run_id)]
    name = "--".join(file_name(part) for part in stem if part)
    return {PurePosixPath(f"{name}.yaml"): as_yaml(list(_entries(exported, named)))}


def _entries(exported: ExportedRun, dataset: str) -> Iterator[Entry]:
    for value in exported.values:
        metric = BY_NAME[value.number.metric]
        if metric.reported and (not metric.is_index or value.number.kind == "all"):
            yield _entry(exported, dataset, value)


def _entry(exported: ExportedRun, dataset_id: str, value: Stated) -> Entry:
    settings = exported.settings
    dataset: Entry = {
        "id": dataset_id,
        "task_id": value.name,
    }
    if DATASET_REVISION in settings:
        dataset["revision"] = settings[DATASET_REVISION]
    entry: Entry = {"dataset": dataset, "value": value.value + 0.0}
    if exported.facts.started_at:
        entry["date"] = iso(exported.facts.started_at)
    if SOURCE_URL in settings:
        entry["source"] = {"url": settings[SOURCE_URL]}
    entry["notes"] = "; ".join(_notes(exported, value))
    return entry


def _notes(exported: ExportedRun, value: Stated) -> Iterator[str]:
    """Yield what the number is, by which method, over which items."""
    metric, run = BY_NAME[value.number.metric], exported.run
    kind = "" if value.number.kind == "all" else f" of {value.number.kind}"
    yield f"{metric.title}{kind}"
    yield f"unit: {metric.unit} ({range_words(metric)})"
    yield f"method: {exported.method}"
    scope = f"scope: {value.report_row} of {run.benchmark_id}"
    yield f"{scope}, n {value.n} of {value.n_scope}"
    yield f"gold revision {exported.facts.gold_revision}"
    if value.marks.partial_types is not None:
        yield f"partial: types {', '.join(value.marks.partial_types) or 'none'} only"
    if value.marks.n_repeats > 1:
        yield f"each item asked {value.marks.n_repeats} times"
    if value.marks.is_incomplete:
        yield "incomplete: the benchmark lacks items here"
    if run.label is not None:
        yield f"label: {run.label}"
    yield f"jevdb run {short_id(run.run_id)}"


def as_yaml(entries: list[Entry]) -> bytes:
    """Return the entries as YAML 1.1 and 1.2 both read them: every text in quotes."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def represent_mapping(
            self, tag: str, mapping: Any, flow_style: bool | None = None
        ) -> yaml.MappingNode:
            node = super().represent_mapping(tag, mapping, flow_style)
            for _, value in node.value:
                if value.tag == TEXT:
                    value.style = '"'
            return node

    return yaml.dump(
        entries, None, Dumper, sort_keys=False, allow_unicode=True, width=math.inf
    ).encode()
