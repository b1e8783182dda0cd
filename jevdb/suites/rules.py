"""The rules that make one score of values, over replicates, as the views have them.

A test holds each to the SQL of ``sql/suites``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.suites.roster import Entrant
    from jevdb.suites.scores import Scores

    Doubles = NDArray[np.float64]
    Gradient = Callable[[Scores, Sequence[Entrant]], Doubles]

FLOOR = 0.1


def _scale(scores: Scores) -> float:
    return float(scores.request.suite.document["scale"])


def _has(scores: Scores, entrants: Sequence[Entrant]) -> Doubles:
    """Return 1 where an entrant has a value, or counts as zero; (entrants, members)."""
    is_zero = scores.request.suite.document["missing"] == "zero"
    counted = [member.member - 1 for member in scores.counted]
    return np.array(
        [
            [
                1.0 if is_zero or scores.values[entrant][place].value is not None else 0
                for place in counted
            ]
            for entrant in entrants
        ]
    ).reshape(len(entrants), len(counted))


def mean_weights(scores: Scores, entrants: Sequence[Entrant]) -> Doubles:
    """Return what each value weighs in the score, (entrants, members)."""
    weights = _has(scores, entrants) * [member.weight for member in scores.counted]
    result: Doubles = _scale(scores) * weights / weights.sum(axis=1, keepdims=True)
    return result


def area_weights(scores: Scores, entrants: Sequence[Entrant]) -> Doubles:
    """Return what each value weighs in the mean of areas, (entrants, members)."""
    total = np.zeros(len(entrants))
    result = _has(scores, entrants) * [member.weight for member in scores.counted]
    for _, weight, inside in _areas(scores):
        mine = result[:, inside]
        sums = mine.sum(axis=1, keepdims=True)
        shares = np.divide(mine, sums, out=np.zeros_like(mine), where=sums > 0)
        result[:, inside] = weight * shares
        total += weight * (sums[:, 0] > 0)
    return np.asarray(_scale(scores) * result / total[:, np.newaxis])


def _areas(scores: Scores) -> list[tuple[str, float, list[int]]]:
    """Return the areas in order, with their weight and the places of their members."""
    found: dict[str, tuple[float, list[int]]] = {}
    for place, member in enumerate(scores.counted):
        if member.area is not None:
            found.setdefault(member.area, (member.area_weight, []))[1].append(place)
    return [(area, *found[area]) for area in sorted(found)]


GRADIENTS: dict[str, Gradient] = {"mean": mean_weights, "areas": area_weights}
"""The rules that are weighted means, with the weights."""


def ruled(
    scores: Scores, entrants: Sequence[Entrant], rule: str, values: Doubles
) -> Doubles:
    """Return what a rule makes of values, (members, entrants, replicates).

    The result has the shape (entrants, replicates). A value that is not there is NaN.
    """
    if scores.request.suite.document["missing"] == "zero" and rule != "borda":
        values = np.where(np.isnan(values), 0.0, values)
    if rule in GRADIENTS:
        weights = GRADIENTS[rule](scores, entrants)
        filled = np.where(np.isnan(values), 0.0, values)
        result: Doubles = np.einsum("em,mer->er", weights, filled)
        return result
    if rule == "geometric":
        return _geometric(scores, entrants, values)
    if rule == "median":
        return np.asarray(_scale(scores) * np.nanmedian(values, axis=0))
    return np.asarray(_scale(scores) * _won(values))


def _geometric(scores: Scores, entrants: Sequence[Entrant], values: Doubles) -> Doubles:
    has = _has(scores, entrants) * [member.weight for member in scores.counted]
    filled = np.where(np.isnan(values), 0.0, values)
    total, logarithms = np.zeros(len(entrants)), np.zeros(values.shape[1:])
    for _, weight, inside in _areas(scores):
        mine = has[:, inside]
        sums = mine.sum(axis=1)
        shares = mine / np.where(sums > 0, sums, 1)[:, np.newaxis]
        means = np.einsum("em,mer->er", shares, filled[inside])
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.log(FLOOR + (1 - FLOOR) * means)
        logarithms += weight * np.where(sums[:, np.newaxis] > 0, part, 0.0)
        total += weight * (sums > 0)
    spread = np.exp(logarithms / total[:, np.newaxis]) - FLOOR
    return np.asarray(_scale(scores) * spread / (1 - FLOOR))


def _won(values: Doubles) -> Doubles:
    """Return the share of the others that each entrant beats, half for a tie."""
    others = values.shape[1] - 1
    total = np.zeros(values.shape[1:])
    for each in values:
        below = each[:, np.newaxis] < each
        total += others + below.sum(axis=0) - below.sum(axis=1)
    result: Doubles = total / (2 * max(others, 1) * len(values))
    return result
