"""Initialise: a new lake out of a warehouse file, fresh or full; an old one renewed."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Literal

from jevdb.base.errors import ConflictError, JevdbError, SchemaError, UsageError
from jevdb.lake.connecting import Lake
from jevdb.lake.failures import CommitLost, Moved, not_a_lake
from jevdb.lake.files import (
    Column,
    DataFile,
    columns,
    keep_on_disk,
    register,
    unless_it_fails,
    write_file,
)
from jevdb.lake.mirroring import require_revision
from jevdb.lake.placeholders import refuse_placeholders
from jevdb.lake.tables import NOTHING, REVISIONS, new_tables
from jevdb.lake.target import Target
from jevdb.warehouse.connecting import LOCK_TIMEOUT, OnWait
from jevdb.warehouse.sqlfiles import identifier, quoted
from jevdb.warehouse.versions import head_revision

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

Outcome = Literal["created", "upgraded", "up to date"]
ATTEMPTS = 10
WIDER = {("INTEGER", "BIGINT"), ("FLOAT", "DOUBLE")}
LAKE_COLUMNS = """\
select table_name, column_name, data_type
from duckdb_columns()
where database_name = {lake}"""


def initialise(
    target: Target,
    warehouse: Connection,
    *,
    data: str | None = None,
    upgrade: bool = False,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
) -> Outcome:
    """Make a lake that holds what *warehouse* holds, unless there is one.

    One there is stays as it is; with *upgrade* it gets the tables and columns of the
    warehouse's schema, which must be this program's.

    Raises
    ------
    UsageError
        There is no lake yet, and no place for its data is given.
    SchemaError
        The catalog holds other tables, or a lake of another schema.
    """
    data = _absolute(data or target.data)
    for _ in range(ATTEMPTS):
        with _opened(target, data) as lake:
            lake.require_writer()
            lake.lock(lock_timeout, on_wait)
            try:
                if found := lake.revision():
                    return _renewed(lake, warehouse, found, upgrade)
                _create(lake, warehouse)
                return "created"
            except (Moved, CommitLost):
                continue
    raise JevdbError(f"{target.name}: others changed it {ATTEMPTS} times; try again")


def require_uninitialised(target: Target) -> None:
    """Refuse a target where a lake is already."""
    try:
        with Lake(target, read_only=True) as lake:
            if lake.revision() is None:
                return
    except SchemaError:
        return
    raise ConflictError(
        f"{target.name}: there is a lake already; restore into a new file or lake, and "
        "bring runs in with `jevdb runs dump` and `jevdb ingest run`"
    )


def _absolute(data: str | None) -> str | None:
    if data is None or "://" in data:
        return data
    return os.path.abspath(os.path.expanduser(data))


def _opened(target: Target, data: str | None) -> Lake:
    """Attach the catalog, made a DuckLake if it is none; several may try at once."""
    for attempt in range(ATTEMPTS):
        try:
            return Lake(target)
        except SchemaError as error:
            if str(error) != str(not_a_lake(target)):
                raise
        if data is None:
            raise UsageError(f"{target.name}: a new lake needs --data PATH")
        try:
            return Lake(target, create_at=data)
        except JevdbError as error:
            if "Failed to initialize DuckLake" not in str(error):
                raise
            failed = error
        time.sleep(0.1 * (attempt + 1))
    raise failed


def _create(lake: Lake, warehouse: Connection) -> None:
    others = lake.rows(f"select table_name from {lake.own('table_info')} order by 1")
    if others:
        raise SchemaError(
            f"{lake.target.name}: a DuckLake, but not of jevdb: it holds {others[0][0]}"
        )
    kinds = columns(warehouse)
    rows = {
        table: f"select * from {table.name}" for table in new_tables(warehouse, NOTHING)
    }
    refuse_placeholders(warehouse, rows, kinds)
    files: list[DataFile] = []
    with unless_it_fails(lake, files), lake.writing():
        for table, its_columns in kinds.items():
            lake.rows(f"create table {table} ({_declared(its_columns)})")
        for table in (REVISIONS, *(new.name for new in new_tables(warehouse, NOTHING))):
            files.append(write_file(lake, warehouse, table, f"select * from {table}"))
        keep_on_disk(files)
        register(lake, files)


def _declared(its_columns: list[Column]) -> str:
    """Return a table's columns; keys and checks are what a lake cannot have."""
    return ", ".join(
        f"{identifier(name)} {kind}{'' if is_nullable else ' not null'}"
        for name, kind, is_nullable in its_columns
    )


def _renewed(lake: Lake, warehouse: Connection, found: str, upgrade: bool) -> Outcome:
    if found >= head_revision() or not upgrade:
        require_revision(lake)
        return "up to date"
    kinds = columns(warehouse)
    with lake.writing():
        for statement in _steps(lake, kinds):
            lake.rows(statement)
        file = write_file(lake, warehouse, REVISIONS, f"select * from {REVISIONS}")
        keep_on_disk([file])
        register(lake, [file])
    return "upgraded"


def _steps(lake: Lake, kinds: dict[str, list[Column]]) -> list[str]:
    """Return what makes the lake's tables those of the schema: only additions.

    Raises
    ------
    SchemaError
        Something was renamed, dropped or changed otherwise.
    """
    there: dict[str, dict[str, str]] = {}
    for table, column, kind in lake.rows(LAKE_COLUMNS.format(lake=quoted(lake.alias))):
        there.setdefault(str(table), {})[str(column)] = str(kind)
    steps = []
    for table, its_columns in kinds.items():
        known = there.pop(table, None)
        if known is None:
            steps.append(f"create table {table} ({_declared(its_columns)})")
            continue
        for name, kind, _ in its_columns:
            old = known.pop(name, None)
            if old is None:
                steps.append(
                    f"alter table {table} add column {identifier(name)} {kind}"
                )
            elif (old, kind) in WIDER:
                steps.append(
                    f"alter table {table} alter {identifier(name)} set data type {kind}"
                )
            elif old != kind:
                raise _too_far(lake, f"{table}.{name}")
        if known:
            raise _too_far(lake, f"{table}.{min(known)}")
    if there:
        raise _too_far(lake, min(there))
    return steps


def _too_far(lake: Lake, what: str) -> SchemaError:
    name = lake.target.name
    return SchemaError(
        f"{name}: {what} cannot be brought to this schema in place; with the jevdb "
        f"that wrote it: jevdb --db {name} backup BUNDLE, then with this one: "
        "jevdb --db NEW restore BUNDLE --data PATH"
    )
