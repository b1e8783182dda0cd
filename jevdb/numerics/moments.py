"""The variance of a component of I from sums over its items, without the items.

An item adds to a component in proportion to its value (right, clear, the error of a
rating) and to what chance gives of it (`jevdb.numerics.components.Slopes`), so that the
squares of what all items add are a form in the sums of both, of their squares and of
their product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.numerics.variance import Part, Spread, satterthwaite

if TYPE_CHECKING:
    from jevdb.numerics.cells import Cell
    from jevdb.numerics.components import Slopes

BITS = 53


class Moments(NamedTuple):
    """Sums over ``n`` items, in whole units of 2^-53: exact, in any order."""

    n: int
    value: int
    square: int
    product: int
    """Of value and chance."""
    chance: int
    chance_square: int

    @property
    def mean_value(self) -> float:
        """The mean value, rounded once."""
        return self.value / (self.n << BITS)

    @property
    def mean_chance(self) -> float:
        """The mean of what chance gives, rounded once."""
        return self.chance / (self.n << BITS)

    def centred_squares(self, slopes: Slopes) -> float:
        """Return the sum of squares of what the items add, around its mean.

        Squares were rounded down to units, so that what is 0 may come out below it.
        """
        by_value, by_chance = float(slopes.value), float(slopes.chance)
        squares = (
            by_value * by_value * self._centred(self.square, self.value, self.value)
            + 2 * by_value * by_chance
            * self._centred(self.product, self.value, self.chance)
            + by_chance * by_chance
            * self._centred(self.chance_square, self.chance, self.chance)
        )  # fmt: skip
        return max(squares, 0.0)

    def _centred(self, products: int, first: int, second: int) -> float:
        """Return the sum of products around the means, rounded once."""
        return (self.n * (products << BITS) - first * second) / (self.n << 2 * BITS)


def added(moments: Iterable[Moments]) -> Moments:
    """Return the moments of all items together.

    Examples
    --------
    >>> added([Moments(1, 2, 2, 0, 0, 0), Moments(2, 5, 5, 1, 3, 1)])
    Moments(n=3, value=7, square=7, product=1, chance=3, chance_square=1)
    """
    return Moments._make(map(sum, zip(*moments, strict=True)))


def moments_spread(
    cells: Sequence[Cell],
    moments: Sequence[Moments],
    slopes: Callable[[int, Moments], Slopes],
    fixed: float = 0.0,
) -> Spread:
    """Return what `jevdb.numerics.variance.stratified` does, from sums.

    Parameters
    ----------
    cells : sequence of Cell
        Their positions are those of ``moments``, each of items of one cell.
    moments : sequence of Moments
    slopes : callable
        Of a component: given the position of any of its moments, and all of them
        together.
    fixed : float
        Added to the variance.
    """

    def together(places: Iterable[int]) -> Moments:
        return added(moments[place] for place in places)

    parts = []
    for cell in cells:
        reference = cell.reference.tolist()
        by = slopes(reference[0], together(reference))
        source = together(cell.source.tolist())
        n_items = sum(moments[place].n for place in cell.items.tolist())
        parts.append(Part(cell.weight, n_items, source.centred_squares(by), source.n))
    return satterthwaite(parts, fixed)
