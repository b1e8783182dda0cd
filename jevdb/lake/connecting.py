"""A connection to a lake: attached to a DuckDB in memory that serves nothing else.

What a user asks, SQL of his own included, runs on the mirror, in a DuckDB that never
loaded an extension.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import duckdb

from jevdb.base.connection import Connection
from jevdb.base.errors import JevdbError
from jevdb.lake.catalog import Row
from jevdb.lake.damage import damage, unnamed_damage
from jevdb.lake.extensions import engine, reach_objects
from jevdb.lake.failures import (
    CommitLost,
    Refused,
    catalog_place,
    damaged_file,
    failure,
    first_line,
    is_another_first,
    is_refusal,
)
from jevdb.lake.locking import lock_holder, take_lock
from jevdb.lake.storage import not_given
from jevdb.lake.target import POSTGRES, Target
from jevdb.warehouse.faults import DISK
from jevdb.warehouse.interrupts import follow
from jevdb.warehouse.settings import all_threads
from jevdb.warehouse.sqlfiles import quoted

if TYPE_CHECKING:
    import pyarrow as pa

CONNECT_TIMEOUT_S = "10"
NEEDS_OBJECTS = "requires the extension httpfs"
MAY_WRITE = """\
select current_user::text, bool_and(has_table_privilege(oid, 'insert'))
from pg_class
where relname = 'ducklake_snapshot' and relkind = 'r'"""

MIRROR_FAULTS = (duckdb.ConstraintException, duckdb.ConversionException)
REVISION = "select max(version_num) from alembic_version"

_numbers = count(1)


class Lake:
    """An attached lake. Its tables are in the search path, under their own names."""

    def __init__(
        self, target: Target, *, read_only: bool = False, create_at: str | None = None
    ):
        # libpq waits for a silent host for ever unless told otherwise.
        os.environ.setdefault("PGCONNECT_TIMEOUT", CONNECT_TIMEOUT_S)
        self.target = target
        self.alias = f"lake_{next(_numbers)}"
        self.connection = engine(os.getpid()).cursor()
        follow(self.connection)
        self._lock: Connection | None = None
        self.may_stand = False
        self.data = create_at or target.data or ""
        self._searches = False
        try:
            self._attach(read_only, create_at)
        except BaseException:
            self.close()
            raise
        self._searches = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give up the lock, if it is held, and the connection."""
        self.unlock()
        self.connection.close()
        with suppress(duckdb.Error):
            engine(os.getpid()).execute(f"detach database if exists {self.alias}")

    @property
    def catalog(self) -> str:
        """What DuckDB calls the lake's catalog in PostgreSQL."""
        return f"__ducklake_metadata_{self.alias}"

    def _attach(self, read_only: bool, create_at: str | None) -> None:
        run = self.connection.execute
        data = create_at or self.target.data
        if data and "://" in data:
            reach_objects(self.connection)
        attach = (
            f"attach {quoted(f'ducklake:{self.target.catalog}')} as {self.alias} "
            f"({', '.join(self._options(data, read_only, bool(create_at)))})"
        )
        with self.told():
            try:
                run(attach)
            except duckdb.Error as error:
                # Only the catalog knows that its files are in an object store.
                if NEEDS_OBJECTS not in str(error):
                    raise
                reach_objects(self.connection)
                run(attach)
            self.data = data or self._stored_data()
            if "://" in self.data and not data:
                reach_objects(self.connection)
            run(f"use {self.alias}.main")

    def _options(
        self, data: str | None, read_only: bool, create: bool
    ) -> Iterator[str]:
        # Small inserts into the catalog's own tables are where DuckLake has lost rows.
        yield "data_inlining_row_limit 0"
        yield f"create_if_not_exists {'true' if create else 'false'}"
        if self.target.catalog.startswith(POSTGRES):
            # Else DuckDB asks for all that PostgreSQL keeps of itself too.
            yield "meta_schema 'public'"
        if read_only:
            yield "read_only"
        if data:
            yield f"data_path {quoted(data)}"
            if not create:
                yield "override_data_path true"

    def _stored_data(self) -> str:
        found = self.connection.execute(
            f"select value from {self.catalog}.ducklake_metadata "
            "where key = 'data_path' and scope is null"
        ).fetchall()
        return str(found[0][0])

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn DuckDB's complaints about the lake into jevdb's; the mirror's pass."""
        try:
            yield
        except duckdb.Error as error:
            if isinstance(error, MIRROR_FAULTS) or DISK.search(str(error)):
                raise
            if is_another_first(error):
                raise Refused from error
            if failed := not_given(self, error):
                raise failed from error
            if path := damaged_file(error):
                raise damage(self, path, first_line(error)) from error
            if self._searches and (found := unnamed_damage(self, error)):
                raise found from error
            raise failure(self.target, error) from error

    @contextmanager
    def beside(self) -> Iterator[Lake]:
        """Give another connection to the same lake, for reading."""
        with Lake(self.target, read_only=True) as other:
            other._searches = False
            yield other

    def rows(self, sql: str) -> list[Row]:
        """Run a statement and return its rows."""
        with self.told():
            return self.connection.execute(sql).fetchall()

    def table(self, sql: str) -> pa.Table:
        """Run a statement and return its rows, all of them in memory."""
        with self.told():
            return self.connection.execute(sql).to_arrow_table()

    def batches(self, sql: str) -> pa.RecordBatchReader:
        """Run a statement and return its rows, to be read before the next is run."""
        with self.told():
            return self.connection.execute(sql).to_arrow_reader()

    def catalog_rows(self, sql: str) -> list[Row]:
        """Run a statement of PostgreSQL in the catalog and return its rows."""
        return self.rows(f"from postgres_query({quoted(self.catalog)}, {quoted(sql)})")

    @contextmanager
    def reading(self) -> Iterator[int]:
        """Let everything in the block see one state of the lake: give its snapshot.

        What is asked of the catalog itself may be of a later one.
        """
        self.rows("begin transaction")
        try:
            # DuckLake settles on a state when it is first asked for something.
            yield self.snapshot()
        finally:
            with suppress(duckdb.Error):
                self.connection.execute("rollback")

    @contextmanager
    def filling(self, path: Path) -> Iterator[str]:
        """Attach a database file under the name given, to copy one state into it."""
        name = f"{self.alias}_filled"
        self.connection.execute(f"attach {quoted(str(path))} as {name}")
        try:
            with all_threads(self.connection), self.reading():
                yield name
                self.rows("commit")
        except BaseException:
            with suppress(duckdb.Error):
                self.connection.execute(f"detach {name}")
            raise
        self.connection.execute(f"detach {name}")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Commit what the block did, or nothing of it.

        Raises
        ------
        Refused
            Somebody else committed since the transaction's first read.
        CommitLost
            The connection broke while committing.
        """
        self.may_stand = False
        self.rows("begin transaction")
        try:
            yield
        except BaseException:
            with suppress(duckdb.Error):
                self.connection.execute("rollback")
            raise
        self._commit()

    def _commit(self) -> None:
        # From here on, and whatever ends it, only a plain refusal says that it failed.
        self.may_stand = True
        try:
            self.connection.execute("commit")
        except duckdb.Error as error:
            with suppress(duckdb.Error):
                self.connection.execute("rollback")
            self.may_stand = not is_refusal(error)
            if self.may_stand:
                raise CommitLost from error
            with self.told():
                raise

    def require_writer(self) -> None:
        """Refuse a role that could only fail at the commit."""
        for role, may_write in self.catalog_rows(MAY_WRITE):
            if not may_write:
                raise JevdbError(
                    f"{catalog_place(self.target)}: role {role} may not write; ask the "
                    "lake's keeper for the right"
                )

    def revision(self) -> str | None:
        """Return the schema that the lake's tables are of; None if it has none."""
        with self.told():
            try:
                found = self.connection.execute(REVISION).fetchall()
            except duckdb.CatalogException:
                return None
        return str(found[0][0])

    def snapshot(self) -> int:
        """Return the snapshot that is seen: a number that every commit adds one to."""
        found = self.rows(f"from {self.own('current_snapshot')}")
        return int(str(found[0][0]))

    def leave_note(self, note: dict[str, object]) -> None:
        """Keep a note with the snapshot that the transaction is about to make."""
        said = f"extra_info => {quoted(json.dumps(note))}"
        self.rows(f"call {self.own('set_commit_message', 'null', 'null', said)}")

    def own(self, function: str, *arguments: str) -> str:
        """Return the call of a DuckLake function on this lake."""
        given = ", ".join((quoted(self.alias), *arguments))
        return f"ducklake_{function}({given})"

    def lock(self, timeout: float, on_wait: Callable[[str], None] | None) -> None:
        """Take the lake's one lock, in the order of asking; keep it if it is held.

        It is for fairness: that two commits never stand is the catalog's to see to. A
        holder that stops loses it after two minutes.
        """
        if self._lock is None:
            self._lock = take_lock(self, timeout, on_wait)

    def holder(self) -> str:
        """Return who holds the lock: user, host and since when; or ``nobody``."""
        return lock_holder(self)

    def unlock(self) -> None:
        """Give the lock back; a broken connection has given it back already."""
        if self._lock is None:
            return
        with suppress(duckdb.Error):
            self._lock.execute("rollback")
        with suppress(duckdb.Error):
            self._lock.close()
        self._lock = None
