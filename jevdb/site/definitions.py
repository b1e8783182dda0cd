"""What each metric is, in the words of the SQL that computes it."""

from __future__ import annotations

from typing import NamedTuple

from jevdb.base.metrics import HIGHER_IS_BETTER, KINDS, Number
from jevdb.scoring.explain.number_place import VIEWS, definitions
from jevdb.site.boards import HEADINGS
from jevdb.site.sections import LONG
from jevdb.warehouse.sqlfiles import SqlObject


class Metric(NamedTuple):
    """A metric, its kinds and the views that give it."""

    name: str
    heading: str
    long: str
    kinds: tuple[str, ...]
    is_higher_better: bool
    views: list[SqlObject]


def metric_definitions() -> list[Metric]:
    """Return every metric in the order of the documents."""
    return [
        Metric(
            name=metric,
            heading=HEADINGS[metric],
            long=LONG.get(metric, ""),
            kinds=kinds,
            is_higher_better=HIGHER_IS_BETTER[metric],
            views=_views(metric, kinds),
        )
        for metric, kinds in KINDS.items()
    ]


def _views(metric: str, kinds: tuple[str, ...]) -> list[SqlObject]:
    kind = "all" if metric in VIEWS else kinds[0]
    return definitions(Number(metric, kind))
