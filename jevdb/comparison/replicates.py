"""Every metric of every replicate, from its tallies, by the rules of the SQL.

Each function here restates one view of ``sql/metrics`` or ``sql/indices``, over arrays
of shape (n_runs, replicates); a null of the SQL is NaN. A test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from jevdb.base.metrics import BY_NAME, REGISTRY, Metric
from jevdb.scoring.terms import Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.comparison.tallying import Tally
    from jevdb.scoring.terms import Method

    Doubles = NDArray[np.float64]
    Kinds = dict[str, Doubles]

SINGLE = ("choice", "noul", "score")


@dataclass(frozen=True, slots=True)
class Cell:
    """The tallies of some strata, added up."""

    tallies: Sequence[Tally]

    @property
    def n_items(self) -> Doubles | float:
        """Items drawn, shape (replicates,); 0 where there are no strata."""
        return _added(tally.n_items for tally in self.tallies)

    @property
    def n_answers(self) -> Doubles | float:
        """Answers asked of them, shape (n_runs, replicates)."""
        return _added(tally.n_items * tally.repeats for tally in self.tallies)

    def asked(self, name: str) -> Doubles | float:
        """Return a sum of what items have, over the answers asked of them."""
        return _added(
            tally.sums[name] * tally.repeats
            for tally in self.tallies
            if name in tally.sums
        )

    def __getitem__(self, name: str) -> Doubles | float:
        return _added(tally.sums[name] for tally in self.tallies if name in tally.sums)


def _added(parts: Iterator[Doubles]) -> Doubles | float:
    total: Doubles | float = 0.0
    for part in parts:
        total = total + part
    return total


@dataclass(frozen=True)
class Scene:
    """One report row by one method: what a metric is computed from."""

    tallies: Sequence[Tally]
    report_row: str
    method: Method
    unsupported: Sequence[frozenset[str]]
    shape: tuple[int, int]
    _known: dict[str, Kinds] = field(default_factory=dict)

    def metric(self, name: str) -> Kinds:
        """Return a metric by kind; each is computed once."""
        if name not in self._known:
            self._known[name] = METRICS[name](self)
        return self._known[name]

    def cell(self, subset: str, kind: str = "all") -> Cell:
        """Return the tallies of a subset of the report row, of one type or all."""
        place = Place(self.report_row, subset)
        return Cell(
            [
                tally
                for tally in self.tallies
                if place in tally.stratum.places and kind in ("all", tally.stratum.type)
            ]
        )

    def kinds(self, subset: str, known: Sequence[str] = SINGLE) -> list[str]:
        """Return which of the *known* types a subset of the report row has items of."""
        return [kind for kind in known if self.cell(subset, kind).tallies]

    def supports(self, kind: str) -> NDArray[np.bool_]:
        """Return which runs did not declare the type unsupported, shape (n_runs, 1)."""
        return np.array([[kind not in types] for types in self.unsupported])

    def ratio(self, total: Doubles | float, n: Doubles | float) -> Doubles:
        """Return total / n for every run and replicate, NaN where n is 0."""
        full = np.broadcast_to(np.asarray(n, dtype=np.float64), self.shape)
        result = np.full(self.shape, np.nan)
        np.divide(total, full, out=result, where=full > 0)
        return result


def _mean_of(metric: Metric) -> Callable[[Scene], Kinds]:
    """Return the function that gives a metric that is the mean of its terms."""

    def mean(scene: Scene) -> Kinds:
        found = {}
        first = next(iter(metric.kinds))
        for kind, scope in metric.kinds.items():
            cell = scene.cell(str(scope.subset), scope.type)
            if not cell.tallies and kind != first:
                continue
            value = scene.ratio(cell[str(metric.tally)], _counted(cell, metric))
            if metric.leaves_declared:
                value = np.where(scene.supports(kind), value, np.nan)
            found[kind] = value
        return found

    return mean


def _counted(cell: Cell, metric: Metric) -> Doubles | float:
    return cell.n_answers if metric.counted == "items" else cell[f"n_{metric.counted}"]


def _ece(scene: Scene) -> Kinds:
    found = {}
    for kind, (subset, _, basis) in BY_NAME["ece"].kinds.items():
        cell = scene.cell(str(subset))
        gaps: Doubles | float = 0.0
        for place in range(scene.method.bins):
            gaps = gaps + np.abs(cell[f"{basis} {place}"])
        found[kind] = scene.ratio(gaps, cell["n_stated"])
    return found


def _intelligence(scene: Scene) -> Kinds:
    components = {
        kind: np.where(scene.supports(kind), _component(scene, kind), np.nan)
        for kind in scene.kinds("index")
    }
    return {**components, "all": _index(scene, components, scene.method.type_weight)}


def _component(scene: Scene, kind: str) -> Doubles:
    """Return the component of I of a type: its tiers, by weight of those drawn."""
    cell = scene.cell("index", kind)
    tiers: dict[str | None, list[Tally]] = {}
    for tally in cell.tallies:
        tiers.setdefault(tally.stratum.weighted_tier, []).append(tally)
    total: Doubles | float = 0.0
    weights: Doubles | float = 0.0
    for tier, tallies in tiers.items():
        weight = scene.method.tier_weights.get(tier, 1.0) if tier else 1.0
        value = _tier_component(scene, kind, Cell(tallies))
        is_drawn = np.asarray(Cell(tallies).n_items) > 0
        total = total + np.where(is_drawn, weight * value, 0.0)
        weights = weights + np.where(is_drawn, weight, 0.0)
    return scene.ratio(total, weights)


def _tier_component(scene: Scene, kind: str, cell: Cell) -> Doubles:
    if kind == "choice":
        accuracy = scene.ratio(cell["n_right"], cell.n_answers)
        return 100 * _corrected(accuracy, scene.ratio(cell["chance"], cell.n_items))
    if kind == "noul":
        accuracy = scene.ratio(cell["n_clear"], cell.n_answers)
        if scene.method.noul_chance_corrected:
            return 100 * _corrected(accuracy, 0.5)
        return 100 * accuracy
    error, chance = cell["scaled_rating_error"], cell.asked("chance_rating_error")
    return 100 * (1 - scene.ratio(error, chance))


def _corrected(accuracy: Doubles, chance: Doubles | float) -> Doubles:
    return (accuracy - chance) / (1 - chance)


def _calibration(scene: Scene) -> Kinds:
    ece = scene.metric("ece")
    components = {}
    for kind in scene.kinds("index"):
        part = np.maximum(0, 100 * (1 - 2 * ece[kind]))
        if kind == "choice":
            part = (part + 100 * (1 - scene.metric("tvd")["all"])) / 2
        elif kind == "score":
            part = (part + 100 * (1 - scene.metric("rps")["score"])) / 2
        components[kind] = part
    return {**components, "all": _index(scene, components, lambda _: 1.0)}


def _index(
    scene: Scene, components: Kinds, weight_of: Callable[[str], float]
) -> Doubles:
    """Return the mean of the components, over the types drawn and supported."""
    total, weights = np.zeros(scene.shape), np.zeros(scene.shape)
    for kind, value in components.items():
        is_drawn = np.asarray(scene.cell("index", kind).n_items) > 0
        counts = scene.supports(kind) & is_drawn
        weight = weight_of(kind)
        total += np.where(counts, weight * value, 0.0)
        weights += np.where(counts, weight, 0.0)
    return scene.ratio(total, weights)


def _tallies_of(name: str) -> tuple[str, ...]:
    """Return the tallies of a metric that is a mean: its sum, and what counts it."""
    metric = BY_NAME[name]
    counts = () if metric.counted == "items" else (f"n_{metric.counted}",)
    return (str(metric.tally), *counts)


MEANS = [metric for metric in REGISTRY if metric.tally]

METRICS: dict[str, Callable[[Scene], Kinds]] = {
    "intelligence": _intelligence,
    "calibration": _calibration,
    "ece": _ece,
    **{metric.name: _mean_of(metric) for metric in MEANS},
}

ECE_TALLIES = ("top", "yes", "n_stated")
TALLIES_OF: dict[str, tuple[str, ...]] = {
    "intelligence": (
        *("n_right", "n_clear", "chance"),
        *("scaled_rating_error", "chance_rating_error"),
    ),
    "calibration": (*ECE_TALLIES, *_tallies_of("tvd"), *_tallies_of("rps")),
    "ece": ECE_TALLIES,
    **{metric.name: _tallies_of(metric.name) for metric in MEANS},
}
"""Which tallies each metric is computed from."""
