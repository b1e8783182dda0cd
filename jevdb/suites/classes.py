"""Metrics of classes and of constants as functions of means (SUITES.md §3).

Each takes what was said, by option, and what gold gives each option; the SQL of
``sql/metrics`` makes the numbers themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.suites.items import Item

    Doubles = NDArray[np.float64]
    Formula = Callable[[Doubles], Doubles]

BY_CLASS = ("balanced_accuracy", "macro_f1", "conservative_f1", "f1")
SKILLS = {
    "brier_skill": "term_soft_squared_error",
    "rps_skill": "term_soft_ranked_probability",
    "mae_skill": "term_value_error",
}
"""Metrics that hold a mean loss to that of a constant, with the loss's term."""


class Classes(NamedTuple):
    """Columns of a metric of classes, (n_columns, n_runs, n_items), and its formula."""

    columns: Doubles
    formula: Formula


def by_class(
    metric: str, items: Sequence[Item], said: Sequence[Doubles], answered: Doubles
) -> Classes:
    """Return a metric of classes.

    Parameters
    ----------
    metric : str
        One of `BY_CLASS`.
    items : sequence of Item
        All with the same options, in any order.
    said : sequence of ndarray, each of shape (n_runs, n_items)
        The share of the answers that say the option at each place.
    answered : ndarray, shape (n_runs, n_items)
        The share of the answers that are ok.
    """
    names = sorted({option for item in items for option in item.options})
    gold = np.zeros((len(names), len(items)))
    picked = np.zeros((len(names), *answered.shape))
    for number, item in enumerate(items):
        target = item.target(soft=True)
        for place, option in enumerate(item.options):
            name = names.index(option)
            gold[name, number] = target[place]
            picked[name, :, number] = said[place][:, number]
    hit = picked * gold[:, np.newaxis]
    wide = np.broadcast_to(gold[:, np.newaxis], hit.shape)
    n = len(names)
    if metric == "balanced_accuracy":
        columns = np.concatenate([hit, wide])
        return Classes(columns, lambda m: _mean(m[:n], m[n : 2 * n], m[n : 2 * n]))
    if metric == "conservative_f1":
        columns = np.concatenate(
            [hit, picked, wide * answered, (1 - answered)[np.newaxis]]
        )
        return Classes(
            columns,
            lambda m: (
                2 * m[:n] / np.maximum(m[n : 2 * n] + m[2 * n : 3 * n] + m[-1], 1e-300)
            ).mean(axis=0),
        )
    columns = np.concatenate([hit, picked, wide])
    if metric == "f1":
        place = names.index(_positive(items, names))
        return Classes(
            columns,
            lambda m: (
                2 * m[place] / np.maximum(m[n + place] + m[2 * n + place], 1e-300)
            ),
        )
    return Classes(
        columns,
        lambda m: _mean(
            2 * m[:n], m[n : 2 * n] + m[2 * n :], m[n : 2 * n] + m[2 * n :]
        ),
    )


def _mean(above: Doubles, below: Doubles, exists: Doubles) -> Doubles:
    """Return the mean ratio over the classes that exist."""
    there = exists > 0
    ratios = np.where(there, above / np.where(there, below, 1.0), 0.0)
    found: Doubles = ratios.sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    return found


def _positive(items: Sequence[Item], names: Sequence[str]) -> str:
    return "yes" if items[0].type == "noul" else str(items[0].positive or names[0])


def constant_columns(metric: str, items: Sequence[Item]) -> tuple[Doubles, Formula]:
    """Return what the loss of the constant is made of, (n_columns, n_items)."""
    targets = np.array([item.target(soft=True) for item in items]).T
    if metric == "rps_skill":
        heaped = np.cumsum(targets, axis=0)
        heaped = np.concatenate([heaped[:-1], (heaped[:-1] ** 2)])
        half = len(heaped) // 2
        return heaped, lambda m: (m[half:] - m[:half] ** 2).sum(axis=0) / half
    if metric == "mae_skill":
        expected = np.array([item.expected_value for item in items])
        away = np.abs(expected - np.median(expected))
        return away[np.newaxis], lambda m: np.asarray(m[0])
    squares = (targets * targets).sum(axis=0)
    columns = np.concatenate([squares[np.newaxis], targets])
    return columns, lambda m: m[0] - (m[1:] * m[1:]).sum(axis=0)
