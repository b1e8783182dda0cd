"""Adding a scoring: one SQL file, checked on made-up and on real items, then stored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from jevdb.base.errors import ConflictError, InputError, JevdbError, Problem
from jevdb.scoring.adhoc import require_select, sql_error
from jevdb.warehouse.database import open_scratch, transaction
from jevdb.warehouse.ledger import record
from jevdb.warehouse.scope_views import (
    install,
    program_scorings,
    scoring_name,
    view_name,
)
from jevdb.warehouse.scoring_rules import (
    Words,
    require_words,
    restated,
    stated,
    unknown_rules,
)
from jevdb.warehouse.sqlfiles import SqlObject, parse_text, query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

JOINED_BY_NAME = re.compile("side of join|NATURAL JOIN")
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SCOPE_COLUMNS = ["benchmark_id", "report_row", "subset", "item_id"]


class Added(NamedTuple):
    """A version of a scoring, and whether it was not there already."""

    scoring: str
    version: int
    is_new: bool


def add_scope(
    connection: Connection, path: Path, rules: Mapping[str, Words] | None = None
) -> Added:
    """Store the scoring of a SQL file, make it the one in force, and say which it is.

    The file is called after the scoring: ``scope_acme.sql`` or ``acme.sql``. Its header
    may state a title and rules (`jevdb.warehouse.scoring_rules`); *rules* are put into
    it, in the place of what it states.

    Raises
    ------
    InputError
        The file is no scope: its name, its header, its SQL or the rows it gives.
    UsageError
        One of *rules* has a word that it does not know.
    ConflictError
        The name belongs to a scoring that comes with jevdb.
    """
    text = _text(path)
    scoring = scoring_name(path.stem)
    if scoring in program_scorings():
        raise ConflictError(
            f"the scoring {scoring!r} comes with jevdb; call the file something else"
        )
    if rules:
        require_words(rules)
        text = restated(text, rules)
    view = parse_text("scopes", view_name(scoring), text)
    with transaction(connection):
        faults = list(_faults(connection, scoring, view))
        if faults:
            raise InputError([Problem(path.name, None, None, each) for each in faults])
        if slips := list(unknown_rules(text, path.name)):
            raise InputError(slips)
        stated(text, path.name)
        newest = connection.execute(
            query("scoring/scope_newest"), {"scoring": scoring}
        ).fetchall()
        version, digest = newest[0]
        if digest == view.sha256:
            return Added(scoring, version, False)
        seq = record(connection, "scope", view.sha256)
        connection.execute(
            "insert into scope_versions (scoring, version, sql, sql_sha256, seq) "
            "values (?, ?, ?, ?, ?)",
            [scoring, version + 1, text, view.sha256, seq],
        )
        install(connection.execute)
    return Added(scoring, version + 1, True)


def other_tables(scoring: str, body: str) -> list[str]:
    """Return what a scope's select reads beside golden_items, by name.

    It is asked where golden_items is no view, since the answer is the tables behind a
    view, and where the macros are that the select may call.

    Raises
    ------
    duckdb.Error
        It is no select over columns that golden items have.
    JevdbError
        It joins them by ``using``, or ``natural``.
    """
    with open_scratch() as scratch, _made_up_items(scratch, scoring):
        try:
            named = scratch.get_table_names(body, qualified=True)
        except duckdb.BinderException as error:
            # DuckDB names the tables without a look at their columns.
            if JOINED_BY_NAME.search(str(error)):
                raise JevdbError(
                    "joins golden_items by the columns' names: say `on` instead"
                ) from error
            raise
    return sorted(named - {"golden_items"})


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise JevdbError(f"{path}: cannot read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError([Problem(path.name, None, None, "not UTF-8 text")]) from error


def _faults(connection: Connection, scoring: str, view: SqlObject) -> Iterator[str]:
    """Yield what keeps a text from being a scope; the first kind found is enough."""
    if not NAME.fullmatch(scoring):
        yield f"{scoring!r} is no name: small letters, digits and single hyphens"
    elif not view.header:
        yield "no header: begin with a comment that says what the rows cover"
    elif "\0" in view.body or not view.body:
        yield "no select"
    else:
        try:
            yield from _sql_faults(connection, scoring, view.body)
        except (duckdb.Error, JevdbError) as error:
            yield str(sql_error(error) if isinstance(error, duckdb.Error) else error)


def _sql_faults(connection: Connection, scoring: str, body: str) -> Iterator[str]:
    require_select(connection, body)
    if others := other_tables(scoring, body):
        yield f"reads {', '.join(others)}; a scope reads golden_items only"
        return
    connection.execute(f"from (\n{body}\n) limit 0")
    columns = [str(column[0]) for column in connection.description or ()]
    if columns != SCOPE_COLUMNS:
        yield f"its columns are {', '.join(columns)}, not {', '.join(SCOPE_COLUMNS)}"
        return
    with _made_up_items(connection, scoring):
        yield from _row_faults(connection, scoring, body, "of made-up items")
    yield from _row_faults(connection, scoring, body, "of stored items")


@contextmanager
def _made_up_items(connection: Connection, scoring: str) -> Iterator[None]:
    """Let golden_items be items of every kind, of this scoring and of another."""
    connection.execute(
        f"create temp table golden_items as {query('scoring/scope_probe')}",
        {"scoring": scoring},
    )
    try:
        yield
    finally:
        connection.execute("drop table temp.golden_items")


def _row_faults(
    connection: Connection, scoring: str, body: str, which: str
) -> Iterator[str]:
    connection.execute(f"create temp table scope_rows as from (\n{body}\n)")
    try:
        found = connection.execute(
            query("scoring/scope_faults"), {"scoring": scoring}
        ).fetchall()
    finally:
        connection.execute("drop table temp.scope_rows")
    for fault, count in found:
        yield f"{count} rows {which}: {fault}"
