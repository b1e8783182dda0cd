"""Published results of a benchmark: shown as reported, beside its boards, never ranked.

Which they are, and their numbers beside a board, are those of `jevdb leaderboard
--reported`; every number of every view stands on a page of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from jevdb.base.metrics import Number
from jevdb.base.stored_values import read_object, require_time
from jevdb.comparison.leaderboard_reported import Reported, read_reported
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from datetime import datetime

    from jevdb.base.connection import Connection

HEADINGS = {
    "intelligence": "I",
    "intelligence_supported": "I over ok rows",
    "primary_accuracy": "Accuracy",
    "accuracy": "Accuracy over ok rows",
    "ece": "ECE",
    "nll": "NLL",
    "coverage": "Coverage",
    "latency_s": "Latency, s",
}
"""Words for the published metrics; those not here are called by their own name."""
OVERALL = "overall"


class Source(NamedTuple):
    """Where a published result comes from, and what became of its rows."""

    requested_rows: int
    ok_rows: int
    unsupported_rows: int
    error_rows: int
    submitted_at: datetime | None
    file: str
    file_sha256: str
    meta: Mapping[str, object]


class View(NamedTuple):
    """The numbers of a view of a result; ``values`` are those of `HEADINGS`."""

    result: Reported
    name: str
    n: int | None
    is_partial: bool
    values: Sequence[float | None]

    @property
    def cells(self) -> Iterator[tuple[str, str, float | None]]:
        """The numbers, each with its metric and the one it has the decimals of."""
        for metric, value in zip(HEADINGS, self.values, strict=True):
            yield metric, metric.removesuffix("_supported"), value


class Definition(NamedTuple):
    """What a number is to those who published it, and in which results."""

    metric: str
    words: str
    results: list[Reported]


class Published(NamedTuple):
    """The published results of a benchmark, best first."""

    results: list[Reported]
    sources: dict[str, Source]
    views: list[View]
    definitions: list[Definition]

    @property
    def overall(self) -> dict[str, View]:
        """The view of all rows of each result, by its digest."""
        return {
            view.result.result_sha256: view
            for view in self.views
            if view.name == OVERALL
        }


def read_published(
    connection: Connection, benchmark_id: str, number: Number
) -> Published:
    """Return the published results of a benchmark, by *number* as reported."""
    results = read_reported(connection, benchmark_id, number)
    by_id = {result.result_sha256: result for result in results}
    named = {"benchmark": benchmark_id}

    def rows(name: str) -> list[Any]:
        return connection.execute(query(name), named).fetchall() if results else []

    sources = {
        str(name): Source._make(
            [*source, read_object(meta, f"reported_results.meta of {name}")]
        )
        for name, *source, meta in rows("site/published_sources")
    }
    for name, source in sources.items():
        require_time(source.submitted_at, f"reported_results.submitted_at of {name}")
    return Published(
        results=results,
        sources=sources,
        views=[
            View(by_id[name], view, n, is_partial, values)
            for name, view, n, is_partial, *values in rows("site/published")
        ],
        definitions=[
            Definition(metric, words, [by_id[name] for name in names])
            for metric, words, names in rows("site/published_definitions")
        ],
    )
