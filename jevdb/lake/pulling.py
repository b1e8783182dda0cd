"""Pull: what a lake holds, into this machine's mirror, in one state of the lake.

The mirror is an ordinary warehouse file. Everything in a lake is insert-only, so that
what came since the last pull is all that has to be copied.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from jevdb.errors import JevdbError, SchemaError
from jevdb.lake.connecting import Lake
from jevdb.lake.failures import first_line, not_a_lake
from jevdb.lake.tables import Table, tables
from jevdb.lake.target import Target
from jevdb.warehouse.database import (
    LOCK_TIMEOUT,
    OnWait,
    drop_database,
    new_file,
    open_reader,
    open_writer,
    transaction,
)
from jevdb.warehouse.versions import head_revision

if TYPE_CHECKING:
    from jevdb.warehouse.database import Connection

HEAD = "select seq, ingest_id from ingests order by seq desc limit 1"
CHANGED = """\
select distinct t.table_name
from ducklake_data_file f
join ducklake_table t using (table_id)
join ducklake_column c on c.table_id = f.table_id and c.column_name = 'seq'
left join ducklake_file_column_stats s
    on s.data_file_id = f.data_file_id and s.column_id = c.column_id
where
    f.end_snapshot is null
    and case
        when s.max_value ~ '^[0-9]+$' then s.max_value::bigint > {base:d}
        else true
    end"""
NOTHING = -1


class Head(NamedTuple):
    """The newest ingest: its number, and the id that tells it from any other."""

    seq: int
    ingest_id: str


class Pulled(NamedTuple):
    """The mirror, the sequence number it is at, and how many ingests were new."""

    path: Path
    seq: int
    n_new: int


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
    with Lake(target, read_only=True) as lake:
        if rebuild:
            drop_database(path)
        before = _head_of(path, lock_timeout, on_wait)
        with lake.reading():
            now = lake_head(lake)
        if before == now:
            return Pulled(path, now.seq, 0)
        try:
            seq = _pull(lake, path, lock_timeout, on_wait)
        except StaleMirror:
            before = None
            drop_database(path)
            seq = _pull(lake, path, lock_timeout, on_wait)
    return Pulled(path, seq, seq - (before.seq if before else NOTHING))


def _pull(lake: Lake, path: Path, lock_timeout: float, on_wait: OnWait | None) -> int:
    ensure_mirror(lake, path)
    with open_writer(path, lock_timeout=lock_timeout, on_wait=on_wait) as mirror:
        pull_into(lake, mirror)
        return head_of(mirror).seq


def _head_of(path: Path, lock_timeout: float, on_wait: OnWait | None) -> Head | None:
    if not path.exists():
        return None
    with open_reader(path, lock_timeout=lock_timeout, on_wait=on_wait) as mirror:
        return head_of(mirror)


def head_of(warehouse: Connection) -> Head:
    """Return the newest ingest of a warehouse file."""
    return Head(*warehouse.execute(HEAD).fetchall()[0])


def lake_head(lake: Lake) -> Head:
    """Return the newest ingest of the lake, whose schema is known to be ours."""
    require_revision(lake)
    seq, ingest_id = lake.rows(HEAD)[0]
    return Head(int(str(seq)), str(ingest_id))


def require_revision(lake: Lake) -> None:
    """Refuse a lake of another schema than this program's."""
    found, head, name = lake.revision(), head_revision(), lake.target.name
    if found is None:
        raise not_a_lake(lake.target)
    if found > head:
        raise SchemaError(
            f"{name}: its schema {found} is newer than this jevdb knows ({head}); "
            "upgrade jevdb"
        )
    if found < head:
        raise SchemaError(
            f"{name}: its schema {found} is older than this jevdb's ({head}); when all "
            f"who use it have this version: jevdb --db {name} init --upgrade"
        )


def ensure_mirror(lake: Lake, path: Path) -> None:
    """Make the mirror, with everything the lake holds, unless there is one."""
    from jevdb.warehouse.upgrading import create_tables, upgrade

    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with new_file(path) as mirror:
            create_tables(mirror, head_revision())
            with lake.reading(), transaction(mirror):
                require_revision(lake)
                for table in tables():
                    _copy(lake, mirror, table.name, f"select * from {table.name}")
                _require_scopes(mirror)
            upgrade(mirror)
    except FileExistsError:
        # Another process made it at the same time.
        return


def pull_into(lake: Lake, mirror: Connection) -> int:
    """Copy what came after the mirror's newest ingest; return the lake's snapshot.

    Raises
    ------
    StaleMirror
        The lake does not hold the mirror's newest ingest.
    """
    base = head_of(mirror)
    with lake.reading():
        snapshot = lake.snapshot()
        if lake_head(lake) == base:
            return snapshot
        known = lake.rows(f"select ingest_id from ingests where seq = {base.seq:d}")
        if [tuple(row) for row in known] != [(base.ingest_id,)]:
            raise StaleMirror(f"{lake.target.name}: was replaced; try again")
        with transaction(mirror):
            for table in _changed(lake, base.seq):
                if rows := _new_rows(lake, table, base.seq):
                    _copy(lake, mirror, table.name, rows)
            _install_scopes(mirror, base.seq)
    return snapshot


def _changed(lake: Lake, base: int) -> list[Table]:
    """Return the tables that may have rows after *base*: statistics of files say it.

    A table that hangs under one of them has them only if that one has.
    """
    changed = {name for (name,) in lake.catalog_rows(CHANGED.format(base=base))}
    return [each for each in tables() if (each.parent or each.name) in changed]


def _new_rows(lake: Lake, table: Table, base: int) -> str | None:
    """Return the query for a table's new rows; None if there can be none."""
    if table.parent is None:
        return table.rows_after(base)
    keys = [str(key) for (key,) in lake.rows(table.new_keys(base))]
    return (table.rows_of(keys) or table.rows_after(base)) if keys else None


def _copy(lake: Lake, mirror: Connection, table: str, sql: str) -> None:
    with lake.told():
        mirror.register("pulled", lake.connection.execute(sql).to_arrow_reader())
    try:
        # Several threads only wait for each other at the index of the primary key.
        mirror.execute("set threads = 1")
        # A data file that cannot be read is found out here.
        with lake.told():
            mirror.execute(f"insert into {table} by name from pulled").fetchall()
    except (duckdb.ConstraintException, duckdb.ConversionException) as error:
        raise JevdbError(
            f"{lake.target.name}: warehouse damaged: table {table}: "
            f"{first_line(error)}; see `jevdb lake verify`"
        ) from error
    finally:
        mirror.execute("reset threads")
        mirror.unregister("pulled")


def _require_scopes(mirror: Connection) -> None:
    from jevdb.bundles.restoring import require_scopes

    require_scopes(mirror)


def _install_scopes(mirror: Connection, base: int) -> None:
    """Make the views of scorings that came; their text may be anybody's."""
    from jevdb.additions.scope_views import install

    new = f"select 1 from scope_versions where seq > {base:d} limit 1"
    if mirror.execute(new).fetchall():
        _require_scopes(mirror)
        install(mirror.execute)
