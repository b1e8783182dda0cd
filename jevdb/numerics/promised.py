"""A confidence from which on answers are right as often as promised.

Learn then Test, fixed sequence: the thresholds that are tried are fixed before any
answer is seen, and the first that fails ends the search.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from jevdb.numerics.binomial import at_least, lowest_share

RISK = 0.05
"""How often the promise may be broken, over repetitions of the whole search."""
TRIED = 10
"""How many thresholds are tried at most."""
TOO_FEW_ROWS, NOT_SHOWN = "too_few_rows", "not_shown"
REPEATS = "repeats"
"""Several answers to an item are no independent rows: nothing is promised of them."""


class Promise(NamedTuple):
    """From ``threshold`` on at least ``target`` are right, 95 % sure.

    ``n`` rows are accepted, ``n_right`` of them right; ``accuracy_low`` is the lower
    limit of their accuracy, one-sided, of 95 %. ``p_value`` is of "not above target".
    """

    threshold: float
    n: int
    n_right: int
    accuracy_low: float
    p_value: float


def least_rows(target: float) -> int | None:
    """Return how many rows, all right, are needed to promise *target*; null for 1.

    Examples
    --------
    >>> least_rows(0.9), least_rows(0.95), least_rows(1.0)
    (29, 59, None)
    """
    if target >= 1:
        return None
    return math.ceil(math.log(RISK) / math.log(target))


def promised(
    confidences: Sequence[float], is_right: Sequence[bool], target: float
) -> Promise | str:
    """Return the threshold of most coverage that keeps the promise, or why none does.

    Parameters
    ----------
    confidences, is_right : sequences, shape (n,)
        The top label's probability, and whether it is right.
    target : float, in (0, 1]
        The accuracy promised.

    Returns
    -------
    Promise or str
        ``too_few_rows``: even if all were right it could not be told; ``not_shown``.

    References
    ----------
    Angelopoulos, Bates, Candès, Jordan and Lei (2021), Learn then Test, arXiv
    2110.01052. INFERENCE.md §7.4.
    """
    least = least_rows(target)
    rows = sorted(zip(confidences, is_right, strict=True), key=lambda row: -row[0])
    if least is None or len(rows) < least:
        return TOO_FEW_ROWS
    found: Promise | str = NOT_SHOWN
    for count in counts_tried([confidence for confidence, _ in rows], least):
        right = sum(is_right for _, is_right in rows[:count])
        p_value = at_least(right, count, target)
        if p_value > RISK:
            break
        low = lowest_share(right, count, RISK)
        found = Promise(rows[count - 1][0], count, right, low, p_value)
    return found


def counts_tried(descending: Sequence[float], least: int) -> list[int]:
    """Return how many rows each threshold accepts, the strictest first.

    Evenly from the least number to all; each takes every row of its last confidence.

    Examples
    --------
    >>> counts_tried([0.9] * 3 + [0.8] * 2 + [0.7], 2)
    [3, 5, 6]
    """
    n = len(descending)
    steps = TRIED - 1
    evenly = {
        (2 * (least * steps + (n - least) * step) + steps) // (2 * steps)
        for step in range(TRIED)
    }
    return sorted({_all_of_one(descending, count) for count in evenly})


def _all_of_one(descending: Sequence[float], count: int) -> int:
    while count < len(descending) and descending[count] == descending[count - 1]:
        count += 1
    return count
