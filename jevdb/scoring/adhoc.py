"""Ad-hoc SQL: one select on a connection that can do nothing else.

The file is open read-only; then extensions, other files and Python variables are turned
off and the configuration is locked. What is left are table functions that change a
setting when selected from (``enable_profiling``), so only those that read are allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

import duckdb

from jevdb.base.arrow import register
from jevdb.base.connection import Connection
from jevdb.base.errors import JevdbError, UsageError
from jevdb.base.output import Rows, collected, fetched
from jevdb.scoring.selection import Selection, selected
from jevdb.warehouse.sqlfiles import program, query

READING_FUNCTIONS = re.compile(
    r"duckdb_(?!logs|log_contexts)\w+|pragma_(?!show)\w+|pg_timezone_names"
    r"|range|generate_series|unnest|repeat|repeat_row|query_table|json_each|json_tree"
)

FILE_READERS = re.compile(
    r"read_(csv|csv_auto|parquet|json|json_auto|ndjson|ndjson_auto|text|blob)"
    r"|parquet_scan|glob"
)
"""What a caller may call as well who lets a query read other files (``safe=False``)."""

Parameters = Mapping[str, Any] | Sequence[Any] | None

DERIVED_LAYERS = ("metrics", "indices", "reports")


def lend_statistics(connection: Connection, text: str) -> None:
    """Give the connection the statistics that *text* may call.

    numpy takes a tenth of a second to import, so not without need.
    """
    if "py_" in text.lower():
        from jevdb.numerics import statistics

        statistics.register(connection)


def lend_tables(connection: Connection, tables: Mapping[str, object]) -> None:
    """Let the connection read data frames or Arrow tables by these names.

    Raises
    ------
    UsageError
        The warehouse has a table or view of that name, or it is no table.
    """
    rows = connection.execute(
        "select lower(table_name) from information_schema.tables"
    ).fetchall()
    taken = {str(name) for (name,) in rows}
    for name, table in tables.items():
        if name.lower() in taken:
            raise UsageError(f"the warehouse has a table {name!r}; choose another name")
        try:
            register(connection, name, table)
        except duckdb.Error as error:
            raise UsageError(f"{name}: no data frame and no Arrow table") from error


class Shape(NamedTuple):
    """What DuckDB's parser says about a text, before anything is run."""

    error_type: str | None
    error_message: str | None
    n_statements: int | None
    table_functions: list[str]
    relations: list[str]


def select(connection: Connection, text: str) -> Rows:
    """Run one select on a locked connection and return its rows.

    Raises
    ------
    JevdbError
        The text is not one select, calls a function that does more than read, or DuckDB
        finds a fault in it.
    """
    try:
        shape = require_select(connection, text)
        if not _wants_stored_views(connection, shape):
            connection.execute(text)
            return fetched(connection)
        with selected(connection, Selection()):
            connection.execute(text)
            return collected(connection)
    except duckdb.Error as error:
        raise sql_error(error) from error


@contextmanager
def executed(
    connection: Connection,
    text: str,
    parameters: Parameters = None,
    *,
    reads_files: bool = False,
) -> Iterator[None]:
    """Run one select, its result open on the connection until the block ends.

    Raises the errors of `select`.
    """
    try:
        shape = require_select(connection, text, reads_files=reads_files)
        stored = _wants_stored_views(connection, shape)
        with selected(connection, Selection()) if stored else nullcontext():
            connection.execute(text, parameters)
            yield
    except duckdb.Error as error:
        raise sql_error(error) from error


def require_select(
    connection: Connection, text: str, *, reads_files: bool = False
) -> Shape:
    """Refuse a text that is not one select, or calls what does more than read."""
    found = connection.execute(query("scoring/query_shape"), {"query": text}).fetchall()
    shape = Shape(*found[0])
    if shape.error_type == "parser":
        raise JevdbError(f"Parser Error: {shape.error_message}")
    if shape.error_type is not None or not shape.n_statements:
        raise JevdbError(
            "only a select can be run here (or from, with, values, describe, show "
            "tables); for anything else open the file with a DuckDB client"
        )
    if shape.n_statements > 1:
        raise JevdbError(
            f"one select at a time, this is {shape.n_statements}; join them with CTEs"
        )
    macros = _table_macros(connection)
    for name in sorted(shape.table_functions):
        if reads_files and FILE_READERS.fullmatch(name):
            continue
        if name not in macros and not READING_FUNCTIONS.fullmatch(name):
            raise JevdbError(f"the function {name} does more than read the warehouse")
    return shape


def _wants_stored_views(connection: Connection, shape: Shape) -> bool:
    """Whether the query reads reports, and nothing that a stored view lacks.

    A report over views that are stored for the query takes a fraction of the time, and
    gives the same rows. What only the persisted ``scored`` has, its lists, could be
    named directly, or by a view that the user made.
    """
    named = set(shape.relations)
    layers = {item.name: item.layer for item in program()}
    if not any(layers.get(name) in DERIVED_LAYERS for name in named):
        return False
    views = connection.execute(
        "select lower(view_name) from duckdb_views() where not internal"
    ).fetchall()
    own = {name for (name,) in views} - layers.keys()
    return named.isdisjoint({"scored", *own})


def _table_macros(connection: Connection) -> set[str]:
    found = connection.execute(
        "select lower(function_name) from duckdb_functions() "
        "where function_type = 'table_macro' and not internal"
    )
    return {name for (name,) in found.fetchall()}


def sql_error(error: duckdb.Error) -> JevdbError:
    """Return DuckDB's complaint in one line, with its hint and without its drawing."""
    told = re.split(r"\n\s*\n|\nLINE \d+:", str(error))[0]
    told = re.sub(r"^.*while executing the UDF: \w+: ", "", told, flags=re.DOTALL)
    return JevdbError(" ".join(told.split()))
