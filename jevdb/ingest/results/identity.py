"""A published result ready to be stored: what it reports, and what identifies it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from jevdb.ingest.decode.records import canonical_json
from jevdb.ingest.results.numbers import Number, numbers
from jevdb.ingest.results.option_counts import option_counts
from jevdb.ingest.results.reading import PublishedResult
from jevdb.ingest.results.records import BENCHMARK_ID


class Ready(NamedTuple):
    """A result with what is stored of it."""

    read: PublishedResult
    sha256: str
    tags: list[str]
    numbers: list[Number]

    @property
    def name(self) -> dict[str, object]:
        """What only one result can have that stands."""
        return {
            "benchmark_id": BENCHMARK_ID,
            "model": self.read.model.name,
            "revision": self.read.model.revision,
            "tags": self.tags,
        }

    @property
    def words(self) -> str:
        """``model@revision [tag]``."""
        tags = "".join(f" [{tag}]" for tag in self.tags)
        return f"{self.read.model.name}@{self.read.model.revision}{tags}"


def ready_to_store(read: PublishedResult) -> Ready:
    """Return a result with its numbers and its identity."""
    result = read.result
    known = option_counts(result.dataset_repo, result.dataset_revision)
    found = list(numbers(result, known))
    tags = sorted(result.tags) if isinstance(result.tags, list) else []
    return Ready(read, _digest(read, tags, found), tags, found)


def _digest(read: PublishedResult, tags: list[str], found: Sequence[Number]) -> str:
    """Return what identifies a result: its name, its data set and what it reports.

    Neither layout, nor key order, nor what is said about the model enters it.
    """
    result = read.result
    reported = [
        [each.view, each.metric, each.value, each.n]
        for each in found
        if not each.metric.startswith("intelligence")
    ]
    content = {
        "benchmark_id": BENCHMARK_ID,
        "model": read.model.name,
        "revision": read.model.revision,
        "tags": tags,
        "dataset_repo": result.dataset_repo,
        "dataset_revision": result.dataset_revision,
        "requested_rows": result.requested_rows,
        "ok_rows": result.successful_rows,
        "unsupported_rows": result.unsupported_rows,
        "error_rows": result.error_rows,
        "numbers": sorted(reported, key=lambda each: each[:2]),
    }
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()
