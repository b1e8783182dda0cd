"""A member's value as a function of means over its items.

Every number that has an interval is one: a metric is made of means of columns, a base
of means of others. So its influences come from slopes, and its replicates from weighted
means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.base.metrics import BY_NAME, Metric
from jevdb.suites.classes import BY_CLASS, SKILLS, by_class, constant_columns
from jevdb.suites.rows import COUNT, SAID

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.suites.items import Item
    from jevdb.suites.rows import Rows
    from jevdb.suites.scores import Member

    Doubles = NDArray[np.float64]
    Formula = Callable[[Doubles], Doubles]

STEP = 1e-5
"""Of the slopes: their error is of the order of its square."""


EXACT = 2.0**24
"""Whole numbers below this are exact in 32 bits."""


class Means(NamedTuple):
    """A number made of means: ``columns`` have the shape (..., n_items), stacked.

    ``formula`` takes means, shape (n_columns, ...), and gives the number, shape (...).
    """

    columns: Doubles
    formula: Formula


@dataclass(frozen=True, slots=True)
class Statistic:
    """The value of a member for some runs, from the means of its items.

    ``metric`` has columns of shape (n_columns, n_runs, n_items), ``base`` of shape
    (n_columns, n_items), ``share`` is what the value is multiplied with at last.
    """

    member: Member
    metric: Means
    base: Means | None
    share: Doubles | None

    @property
    def n_items(self) -> int:
        """How many items the number is about."""
        return int(self.metric.columns.shape[-1])

    def means(self) -> tuple[Doubles, Doubles | None, Doubles | None]:
        """Return the means of all columns: of the metric, the base, the share."""
        return (
            self.metric.columns.mean(axis=-1),
            None if self.base is None else self.base.columns.mean(axis=-1),
            None if self.share is None else self.share.mean(axis=-1),
        )

    def bare(
        self, means: Doubles, base: Doubles | None, share: Doubles | None
    ) -> Doubles:
        """Return the value before it is clipped, from the means."""
        value = self.metric.formula(means)
        if self.base is not None and base is not None:
            worst = self.base.formula(base)
            value = (value - worst) / (self.member.best - worst)
        return value if share is None else value * share

    def clipped(self, values: Doubles) -> Doubles:
        """Return values as the member clips them."""
        if not self.member.clip:
            return values
        found: Doubles = np.clip(values, 0.0, 1.0)
        return found

    def influences(self) -> Doubles:
        """Return what each item adds to the value, shape (n_runs, n_items).

        They add up to 0; the variance of the value is that of their sum.
        """
        columns = self.metric.columns
        means, base, share = self.means()
        total = np.zeros(columns.shape[1:])
        for place in range(len(columns)):
            slope = _slope(lambda m: self.bare(m, base, share), means, place)
            total += slope[:, np.newaxis] * (
                columns[place] - means[place][:, np.newaxis]
            )
        if self.base is not None and base is not None:
            for place in range(len(base)):
                slope = _slope(lambda b: self.bare(means, b, share), base, place)
                away = self.base.columns[place] - base[place]
                total += slope[:, np.newaxis] * away
        if self.share is not None and share is not None:
            slope = self.bare(means, base, np.ones_like(share))
            total += slope[:, np.newaxis] * (self.share - share[:, np.newaxis])
        result: Doubles = total / self.n_items
        return result

    def replicates(self, weights: Doubles) -> Doubles:
        """Return the value in every replicate, shape (n_runs, replicates).

        *weights* have the shape (n_items, replicates).
        """
        sums = weights.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = _weighted(self.metric.columns, weights) / sums
            base = None if self.base is None else self.base.columns @ weights / sums
            share = None if self.share is None else self.share @ weights / sums
            return self.clipped(self.bare(means, base, share))


def _weighted(columns: Doubles, weights: Doubles) -> Doubles:
    """Return weighted sums; whole numbers are exact in half the width, and quicker."""
    most = np.abs(columns).max(initial=0.0) * weights.sum(axis=0).max(initial=0.0)
    if most < EXACT and np.array_equal(columns, np.rint(columns)):
        found = columns.astype(np.float32) @ weights.astype(np.float32)
        return np.asarray(found, dtype=np.float64)
    return np.asarray(columns @ weights)


def _slope(formula: Formula, means: Doubles, place: int) -> Doubles:
    up, down = means.copy(), means.copy()
    up[place] += STEP
    down[place] -= STEP
    with np.errstate(invalid="ignore", divide="ignore"):
        result: Doubles = (formula(up) - formula(down)) / (2 * STEP)
    return result


def statistic(
    member: Member,
    rows: Rows,
    run_ids: Sequence[str],
    unanswered: str,
    unsupported: Sequence[frozenset[str]],
) -> Statistic | None:
    """Return the value of a member for some runs; None for what is no such function.

    Calibration errors are none: their resamples are biased.
    """
    items = rows.items[member.member]
    found = _metric(member, rows, run_ids, unanswered, unsupported)
    if found is None or not items:
        return None
    share = None
    if unanswered == "coverage" and BY_NAME[member.metric].counted != "items":
        share = rows.column(member.benchmark_id, "is_ok", member.member, run_ids)
        share = share / np.array([[rows.repeats[run_id]] for run_id in run_ids])
    return Statistic(member, found, _base(member, items), share)


def _metric(
    member: Member,
    rows: Rows,
    run_ids: Sequence[str],
    unanswered: str,
    unsupported: Sequence[frozenset[str]],
) -> Means | None:
    metric = BY_NAME[member.metric]

    def column(name: str) -> Doubles:
        return rows.column(member.benchmark_id, name, member.member, run_ids)

    asked = np.array([[rows.repeats[run_id]] for run_id in run_ids])
    if metric.name == "intelligence":
        items = rows.items[member.member]
        return _intelligence(rows, items, lambda n: column(n) / asked, unsupported)
    if metric.name in BY_CLASS:
        return _of_classes(member, rows, run_ids)
    if metric.name in SKILLS:
        return _skill(metric.name, rows.items[member.member], column)
    if metric.tally is None or metric.term is None:
        return None
    return _mean(metric, column, asked, unanswered)


def _mean(
    metric: Metric, column: Callable[[str], Doubles], asked: Doubles, unanswered: str
) -> Means:
    values = column(str(metric.term))
    if metric.counted != "items":
        return Means(np.stack([values, column(f"{COUNT}{metric.term}")]), _ratio)
    if unanswered == "left_out":
        return Means(np.stack([values, column("is_ok")]), _ratio)
    return Means((values / asked)[np.newaxis], _first)


def _of_classes(member: Member, rows: Rows, run_ids: Sequence[str]) -> Means:
    items = rows.items[member.member]
    asked = np.array([[rows.repeats[run_id]] for run_id in run_ids])

    def column(name: str) -> Doubles:
        known = rows.columns[member.benchmark_id]
        if name not in known:
            return np.zeros((len(run_ids), len(items)))
        sums = rows.column(member.benchmark_id, name, member.member, run_ids)
        return np.asarray(sums / asked)

    most = max(len(item.options) for item in items)
    said = [column(f"{SAID}_{place}") for place in range(most)]
    return Means(*by_class(member.metric, items, said, column("is_ok")))


def _skill(
    metric: str, items: Sequence[Item], column: Callable[[str], Doubles]
) -> Means:
    term = SKILLS[metric]
    sums, counts = column(term), column(f"{COUNT}{term}")
    parts, constant = constant_columns(metric, items)
    wide = np.broadcast_to(parts[:, np.newaxis], (len(parts), *sums.shape))
    columns = np.concatenate([np.stack([sums, counts]), wide])
    return Means(columns, lambda m: np.asarray(1 - m[0] / m[1] / constant(m[2:])))


def _first(means: Doubles) -> Doubles:
    found: Doubles = means[0]
    return found


def _ratio(means: Doubles) -> Doubles:
    found: Doubles = means[0] / means[1]
    return found


class _Part(NamedTuple):
    """A type and tier of I: its weight by run, and its number from its columns."""

    weight: Doubles
    columns: list[Doubles]
    formula: Formula


def _intelligence(
    rows: Rows,
    items: Sequence[Item],
    column: Callable[[str], Doubles],
    unsupported: Sequence[frozenset[str]],
) -> Means | None:
    """Return I, or a component: the weighted mean over types of that over tiers."""
    method = rows.method
    types = sorted({item.type for item in items})
    weights = np.array(
        [
            [0.0 if kind in declared else method.type_weight(kind) for kind in types]
            for declared in unsupported
        ]
    ).reshape(len(unsupported), len(types))
    if not len(weights) or (weights.sum(axis=1) == 0).any():
        return None
    weights = weights / weights.sum(axis=1, keepdims=True)
    parts = []
    for place, kind in enumerate(types):
        mine = [item.type == kind for item in items]
        tiers = sorted({str(i.weighted_tier) for i in items if i.type == kind})
        tier_weights = [method.tier_weights.get(tier, 1.0) for tier in tiers]
        for tier, weight in zip(tiers, tier_weights, strict=True):
            inside = np.array(
                [
                    own and str(item.weighted_tier) == tier
                    for own, item in zip(mine, items, strict=True)
                ]
            )
            share = weights[:, place] * weight / sum(tier_weights)
            parts.append(_part(kind, share, inside, items, column, method))
    sizes = [len(part.columns) for part in parts]
    ends = np.cumsum(sizes)

    def formula(means: Doubles) -> Doubles:
        total = np.zeros(means.shape[1:])
        for part, size, end in zip(parts, sizes, ends, strict=True):
            weight = part.weight.reshape(-1, *[1] * (means.ndim - 2))
            total = total + weight * part.formula(means[end - size : end])
        return total

    return Means(np.stack([each for part in parts for each in part.columns]), formula)


def _part(
    kind: str,
    weight: Doubles,
    inside: NDArray[np.bool_],
    items: Sequence[Item],
    column: Callable[[str], Doubles],
    method: object,
) -> _Part:
    if kind == "score":
        worst = np.array([item.largest_rating_error for item in items])
        error = column("scaled_rating_error") + (1 - column("is_ok")) * worst
        error = error * inside
        chance = np.array([item.chance_rating_error or 0.0 for item in items]) * inside
        return _Part(
            weight,
            [error, np.broadcast_to(chance, error.shape)],
            lambda m: 100 * (1 - m[0] / m[1]),
        )
    if kind == "noul":
        clear = np.where(inside, column("is_clear"), 0.0)
        counts = np.broadcast_to(inside.astype(np.float64), clear.shape)
        if getattr(method, "noul_chance_corrected"):  # noqa: B009
            return _Part(weight, [clear, counts], lambda m: 100 * (2 * m[0] / m[1] - 1))
        return _Part(weight, [clear, counts], lambda m: 100 * m[0] / m[1])
    right = np.where(inside, column("is_right"), 0.0)
    chance = np.array([1 / len(item.options) for item in items]) * inside
    counts = np.broadcast_to(inside.astype(np.float64), right.shape)
    return _Part(
        weight,
        [right, np.broadcast_to(chance, right.shape), counts],
        lambda m: 100 * (m[0] - m[1]) / (m[2] - m[1]),
    )


SOFT = ("balanced_accuracy", "value_mae")


def _base(member: Member, items: Sequence[Item]) -> Means | None:
    if member.transform != "skill":
        return None
    if member.base_rule is None:
        return Means(np.zeros((1, len(items))), _constant(member.base))
    chance = np.array([1 / len(item.options) for item in items])
    if member.base_rule == "uniform":
        return Means(chance[np.newaxis], _first)
    is_soft = member.metric.startswith("soft_") or member.metric in SOFT
    targets = [item.target(is_soft) for item in items]
    if member.base_rule == "best_fixed":
        return Means(np.stack([chance, *_gains(items, targets)]), _best_fixed)
    shares = np.array(targets).T
    if member.metric == "rps":
        heaped = np.cumsum(shares, axis=0)[:-1]
        return Means(heaped, lambda m: (m * (1 - m)).sum(axis=0) / len(m))
    squares = (shares * shares).sum(axis=0)
    columns = np.concatenate([squares[np.newaxis], shares])
    return Means(columns, lambda m: m[0] - (m[1:] * m[1:]).sum(axis=0))


def _constant(base: float | None) -> Formula:
    return lambda means: np.full(means.shape[1:], base)


def _best_fixed(means: Doubles) -> Doubles:
    found: Doubles = means[0] + np.maximum(means[1:].max(axis=0), 0.0)
    return found


def _gains(items: Sequence[Item], targets: Sequence[list[float]]) -> list[Doubles]:
    """Return what each option, by name and by place, has over a guess, by item."""
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, item in enumerate(items):
        alike.setdefault(tuple(item.options), []).append(number)
    gains: dict[object, Doubles] = {}
    for options, numbers in alike.items():
        over = np.array([targets[number] for number in numbers]) - 1 / len(options)
        for place, option in enumerate(options):
            for name in (("option", option), ("place", place)):
                column = gains.setdefault(name, np.zeros(len(items)))
                column[numbers] = over[:, place]
    return list(gains.values())
