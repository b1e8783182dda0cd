"""The claims of a Markdown file: the mapped columns of its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jevdb.base.errors import UsageError
from jevdb.exports.verify.mapping import Mapped, half_unit
from jevdb.exports.verify.verify import Claim

MINUS = "\u2212"
NUMBER = re.compile(rf"([-{MINUS}]?\d+(?:\.(\d+))?)\s*(%?)")
MARKS = re.compile(r"(\s+[*+†]+|\s+\([^)]*\))+$")


class Table(NamedTuple):
    """A table of a Markdown file, and the heading it stands under."""

    heading: str
    columns: list[str]
    rows: list[list[str]]


def markdown_claims(
    text: str, mapped: Mapped, tolerance: float | None, benchmarks: Sequence[str]
) -> list[Claim]:
    """Return a claim for every number in a mapped column.

    Without a tolerance it is half a unit of the last digit printed. A table is about
    the one of *benchmarks* that its heading names, unless the mapping says which.

    Raises
    ------
    UsageError
        No table has a mapped column.
    """
    claims: list[Claim] = []
    for table in tables(text):
        named = [name for name in benchmarks if _names(table.heading, name)]
        benchmark = mapped.benchmark_id or max(named, key=len, default=None)
        known = mapped._replace(benchmark_id=benchmark)
        claims += _table_claims(table, known, tolerance)
    if not claims:
        wanted = ", ".join(repr(column["name"]) for column in mapped.columns)
        raise UsageError(f"no table has one of the mapped columns ({wanted or 'none'})")
    return claims


def _names(heading: str, benchmark: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(benchmark)}(?![\w-])", heading))


def tables(text: str) -> Iterator[Table]:
    """Yield the tables of a Markdown text."""
    heading, lines = "", [*text.splitlines(), ""]
    block: list[list[str]] = []
    for line in lines:
        if line.lstrip().startswith("|"):
            block.append(_cells(line))
            continue
        if len(block) > 1 and all(re.fullmatch(r":?-+:?", cell) for cell in block[1]):
            yield Table(heading, block[0], block[2:])
        block = []
        if line.startswith("#"):
            heading = _plain(line.lstrip("#"))


def _cells(line: str) -> list[str]:
    inside = line.strip().removeprefix("|").removesuffix("|")
    return [_plain(cell) for cell in re.split(r"(?<!\\)\|", inside)]


def _plain(cell: str) -> str:
    """Return a cell without escapes, emphasis and code marks."""
    bare = re.sub(r"(?<!\\)(\*\*|`)", "", cell)
    return re.sub(r"\\(.)", r"\1", bare).strip()


def _table_claims(
    table: Table, mapped: Mapped, tolerance: float | None
) -> Iterator[Claim]:
    for column in mapped.columns:
        if column["name"] not in table.columns:
            continue
        place = table.columns.index(column["name"])
        for row in table.rows:
            if len(row) != len(table.columns):
                continue
            named = {
                key: MARKS.sub("", row[table.columns.index(header)])
                for key, header in mapped.table.items()
                if header in table.columns
            }
            given = {**column, **named}
            label = " ".join([*named.values(), column["name"]])
            yield from _cell_claims(label, row[place], given, mapped, tolerance)


def _cell_claims(
    label: str, cell: str, given: dict[str, Any], mapped: Mapped, asked: float | None
) -> Iterator[Claim]:
    """Yield the claims of a cell: one, or one per kind (``0.1 / 0.2``)."""
    kinds = given.get("kinds")
    parts = cell.split(" / ") if kinds else [cell]
    for i, part in enumerate(parts):
        mine = {**given, "kind": kinds[i]} if kinds and i < len(kinds) else given
        place = f"{label} ({mine['kind']})" if kinds else label
        value, tolerance = _number(part)
        wanted = given.get("tolerance", asked)
        if wanted is not None:
            tolerance = float(wanted)
        yield Claim(place, value, tolerance, mapped.meaning(mine))


def _number(text: str) -> tuple[float | None, float]:
    """Return the number a cell begins with, and half a unit of its last digit."""
    found = NUMBER.match(text.strip())
    if not found:
        return None, 0.0
    digits, decimals, percent = found.groups()
    unit = 0.01 if percent else 1.0
    value = float(digits.replace(MINUS, "-"))
    return value * unit, half_unit(len(decimals or "")) * unit
