"""Where the spread of an item is read from: its cell, or a larger group of its kind.

A cell is the items of one type, tier and modality. One of fewer than five items says
too little of its own spread and takes that of its type and tier, then of its type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Integers = NDArray[np.int64]

SMALLEST = 5
"""Items from which a cell speaks for itself."""

Block = tuple[str, str | None, str]
"""Type, tier and modality of an item."""

Influence = Callable[["Integers"], "Doubles"]
"""What items (positions) add to a component computed over them, shape (..., n)."""


class InestimableError(Exception):
    """There is no valid interval; ``reason`` is the word for it, ``about`` names it."""

    def __init__(self, reason: str, about: str = ""):
        super().__init__(reason, about)
        self.reason = reason
        self.about = about


class Addend(NamedTuple):
    """A part of a number that is a component over items: a tier of a type, or all.

    ``weight`` is that of one of its items, omega / n; ``effect`` the largest change of
    the component that one item makes, times n.
    """

    items: Integers
    weight: float
    effect: float


class Cell(NamedTuple):
    """Items of a cell; their spread is that of ``source``.

    Influences are those on the component over ``reference``, of which the source is a
    part. All are positions, ascending.
    """

    items: Integers
    source: Integers
    reference: Integers
    weight: float


def plus_two(addends: Sequence[Addend], sizes: Integers | None = None) -> float:
    """Return what two imaginary items of average weight, one each way, add.

    A position may stand for several items: ``sizes`` says for how many.

    References
    ----------
    INFERENCE.md §1.3: Bonett and Price's "+1, +1" for a weighted index.
    """
    counts = [_count(addend.items, sizes) for addend in addends]
    squares = sum(
        count * (addend.weight * addend.effect) ** 2
        for count, addend in zip(counts, addends, strict=True)
    )
    return 2 * squares / sum(counts)


def _count(positions: Integers, sizes: Integers | None) -> int:
    return len(positions) if sizes is None else int(sizes[positions].sum())


def cells_of(
    blocks: Sequence[Block],
    addends: Sequence[Addend],
    *,
    clusters: Integers | None = None,
    across_types: bool = False,
    sizes: Integers | None = None,
) -> list[Cell]:
    """Return the cells of the addends' items, each with the source of its spread.

    Parameters
    ----------
    blocks : sequence of Block, shape (n_items,)
    addends : sequence of Addend
    clusters : ndarray of int64, shape (n_items,), optional
        Which items belong together; a source then has two clusters at least.
    across_types : bool
        Whether a type that is too small may take the spread of all items: those of a
        plain mean have one unit.
    sizes : ndarray of int64, shape (n_items,), optional
        How many items each position stands for; one without it.

    Raises
    ------
    InestimableError
        ``too_few_items``: a type has fewer than `SMALLEST`; ``cluster_is_cell``: it is
        one cluster.
    """
    codes: dict[Block, int] = {}
    code_of = np.array([codes.setdefault(block, len(codes)) for block in blocks])
    everything = np.sort(np.concatenate([addend.items for addend in addends]))
    within: dict[tuple[object, ...], list[int]] = {}
    for block, code in codes.items():
        for group in _groups(block):
            within.setdefault(group, []).append(code)
    groups = {
        name: everything[np.isin(code_of[everything], listed)]
        for name, listed in within.items()
    }
    found = []
    for addend in addends:
        known = set(code_of[addend.items].tolist())
        for block in sorted(codes, key=str):
            if codes[block] not in known:
                continue
            items = addend.items[code_of[addend.items] == codes[block]]
            chain = list(_chain(block, items, addend, groups, across_types))
            source, reference = _large_enough(chain, clusters, sizes, block[0])
            found.append(Cell(items, source, reference, addend.weight))
    return found


def _groups(block: Block) -> list[tuple[object, ...]]:
    kind, tier, _ = block
    return [(kind, tier), (kind,), ()]


def _chain(
    block: Block,
    items: Integers,
    addend: Addend,
    groups: Mapping[tuple[object, ...], Integers],
    across_types: bool,
) -> Iterator[tuple[Integers, Integers]]:
    """Yield sources and their references, from the cell to the largest group."""
    by_tier, by_type, row = (groups[name] for name in _groups(block))
    yield items, addend.items
    yield by_tier, addend.items if _holds(addend.items, by_tier) else by_tier
    yield by_type, addend.items if _holds(addend.items, by_type) else by_type
    if across_types:
        yield row, row


def _holds(larger: Integers, smaller: Integers) -> bool:
    return bool(np.isin(smaller, larger).all())


def _large_enough(
    chain: Sequence[tuple[Integers, Integers]],
    clusters: Integers | None,
    sizes: Integers | None,
    kind: str,
) -> tuple[Integers, Integers]:
    for source, reference in chain:
        if _count(source, sizes) >= SMALLEST and (
            clusters is None or len(np.unique(clusters[source])) > 1
        ):
            return source, reference
    is_small = _count(chain[-1][0], sizes) < SMALLEST
    raise InestimableError("too_few_items" if is_small else "cluster_is_cell", kind)


def source_influences(
    cells: Sequence[Cell], influence: Influence
) -> Iterator[tuple[Cell, Doubles]]:
    """Yield each cell with the influences of its source, shape (..., n_source)."""
    known: dict[bytes, Doubles] = {}
    for cell in cells:
        key = cell.reference.tobytes()
        if key not in known:
            known[key] = influence(cell.reference)
        places = np.searchsorted(cell.reference, cell.source)
        yield cell, known[key][..., places]
