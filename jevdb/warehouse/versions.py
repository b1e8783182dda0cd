"""What a file was made by, and whether this program can use it as it is."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import SchemaError
from jevdb.base.version import __version__
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.sqlfiles import program_sha256

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class Fit(Enum):
    """How a file stands to this program."""

    CURRENT = "current"
    EMPTY = "empty"
    OLDER_SCHEMA = "older schema"
    OLDER_VIEWS = "older views"
    NEWER_SCHEMA = "newer schema"
    NEWER_VIEWS = "newer views"
    FOREIGN = "foreign"


class Built(NamedTuple):
    """What a file says of itself: schema revision, who made its views, of what SQL."""

    fit: Fit
    schema: str | None = None
    jevdb_version: str | None = None
    program_sha256: str | None = None


def head_revision() -> str:
    """Return the newest schema revision this program knows."""
    versions = (asset_folder("migrations") / "versions").glob("[0-9]*.py")
    return max(path.name.split("_")[0] for path in versions)


def built_with(connection: Connection) -> Built:
    """Read what a file was made by."""
    names = {
        str(name)
        for (name,) in connection.execute(
            "select table_name from duckdb_tables() where schema_name = 'main'"
        ).fetchall()
    }
    if not names:
        return Built(Fit.EMPTY)
    if "alembic_version" not in names:
        return Built(Fit.FOREIGN)
    found = connection.execute("select version_num from alembic_version").fetchall()
    schema = str(found[0][0]) if found else None
    has_program = connection.execute(
        "select count(*) from duckdb_views() where view_name = 'program'"
    ).fetchall()[0][0]
    if not has_program:
        return Built(_fit(schema, "0", ""), schema)
    version, digest = connection.execute(
        "select jevdb_version, program_sha256 from program limit 1"
    ).fetchall()[0]
    fit = _fit(schema, str(version), str(digest))
    return Built(fit, schema, str(version), str(digest))


def _fit(schema: str | None, version: str, digest: str) -> Fit:
    head = head_revision()
    if schema is not None and schema > head:
        return Fit.NEWER_SCHEMA
    if schema != head:
        return Fit.OLDER_SCHEMA
    if _numeric(version) > _numeric(__version__):
        return Fit.NEWER_VIEWS
    return Fit.CURRENT if digest == program_sha256() else Fit.OLDER_VIEWS


def is_outdated(connection: Connection, path: Path) -> bool:
    """Whether schema or views are older than the program; newer ones are an error."""
    built = built_with(connection)
    if built.fit is Fit.FOREIGN:
        raise SchemaError(f"{path}: a DuckDB file, but not a jevdb warehouse")
    if built.fit is Fit.NEWER_SCHEMA:
        raise SchemaError(
            f"{path}: schema {built.schema} is newer than this jevdb {__version__} "
            f"knows ({head_revision()}); upgrade jevdb"
        )
    if built.fit is Fit.NEWER_VIEWS:
        raise SchemaError(
            f"{path}: its views were built by jevdb {built.jevdb_version}, this is "
            f"{__version__}; upgrade jevdb"
        )
    return built.fit is not Fit.CURRENT


def _numeric(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))
