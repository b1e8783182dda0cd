"""A blank warehouse: today's tables, views, macros and comments, and no row in them.

Every new file, restored bundle and first mirror begins as one. To make it takes longer
than all else that they need, so its bytes are kept for the user, and written out where
one is wanted. What is kept is of no use, and made anew, when anything differs that it
is made of.

Its tables come from ``seeds/tables.sql``, which holds what the migrations make of an
empty file, so that neither SQLAlchemy nor Alembic is needed.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from functools import cache
from typing import TYPE_CHECKING

import duckdb

from jevdb.base.version import __version__
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.column_words import column_words
from jevdb.warehouse.kept import keep, kept
from jevdb.warehouse.sqlfiles import program_view, quoted
from jevdb.warehouse.upgrading import create_migrated, create_program
from jevdb.warehouse.versions import head_revision
from jevdb.warehouse.writing_out import each_alone, stored_program

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

TABLES = asset_folder("seeds") / "tables.sql"
HEADER = """\
-- tables: every table of a warehouse, as the migrations up to {revision} make it in an
-- empty file. Written by `python -m jevdb.warehouse.fresh`; tests hold it to them.
"""
DEFINED = """\
select table_name, sql, comment
from duckdb_tables()
where schema_name = 'main'
order by table_name"""


def fill(connection: Connection) -> None:
    """Make a blank warehouse in an empty database."""
    tables = TABLES.read_text(encoding="utf-8")
    if not tables.startswith(_header()):
        create_migrated(connection)
        return
    connection.execute("begin transaction")
    connection.execute(tables)
    revision = quoted(head_revision())
    connection.execute(f"insert into alembic_version values ({revision})")
    names = connection.execute(DEFINED).fetchall()
    create_program(connection.execute, commented=[str(name) for name, *_ in names])
    connection.execute("commit")


def kept_blank() -> bytes | None:
    """Return the bytes of a blank warehouse's file, if they are kept and whole."""
    digest, _, packed = (kept(_name()) or b"").partition(b"\n")
    if digest != _made_of().encode():
        return None
    try:
        return zlib.decompress(packed)
    except zlib.error:
        return None


def keep_blank(data: bytes) -> None:
    """Keep the bytes of a blank warehouse's file."""
    keep(_name(), b"%s\n%s" % (_made_of().encode(), zlib.compress(data, 1)))


def tables_of(connection: Connection) -> str:
    """Return ``seeds/tables.sql`` as the tables of a warehouse make it."""
    found = connection.execute(DEFINED).fetchall()
    statements = "".join(
        f"{sql}\ncomment on table {name} is {quoted(str(comment))};\n"
        for name, sql, comment in found
    )
    return _header() + statements


def _header() -> str:
    return HEADER.format(revision=head_revision())


def _name() -> str:
    return f"blank-{_made_of()}"


@cache
def _made_of() -> str:
    """Return the digest of all that the bytes of a blank warehouse come from."""
    parts = (
        duckdb.__version__,
        __version__,
        head_revision(),
        TABLES.read_text(encoding="utf-8"),
        each_alone(stored_program()),
        program_view(),
        json.dumps(column_words(), sort_keys=True),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
