"""Bringing a warehouse to a schema revision: tables, seeds, views and macros."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from jevdb.base.version import __version__
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.column_words import comment_columns
from jevdb.warehouse.contents import OWN_SCHEMA, contents
from jevdb.warehouse.scope_views import install
from jevdb.warehouse.settings import without_log
from jevdb.warehouse.sqlfiles import identifier, program, quoted
from jevdb.warehouse.versions import recorded
from jevdb.warehouse.writing_out import each_alone, stored_program

if TYPE_CHECKING:
    from alembic.config import Config

    from jevdb.base.connection import Connection

SEED_KEYS = {
    "benchmarks": "benchmark_id",
    "methods": "method_id",
    "tier_weights": "method_id, tier",
    "report_rows": "benchmark_id, report_row, subset, kind",
    "scorings": "scoring",
}


DROPPED = {"view": "view", "macro": "macro", "table_macro": "macro table"}


class _Cursor(Protocol):
    def fetchall(self) -> Sequence[Sequence[object]]: ...


Execute = Callable[[str], _Cursor]


def upgrade(
    connection: Connection,
    *,
    to: str = "head",
    left_out: Collection[str] = (),
    require: Callable[[Execute], None] = lambda execute: None,
) -> None:
    """Bring tables, seeds, views and macros to a schema revision, in one transaction.

    A failure, or a kill, at any point leaves the file as it was; what *require* raises
    at the end is one. Below the newest revision there are only tables: the views belong
    to the newest schema. *left_out* are users' scorings that get no view.
    """
    with _migrating(connection) as (command, execute):
        drop_program(execute)
        if to != "head":
            command.downgrade(to)
            return
        command.upgrade(to)
        insert_seeds(execute)
        create_program(execute, left_out)
        comment_tables(execute)
        require(execute)


def create_tables(connection: Connection, revision: str) -> None:
    """Create the tables of a schema revision, empty and alone, in an empty file."""
    with _migrating(connection) as (command, _):
        command.upgrade(revision)


def create_migrated(connection: Connection) -> None:
    """Make today's tables, views, macros and comments, and no row, in an empty file."""
    with _migrating(connection) as (command, execute):
        command.upgrade("head")
        create_program(execute)
        comment_tables(execute)


def complete(connection: Connection) -> None:
    """Give a file that has today's views the seeds, and the scorings of its rows.

    In the transaction of the caller.
    """
    insert_seeds(connection.execute)
    if has_scorings(connection):
        install(connection.execute)


def has_scorings(connection: Connection) -> bool:
    """Whether users added scorings."""
    return bool(connection.execute("from scope_versions limit 1").fetchall())


class _Commands:
    """Alembic's commands on one configuration."""

    def __init__(self, config: Config):
        self._config = config

    def upgrade(self, to: str) -> None:
        from alembic import command

        command.upgrade(self._config, to)

    def downgrade(self, to: str) -> None:
        from alembic import command

        command.downgrade(self._config, to)


@contextmanager
def _migrating(connection: Connection) -> Iterator[tuple[_Commands, Execute]]:
    """Give Alembic, and what executes beside it, one transaction of the connection.

    Its log could not be read again: replaying a change of a table whose check calls a
    function (``+`` is one), DuckDB 1.5 finds no catalog to look it up in, and the file
    does not open any more.
    """
    # SQLAlchemy and Alembic take half a second to import; only upgrades need them.
    from alembic.config import Config

    from jevdb.warehouse.dialect import migrating_engine

    config = Config()
    config.set_main_option(
        "script_location", str(asset_folder("migrations")).replace("%", "%%")
    )
    engine = migrating_engine(connection)
    with without_log(connection), _unwrapped_errors(), engine.begin() as migrating:
        config.attributes["connection"] = migrating
        yield _Commands(config), migrating.exec_driver_sql


@contextmanager
def _unwrapped_errors() -> Iterator[None]:
    """Raise DuckDB's own errors, not SQLAlchemy's wrapping of them."""
    import sqlalchemy as sa

    try:
        yield
    except sa.exc.DBAPIError as error:
        raise (error.orig or error) from error


def comment_tables(execute: Execute) -> None:
    """Give every table, and its columns, their comments in the catalog."""
    from jevdb.warehouse.schema import metadata

    comments = {table.name: table.comment or "" for table in metadata.tables.values()}
    comments["alembic_version"] = "one row: the schema revision of the file"
    for name, comment in comments.items():
        execute(f"comment on table {name} is {quoted(comment)}")
    comment_columns(execute, comments)


def drop_program(execute: Execute) -> None:
    """Drop the views and macros that a jevdb created; a user's own stay.

    A file may be anybody's: what its view ``program`` says is held against what there
    is, and no name is taken from it.
    """
    found = contents(execute)
    said = recorded(found)
    names = {item.name for item in program()} | (said.names if said else set())
    for thing in (thing for held in found.values() for thing in held):
        if thing.kind in DROPPED and thing.schema == OWN_SCHEMA and thing.name in names:
            kind = DROPPED[thing.kind]
            execute(f"drop {kind} if exists {identifier(thing.name)}")
    execute("drop view if exists program")


def create_macros(connection: Connection) -> None:
    """Create the macros of the program, and no view."""
    for item in program():
        if item.kind == "macro":
            connection.execute(next(item.statements))


def create_program(
    execute: Execute,
    left_out: Collection[str] = (),
    commented: Collection[str] = (),
) -> None:
    """Create every macro and view: of the program, and of the scorings users added.

    Their columns get comments, and so do those of the tables *commented*.
    """
    execute(each_alone(stored_program()))
    install(execute, left_out)
    views = (item.name for item in program() if item.kind == "view")
    comment_columns(execute, [*views, *commented])


def insert_seeds(execute: Execute) -> None:
    """Insert the reference rows of ``seeds/`` that the file does not have yet.

    The program reads them, not DuckDB, which may read no other file here.
    """
    import csv

    execute(
        "insert into ingests select 0, 'seed', current_timestamp::timestamp, 'seed', "
        f"{quoted(__version__)}, null where not exists (from ingests where seq = 0)"
    )
    for table, key in SEED_KEYS.items():
        path = asset_folder("seeds") / f"{table}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            names, *rows = csv.reader(file)
        values = ",\n".join(
            f"({', '.join(quoted(cell) if cell else 'null' for cell in row)})"
            for row in rows
        )
        columns = ", ".join(map(identifier, names))
        execute(
            f"insert into {table} by name select *, 0 as seq from (values {values}) "
            f"as seeds ({columns}) anti join {table} using ({key})"
        )
