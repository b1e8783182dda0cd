"""What the SQL of a scoring may be, whoever wrote it and however it came in.

A scoring is one select over ``golden_items`` that gives the same rows whenever it is
asked, within limits of time and memory. Its text is read by DuckDB's own parser and
judged by what it names; the functions it may call are those that DuckDB's catalog says
depend on their arguments alone, and the macros of jevdb. Nothing of it is run before.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import duckdb

from jevdb.base.errors import JevdbError
from jevdb.warehouse.sqlfiles import program, quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

SOURCE = "golden_items"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
COLUMNS = ["benchmark_id", "report_row", "subset", "item_id"]
MOST_CHARACTERS = 200_000
"""A hundred times the longest scoring that there is."""
MOST_ROWS_AN_ITEM = 1000
"""Report rows times subsets of an item; jevdb's own have up to 18."""
SECONDS = 10.0
"""How long a scoring may take; jevdb's own take hundredths of a second."""
MEMORY = "1GB"

PARSED = "select system.main.json_serialize_sql({text}::varchar)::varchar"
FUNCTIONS = """\
select
    function_name,
    function_type,
    stability,
    macro_definition
from system.main.duckdb_functions()
where database_name = 'system'"""
SURROUNDINGS = {
    *("alias", "current_database", "current_schema", "current_schemas"),
    *("current_setting", "getvariable", "in_search_path", "version"),
    *("json_deserialize_sql", "json_serialize_plan", "json_serialize_sql"),
}
"""Functions that tell of more than their arguments, whatever the catalog says."""
BY_CHANCE = {"any_value", "arbitrary", "first", "last", "reservoir_quantile"}
"""Aggregates whose value depends on the order in which threads find the rows."""
GROWING = {
    *("array_resize", "bar", "generate_series", "list_resize", "lpad", "range"),
    *("repeat", "rpad"),
}
"""Functions whose result is as large as a number says."""
VALUES = {
    *("current_catalog", "current_date", "current_role", "current_schema"),
    *("current_time", "current_timestamp", "current_user", "localtime"),
    *("localtimestamp", "session_user", "user"),
}
"""What DuckDB answers itself where no column has the name."""
PLACED = {
    *("cume_dist", "dense_rank", "first_value", "lag", "last_value", "lead"),
    *("nth_value", "ntile", "percent_rank", "rank", "row_number", "unnest"),
}
"""What DuckDB's catalog does not list: functions of windows, and of a list."""
TABLE_FUNCTIONS = {"unnest"}
STEADY = "CONSISTENT"
GROWS = "grows without bound; list the rows with values"
VARIES = "does not depend on its arguments alone, or is no function"


class _Cursor(Protocol):
    def fetchall(self) -> Sequence[Sequence[object]]: ...


Execute = Callable[[str], _Cursor]
Tree = dict[str, Any]


class _Named(NamedTuple):
    """What a select names: relations, functions, and what it may not have at all."""

    relations: set[str]
    functions: set[str]
    refused: set[str]


class _Functions(NamedTuple):
    """The functions that depend on their arguments alone, and DuckDB's macros."""

    steady: set[str]
    macros: dict[str, str]


_looked_up: dict[str, _Functions] = {}


def text_faults(execute: Execute, scoring: str, body: str) -> list[str]:
    """Return what keeps a scoring's select from being one, as far as its text says.

    Nothing of it is run. An answer has one sentence for each thing.
    """
    if not NAME.fullmatch(scoring):
        return [f"{scoring!r} is no name: small letters, digits and single hyphens"]
    if "\0" in body or not body:
        return ["no select"]
    if len(body) > MOST_CHARACTERS:
        return [f"its text is longer than {MOST_CHARACTERS:,} characters"]
    try:
        tree = _parsed(execute, body)
        named = _named(tree)
    except JevdbError as error:
        return [str(error)]
    except RecursionError:
        return ["nested too deeply"]
    return list(_told(execute, named))


def _told(execute: Execute, named: _Named) -> Iterator[str]:
    yield from sorted(named.refused)
    if others := sorted(named.relations - {SOURCE}):
        yield f"reads {', '.join(others)}; a scope reads {SOURCE} only"
    own = {item.name for item in program() if item.kind == "macro"}
    if called := named.functions - own:
        for name in _unsteady(execute, called, _functions(execute)):
            why = GROWS if name in GROWING else VARIES
            yield f"calls {name}, which {why}"


def _parsed(execute: Execute, body: str) -> Tree:
    """Return the tree of the one select that a text is."""
    [(text,)] = execute(PARSED.format(text=quoted(body))).fetchall()
    tree: Tree = json.loads(str(text))
    if tree["error"]:
        if tree["error_type"] == "parser":
            raise JevdbError(f"Parser Error: {tree['error_message']}")
        raise JevdbError("only a select can be a scoring")
    if len(tree["statements"]) != 1:
        raise JevdbError(
            f"one select at a time, this is {len(tree['statements'])}; join them with "
            "CTEs"
        )
    node: Tree = tree["statements"][0]["node"]
    return node


def _named(tree: Tree) -> _Named:
    named = _Named(set(), set(), set())
    _visit(tree, frozenset(), named)
    return named


def _visit(node: object, ctes: frozenset[str], named: _Named) -> None:
    """Gather what a node names; *ctes* are the relations that the select itself has."""
    if isinstance(node, list):
        for each in node:
            _visit(each, ctes, named)
        return
    if not isinstance(node, dict):
        return
    kind = node.get("type")
    if isinstance(node.get("cte_map"), dict):
        for entry in node["cte_map"]["map"]:
            _visit(entry["value"], ctes, named)
            ctes |= {str(entry["key"]).lower()}
    _visit_itself(node, kind, ctes, named)
    for key, value in node.items():
        if key not in ("cte_map", "function" if kind == "TABLE_FUNCTION" else ""):
            _visit(value, ctes, named)
    if kind == "TABLE_FUNCTION":
        _visit(node["function"]["children"], ctes, named)


def _visit_itself(
    node: Tree, kind: object, ctes: frozenset[str], named: _Named
) -> None:
    if node.get("sample"):
        named.refused.add("takes a sample, which is another one every time")
    if node.get("at_clause"):
        named.refused.add("reads a table as of another time")
    if kind == "BASE_TABLE":
        parts = (node["catalog_name"], node["schema_name"], node["table_name"])
        name = ".".join(part for part in parts if part)
        if name.lower() not in ctes:
            named.relations.add(name.lower())
    elif kind == "TABLE_FUNCTION":
        name = _function(node["function"])
        if name not in TABLE_FUNCTIONS:
            why = GROWS if name in GROWING else f"does more than read {SOURCE}"
            named.refused.add(f"selects from the function {name}, which {why}")
    elif kind in ("RECURSIVE_CTE_NODE", "SHOW_REF"):
        named.refused.add(
            "is recursive, which may never end"
            if kind == "RECURSIVE_CTE_NODE"
            else "describes a relation instead of reading its rows"
        )
    elif node.get("class") == "PARAMETER":
        named.refused.add("has a parameter")
    elif node.get("class") == "COLUMN_REF":
        name = str(node["column_names"][-1]).lower()
        if name in VALUES:
            named.functions.add(name)
    elif node.get("class") in ("FUNCTION", "WINDOW") and node.get("function_name"):
        named.functions.add(_function(node))


def _function(node: Tree) -> str:
    """Return a function's name, with its schema unless that is DuckDB's own."""
    name = str(node["function_name"]).lower()
    schema = str(node.get("schema") or "")
    # Operators and list comprehensions say themselves that they mean DuckDB's.
    return name if schema in ("", "main") else f"{schema}.{name}"


def _unsteady(execute: Execute, names: set[str], known: _Functions) -> Iterator[str]:
    """Yield the names of functions that a scoring may not call."""
    for name in sorted(names):
        if name in known.macros:
            # A macro of DuckDB's is what it is written as.
            body = f"select {known.macros[name]}"
            inner = _named(_parsed(execute, body)).functions - {name}
            if name in SURROUNDINGS or list(_unsteady(execute, inner, known)):
                yield name
        elif name not in known.steady:
            yield name


def _functions(execute: Execute) -> _Functions:
    """Return DuckDB's functions, looked up once: only its version changes them."""
    if duckdb.__version__ not in _looked_up:
        stabilities: dict[str, set[object]] = {}
        macros: dict[str, str] = {}
        for name, kind, stability, definition in execute(FUNCTIONS).fetchall():
            if kind in ("scalar", "aggregate"):
                stabilities.setdefault(str(name).lower(), set()).add(stability)
            elif kind == "macro":
                macros[str(name).lower()] = str(definition)
        steady = {name for name, found in stabilities.items() if found == {STEADY}}
        steady -= {name for name in steady if name.startswith("approx_")}
        steady -= SURROUNDINGS | BY_CHANCE | GROWING
        _looked_up[duckdb.__version__] = _Functions(steady | PLACED, macros)
    return _looked_up[duckdb.__version__]


def column_faults(execute: Execute, body: str) -> list[str]:
    """Return what is wrong with the columns of a scoring; nothing of it is run.

    Only for a text without `text_faults`, where there is a relation `SOURCE`.
    """
    try:
        found = execute(f"describe {body}").fetchall()
    except duckdb.Error as error:
        return [str(error).splitlines()[0]]
    columns = [str(row[0]) for row in found]
    if columns == COLUMNS:
        return []
    return [f"its columns are {', '.join(columns)}, not {', '.join(COLUMNS)}"]


def run_faults(connection: Connection, body: str) -> Iterator[str]:
    """Yield what is wrong with how a scoring runs: its columns, its rows, its time.

    Only for a text without `text_faults`.
    """
    if told := column_faults(connection.execute, body):
        yield from told
        return
    [(n_items,)] = connection.execute(f"select count(*) from {SOURCE}").fetchall()
    most = MOST_ROWS_AN_ITEM * max(n_items, 1)
    with limited(connection):
        counted = connection.execute(
            f"select count(*) from (from (\n{body}\n) limit {most + 1:d})"
        ).fetchall()[0][0]
    if counted > most:
        yield (
            f"gives over {MOST_ROWS_AN_ITEM:,} rows an item; join {SOURCE} on its keys"
        )


@contextmanager
def limited(connection: Connection) -> Iterator[None]:
    """Stop what the block runs for a scoring after `SECONDS`.

    Raises
    ------
    JevdbError
        It took longer, or more memory than there is.
    """
    timer = threading.Timer(SECONDS, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except duckdb.InterruptException as error:
        raise JevdbError(
            f"takes over {SECONDS:g} seconds; stopped. Join {SOURCE} on its keys"
        ) from error
    except duckdb.OutOfMemoryException as error:
        raise JevdbError(
            f"takes more memory than it may have; stopped. Join {SOURCE} on its keys"
        ) from error
    finally:
        timer.cancel()
