"""Ad-hoc SQL: one select on a connection that can do nothing else.

The file is open read-only; then extensions, other files and Python variables are turned
off and the configuration is locked. What is left are table functions that change a
setting when selected from (``enable_profiling``), so only those that read are allowed.
"""

from __future__ import annotations

import re

import duckdb

from jevdb.database import Connection
from jevdb.errors import JevdbError
from jevdb.output import Rows, fetched
from jevdb.sqlfiles import query

LOCKS = (
    "set autoload_known_extensions = false",
    "set python_enable_replacements = false",
    "set timezone = 'UTC'",
    "set enable_external_access = false",
    "set lock_configuration = true",
)
READING_FUNCTIONS = re.compile(
    r"duckdb_(?!logs|log_contexts)\w+|pragma_(?!show)\w+|pg_timezone_names"
    r"|range|generate_series|unnest|repeat|repeat_row|query_table|json_each|json_tree"
)


def lock(connection: Connection) -> None:
    """Turn off everything but reading the warehouse, for good."""
    for statement in LOCKS:
        connection.execute(statement)


def select(connection: Connection, text: str) -> Rows:
    """Run one select on a locked connection and return its rows.

    Raises
    ------
    JevdbError
        The text is not one select, calls a function that does more than read, or DuckDB
        finds a fault in it.
    """
    try:
        _require_select(connection, text)
        connection.execute(text)
        return fetched(connection)
    except duckdb.Error as error:
        raise sql_error(error) from error


def _require_select(connection: Connection, text: str) -> None:
    shape = connection.execute(query("query_shape"), {"query": text}).fetchall()[0]
    error_type, message, count, functions = shape
    if error_type == "parser":
        raise JevdbError(f"Parser Error: {message}")
    if error_type is not None or count == 0:
        raise JevdbError(
            "only a select can be run here (or from, with, values, describe, show "
            "tables); for anything else open the file with a DuckDB client"
        )
    if count > 1:
        raise JevdbError(f"one select at a time, this is {count}; join them with CTEs")
    macros = _table_macros(connection)
    for name in sorted(functions or ()):
        if name not in macros and not READING_FUNCTIONS.fullmatch(name):
            raise JevdbError(f"the function {name} does more than read the warehouse")


def _table_macros(connection: Connection) -> set[str]:
    found = connection.execute(
        "select lower(function_name) from duckdb_functions() "
        "where function_type = 'table_macro' and not internal"
    )
    return {name for (name,) in found.fetchall()}


def sql_error(error: duckdb.Error) -> JevdbError:
    """Return DuckDB's complaint in one line, with its hint and without its drawing."""
    told = re.split(r"\n\s*\n|\nLINE \d+:", str(error))[0]
    return JevdbError(" ".join(told.split()))
