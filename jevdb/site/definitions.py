"""What each metric is, in the words of the SQL that computes it."""

from __future__ import annotations

from typing import NamedTuple

from jevdb.base.metrics import REGISTRY, Metric, Number
from jevdb.scoring.explain.number_place import citing_pages, definitions
from jevdb.warehouse.sqlfiles import SqlObject, program


class Definition(NamedTuple):
    """A metric, its kinds and the views that give it."""

    name: str
    heading: str
    long: str
    kinds: tuple[str, ...]
    is_higher_better: bool
    views: list[SqlObject]


def metric_definitions() -> list[Definition]:
    """Return every metric in the order of the documents."""
    return [
        Definition(
            name=metric.name,
            heading=metric.heading,
            long=metric.long,
            kinds=tuple(metric.kinds),
            is_higher_better=metric.is_higher_better,
            views=_views(metric),
        )
        for metric in REGISTRY
    ]


def _views(metric: Metric) -> list[SqlObject]:
    """Return the view that has the metric's name, and what that reads it from."""
    views = definitions(Number(metric.name, next(iter(metric.kinds))))
    if metric.is_from_means:
        views += [citing_pages(item) for item in program() if item.name == "means"]
    return views
