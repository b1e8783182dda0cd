"""A DuckDB for lakes, its extensions from the files of their wheels, or fetched."""

from __future__ import annotations

import importlib.util
import os
from functools import cache
from pathlib import Path

import duckdb

from jevdb.base.connection import Connection
from jevdb.base.errors import JevdbError, UsageError
from jevdb.base.installing import to_install
from jevdb.base.memory import for_duckdb
from jevdb.lake.failures import first_line
from jevdb.warehouse.private import spill_privately
from jevdb.warehouse.settings import ONE_THREAD, hide_progress
from jevdb.warehouse.sqlfiles import quoted

VARIABLE = "JEVDB_LAKE_EXTENSIONS"
INSTALL = "install"
S3_OPTIONS = {
    "key_id": "AWS_ACCESS_KEY_ID",
    "secret": "AWS_SECRET_ACCESS_KEY",
    "session_token": "AWS_SESSION_TOKEN",
    "region": "AWS_DEFAULT_REGION",
}


@cache
def engine(process: int) -> Connection:
    """Return the process's DuckDB for lakes: loading its extensions takes a while."""
    made = duckdb.connect(config=for_duckdb() | ONE_THREAD)
    hide_progress(made)
    spill_privately(made)
    made.execute("set autoload_known_extensions = false")
    # A file that was damaged since it was last read must be seen to be.
    made.execute("set enable_external_file_cache = false")
    for name in ("ducklake", "postgres_scanner"):
        load_extension(made, name)
    # A commit is accepted only if nobody else's came between: never retry one.
    made.execute("set ducklake_max_retry_count = 0")
    return made


def load_extension(connection: Connection, name: str) -> None:
    """Load an extension from the files of its wheel, its signature checked.

    Where there is none for this DuckDB, and only if ``JEVDB_LAKE_EXTENSIONS`` is
    ``install``, DuckDB fetches it from its own repository, signed too.

    Raises
    ------
    JevdbError
        The wheel is not installed, or is for another DuckDB; or it cannot be fetched.
    UsageError
        The variable has another word.
    """
    asked = os.environ.get(VARIABLE)
    if asked and asked != INSTALL:
        raise UsageError(f"{VARIABLE} is {asked!r}; it is {INSTALL}, or not set")
    file = _of_its_wheel(name)
    fault = f"a lake needs DuckDB's extension {name}"
    if file is not None:
        try:
            connection.execute(f"load {quoted(str(file))}")
        except duckdb.Error as error:
            fault = (
                f"DuckDB {duckdb.__version__} cannot load its extension {name}: "
                f"{first_line(error)}"
            )
        else:
            return
    if not asked:
        raise JevdbError(
            f"{fault}: {to_install('lake')}; or set {VARIABLE}={INSTALL}, and DuckDB "
            "fetches it from its own repository"
        )
    try:
        connection.execute(f"install {name}")
        connection.execute(f"load {name}")
    except duckdb.Error as error:
        raise JevdbError(
            f"{fault}, and cannot fetch it: {first_line(error)}; without a network: "
            f"{to_install('lake')}"
        ) from error


def _of_its_wheel(name: str) -> Path | None:
    spec = importlib.util.find_spec(f"duckdb_extension_{name}")
    places = (spec.submodule_search_locations or ()) if spec else ()
    files = (
        path
        for place in places
        for path in Path(place).glob(f"extensions/*/{name}.duckdb_extension")
    )
    return next(files, None)


def reach_objects(connection: Connection) -> None:
    """Let files in an object store be read and written, as the environment says."""
    load_extension(connection, "httpfs")
    given = {k: os.environ[name] for k, name in S3_OPTIONS.items() if name in _env()}
    if "key_id" not in given:
        return  # A DuckDB secret of the user's, or a public bucket.
    if endpoint := os.environ.get("AWS_ENDPOINT_URL"):
        scheme, _, host = endpoint.rpartition("://")
        given |= {"endpoint": host.rstrip("/"), "url_style": "path"}
        given |= {"use_ssl": "false" if scheme == "http" else "true"}
    options = ", ".join(f"{name} {quoted(value)}" for name, value in given.items())
    connection.execute(f"create or replace secret jevdb_s3 (type s3, {options})")


def _env() -> set[str]:
    return {name for name, value in os.environ.items() if value}
