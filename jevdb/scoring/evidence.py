"""What the rows of some runs say of their numbers, and of the differences of these.

Read once, inside `jevdb.scoring.selection.selected`. Accuracies by exact tests; I and
means by their linearisation (`jevdb.numerics`); nothing where neither is valid.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.base.metrics import BY_NAME, Number
from jevdb.numerics import components
from jevdb.numerics.binomial import clopper_pearson
from jevdb.numerics.cells import (
    SMALLEST,
    Addend,
    Cell,
    InestimableError,
    Influence,
    cells_of,
    plus_two,
)
from jevdb.numerics.estimates import Estimate
from jevdb.numerics.variance import Spread, clustered, stratified
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.clusters import Belonging, Clusters, read_belonging
from jevdb.scoring.differences import (
    HIGHEST_INDEX,
    Alone,
    Contrast,
    Difference,
    Discordance,
    Unknown,
)
from jevdb.scoring.index_parts import index_parts
from jevdb.scoring.terms import Items, Method, Place, Terms, read_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.base.connection import Connection

    Integers = NDArray[np.int64]
    Doubles = NDArray[np.float64]
    Booleans = NDArray[np.bool_]

LEAST_ALONE = 30
"""Rows from which the mean of one run has an interval."""
UNIT = 2.0**-53


class Key(NamedTuple):
    """Which number of a run: where it stands in ``report_metrics``."""

    report_row: str
    method_id: str
    metric: str
    kind: str

    @property
    def mean(self) -> Mean | None:
        """What the number averages; None for what is no mean over rows."""
        return mean_of(Number(self.metric, self.kind))


class Mean(NamedTuple):
    """What a metric averages: a term over the rows that count.

    ``counts`` is the term that says which do (None: all); ``limits`` its range; a loss
    has a long tail, so that one run's interval is on the scale of the logarithm.
    """

    term: str
    counts: str | None
    subset: str
    type: str
    limits: tuple[float, float]
    is_loss: bool


def mean_of(number: Number) -> Mean | None:
    """Return what a number averages; None for what is no mean over rows."""
    metric = BY_NAME[number.metric]
    if metric.tally is None:
        return None
    return Mean(
        term=metric.tally,
        counts=None if metric.counted == "items" else f"n_{metric.counted}",
        subset=str(number.scope.subset),
        type=number.scope.type,
        limits=metric.bounds,
        is_loss=not metric.is_higher_better,
    )


def terms_of(number: Number) -> set[str]:
    """Return the terms that say what is known of a number; the right rows always."""
    found = {"n_right"}
    if number.metric == "intelligence":
        found |= {"n_clear", "chance", "scaled_rating_error", "chance_rating_error"}
    elif (mean := mean_of(number)) is not None:
        found |= {mean.term, mean.counts or mean.term}
    return found


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


@dataclass(frozen=True, slots=True)
class Evidence:
    """The rows of some runs over the same items, as terms, by method.

    ``run_ids`` are those of the selection.
    """

    by_method: dict[str, tuple[Terms, Method]]
    belonging: Belonging
    _layouts: dict[object, Layout | Unknown] = field(default_factory=dict)

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

    def discordance(self, key: Key, base: str, other: str) -> Discordance:
        """Return how many items both, one alone or neither got right."""
        items = self.positions(key.report_row, "all", key.kind)
        right = self._terms(key).columns["n_right"]
        first = right[self.place(base), items] > 0
        second = right[self.place(other), items] > 0
        counts = (first & second, first & ~second, ~first & second, ~first & ~second)
        return Discordance(*(int(one.sum()) for one in counts))

    def difference(self, key: Key, base: str, other: str, gap: float) -> Contrast:
        """Return what is known of other minus base, which is *gap*."""
        if key.metric == "accuracy":
            return self._accuracies(key, base, other, gap)
        if key.metric == "intelligence":
            return self._indices(key, base, other, gap)
        if (mean := key.mean) is not None:
            return self._means(key, mean, base, other, gap)
        return Unknown("biased_statistic")

    def alone(self, key: Key, run_id: str, value: float) -> Alone:
        """Return the 95 % interval of one run's number, which is *value*."""
        if key.metric == "accuracy":
            return self._accuracy(key, run_id, value)
        if key.metric == "intelligence":
            return self._index(key, run_id, value)
        if (mean := key.mean) is not None:
            return self._mean(key, mean, run_id, value)
        return Unknown("biased_statistic")

    def scaled(
        self, key: Key, base: str, other: str, weight: float, gap: float
    ) -> Difference | Unknown:
        """Return what is known of other minus *weight* times base, which is *gap*."""
        scale = np.array([[weight], [1.0]])
        if key.metric == "accuracy":
            items = self.positions(key.report_row, "all", key.kind)
            addends, influence = (
                [_everything(len(items))],
                self.rights(key, [base, other]),
            )
            layout = self._laid_out(
                items, addends, plus_two(addends), across_types=True
            )
        elif key.metric == "intelligence":
            supported = [self.supported(key, run_id) for run_id in (base, other)]
            if supported[0] != supported[1]:
                return Unknown("different_types")
            layout = self.layout(key, supported[0])
            influence = self.scored(key, [base, other])
        elif (mean := key.mean) is not None:
            items = self.positions(key.report_row, mean.subset, mean.type)
            both = items[self.counting(key, mean, [base, other], items).all(axis=0)]
            layout = self._mean_layout(key, both)
            values = self.values(key, mean, [base, other], both)
            middle = components.mean(values)[:, 0].tolist() if len(both) else [0.0] * 2
            gap = middle[1] - weight * middle[0]
            means = components.mean_influence(values) if len(both) else values

            def influence(places: Integers) -> Doubles:
                return means[:, places]

        else:
            return Unknown("biased_statistic")
        return self._tested(layout, gap, lambda places: influence(places) * scale)

    # Accuracy.

    def _accuracies(self, key: Key, base: str, other: str, gap: float) -> Contrast:
        layout = self.layout(key)
        if self.is_repeated([base, other]):
            layout = self._layout_of_shares(key)
        if isinstance(layout, Unknown) or layout.cells:
            return self._tested(
                layout, gap, self.rights(key, [base, other]), (-1.0, 1.0)
            )
        return self.discordance(key, base, other)

    def _accuracy(self, key: Key, run_id: str, value: float) -> Alone:
        layout = self.layout(key)
        if isinstance(layout, Unknown):
            return layout
        shares = self.right(key, [run_id])
        is_shared = bool(((shares > 0) & (shares < 1)).any())
        n = len(layout.items)
        right = round(value * n)
        if layout.clusters is None and not is_shared:
            return clopper_pearson(right, n)
        if layout.clusters is not None and value in (0.0, 1.0):
            count = layout.clusters.n_clusters
            return clopper_pearson(0 if right == 0 else count, count)
        if layout.clusters is None:
            layout = self._layout_of_shares(key)
            if isinstance(layout, Unknown):
                return layout
        influence = self.rights(key, [run_id])
        try:
            spread = layout.spread(lambda items: influence(items)[0], 0.0)
        except InestimableError as error:
            return Unknown(error.reason, error.about)
        return Estimate(value, *spread).logit_interval()

    def right(self, key: Key, run_ids: Sequence[str]) -> Doubles:
        """Return whether each row is right, 0 or 1, shape (n_runs, n).

        Of a run that asked several times, the share of the item's answers that are.
        """
        items = self.positions(key.report_row, "all", key.kind)
        right: Doubles = self._column(key, "n_right", run_ids)[:, items]
        return right

    def rights(self, key: Key, run_ids: Sequence[str]) -> Influence:
        """Return the influences of some runs' rows on their accuracies."""
        right = self.right(key, run_ids)
        influence = components.mean_influence(right)
        return lambda places: influence[:, places]

    # I and its components.

    def _indices(self, key: Key, base: str, other: str, gap: float) -> Contrast:
        supported = [self.supported(key, run_id) for run_id in (base, other)]
        if supported[0] != supported[1]:
            return Unknown("different_types")
        layout = self.layout(key, supported[0])
        return self._tested(layout, gap, self.scored(key, [base, other]))

    def _index(self, key: Key, run_id: str, value: float) -> Alone:
        layout = self.layout(key, self.supported(key, run_id))
        if isinstance(layout, Unknown):
            return layout
        influence = self.scored(key, [run_id])
        try:
            spread = layout.spread(lambda items: influence(items)[0])
        except InestimableError as error:
            return Unknown(error.reason, error.about)
        return Estimate(value, *spread).alone(HIGHEST_INDEX)

    def supported(self, key: Key, run_id: str) -> frozenset[str]:
        """Return the types that the index of a run averages, of those it is over."""
        terms = self._terms(key)
        types = {
            stratum.type
            for stratum in terms.items.strata
            if Place(key.report_row, "index") in stratum.places
            and key.kind in ("all", stratum.type)
        }
        return frozenset(types - terms.unsupported[self.place(run_id)])

    def scored(self, key: Key, run_ids: Sequence[str]) -> Influence:
        """Return the influences of some runs' rows on their components of I."""
        items = self._index_items(key, self.supported(key, run_ids[0]))
        terms, method = self.by_method[key.method_id]
        types = np.array([block[0] for block in terms.items.blocks])[items]

        def influence(places: Integers) -> Doubles:
            kind, mine = types[places[0]], items[places]
            if kind == "choice":
                right = self._column(key, "n_right", run_ids)[:, mine]
                return components.choice_influence(
                    right, self._item(key, "chance", mine)
                )
            if kind == "noul":
                clear = self._column(key, "n_clear", run_ids)[:, mine]
                return components.noul_influence(clear, method.noul_chance_corrected)
            error = self._column(key, "scaled_rating_error", run_ids)[:, mine]
            chance = self._item(key, "chance_rating_error", mine)
            return components.score_influence(error, chance)

        return influence

    def _index_items(self, key: Key, types: frozenset[str]) -> Integers:
        found = [self.positions(key.report_row, "index", kind) for kind in types]
        return np.sort(np.concatenate(found)) if found else np.array([], dtype=np.int64)

    def _index_addends(
        self, key: Key, types: frozenset[str], items: Integers
    ) -> list[Addend]:
        """Return the tiers of the types, by place among *items*, with their weights."""
        terms, method = self.by_method[key.method_id]
        return [
            Addend(
                np.searchsorted(items, part.items),
                part.omega / len(part.items),
                self._effect(key, part.type, part.items),
            )
            for part in index_parts(terms.items.strata, key.report_row, types, method)
        ]

    def _effect(self, key: Key, kind: str, items: Integers) -> float:
        if kind == "choice":
            return components.choice_effect(self._item(key, "chance", items))
        if kind == "noul":
            _, method = self.by_method[key.method_id]
            return components.noul_effect(method.noul_chance_corrected)
        chance = self._item(key, "chance_rating_error", items)
        return components.score_effect(chance)

    # Means.

    def _means(
        self, key: Key, mean: Mean, base: str, other: str, gap: float
    ) -> Contrast:
        items = self.positions(key.report_row, mean.subset, mean.type)
        counts = self.counting(key, mean, [base, other], items)
        both = items[counts.all(axis=0)]
        values = self.values(key, mean, [base, other], both)
        if len(both) < len(items[counts[0]]) or len(both) < len(items[counts[1]]):
            ends = [*values[1].tolist(), *(-values[0]).tolist()]
            gap = math.fsum(ends) / max(len(both), 1)
        layout = self._mean_layout(key, both)
        gaps = components.mean_influence((values[1] - values[0])[np.newaxis])

        low, high = mean.limits
        return self._tested(
            layout, gap, lambda places: gaps[:, places], (low - high, high - low)
        )

    def _mean(self, key: Key, mean: Mean, run_id: str, value: float) -> Alone:
        items = self.positions(key.report_row, mean.subset, mean.type)
        mine = items[self.counting(key, mean, [run_id], items)[0]]
        if len(mine) < LEAST_ALONE:
            return Unknown("too_few_items", f"{len(mine)} of {LEAST_ALONE}")
        layout = self._mean_layout(key, mine)
        values = self.values(key, mean, [run_id], mine)
        influence = components.mean_influence(values)
        found = self._tested(layout, value, lambda places: influence[:, places])
        if isinstance(found, Unknown):
            return found
        if mean.is_loss:
            return found.estimate.log_interval(limits=mean.limits)
        return found.estimate.alone(mean.limits)

    def counting(
        self, key: Key, mean: Mean, run_ids: Sequence[str], items: Integers
    ) -> Booleans:
        """Return which rows of some runs a mean is over, shape (n_runs, n)."""
        name = mean.counts
        if name is None:
            return np.ones((len(run_ids), len(items)), dtype=np.bool_)
        places = [self.place(run_id) for run_id in run_ids]
        counts: Booleans = self._terms(key).columns[name][places][:, items] > 0
        return counts

    def values(
        self, key: Key, mean: Mean, run_ids: Sequence[str], items: Integers
    ) -> Doubles:
        """Return what each row adds to a mean, in its unit, shape (n_runs, n)."""
        values: Doubles = self._column(key, mean.term, run_ids)[:, items]
        if mean.counts is not None and self.is_repeated(run_ids):
            # Averaged over the answers that count, not over all asked.
            counted = self._column(key, mean.counts, run_ids)[:, items]
            values = np.divide(
                values, counted, out=np.zeros_like(values), where=counted > 0
            )
        return values

    def _mean_layout(self, key: Key, items: Integers) -> Layout | Unknown:
        name = (key.report_row, items.tobytes())
        if name not in self._layouts:
            addends = [_everything(len(items))] if len(items) else []
            self._layouts[name] = self._laid_out(items, addends, 0.0, across_types=True)
        return self._layouts[name]

    # What they share.

    def layout(self, key: Key, types: frozenset[str] | None = None) -> Layout | Unknown:
        """Return the cells of an accuracy, or of an index over *types*."""
        name = (key, types)
        if name not in self._layouts:
            if types is None:
                self._layouts[name] = self._counted(key)
            else:
                items = self._index_items(key, types)
                addends = self._index_addends(key, types, items)
                self._layouts[name] = self._laid_out(
                    items, addends, plus_two(addends) if addends else 0.0
                )
        return self._layouts[name]

    def _counted(self, key: Key) -> Layout | Unknown:
        """Return the layout of an accuracy; independent items need no cells."""
        items = self.positions(key.report_row, "all", key.kind)
        addends = [_everything(len(items))]
        if self.belonging.of(items) is None:
            return Layout(items, (), None, plus_two(addends))
        return self._laid_out(items, addends, plus_two(addends), across_types=True)

    def _layout_of_shares(self, key: Key) -> Layout | Unknown:
        """Return the layout of an accuracy whose items may be right in part."""
        name = (key, "shares")
        if name not in self._layouts:
            items = self.positions(key.report_row, "all", key.kind)
            addends = [_everything(len(items))]
            self._layouts[name] = self._laid_out(
                items, addends, plus_two(addends), across_types=True
            )
        return self._layouts[name]

    def _laid_out(
        self,
        items: Integers,
        addends: Sequence[Addend],
        fixed: float,
        *,
        across_types: bool = False,
    ) -> Layout | Unknown:
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

    def _tested(
        self,
        layout: Layout | Unknown,
        gap: float,
        influence: Influence,
        limits: tuple[float, float] = (-math.inf, math.inf),
    ) -> Difference | Unknown:
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

    def _terms(self, key: Key) -> Terms:
        return self.by_method[key.method_id][0]

    def _column(self, key: Key, name: str, run_ids: Sequence[str]) -> Doubles:
        places = [self.place(run_id) for run_id in run_ids]
        terms = self._terms(key)
        found: Doubles = terms.columns[name][places].astype(np.float64)
        if not name.startswith("n_"):
            found = found * UNIT
        if self.is_repeated(run_ids):
            # The item is what is sampled: its answers are averaged first.
            found /= terms.repeats[places, np.newaxis]
        return found

    def _item(self, key: Key, name: str, items: Integers) -> Doubles:
        """Return what all runs share of the items at these positions, in its unit."""
        found: Doubles = self._terms(key).columns[name][0, items] * UNIT
        return found


def _everything(n: int) -> Addend:
    return Addend(np.arange(n), 1 / n, 1.0)


def read_evidence(
    connection: Connection,
    cluster: ClusterBy | None = None,
    numbers: Iterable[Number] | None = None,
) -> Evidence:
    """Return what the rows of the selected runs say; call it inside `selected`.

    *cluster* is what items that belong together share; unless it is given, their group
    where every item of the row has one. It is asked only about *numbers*, if these are
    given.
    """
    names = None if numbers is None else set().union(*map(terms_of, numbers))
    by_method = {
        method.method_id: (terms, method)
        for terms in read_terms(connection, names)
        for method in terms.methods
    }
    return Evidence(by_method, read_belonging(connection, cluster))
