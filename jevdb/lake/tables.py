"""The tables of a warehouse as publish and pull see them: rows after a sequence number.

Everything is insert-only and hangs under a ``seq``, so one rule moves every table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

CHILDREN = {
    "predictions": ("runs", "run_id"),
    "rejects": ("ingests", "ingest_id"),
    "reported_metrics": ("reported_results", "result_sha256"),
}
REVISIONS = "alembic_version"
PLAIN_KEY = re.compile(r"[0-9a-f-]{1,64}")
NOTHING = -1
"""The newest ingest of what holds none: the number before the first."""
MOST_LISTED = 500
MOST_COMPARED = 8
NEW_KEYS = """\
select {key}
from {parent}
group by {key}
having min(seq) > {base:d}"""


class Table(NamedTuple):
    """A table: one whose rows have ``seq``, or one that hangs under such a table."""

    name: str
    parent: str | None = None
    key: str | None = None

    def new_keys(self, base: int) -> str:
        """Return the query for the parent's keys that came after *base*."""
        return NEW_KEYS.format(key=self.key, parent=self.parent, base=base)

    def rows_after(self, base: int) -> str:
        """Return the query for the rows that came after *base*."""
        if self.parent is None:
            return f"select * from {self.name} where seq > {base:d}"
        return f"select * from {self.name} where {self.key} in ({self.new_keys(base)})"

    def rows_of(self, keys: Sequence[str]) -> str | None:
        """Return the query for the rows of a few parents, so that others' files rest.

        None if they are none, too many, or not what jevdb makes: text from outside is
        never a filter of a lake.
        """
        if not 0 < len(keys) <= MOST_LISTED:
            return None
        if not all(map(PLAIN_KEY.fullmatch, keys)):
            return None
        if len(keys) <= MOST_COMPARED:
            # Files say which of their parts may hold one value, but not one of several.
            return "\nunion all\n".join(
                f"select * from {self.name} where {self.key} = '{key}'" for key in keys
            )
        listed = ", ".join(f"'{key}'" for key in keys)
        return f"select * from {self.name} where {self.key} in ({listed})"


def tables() -> list[Table]:
    """Return every table of what is stored but the one that names its schema."""
    from jevdb.warehouse.schema import stored_tables

    return [Table(name, *CHILDREN.get(name, ())) for name in stored_tables()]


def new_tables(warehouse: Connection, base: int) -> list[Table]:
    """Return the tables that have rows after *base*."""
    listed = tables()
    asked = "\nunion all\n".join(
        f"(select '{table.name}' from ({table.rows_after(base)}) limit 1)"
        for table in listed
    )
    found = {name for (name,) in warehouse.execute(asked).fetchall()}
    return [table for table in listed if table.name in found]
