"""Integrity of a warehouse: every view of the checks layer must be empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import counted
from jevdb.warehouse.contents import named
from jevdb.warehouse.sqlfiles import identifier, program, query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.warehouse.inspection import Seen

FOREIGN = "foreign_definitions"
UNFIT = "unfit_scorings"


class Fault(NamedTuple):
    """A row that a check found: what is wrong, with what."""

    check: str
    subject: str
    detail: str


class Shortfall(NamedTuple):
    """A seeded benchmark whose items are not those METRICS.md counts."""

    benchmark_id: str
    report_row: str
    subset: str
    kind: str
    n_items: int
    n_expected: int

    def __str__(self) -> str:
        """Return one line, like ``b: tvd of overall has 0 of 67 items``."""
        kind = "" if self.kind == "all" else f" ({self.kind})"
        return (
            f"{self.benchmark_id}: {self.subset}{kind} of {self.report_row} has "
            f"{self.n_items} of {counted(self.n_expected, 'item')}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Integrity(Tabular):
    """What the checks of a warehouse found, by check; and what benchmarks lack."""

    found: Mapping[str, Sequence[Fault]]
    shortfalls: Sequence[Shortfall]
    others: Sequence[str] = ()
    """Tables, views and macros that are not jevdb's; no fault, nothing reads them."""

    def joined(
        self, found: Mapping[str, Sequence[Fault]], others: Sequence[str]
    ) -> Integrity:
        """Return these faults and some more, and what is not jevdb's."""
        more = {name: each for name, each in found.items() if each}
        return Integrity({**self.found, **more}, self.shortfalls, others)

    @property
    def passed(self) -> bool:
        """Whether no check found a fault; a benchmark that lacks items is none."""
        return not any(self.found.values())

    @property
    def counts(self) -> str:
        """How many faults each check found, in words."""
        return ", ".join(
            f"{name} {len(rows)}" for name, rows in self.found.items() if rows
        )

    def rows(self) -> Rows:
        """Return a row per fault."""
        return Rows(
            Fault._fields, [each for one in self.found.values() for each in one]
        )

    def heading(self) -> Iterable[str]:
        """Return how many faults each check found, and what benchmarks lack."""
        yield from (f"incomplete: {each}" for each in self.shortfalls)
        found = "no faults" if self.passed else f"faults found: {self.counts}"
        yield f"{counted(len(self.found), 'check')}, {found}"


def check_names() -> list[str]:
    """Return the checks there are, each named after the fault it finds."""
    return [item.name for item in program() if item.layer == "checks"]


def read_whole(connection: Connection) -> None:
    """Read every cell of every table, and look a row up by every key.

    DuckDB holds each block that it reads to the block's checksum. Of the index of a key
    that is larger than a block, only the way to that row is read.

    Raises
    ------
    duckdb.IOException
        A block is not what was written.
    """
    for table, key in connection.execute(query("warehouse/table_keys")).fetchall():
        connection.execute(query("warehouse/table_cells"), {"table": table}).fetchall()
        if not key:
            continue
        name, columns = identifier(table), list(map(identifier, key))
        first = f"select {', '.join(columns)} from {name} limit 1"
        for row in connection.execute(first).fetchall():
            sought = " and ".join(f"{column} = ?" for column in columns)
            connection.execute(f"from {name} where {sought}", row)


def faults(connection: Connection, check: str) -> list[Fault]:
    """Return what the check finds, in a stable order."""
    rows = connection.execute(
        f'select subject, detail from "{check}" order by subject, detail'
    ).fetchall()
    return [Fault(check, subject, detail) for subject, detail in rows]


def foreign_faults(seen: Seen) -> dict[str, list[Fault]]:
    """Return what of a file stands where something of jevdb's should, as faults."""
    things = [
        Fault(FOREIGN, str(thing), "not this jevdb's; it is not used")
        for thing in seen.strangers.in_the_way
    ]
    scorings = [
        Fault(UNFIT, f"scoring {named(scoring)}", f"{named(why, 300)}; left out")
        for scoring, why in sorted(seen.unfit.items())
    ]
    return {FOREIGN: things, UNFIT: scorings}


def shortfalls(connection: Connection) -> list[Shortfall]:
    """Return where seeded benchmarks lack items: no fault, but their rows say so."""
    rows = connection.execute(
        "select benchmark_id, report_row, subset, kind, n_items, n_expected "
        "from incomplete_counts order by all"
    ).fetchall()
    return [Shortfall(*row) for row in rows]


def integrity(connection: Connection) -> Integrity:
    """Read the whole file, and return what every check finds.

    Raises
    ------
    duckdb.IOException
        A block is not what was written.
    """
    read_whole(connection)
    found = {name: faults(connection, name) for name in check_names()}
    return Integrity(found, shortfalls(connection))
