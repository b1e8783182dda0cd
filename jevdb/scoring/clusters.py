"""Which items belong together: those of one passage, image or source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.base.text import counted
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.base.connection import Connection

    Integers = NDArray[np.int64]


class Clusters(NamedTuple):
    """The cluster of each of some items, and what it is by."""

    by: ClusterBy
    numbers: Integers

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return len(np.unique(self.numbers))

    @property
    def words(self) -> str:
        """What the heading says: ``12 clusters by family``."""
        if self.by is ClusterBy.NONE:
            return "items as independent"
        return f"{counted(self.n_clusters, 'cluster')} by {self.by}"


class Belonging(NamedTuple):
    """What each item shares with others, by dimension, and what was asked for."""

    values: dict[ClusterBy, Sequence[str | None]]
    asked: ClusterBy | None

    def of(self, items: Integers) -> Clusters | None:
        """Return the clusters of the items at these positions; None: all stand alone.

        Unless something was asked for: by group, when every item has one. An item
        without a value is a cluster of its own.
        """
        by = self.asked
        if by is None:
            groups = self.values[ClusterBy.GROUP]
            is_grouped = all(groups[item] is not None for item in items.tolist())
            by = ClusterBy.GROUP if is_grouped else ClusterBy.NONE
        if by is ClusterBy.NONE:
            return None
        known: dict[object, int] = {}
        values = self.values[by]
        names: list[object] = [
            item if values[item] is None else values[item] for item in items.tolist()
        ]
        numbers = [known.setdefault(name, len(known)) for name in names]
        return Clusters(by, np.array(numbers))


def read_belonging(connection: Connection, asked: ClusterBy | None) -> Belonging:
    """Return what the items of a selection share; call it inside `selected`."""
    rows = connection.execute(query("scoring/item_clusters")).fetchall()
    dimensions = (ClusterBy.FAMILY, ClusterBy.DOMAIN, ClusterBy.GROUP)
    return Belonging(
        {by: [row[place + 1] for row in rows] for place, by in enumerate(dimensions)},
        asked,
    )
