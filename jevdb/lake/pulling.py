"""Pull: what a lake holds, into this machine's mirror, in one state of the lake.

The mirror is an ordinary warehouse file. Everything in a lake is insert-only, so that
what came since the last pull is all that has to be copied.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.errors import JevdbError
from jevdb.lake.connecting import Lake, Row
from jevdb.lake.mirroring import (
    NOTHING,
    changed_tables,
    damage_told,
    ensure_mirror,
    refuse_revision,
    require_revision,
)
from jevdb.lake.proving import require_proof
from jevdb.lake.tables import Table
from jevdb.lake.target import Target
from jevdb.warehouse.database import (
    LOCK_TIMEOUT,
    OnWait,
    drop_database,
    open_reader,
    open_writer,
    transaction,
)
from jevdb.warehouse.settings import without_log
from jevdb.warehouse.upgrading import import_tools

if TYPE_CHECKING:
    from jevdb.warehouse.database import Connection

HEAD = "select max(seq), arg_max(ingest_id, seq) from ingests"
# One statement: each takes some milliseconds, and every command that reads asks this.
SINCE = """\
select null as seq, max(version_num) as name from alembic_version
union all
select seq, ingest_id from ingests where seq >= {since:d}
order by seq nulls first"""


class Head(NamedTuple):
    """The newest ingest: its number, and the id that tells it from any other."""

    seq: int
    ingest_id: str


class Pulled(NamedTuple):
    """The mirror, the sequence number it is at, and how many ingests were new."""

    path: Path
    seq: int
    n_new: int


class _State(NamedTuple):
    """A lake's snapshot, and its ingests from a mirror's newest on."""

    snapshot: int
    heads: list[Head]


class StaleMirror(JevdbError):
    """The mirror is of another lake than the one that has its name now."""


def pull(
    target: Target,
    *,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
    rebuild: bool = False,
) -> Pulled:
    """Bring this machine's mirror of a lake up to date.

    Raises
    ------
    SchemaError
        The catalog holds no lake of jevdb, or one of another schema.
    JevdbError
        The catalog or the storage cannot be reached, or a data file is damaged.
    BusyError
        Another process held the mirror for longer than *lock_timeout* seconds.
    """
    path = target.mirror
    if rebuild:
        drop_database(path)
    with ThreadPoolExecutor(1) as beside:
        head = beside.submit(_head_of, path, lock_timeout, on_wait)
        lake = Lake(target, read_only=True)
    with lake:
        before, seen = head.result(), None
        if before:
            with lake.reading():
                seen = _state(lake, before)
            if seen.heads == [before]:
                return Pulled(path, before.seq, 0)
        try:
            seq = _pull(lake, path, lock_timeout, on_wait, seen)
        except StaleMirror:
            before = None
            drop_database(path)
            seq = _pull(lake, path, lock_timeout, on_wait)
    return Pulled(path, seq, seq - (before.seq if before else NOTHING))


def _pull(
    lake: Lake,
    path: Path,
    lock_timeout: float,
    on_wait: OnWait | None,
    seen: _State | None = None,
) -> int:
    if ensure_mirror(lake, path):
        with open_reader(path, lock_timeout=lock_timeout, on_wait=on_wait) as mirror:
            return head_of(mirror).seq
    with open_writer(path, lock_timeout=lock_timeout, on_wait=on_wait) as mirror:
        with without_log(mirror):
            pull_into(lake, mirror, seen)
        return head_of(mirror).seq


def _head_of(path: Path, lock_timeout: float, on_wait: OnWait | None) -> Head | None:
    """Return the mirror's newest ingest; prepare for making one if there is none."""
    if not path.exists():
        import_tools()
        return None
    with open_reader(path, lock_timeout=lock_timeout, on_wait=on_wait) as mirror:
        return head_of(mirror)


def head_of(warehouse: Connection) -> Head:
    """Return the newest ingest of a warehouse file."""
    return Head(*warehouse.execute(HEAD).fetchall()[0])


def lake_head(lake: Lake) -> Head:
    """Return the newest ingest of the lake, whose schema is known to be ours."""
    require_revision(lake)
    return _heads(lake.rows(HEAD))[0]


def _state(lake: Lake, base: Head, seen: _State | None = None) -> _State:
    """Return the state of the lake, whose schema is known to be ours, from *base* on.

    It is the one seen before, where there is no newer one. The smallest and largest of
    a file say whether it has to be read.
    """
    snapshot = lake.snapshot()
    if seen and seen.snapshot == snapshot and seen.heads[:1] == [base]:
        return seen
    found = lake.found(SINCE.format(since=base.seq))
    refuse_revision(lake.target, str(found[0][1]) if found else None)
    return _State(snapshot, _heads(found[1:] if found else []))


def _heads(rows: list[Row]) -> list[Head]:
    return [Head(int(str(seq)), str(ingest_id)) for seq, ingest_id in rows]


def pull_into(lake: Lake, mirror: Connection, seen: _State | None = None) -> int:
    """Copy what came after the mirror's newest ingest; return the lake's snapshot.

    Raises
    ------
    StaleMirror
        The lake does not hold the mirror's newest ingest.
    DamagedRows
        The rows are not those that were published; none was copied.
    """
    base = head_of(mirror)
    with lake.reading():
        snapshot, heads = _state(lake, base, seen)
        if heads[:1] != [base]:
            raise StaleMirror(f"{lake.target.name}: was replaced; try again")
        if heads == [base]:
            return snapshot
        with transaction(mirror):
            for table in changed_tables(lake, base.seq):
                if rows := _new_rows(mirror, table, base.seq):
                    _copy(lake, mirror, table.name, rows)
            require_proof(lake.target.name, mirror, base.seq)
            _install_scopes(mirror, base.seq)
    return snapshot


def _new_rows(mirror: Connection, table: Table, base: int) -> str | None:
    """Return the query for a table's new rows; None if there can be none.

    The rows that they hang under are in the mirror already.
    """
    if table.parent is None:
        return table.rows_after(base)
    keys = [str(key) for (key,) in mirror.execute(table.new_keys(base)).fetchall()]
    return (table.rows_of(keys) or table.rows_after(base)) if keys else None


def _copy(lake: Lake, mirror: Connection, table: str, sql: str) -> None:
    with lake.told():
        mirror.register("pulled", lake.connection.execute(sql).to_arrow_reader())
    try:
        # A data file that cannot be read is found out here.
        with damage_told(lake, table), lake.told():
            mirror.execute(f"insert into {table} by name from pulled").fetchall()
    finally:
        mirror.unregister("pulled")


def _install_scopes(mirror: Connection, base: int) -> None:
    """Make the views of scorings that came; their text may be anybody's."""
    from jevdb.additions.scope_views import install
    from jevdb.bundles.restoring import require_scopes

    new = f"select 1 from scope_versions where seq > {base:d} limit 1"
    if mirror.execute(new).fetchall():
        require_scopes(mirror)
        install(mirror.execute)
