"""What each item adds to a component of I, or to a mean: exact linearisations.

Each function takes values of shape (..., n) and returns influences of that shape: the
change of the number, times n, as an item's weight grows. They add up to 0.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]


def mean(values: Doubles) -> Doubles:
    """Return the mean over the last axis, kept as an axis: one rounding of the sum."""
    result: Doubles = total(values) / values.shape[-1]
    return result


def total(values: Doubles) -> Doubles:
    """Return the sum over the last axis, kept as an axis, rounded once."""
    flat = values.reshape(-1, values.shape[-1])
    sums = np.array([math.fsum(row) for row in flat.tolist()])
    return sums.reshape(*values.shape[:-1], 1)


class Slopes(NamedTuple):
    """By how much a component, times n, grows with an item's value and its chance."""

    value: float | Doubles
    chance: float | Doubles


def choice_slopes(accuracy: float | Doubles, guessed: float | Doubles) -> Slopes:
    """Return the slopes of 100 (accuracy - chance) / (1 - chance).

    References
    ----------
    INFERENCE.md §1.3.
    """
    room = 1 - guessed
    return Slopes(100 / room, -100 * (1 - accuracy) / (room * room))


def noul_slopes(is_corrected: bool) -> Slopes:
    """Return the slopes of 100 x threshold accuracy, or that corrected for chance."""
    return Slopes(200.0 if is_corrected else 100.0, 0.0)


def score_slopes(error: float | Doubles, by_chance: float | Doubles) -> Slopes:
    """Return the slopes of 100 (1 - mean error / mean chance error)."""
    return Slopes(-100 / by_chance, 100 * error / (by_chance * by_chance))


def choice_influence(right: Doubles, chance: Doubles) -> Doubles:
    """Return influences on 100 (accuracy - chance) / (1 - chance).

    Parameters
    ----------
    right : ndarray of float64, shape (..., n)
        1 where the top label is right, else 0; or its mean over an item's answers.
    chance : ndarray of float64, shape (n,)
        1 / options. It is random with the items, hence the second term.

    References
    ----------
    INFERENCE.md §1.3.
    """
    accuracy, guessed = mean(right), mean(chance)
    slopes = choice_slopes(accuracy, guessed)
    result: Doubles = slopes.value * (right - accuracy)
    return result + slopes.chance * (chance - guessed)


def noul_influence(clear: Doubles, is_corrected: bool) -> Doubles:
    """Return influences on 100 x threshold accuracy, or that corrected for chance."""
    result: Doubles = noul_slopes(is_corrected).value * (clear - mean(clear))
    return result


def score_influence(error: Doubles, chance: Doubles) -> Doubles:
    """Return influences on 100 (1 - mean error / mean chance error).

    Parameters
    ----------
    error : ndarray of float64, shape (..., n)
        The scaled error of the expected rating, in [0, 1].
    chance : ndarray of float64, shape (n,)
        The same of a rating by chance.
    """
    wrong, by_chance = mean(error), mean(chance)
    slopes = score_slopes(wrong, by_chance)
    result: Doubles = slopes.value * (error - wrong)
    return result + slopes.chance * (chance - by_chance)


def mean_influence(values: Doubles) -> Doubles:
    """Return influences on the mean."""
    result: Doubles = values - mean(values)
    return result


def choice_effect(chance: Doubles) -> float:
    """Return how much of the choice component hangs on all items."""
    return 100 / (1 - float(mean(chance)[0]))


def noul_effect(is_corrected: bool) -> float:
    """Return how much of the noul component hangs on all items."""
    return 200.0 if is_corrected else 100.0


def score_effect(chance: Doubles) -> float:
    """Return how much of the score component hangs on all items."""
    return 100 / float(mean(chance)[0])
