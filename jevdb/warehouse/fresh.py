"""A fresh warehouse for the length of one command: made quickly, and gone afterwards.

Its tables come from ``seeds/tables.sql``, which holds what the migrations make of an
empty file, so that neither SQLAlchemy nor Alembic is needed; nothing is commented.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from jevdb.base.connection import Connection
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.database import filling, open_writer
from jevdb.warehouse.scope_views import install
from jevdb.warehouse.sqlfiles import quoted
from jevdb.warehouse.upgrading import insert_seeds
from jevdb.warehouse.versions import head_revision
from jevdb.warehouse.writing_out import each_alone, stored_program

TABLES = asset_folder("seeds") / "tables.sql"
HEADER = """\
-- tables: every table of a warehouse, as the migrations up to {revision} make it in an
-- empty file. Written by `python -m jevdb.warehouse.fresh`; tests hold it to them.
"""


class Making:
    """A warehouse file that another thread is making meanwhile."""

    def __init__(self, path: Path):
        self._path = path
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._make)
        self._thread.start()

    def _make(self) -> None:
        try:
            make(self._path)
        except BaseException as error:
            self._error = error

    def finished(self) -> Path:
        """Wait until the file is whole, and return it."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._path


@contextmanager
def temporary() -> Iterator[Making]:
    """Give a fresh warehouse, being made; nothing of it is left after the block."""
    with TemporaryDirectory(prefix="jevdb-") as folder:
        making = Making(Path(folder) / "warehouse.duckdb")
        try:
            yield making
        finally:
            making._thread.join()


def make(path: Path) -> None:
    """Make a fresh warehouse where there is no file."""
    tables = TABLES.read_text(encoding="utf-8")
    if not tables.startswith(HEADER.format(revision=head_revision())):
        with open_writer(path, create=True):
            return
    with filling(path, path) as connection:
        connection.execute("begin transaction")
        connection.execute(tables)
        connection.execute(
            f"insert into alembic_version values ({quoted(head_revision())})"
        )
        insert_seeds(connection.execute)
        connection.execute(each_alone(stored_program()))
        install(connection.execute)
        connection.execute("commit")


def tables_of(connection: Connection) -> str:
    """Return ``seeds/tables.sql`` as the tables of a warehouse make it."""
    found = connection.execute(
        "select sql from duckdb_tables() where schema_name = 'main' order by table_oid"
    ).fetchall()
    statements = "\n".join(str(sql) for (sql,) in found)
    return f"{HEADER.format(revision=head_revision())}{statements}\n"


def _write() -> None:
    with (
        TemporaryDirectory() as folder,
        open_writer(Path(folder) / "new.duckdb", create=True) as connection,
    ):
        TABLES.write_text(tables_of(connection), encoding="utf-8")


if __name__ == "__main__":
    _write()
