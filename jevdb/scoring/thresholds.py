"""What confidence buys: thresholds, and the items they are found on."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from jevdb.numerics.promised import TOO_FEW_ROWS, Promise

if TYPE_CHECKING:
    from jevdb.scoring.calibration import Point

KINDS = ("choice", "noul", "score", "pooled", "all")
"""The kinds of ECE."""


class ItemsTaken(StrEnum):
    """Which items a threshold is found on: all of the kind's types, or the ECE's."""

    ALL = "all"
    ECE = "ece"


class Thresholds(NamedTuple):
    """What confidence buys, over the items taken.

    ``n`` of ``n_scope`` items have a distribution. ``promise`` is the threshold from
    which on the target is kept, 95 % sure, or the word for why there is none;
    ``in_sample`` the one that only looks so on these very rows.
    """

    taken: ItemsTaken
    target: float
    n: int
    n_scope: int
    promise: Promise | str
    in_sample: Point | None
    curve: list[Point]

    @property
    def held(self) -> Promise | None:
        """The threshold that keeps the promise, if one does."""
        return None if isinstance(self.promise, str) else self.promise

    @property
    def reason(self) -> str | None:
        """Why no threshold keeps the promise."""
        return self.promise if isinstance(self.promise, str) else None

    @property
    def coverage(self) -> float | None:
        """The share of the items that the threshold accepts."""
        return self.held and self.held.n / self.n_scope


def no_thresholds(target: float) -> Thresholds:
    """Return the thresholds of no rows: where only the bins are asked for."""
    return Thresholds(ItemsTaken.ECE, target, 0, 0, TOO_FEW_ROWS, None, [])
