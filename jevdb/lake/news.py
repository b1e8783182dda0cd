"""What came to a lake after a mirror's newest ingest, copied into that mirror.

Everything in a lake is insert-only, so that it is all that has to be copied. What is
little is read at once, which can be while the mirror is being opened; other rows pass
through in batches.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.arrow import register
from jevdb.base.errors import JevdbError
from jevdb.lake.mirroring import changed_tables, damage_told
from jevdb.lake.proving import OF_INGESTS, OF_RUNS, require_proof
from jevdb.warehouse.database import transaction

if TYPE_CHECKING:
    import pyarrow as pa

    from jevdb.base.connection import Connection
    from jevdb.lake.connecting import Lake
    from jevdb.lake.tables import Table

HEAD = "select max(seq) as seq, arg_max(ingest_id, seq) as ingest_id from ingests"
COUNT = "select count(*) from predictions"
INGESTS = "select * from ingests where seq >= {base:d} order by seq"
LITTLE_BYTES = 1_000_000


class Head(NamedTuple):
    """The newest ingest: its number, and the id that tells it from any other."""

    seq: int
    ingest_id: str


class StaleMirror(JevdbError):
    """The mirror is of another lake than the one that has its name now."""


def head_of(warehouse: Connection) -> Head:
    """Return the newest ingest of a warehouse file."""
    return Head(*warehouse.execute(HEAD).fetchall()[0])


class News:
    """What a lake holds after a mirror's newest ingest, as one transaction sees it.

    It is true if there is anything. ``head`` is the lake's newest ingest.

    Raises
    ------
    StaleMirror
        The lake does not hold the mirror's newest ingest.
    SchemaError
        The catalog holds no lake of jevdb, or one of another schema.
    """

    def __init__(self, lake: Lake, base: Head):
        self._lake = lake
        self._base = base
        self._tables = changed_tables(lake, base.seq)
        ingests = lake.table(INGESTS.format(base=base.seq))
        heads = [Head(**row) for row in ingests.select(Head._fields).to_pylist()]
        if heads[:1] != [base]:
            raise StaleMirror(f"{lake.target.name}: was replaced; try again")
        self.head = heads[-1]
        self._at_hand: dict[str, pa.Table] = {"ingests": ingests.slice(1)}

    def __bool__(self) -> bool:
        return self.head != self._base

    def read_little(self) -> None:
        """Read the new rows of the tables that have few."""
        for table, n_bytes in self._tables.items():
            is_little = table.parent is None and n_bytes <= LITTLE_BYTES
            if is_little and table.name not in self._at_hand:
                rows = table.rows_after(self._base.seq)
                self._at_hand[table.name] = self._lake.table(rows)

    def copy_into(self, mirror: Connection) -> None:
        """Copy the rows, in one transaction of the mirror.

        Raises
        ------
        DamagedRows
            The rows are not those that were published; none was copied.
        """
        base = self._base.seq
        prove = partial(require_proof, self._lake.target.name, mirror, seq=base)
        [(row,)] = mirror.execute(COUNT).fetchall()
        with transaction(mirror), ThreadPoolExecutor(1) as beside:
            for table in self._tables:
                if table.parent is None:
                    self._insert(mirror, table, self._rows(table))
            children = self._children(mirror)
            proof = beside.submit(prove, OF_INGESTS)
            for table, sql in children:
                rows = self._lake.batches(sql)
                proof.result()
                self._insert(mirror, table, rows)
            proof.result()
            prove(OF_RUNS, row=row)
            _install_scopes(mirror, base)

    def _rows(self, table: Table) -> pa.Table | pa.RecordBatchReader:
        if table.name in self._at_hand:
            return self._at_hand[table.name]
        return self._lake.batches(table.rows_after(self._base.seq))

    def _children(self, mirror: Connection) -> list[tuple[Table, str]]:
        """Return the queries for rows that hang under what the mirror has by now."""
        base, found = self._base.seq, []
        for table in self._tables:
            if table.parent is not None:
                keys = mirror.execute(table.new_keys(base)).fetchall()
                listed = table.rows_of([str(key) for (key,) in keys])
                if keys:
                    found.append((table, listed or table.rows_after(base)))
        return found

    def _insert(
        self, mirror: Connection, table: Table, rows: pa.Table | pa.RecordBatchReader
    ) -> None:
        register(mirror, "pulled", rows)
        try:
            # A data file that cannot be read is found out here.
            with damage_told(self._lake, table.name), self._lake.told():
                mirror.execute(
                    f"insert into {table.name} by name from pulled"
                ).fetchall()
        finally:
            mirror.unregister("pulled")


def _install_scopes(mirror: Connection, base: int) -> None:
    """Make the views of scorings that came; their text may be anybody's."""
    from jevdb.bundles.restoring import require_scopes
    from jevdb.warehouse.scope_views import install

    new = f"select 1 from scope_versions where seq > {base:d} limit 1"
    if mirror.execute(new).fetchall():
        require_scopes(mirror)
        install(mirror.execute)
