"""A new mirror: a warehouse file with everything that a lake holds in one state.

The lake's own DuckDB writes the rows into the file, which saves handing them over.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.base.errors import JevdbError, SchemaError
from jevdb.lake.connecting import MIRROR_FAULTS
from jevdb.lake.failures import first_line, not_a_lake
from jevdb.lake.proving import OF_INGESTS, OF_RUNS, require_proof
from jevdb.lake.tables import NOTHING, REVISIONS, Table, tables
from jevdb.warehouse.connecting import OnWait
from jevdb.warehouse.database import open_writer, transaction
from jevdb.warehouse.faults import translated_errors
from jevdb.warehouse.new_files import building, filling, filling_blank
from jevdb.warehouse.private import for_this_user_alone
from jevdb.warehouse.settings import ONE_THREAD
from jevdb.warehouse.upgrading import complete
from jevdb.warehouse.versions import head_revision

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.lake.connecting import Lake
    from jevdb.lake.target import Target

# Of files, the catalog keeps the smallest and largest value of every column.
CHANGED = """\
select
    t.table_name,
    sum(f.file_size_bytes)::bigint,
    max(case when t.table_name = '{revisions}' then s.max_value end)
from ducklake_data_file f
join ducklake_table t using (table_id)
left join ducklake_column c
    on c.table_id = f.table_id and c.column_name in ('seq', 'version_num')
left join ducklake_file_column_stats s
    on s.data_file_id = f.data_file_id and s.column_id = c.column_id
where
    f.end_snapshot is null
    and case
        when t.table_name = '{revisions}' then true
        when s.max_value ~ '^[0-9]+$' then s.max_value::bigint > {base:d}
        else true
    end
group by t.table_name"""


def ensure_mirror(lake: Lake, path: Path) -> bool:
    """Make the mirror, with everything the lake holds, and say so; or leave one be.

    Raises
    ------
    SchemaError
        The catalog holds no lake of jevdb, or one of another schema.
    DamagedRows
        The rows are not those that were published.
    """
    if path.exists():
        return False
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        # A lake is only for who may reach it.
        with building(path) as built, for_this_user_alone():
            with filling_blank(built, path):
                pass
            with translated_errors(path):
                _copy_all(lake, built)
            with filling(built, path) as mirror:
                _complete(lake, mirror)
    except FileExistsError:
        # Another process made it at the same time.
        return False
    return True


def mirror_writer(
    path: Path, lock_timeout: float, on_wait: OnWait | None
) -> AbstractContextManager[Connection]:
    """Open a mirror for the little that comes into it at a time.

    Raises the errors of `open_writer`.
    """
    return open_writer(
        path,
        lock_timeout=lock_timeout,
        on_wait=on_wait,
        settings=ONE_THREAD,
        outward=True,
        by_jevdb=True,
        mirroring=True,
    )


def _copy_all(lake: Lake, built: Path) -> None:
    with lake.filling(built) as mirror:
        for table in changed_tables(lake, NOTHING):
            with damage_told(lake, table.name):
                lake.rows(
                    f"insert into {mirror}.main.{table.name} by name from {table.name}"
                )


def _complete(lake: Lake, mirror: Connection) -> None:
    from jevdb.bundles.restoring import require_scopes

    require_scopes(mirror)
    require_proof(lake.target.name, mirror, OF_RUNS, OF_INGESTS)
    with transaction(mirror):
        complete(mirror)


def changed_tables(lake: Lake, base: int) -> dict[Table, int]:
    """Return the tables that may have rows after *base*, with the bytes of their files.

    A table that hangs under another has them only if that one has, and comes later.
    They may be those of a later state than the one being read, never of an earlier.

    Raises
    ------
    SchemaError
        The catalog holds no lake of jevdb, or one of another schema.
    """
    sql = CHANGED.format(revisions=REVISIONS, base=base)
    changed = {
        str(name): (int(str(n_bytes)), revision)
        for name, n_bytes, revision in lake.catalog_rows(sql)
    }
    _, revision = changed.pop(REVISIONS, (0, None))
    refuse_revision(lake.target, str(revision) if revision else lake.revision())
    found = [
        each
        for each in tables()
        if {each.name, each.parent or each.name} <= changed.keys()
    ]
    found.sort(key=lambda each: each.parent is not None)
    return {each: changed[each.name][0] for each in found}


@contextmanager
def damage_told(lake: Lake, table: str) -> Iterator[None]:
    """Say of rows that a warehouse cannot hold that the lake is damaged."""
    try:
        yield
    except MIRROR_FAULTS as error:
        raise JevdbError(
            f"{lake.target.name}: warehouse damaged: table {table}: "
            f"{first_line(error)}; see `jevdb lake verify`"
        ) from error


def require_revision(lake: Lake) -> None:
    """Refuse a lake of another schema than this program's."""
    refuse_revision(lake.target, lake.revision())


def refuse_revision(target: Target, found: str | None) -> None:
    """Refuse the schema found in a lake, none too, unless it is this program's."""
    head, name = head_revision(), target.name
    if found is None:
        raise not_a_lake(target)
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
