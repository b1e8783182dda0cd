"""Adding a scoring: one SQL file, checked on made-up and on real items, then stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from jevdb.base.errors import ConflictError, InputError, JevdbError, Problem
from jevdb.base.text import counted
from jevdb.scoring.adhoc import sql_error
from jevdb.warehouse.checks import Fault
from jevdb.warehouse.connecting import open_scratch
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import record
from jevdb.warehouse.scope_rules import MEMORY, limited, run_faults, text_faults
from jevdb.warehouse.scope_views import (
    NEWEST,
    install,
    program_scorings,
    scoring_name,
    unfit,
    view_name,
)
from jevdb.warehouse.scoring_rules import (
    Words,
    require_words,
    restated,
    stated,
    unknown_rules,
)
from jevdb.warehouse.settings import limit_memory
from jevdb.warehouse.sqlfiles import SqlObject, parse_text, query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


MISPLACED = "misplaced_items"


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


def scope_faults(scoring: str, body: str) -> list[str]:
    """Return what keeps a select from being a scoring, whatever items there are.

    It is read first, and run on made-up items only if its text has no fault.
    """
    with open_scratch() as scratch:
        if told := text_faults(scratch.execute, scoring, body):
            return told
        limit_memory(scratch, MEMORY)
        with _made_up_items(scratch, scoring):
            try:
                return list(_run_faults(scratch, scoring, body, "of made-up items"))
            except duckdb.Error as error:
                return [str(sql_error(error))]
            except JevdbError as error:
                return [str(error)]


def misplaced(connection: Connection) -> list[Fault]:
    """Return what the users' scorings in force do with stored items that is wrong.

    What they place of other benchmarks changes nothing, but is not what they mean.
    """
    found = []
    for scoring, text in connection.execute(NEWEST).fetchall():
        if str(scoring) in unfit(connection.execute):
            continue
        body = parse_text("scopes", "", str(text)).body
        for fault in _run_faults(connection, str(scoring), body, "of stored items"):
            found.append(Fault(MISPLACED, f"scoring {scoring}", fault))
    return found


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise JevdbError(f"{path}: cannot read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError([Problem(path.name, None, None, "not UTF-8 text")]) from error


def _faults(connection: Connection, scoring: str, view: SqlObject) -> Iterator[str]:
    """Yield what keeps a text from being a scope; the first kind found is enough."""
    if not view.header:
        yield "no header: begin with a comment that says what the rows cover"
    elif faults := scope_faults(scoring, view.body):
        yield from faults
    else:
        try:
            yield from _run_faults(connection, scoring, view.body, "of stored items")
        except duckdb.Error as error:
            yield str(sql_error(error))
        except JevdbError as error:
            yield str(error)


def _run_faults(
    connection: Connection, scoring: str, body: str, which: str
) -> Iterator[str]:
    """Yield what is wrong with the rows that a scoring gives for the golden items."""
    faults = list(run_faults(connection, body))
    yield from faults or _row_faults(connection, scoring, body, which)


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
    with limited(connection):
        connection.execute(f"create temp table scope_rows as from (\n{body}\n)")
    try:
        found = connection.execute(
            query("scoring/scope_faults"), {"scoring": scoring}
        ).fetchall()
    finally:
        connection.execute("drop table temp.scope_rows")
    for fault, count in found:
        yield f"{counted(count, 'row')} {which}: {fault}"
