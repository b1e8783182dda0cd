"""Weighted sums of terms, exact whatever the order in which they are added.

A matrix product adds in an order that depends on the machine and its threads. So each
unit value is split into a high and a low part, whole numbers so small that every
partial sum of weight x part is below 2^53, where doubles hold whole numbers exactly.
Weights of one thus give the tallies of the SQL, to the bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jevdb.base.errors import JevdbError
from jevdb.base.metrics import SUMMED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.numerics.resampling import Counts
    from jevdb.scoring.terms import Stratum, Terms

    Integers = NDArray[np.int64]
    Doubles = NDArray[np.float64]

LOW_BITS = 26
HIGH_UNIT, LOW_UNIT = 2.0 ** (LOW_BITS - 53), 2.0**-53
EXACT = 2**53

COUNTS = ("n_ok", "n_right", "n_stated", "n_proper", "n_compared", "n_rated", "n_clear")
UNITS = (
    *("chance", "scaled_rating_error", "chance_rating_error"),
    *(metric.tally for metric in SUMMED),
)
BASES = ("top", "yes")


@dataclass(frozen=True, slots=True)
class Tally:
    """A stratum's tallies for every run and replicate; an absent name is 0.

    ``n_items`` has the shape (replicates,), ``repeats`` (n_runs, 1), the others
    (n_runs, replicates). The gap of
    basis and bin (``top 3``) is the sum of stated minus true in that bin.
    """

    stratum: Stratum
    n_items: Doubles
    repeats: Integers
    sums: dict[str, Doubles]


def tally(
    terms: Terms, weights: Counts, runs: slice, names: Iterable[str]
) -> list[Tally]:
    """Return the tallies *names* of some runs under every replicate's weights.

    Parameters
    ----------
    terms : Terms
    weights : ndarray of int64, shape (replicates, n_items)
    runs : slice
        Which of the terms' runs.
    names : iterable of str
        Of `COUNTS`, `UNITS` and `BASES`.

    Returns
    -------
    list of Tally
        One per stratum. Sums of units are doubles, rounded once, in the metric's unit.
    """
    wanted = list(names)
    return [
        _tallied(terms, stratum, weights, runs, wanted)
        for stratum in terms.items.strata
    ]


def _tallied(
    terms: Terms, stratum: Stratum, weights: Counts, runs: slice, names: list[str]
) -> Tally:
    drawn = weights[:, stratum.items].T
    summands = _Summands(int(drawn.sum(axis=0).max(initial=0)))
    for name in names:
        if name in COUNTS:
            summands.add(name, terms.columns[name][runs, stratum.items])
        elif name in UNITS:
            summands.add_units(name, terms.columns[name][runs, stratum.items])
        else:
            bins = terms.columns[f"{name}_bin"][runs, stratum.items]
            gaps = terms.columns[f"{name}_gap"][runs, stratum.items]
            for place in np.unique(bins[bins >= 0]).tolist():
                inside = np.atleast_3d(np.where(bins == place, gaps, 0))
                summands.add_units(f"{name} {place}", inside.sum(axis=2))
    counts = drawn.astype(np.float64)
    return Tally(
        stratum,
        counts.sum(axis=0),
        terms.repeats[runs, np.newaxis],
        summands.summed(counts),
    )


class _Summands:
    """Matrices of whole numbers (n_runs, n), all multiplied by the weights at once."""

    def __init__(self, largest_total: int):
        self.largest_total = largest_total
        self.parts: list[tuple[str, float, Integers]] = []

    def add(self, name: str, values: Integers, unit: float = 1.0) -> None:
        if not values.any():
            return
        if int(np.abs(values).max()) * self.largest_total >= EXACT:
            raise JevdbError(
                f"too many items to resample exactly: {self.largest_total} in a stratum"
            )
        self.parts.append((name, unit, values))

    def add_units(self, name: str, values: Integers) -> None:
        self.add(name, values >> LOW_BITS, HIGH_UNIT)
        self.add(name, values & ((1 << LOW_BITS) - 1), LOW_UNIT)

    def summed(self, drawn: Doubles) -> dict[str, Doubles]:
        if not self.parts:
            return {}
        stacked = np.stack([values for _, _, values in self.parts]).astype(np.float64)
        shape = (len(self.parts), -1, drawn.shape[1])
        products = (stacked.reshape(-1, len(drawn)) @ drawn).reshape(shape)
        sums: dict[str, Doubles] = {}
        for (name, unit, _), product in zip(self.parts, products, strict=True):
            scaled = product * unit
            # High and low part are exact, so this sum is rounded once.
            sums[name] = sums[name] + scaled if name in sums else scaled
        return sums
