"""Items that were answered several times: what is of the items, what of the answers."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from statistics import variance
from typing import NamedTuple

LEAST = 2
"""Answers to an item from which they can differ."""


def disagreement(right: Sequence[tuple[int, int]]) -> float | None:
    """Return how often two answers to one item differ in being right, in [0, 1].

    Parameters
    ----------
    right : sequence of (int, int), shape (n_items,)
        Right answers and all answers of each item.

    Returns
    -------
    float or None
        The mean over items with two answers or more; None where there is none.

    Examples
    --------
    >>> disagreement([(3, 5)])
    0.6
    """
    shares = [2 * k * (n - k) / (n * (n - 1)) for k, n in right if n >= LEAST]
    return math.fsum(shares) / len(shares) if shares else None


def variance_of_answers(
    answers: Sequence[Sequence[float]],
    weights: Sequence[float],
    cells: Sequence[Hashable] | None = None,
) -> float | None:
    """Return the variance of a number if the same questions were asked again.

    Parameters
    ----------
    answers : sequence of sequence of float, shape (n_items,)
        The quantity that is averaged, for each answer of each item.
    weights : sequence of float, shape (n_items,)
        By how much the number changes with an item's mean.
    cells : sequence, shape (n_items,), optional
        An item answered once takes the mean variance of its cell.

    Returns
    -------
    float or None
        None where some item has no other item to take a variance from.

    References
    ----------
    Miller (2024), Adding Error Bars to Evals, arXiv:2411.00640. INFERENCE.md §3.

    Examples
    --------
    >>> found = [[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 1, 1]]
    >>> round(variance_of_answers(found, [0.25] * 4), 10)
    0.0208333333
    """
    names = list(cells or [""] * len(answers))
    known: dict[Hashable, list[float]] = {}
    for name, given in zip(names, answers, strict=True):
        if len(given) >= LEAST:
            known.setdefault(name, []).append(variance(given))
    parts = []
    for name, given, weight in zip(names, answers, weights, strict=True):
        if len(given) >= LEAST:
            spread = variance(given)
        elif name in known:
            spread = math.fsum(known[name]) / len(known[name])
        else:
            return None
        parts.append(weight * weight * spread / len(given))
    return math.fsum(parts)


class Parts(NamedTuple):
    """A variance in what asking other items, and asking again, would change."""

    of_items: float
    of_answers: float

    def at_repeats(self, repeats: float, now: float) -> float:
        """Return the variance if each item had *repeats* answers, and not *now*."""
        return self.of_items + self.of_answers * now / repeats

    @property
    def most_gained(self) -> float:
        """By what share more answers can at best narrow the interval, in [0, 1]."""
        whole = self.of_items + self.of_answers
        return 1 - math.sqrt(self.of_items / whole) if whole else 0.0


def parts(whole: float, of_answers: float) -> Parts:
    """Return the parts of the variance *whole*; that of items is not below 0."""
    return Parts(max(0.0, whole - of_answers), of_answers)
