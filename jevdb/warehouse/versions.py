"""What a file was made by, and whether this program can use it as it is."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import SchemaError
from jevdb.base.version import __version__
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.contents import Contents, contents
from jevdb.warehouse.sqlfiles import program_sha256

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


REVISIONS = "CREATE TABLE alembic_version(version_num VARCHAR NOT NULL);"
NUMBER = re.compile(r"[0-9]{4}")
_ROW = r"\('([a-z]+)', '([a-z]+)', '([a-z_][a-z0-9_]*)', '([0-9a-f]{64})'\)"
ROW = re.compile(_ROW)
PROGRAM = re.compile(
    r'CREATE VIEW "program" AS SELECT layer, kind, "name", sha256, '
    r"'(?P<version>[0-9a-z.+]{1,40})' AS jevdb_version, "
    r"'(?P<digest>[0-9a-f]{64})' AS program_sha256 FROM \(SELECT \* FROM \(VALUES "
    rf"(?P<rows>{_ROW}(?:, {_ROW})*)\) AS valueslist\) "
    r'AS objects\(layer, kind, "name", sha256\);'
)
"""The view that records in a file which SQL it was built from, as DuckDB writes it."""


class Recorded(NamedTuple):
    """What a file's views were made by: the version, its SQL, and their names."""

    version: str
    digest: str
    names: set[str]


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
    return max(_revisions())


def _revisions() -> set[str]:
    versions = (asset_folder("migrations") / "versions").glob("[0-9]*.py")
    return {path.name.split("_")[0] for path in versions}


def _is_revision(said: str | None) -> bool:
    """Whether a file's revision is one that a jevdb may have written: known, or newer.

    Anything else would be looked for among the migrations, where it is not.
    """
    if said is None or not NUMBER.fullmatch(said):
        return False
    known = _revisions()
    return said in known or said > max(known)


def built_with(connection: Connection, found: Contents | None = None) -> Built:
    """Read what a file was made by; *found* are its contents, where they are known.

    Nothing of the file is run: what its view ``program`` says is read in its text.
    """
    held = contents(connection.execute) if found is None else found
    kinds = {thing.kind for things in held.values() for thing in things}
    if "table" not in kinds:
        return Built(Fit.EMPTY)
    revisions = held.get("relation alembic_version", ())
    if [each.definition for each in revisions] != [REVISIONS]:
        return Built(Fit.FOREIGN)
    rows = connection.execute("select version_num from alembic_version").fetchall()
    schema = str(rows[0][0]) if rows else None
    n_tables = sum(each.kind == "table" for things in held.values() for each in things)
    if len(rows) > 1 or not (_is_revision(schema) if rows else n_tables == 1):
        return Built(Fit.FOREIGN)
    said = recorded(held)
    if said is None and "relation program" in held:
        # No jevdb made it, so it says nothing of age; it is a stranger like others.
        return Built(_fit(schema, __version__, program_sha256()), schema)
    if said is None:
        return Built(_fit(schema, "0", ""), schema)
    return Built(_fit(schema, said.version, said.digest), schema, *said[:2])


def recorded(found: Contents) -> Recorded | None:
    """Return what the view ``program`` of a file says, if it is one of a jevdb."""
    for thing in found.get("relation program", ()):
        said = PROGRAM.fullmatch(thing.definition or "")
        if thing.kind == "view" and said:
            names = {name for _, _, name, _ in ROW.findall(said["rows"])}
            return Recorded(said["version"], said["digest"], names)
    return None


def _fit(schema: str | None, version: str, digest: str) -> Fit:
    head = head_revision()
    if schema is not None and schema > head:
        return Fit.NEWER_SCHEMA
    if schema != head:
        return Fit.OLDER_SCHEMA
    if _numeric(version) > _numeric(__version__):
        return Fit.NEWER_VIEWS
    return Fit.CURRENT if digest == program_sha256() else Fit.OLDER_VIEWS


def is_outdated(connection: Connection, path: Path, found: Contents) -> bool:
    """Whether schema or views are older than the program; newer ones are an error."""
    built = built_with(connection, found)
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
