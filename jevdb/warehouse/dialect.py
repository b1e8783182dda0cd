"""What SQLAlchemy must know of DuckDB to run the migrations, and no more.

They are plain SQL; SQLAlchemy's own is only Alembic's table of revisions. The dialect
`duckdb-sqlalchemy` knows all of DuckDB, but only below 2.
"""

from __future__ import annotations

from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any

import duckdb
import sqlalchemy as sa
from alembic.ddl.impl import DefaultImpl
from sqlalchemy.dialects import registry
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.pool import NullPool

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

NAME = "jevdbmigrations"
HAS_TABLE = """
    select count(*) from duckdb_tables()
    where database_name = current_database()
    and schema_name = 'main'
    and table_name = $1
"""


class Migrations(DefaultDialect):
    """DuckDB, as far as migrations need it."""

    name = NAME
    default_paramstyle = "qmark"
    supports_statement_cache = True
    supports_sane_rowcount = False

    @classmethod
    def import_dbapi(cls) -> ModuleType:
        """Return the module whose errors are those of the database."""
        return duckdb

    def do_begin(self, dbapi_connection: Any) -> None:
        """Begin a transaction: DuckDB is never inside one by itself."""
        dbapi_connection.begin()

    def do_rollback(self, dbapi_connection: Any) -> None:
        """Roll back, where there is what can be rolled back."""
        with suppress(duckdb.TransactionException):
            dbapi_connection.rollback()

    def has_table(
        self, connection: sa.Connection, table_name: str, *args: Any, **options: Any
    ) -> bool:
        """Whether the file has a table of that name."""
        return bool(connection.exec_driver_sql(HAS_TABLE, (table_name,)).scalar())


class _Implementation(DefaultImpl):
    """What Alembic asks for of each dialect."""

    __dialect__ = NAME
    transactional_ddl = True


class _Cursor:
    """A cursor of one transaction: DuckDB's own are connections of their own."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def close(self) -> None:
        """Leave the connection open."""


class _Connection(_Cursor):
    """A connection whose cursors share its transaction."""

    def cursor(self) -> _Cursor:
        """Return what executes in this connection's transaction."""
        return _Cursor(self._connection)

    def close(self) -> None:
        """Close it."""
        self._connection.close()


def migrating_engine(connection: Connection) -> sa.Engine:
    """Return an engine whose one connection is a second one to the same open file."""
    registry.register(NAME, __name__, Migrations.__name__)
    return sa.create_engine(
        f"{NAME}://",
        creator=lambda: _Connection(connection.cursor()),
        poolclass=NullPool,
        # After a commit that the disk refused there is nothing left to roll back.
        pool_reset_on_return=None,
    )
