"""Which report row is meant, and the order that report rows stand in."""

from __future__ import annotations

from collections.abc import Mapping

from jevdb.base.errors import UnknownNameError
from jevdb.warehouse.schema_words import TIERS


def largest_first(sizes: Mapping[str, int]) -> list[str]:
    """Return report rows by how many items they have: most first, then by name."""
    return sorted(sizes, key=lambda row: (-sizes[row], row))


def row_meant(asked: str | None, sizes: Mapping[str, int]) -> str:
    """Return the report row *asked* for, or the largest.

    Raises
    ------
    UnknownNameError
        There is no such report row.
    """
    if asked is None:
        return largest_first(sizes)[0]
    if asked not in sizes:
        raise UnknownNameError("report row", asked, largest_first(sizes))
    return asked


def base_row(report_row: str) -> str:
    """Return the report row that one is, or is a slice of: ``all`` of ``all/hard``."""
    return report_row.partition("/")[0]


def under_their_row(report_row: str, base_size: int) -> tuple[int, str, int, str]:
    """Return a sort key: the largest row first, then by name, slices under their row.

    *base_size* is how many items the report row has that it is, or is a slice of.
    Tiers stand from easy to hard, other slices by name.
    """
    base, _, part = report_row.partition("/")
    place = TIERS.index(part) if part in TIERS else len(TIERS)
    return -base_size, base, place if part else -1, report_row
