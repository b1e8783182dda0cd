"""The rows of some runs, and the cells that the spread of a number is read from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.numerics.cells import (
    SMALLEST,
    Addend,
    Cell,
    InestimableError,
    Influence,
    cells_of,
)
from jevdb.numerics.estimates import Estimate
from jevdb.numerics.variance import Spread, clustered, stratified
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.clusters import Belonging, Clusters
from jevdb.scoring.differences import Difference, Unknown
from jevdb.scoring.terms import Items, Method, Place, Terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.scoring.keys import Key

    Integers = NDArray[np.int64]
    Doubles = NDArray[np.float64]

UNIT = 2.0**-53


class Layout(NamedTuple):
    """The items of a number, as positions, and the cells their spread is read from.

    Cells and clusters are by place among ``items``; ``fixed`` is what the plus-two rule
    adds.
    """

    items: Integers
    cells: Sequence[Cell]
    clusters: Clusters | None
    fixed: float

    def spread(self, influence: Influence, fixed: float | None = None) -> Spread:
        """Return the variance of a number with these influences."""
        added = self.fixed if fixed is None else fixed
        if self.clusters is None:
            return stratified(self.cells, influence, added)
        return clustered(self.cells, influence, self.clusters.numbers, added)


@dataclass(frozen=True)
class Rows:
    """The rows of some runs over the same items, as terms, by method.

    ``run_ids`` are those of the selection.
    """

    by_method: dict[str, tuple[Terms, Method]]
    belonging: Belonging
    layouts: dict[object, Layout | Unknown] = field(default_factory=dict)

    @property
    def items(self) -> Items:
        """The items, and the strata they form."""
        return self._any_terms.items

    @property
    def report_rows(self) -> list[str]:
        """The report rows, most items first; slices under their row."""
        return self.items.report_rows

    @property
    def _any_terms(self) -> Terms:
        return next(iter(self.by_method.values()))[0]

    def place(self, run_id: str) -> int:
        """Return where a run stands among the terms."""
        return self._any_terms.run_ids.index(run_id)

    def is_repeated(self, run_ids: Sequence[str]) -> bool:
        """Whether some of the runs asked an item several times."""
        places = [self.place(run_id) for run_id in run_ids]
        return bool((self._any_terms.repeats[places] > 1).any())

    def clusters(self, report_row: str) -> Clusters | None:
        """Return the clusters of all items of a report row; None: all stand alone."""
        return self.belonging.of(self.positions(report_row, "all", "all"))

    def cluster_words(self, report_row: str) -> tuple[str, int | None]:
        """Return what the items of a row are clustered by, and how many clusters."""
        found = self.clusters(report_row)
        return (
            (found.by.value, found.n_clusters)
            if found
            else (ClusterBy.NONE.value, None)
        )

    def positions(self, report_row: str, subset: str, kind: str) -> Integers:
        """Return the items of a subset of a row, of one type or all, ascending."""
        place = Place(report_row, subset)
        found = [
            stratum.items
            for stratum in self.items.strata
            if place in stratum.places and kind in ("all", stratum.type)
        ]
        return np.sort(np.concatenate(found)) if found else np.array([], dtype=np.int64)

    def laid_out(
        self,
        items: Integers,
        addends: Sequence[Addend],
        fixed: float,
        *,
        across_types: bool = False,
    ) -> Layout | Unknown:
        """Return the layout of a number over *items*, of which addends are places."""
        clusters = self.belonging.of(items)
        if len(items) < SMALLEST:
            return Unknown("too_few_items", f"{len(items)} of {SMALLEST}")
        known = self.items.blocks
        blocks = [known[item] for item in items.tolist()]
        try:
            cells = cells_of(
                blocks,
                addends,
                clusters=None if clusters is None else clusters.numbers,
                across_types=across_types,
            )
        except InestimableError as error:
            return Unknown(error.reason, error.about)
        return Layout(items, cells, clusters, fixed)

    def tested(
        self,
        layout: Layout | Unknown,
        gap: float,
        influence: Influence,
        limits: tuple[float, float] = (-math.inf, math.inf),
    ) -> Difference | Unknown:
        """Return what is known of *gap*, which has these influences.

        They are of one number, or of base and other, whose difference is meant.
        """
        if isinstance(layout, Unknown):
            return layout

        def differing(places: Integers) -> Doubles:
            found = influence(places)
            gap: Doubles = found[-1] - found[0] if len(found) > 1 else found[0]
            return gap

        try:
            spread = layout.spread(differing)
        except InestimableError as error:
            return Unknown(error.reason, error.about)
        if spread.variance <= 0:
            return Unknown("no_variation")
        return Difference(Estimate(gap, *spread), len(layout.items), limits)

    def terms(self, key: Key) -> Terms:
        """Return the terms by the method of a number."""
        return self.by_method[key.method_id][0]

    def column(self, key: Key, name: str, run_ids: Sequence[str]) -> Doubles:
        """Return a term of some runs, in its unit, shape (n_runs, n_items)."""
        places = [self.place(run_id) for run_id in run_ids]
        terms = self.terms(key)
        found: Doubles = terms.columns[name][places].astype(np.float64)
        if not name.startswith("n_"):
            found = found * UNIT
        if self.is_repeated(run_ids):
            # The item is what is sampled: its answers are averaged first.
            found /= terms.repeats[places, np.newaxis]
        return found

    def marked(
        self, key: Key, run_id: str, name: str, items: Integers
    ) -> list[list[float]]:
        """Return which answers of a run to these items count, 1 or 0, in any order."""
        terms, place = self.terms(key), self.place(run_id)
        repeats = int(terms.repeats[place])
        counts = terms.columns[name][place, items].tolist()
        return [[1.0] * n + [0.0] * (repeats - n) for n in counts]

    def item(self, key: Key, name: str, items: Integers) -> Doubles:
        """Return what all runs share of the items at these positions, in its unit."""
        found: Doubles = self.terms(key).columns[name][0, items] * UNIT
        return found


def everything(n: int) -> Addend:
    """Return the addend of a mean over *n* items."""
    return Addend(np.arange(n), 1 / n, 1.0)
