"""A bundle back into a warehouse: a new file, at today's schema, with its views."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from jevdb.base.errors import ConflictError, JevdbError, SchemaError
from jevdb.base.text import counted
from jevdb.base.wording import option
from jevdb.bundles.bundle import Manifest, own_tables, read_manifest
from jevdb.scoring.adhoc import sql_error
from jevdb.scoring.user_scopes import scope_faults
from jevdb.warehouse.contents import named
from jevdb.warehouse.database import transaction
from jevdb.warehouse.faults import is_of_disk
from jevdb.warehouse.new_files import building, filling, filling_blank
from jevdb.warehouse.scope_views import program_scorings, scope_versions
from jevdb.warehouse.scoring_rules import stated
from jevdb.warehouse.settings import shut
from jevdb.warehouse.sqlfiles import parse_text, quoted
from jevdb.warehouse.upgrading import complete, create_tables, upgrade
from jevdb.warehouse.versions import head_revision

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

TWICE = """\
select run_id, item_id
from predictions
group by run_id, item_id, repeat
having count(*) > 1
order by run_id, item_id
limit 1"""
KEYLESS = "0006"
"""The schema from which on predictions have no key."""
REVISION = re.compile(r"\d{4}")


def restore(folder: Path, path: Path) -> Manifest:
    """Make a warehouse at *path* of the bundle in *folder*, and say what it holds.

    The tables are filled at the schema they were written at, then brought to today's.

    Raises
    ------
    ConflictError
        There is a file at *path*.
    SchemaError
        The bundle is newer than this program.
    JevdbError
        The bundle is not whole, or not what a warehouse holds.
    """
    require_free(path)
    manifest = read_manifest(folder)
    _require_known(manifest)
    try:
        with building(path) as built:
            _make(built, path, folder, manifest)
    except FileExistsError as error:
        raise _taken(path) from error
    return manifest


def _make(built: Path, path: Path, folder: Path, manifest: Manifest) -> None:
    revision = manifest.schema_revision
    if revision == head_revision():
        with filling_blank(built, path) as connection:
            _fill(connection, folder, manifest)
            shut(connection)
            with transaction(connection):
                complete(connection)
        return
    with filling(built, path) as connection:
        create_tables(connection, revision)
        _fill(connection, folder, manifest)
        shut(connection)
        upgrade(connection)


def require_free(path: Path) -> None:
    """Refuse a path where there is a file already."""
    if path.exists():
        raise _taken(path)


def _taken(path: Path) -> ConflictError:
    return ConflictError(
        f"{path}: there is a file already; restore into a new one with "
        f"{option('path', shell='db')}"
    )


def _require_known(manifest: Manifest) -> None:
    revision, known = manifest.schema_revision, head_revision()
    if not REVISION.fullmatch(revision) or revision == "0000":
        raise JevdbError(f"the bundle's schema {revision!r} is none of jevdb")
    if revision > known:
        raise SchemaError(
            f"the bundle's schema {revision} is newer than this jevdb knows ({known}); "
            "upgrade jevdb"
        )


def _fill(connection: Connection, folder: Path, manifest: Manifest) -> None:
    tables = own_tables(connection)
    if tables != manifest.tables.keys():
        differing = ", ".join(sorted(tables ^ manifest.tables.keys()))
        raise JevdbError(
            f"the bundle's tables are not those of its schema: {differing}"
        )
    try:
        with transaction(connection):
            for table, held in manifest.tables.items():
                _load(connection, table, folder / held.file, held.rows)
            if "scope_versions" in tables:
                require_scopes(connection)
            if manifest.schema_revision >= KEYLESS:
                _require_once(connection)
    except duckdb.Error as error:
        if is_of_disk(error) or isinstance(error, duckdb.OutOfMemoryException):
            raise
        raise JevdbError(
            f"the bundle holds no warehouse: {sql_error(error)}"
        ) from error


def _require_once(connection: Connection) -> None:
    """Refuse a bundle in which a run answers the same twice: no key would."""
    twice = connection.execute(TWICE).fetchall()
    if twice:
        raise JevdbError(
            "the bundle holds no warehouse: run {}, item {} is answered twice".format(
                *map(str, twice[0])
            )
        )


def _load(connection: Connection, table: str, path: Path, rows: int) -> None:
    connection.execute(
        f"insert into {table} by name from read_parquet({quoted(str(path))})"
    ).fetchall()
    found = connection.execute(f"select count(*) from {table}").fetchall()[0][0]
    if found != rows:
        raise JevdbError(
            f"{path.name}: {counted(found, 'row')} where the manifest says {rows}"
        )


def require_scopes(connection: Connection) -> None:
    """Refuse stored scorings that are not what `jevdb scopes add` would store.

    They may come from anybody, and their text becomes a view.
    """
    for each in scope_versions(connection):
        if each.scoring in program_scorings():
            raise JevdbError(f"{each.scoring!r} is no name of a scoring")
        stated(each.sql, f"the scoring {each.scoring}")
        body = parse_text("scopes", "", each.sql).body
        if faults := scope_faults(each.scoring, body):
            raise JevdbError(
                f"the scoring {named(each.scoring)}, version {each.version}: "
                f"{faults[0]}"
            )
