"""Which lake is meant, where this machine keeps its mirror, and what must not be told.

``lake:NAME`` is looked up in a TOML file; ``ducklake:postgres:DSN`` and
``ducklake:SECRET`` are DuckDB's own words for a catalog.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.secrets import redacted, redacted_address

NAMED = "lake:"
DIRECT = "ducklake:"
POSTGRES = "postgres:"
SECRET_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
DATABASE = re.compile(r"\bdbname\s*=\s*'?([^\s']+)|://[^/\s]*/([^?\s]+)")


@dataclass(frozen=True, slots=True)
class Target:
    """A lake: the name a person gave it, its catalog, its data as seen from here."""

    name: str
    catalog: str
    data: str | None = None

    @property
    def database(self) -> str | None:
        """The catalog's database, where the connection string names it."""
        found = DATABASE.search(self.catalog)
        return (found[1] or found[2]) if found else None

    @property
    def mirror(self) -> Path:
        """The file that holds this machine's copy of the lake.

        A mirror belongs to one schema and one jevdb, so that two versions on a machine
        never upgrade each other's away.
        """
        from jevdb.base.version import __version__
        from jevdb.warehouse.cache import cache_folder
        from jevdb.warehouse.versions import head_revision

        key = hashlib.sha256(redacted(self.catalog).encode()).hexdigest()[:16]
        return cache_folder() / f"{key}-{head_revision()}-{__version__}.duckdb"


def is_lake(db: str) -> bool:
    """Whether ``--db`` names a lake, and not a file."""
    return db.startswith((NAMED, DIRECT))


def resolve(db: str) -> Target:
    """Return the lake that ``--db`` names.

    Raises
    ------
    UnknownNameError
        The file of lakes knows no such name.
    UsageError
        The catalog is not in PostgreSQL.
    """
    if db.startswith(NAMED):
        return _configured(db.removeprefix(NAMED))
    catalog = db.removeprefix(DIRECT)
    _require_postgres(catalog, redacted_address(db))
    return Target(redacted(db), catalog)


def _configured(name: str) -> Target:
    from jevdb.base.toml_files import read_toml

    path = lakes_file()
    lakes = read_toml(path, _faults)["lakes"] if path.exists() else {}
    if name not in lakes:
        raise UnknownNameError(f"lake in {path}:", redacted_address(name), lakes)
    found = lakes[name]
    return Target(NAMED + name, found["catalog"], found.get("data"))


def _faults(given: dict[str, Any]) -> Iterator[tuple[str | None, str]]:
    lakes = given.get("lakes")
    if not isinstance(lakes, dict):
        yield "lakes", "expected a table for each lake: [lakes.NAME]"
        return
    for name, lake in lakes.items():
        place = f"lakes.{name}"
        if not isinstance(lake, dict) or not isinstance(lake.get("catalog"), str):
            yield place, 'expected catalog = "postgres:service=..."'
            continue
        try:
            _require_postgres(lake["catalog"], place)
        except UsageError as error:
            yield f"{place}.catalog", str(error)
        for key in sorted(lake.keys() - {"catalog", "data"}):
            yield f"{place}.{key}", "unknown key; known: catalog, data"
        if not isinstance(lake.get("data", ""), str):
            yield f"{place}.data", "expected a folder or s3://bucket/prefix"


def _require_postgres(catalog: str, place: str) -> None:
    if not catalog.startswith(POSTGRES) and not SECRET_NAME.fullmatch(catalog):
        raise UsageError(
            f"{place}: a lake's catalog is postgres:CONNECTION or the name of a DuckDB "
            "secret"
        )


def lakes_file() -> Path:
    """Return the file that names lakes: ``JEVDB_LAKES``, else in the user's config."""
    if given := os.environ.get("JEVDB_LAKES"):
        return Path(given)
    from platformdirs import user_config_path

    return user_config_path("jevdb", appauthor=False) / "lakes.toml"
