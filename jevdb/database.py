"""Opening, creating and upgrading a warehouse file: the only module that connects."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

import duckdb

from jevdb import __version__
from jevdb.assets import asset_folder
from jevdb.errors import BusyError, JevdbError, SchemaError
from jevdb.scope_views import install
from jevdb.sqlfiles import program, program_sha256, quoted

LOCK_TIMEOUT = 30.0
POLL_SECONDS = 0.05
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
}
SEED_TABLES = ("benchmarks", "methods", "tier_weights", "report_rows")

Connection = duckdb.DuckDBPyConnection
Execute = Callable[[str], object]
OnWait = Callable[[str], None]


class _Cursor(Protocol):
    def fetchall(self) -> Sequence[Sequence[object]]: ...


def head_revision() -> str:
    """Return the newest schema revision this program knows."""
    versions = (asset_folder("migrations") / "versions").glob("[0-9]*.py")
    return max(path.name.split("_")[0] for path in versions)


@contextmanager
def open_reader(
    path: Path, *, lock_timeout: float = LOCK_TIMEOUT, on_wait: OnWait | None = None
) -> Iterator[Connection]:
    """Open a warehouse read-only, upgrading it first where it is older than we are.

    Raises
    ------
    SchemaError
        The file is missing, is no warehouse, is newer than this program, or is older
        and cannot be written to.
    BusyError
        A writer held the file for longer than *lock_timeout* seconds.
    """
    require_file(path)
    connection = _connect(path, True, lock_timeout, on_wait)
    try:
        if _is_outdated(connection, path):
            connection.close()
            with open_writer(path, lock_timeout=lock_timeout, on_wait=on_wait):
                pass
            connection = _connect(path, True, lock_timeout, on_wait)
        with translated_errors(path):
            yield connection
    finally:
        connection.close()


@contextmanager
def open_writer(
    path: Path,
    *,
    create: bool = False,
    lock_timeout: float = LOCK_TIMEOUT,
    on_wait: OnWait | None = None,
) -> Iterator[Connection]:
    """Open a warehouse for writing, at the newest schema and with today's views.

    Raises the errors of `open_reader`; a missing file is one unless *create*.
    """
    if not create:
        require_file(path)
    connection = _connect(path, False, lock_timeout, on_wait)
    try:
        if _is_outdated(connection, path):
            upgrade(connection)
        with translated_errors(path):
            yield connection
    finally:
        connection.close()


def open_scratch() -> Connection:
    """Open a database in memory that knows the program's macros and holds no data."""
    connection = duckdb.connect(config=SETTINGS)
    for item in program():
        if item.kind == "macro":
            connection.execute(next(item.statements))
    return connection


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Commit what the block did, or nothing of it."""
    connection.execute("begin transaction")
    try:
        yield
    except BaseException:
        # An error inside COMMIT has already ended the transaction.
        with suppress(duckdb.TransactionException):
            connection.execute("rollback")
        raise
    connection.execute("commit")


def require_file(path: Path) -> None:
    """Refuse a path where there is no file yet."""
    if not path.exists():
        raise SchemaError(
            f"{path}: no such warehouse; create it with `jevdb init` or name another "
            "with --db"
        )


def _refuse_data_file(path: Path) -> None:
    """Refuse what DuckDB would open in memory, as a view of a CSV or JSON file."""
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError:
        return
    if head and head[8:] != b"DUCK":
        raise SchemaError(f"{path}: not a DuckDB file; name a warehouse with --db")


def _connect(
    path: Path, read_only: bool, lock_timeout: float, on_wait: OnWait | None
) -> Connection:
    _refuse_data_file(path)
    deadline = time.monotonic() + lock_timeout
    told = False
    while True:
        try:
            with translated_errors(path):
                connection = duckdb.connect(path, read_only=read_only, config=SETTINGS)
            # DuckDB draws its progress bar on stdout, among the data.
            connection.execute("set enable_progress_bar = false")
            return connection
        except BusyError as busy:
            if time.monotonic() >= deadline:
                raise
            if on_wait and not told:
                on_wait(f"waiting: {busy}")
                told = True
            time.sleep(POLL_SECONDS)


@contextmanager
def translated_errors(path: Path) -> Iterator[None]:
    """Turn DuckDB's faults of file, lock and disk into jevdb's; leave the others."""
    try:
        yield
    except duckdb.IOException as error:
        raise _io_error(path, str(error)) from error
    except duckdb.FatalException as error:
        raise SchemaError(f"{path}: {_first_line(error)}") from error
    except duckdb.OutOfMemoryException as error:
        raise JevdbError(
            f"{path}: out of memory or temporary disk: {_first_line(error)}"
        ) from error


def _io_error(path: Path, message: str) -> JevdbError:
    if "Could not set lock" in message:
        holder = re.search(
            r"Conflicting lock is held in (.*?)( by user .*?)?\.", message
        )
        pid = re.search(r"\(PID (\d+)\)", message)
        who = f"process {pid.group(1)}" if pid else "another process"
        detail = f" ({Path(holder.group(1).split(' (PID')[0]).name})" if holder else ""
        return BusyError(f"{path}: held by {who}{detail}; try again when it is done")
    if "not a valid DuckDB database file" in message:
        return SchemaError(f"{path}: not a DuckDB file; name a warehouse with --db")
    if "version number" in message and "can only read" in message:
        return SchemaError(f"{path}: written by a newer DuckDB; upgrade duckdb")
    return JevdbError(f"{path}: {_first_line(message)}")


def _first_line(error: object) -> str:
    return str(error).strip().splitlines()[0]


def _is_outdated(connection: Connection, path: Path) -> bool:
    """Whether schema or views are older than the program; newer ones are an error."""
    schema, version, digest = _built_with(connection, path)
    if schema is not None and schema > head_revision():
        raise SchemaError(
            f"{path}: schema {schema} is newer than this jevdb {__version__} knows "
            f"({head_revision()}); upgrade jevdb"
        )
    if schema == head_revision() and _numeric(version) > _numeric(__version__):
        raise SchemaError(
            f"{path}: its views were built by jevdb {version}, this is {__version__}; "
            "upgrade jevdb"
        )
    return schema != head_revision() or digest != program_sha256()


def _built_with(connection: Connection, path: Path) -> tuple[str | None, str, str]:
    names = {
        str(name)
        for (name,) in connection.execute(
            "select table_name from duckdb_tables() where schema_name = 'main'"
        ).fetchall()
    }
    if not names:
        return None, "0", ""
    if "alembic_version" not in names:
        raise SchemaError(f"{path}: a DuckDB file, but not a jevdb warehouse")
    found = connection.execute("select version_num from alembic_version").fetchall()
    schema = str(found[0][0]) if found else None
    has_program = connection.execute(
        "select count(*) from duckdb_views() where view_name = 'program'"
    ).fetchall()[0][0]
    if not has_program:
        return schema, "0", ""
    version, digest = connection.execute(
        "select jevdb_version, program_sha256 from program limit 1"
    ).fetchall()[0]
    return schema, str(version), str(digest)


def _numeric(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def upgrade(connection: Connection, *, to: str = "head") -> None:
    """Bring tables, seeds, views and macros to a schema revision, in one transaction.

    A failure, or a kill, at any point leaves the file as it was. Below the newest
    revision there are only tables: the views belong to the newest schema.
    """
    # SQLAlchemy and Alembic take half a second to import; only upgrades need them.
    import sqlalchemy as sa
    from alembic import command
    from alembic.config import Config
    from duckdb_sqlalchemy import ConnectionWrapper
    from sqlalchemy.pool import NullPool

    config = Config()
    config.set_main_option(
        "script_location", str(asset_folder("migrations")).replace("%", "%%")
    )
    # A DuckDB cursor is a second connection to the same open file, under its lock.
    engine = sa.create_engine(
        "duckdb://",
        creator=lambda: ConnectionWrapper(connection.cursor()),
        poolclass=NullPool,
    )
    with _unwrapped_errors(), engine.begin() as migrating:
        execute = migrating.exec_driver_sql
        config.attributes["connection"] = migrating
        drop_program(execute)
        if to == "head":
            command.upgrade(config, to)
            insert_seeds(execute)
            create_program(execute)
            comment_tables(execute)
        else:
            command.downgrade(config, to)


@contextmanager
def _unwrapped_errors() -> Iterator[None]:
    """Raise DuckDB's own errors, not SQLAlchemy's wrapping of them."""
    import sqlalchemy as sa

    try:
        yield
    except sa.exc.DBAPIError as error:
        raise (error.orig or error) from error


def comment_tables(execute: Execute) -> None:
    """Give every table its comment in the catalog."""
    from jevdb.schema import metadata

    for table in metadata.tables.values():
        execute(f"comment on table {table.name} is {quoted(table.comment or '')}")


def drop_program(execute: Callable[[str], _Cursor]) -> None:
    """Drop the views and macros that a jevdb created; a user's own stay."""
    if not execute(
        "select view_name from duckdb_views() where view_name = 'program'"
    ).fetchall():
        return
    for kind, name in execute("select distinct kind, name from program").fetchall():
        execute(f'drop {kind} if exists "{name}"')
    execute("drop view program")


def create_program(execute: Callable[[str], _Cursor]) -> None:
    """Create every macro and view: of the program, and of the scorings users added."""
    for item in program():
        for statement in item.statements:
            execute(statement)
    install(execute)


def insert_seeds(execute: Execute) -> None:
    """Insert the reference rows of ``seeds/`` that the file does not have yet."""
    execute(
        "insert into ingests select 0, 'seed', current_timestamp::timestamp, 'seed', "
        f"{quoted(__version__)}, null where not exists (from ingests where seq = 0)"
    )
    for table in SEED_TABLES:
        path = asset_folder("seeds") / f"{table}.csv"
        execute(
            f"insert into {table} by name select *, 0 as seq from read_csv("
            f"{quoted(str(path))}, header = true, nullstr = '', all_varchar = true) "
            f"anti join {table} using ({SEED_KEYS[table]})"
        )


SEED_KEYS = {
    "benchmarks": "benchmark_id",
    "methods": "method_id",
    "tier_weights": "method_id, tier",
    "report_rows": "benchmark_id, report_row, subset, kind",
}
