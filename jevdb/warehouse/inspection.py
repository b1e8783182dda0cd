"""Looking a file through before anything of it is read: what is jevdb's, what is not.

What jevdb makes is found by making it, in a database that holds nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from jevdb.base.errors import JevdbError
from jevdb.base.stored_values import MOST_REPEATS, REMEDY
from jevdb.warehouse.contents import (
    Contents,
    Strangers,
    Thing,
    contents,
    named,
    strangers,
)
from jevdb.warehouse.known import own_contents
from jevdb.warehouse.scope_rules import run_faults
from jevdb.warehouse.scope_views import NEWEST, install, unfit
from jevdb.warehouse.sqlfiles import parse_text, quoted
from jevdb.warehouse.writing_out import UNIONS

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

Fill = Callable[["Connection"], None]
Stored = Callable[[Fill | None], AbstractContextManager["Connection"]]
"""What gives a new warehouse as DuckDB reads it from its file: blank, or filled."""

COMPUTED = re.compile(r"\b(GENERATED|DEFAULT)\b")
OVER_SCORINGS = {f"relation {name}" for name in (*UNIONS, "program")}
"""What of the program the scorings of users become part of."""
SCOPE_VERSIONS = "select scoring, version, sql, sql_sha256, seq from scope_versions"
ENDLESS = f"""\
select run_id, n_repeats
from runs
where n_repeats < 1 or n_repeats > {MOST_REPEATS}
limit 1"""


class Seen(NamedTuple):
    """What of a file is not to be read: strangers; users' scorings, and why.

    ``endless`` says of a run that it asked more often than any may.
    """

    strangers: Strangers
    unfit: dict[str, str]
    endless: str | None = None

    @property
    def is_own(self) -> bool:
        """Whether every statement of jevdb's finds in the file what jevdb makes."""
        return not self.strangers.in_the_way and not self.unfit


def look_through(connection: Connection, found: Contents, stored: Stored) -> Seen:
    """Hold what a file holds against what this program makes.

    The file's tables are read, no view, no macro and no scoring of it is run.
    """
    own = own_contents(lambda: _made(stored))
    seen = strangers(connection.execute, found, own)
    if seen.tables or "relation scope_versions" not in found:
        return Seen(seen, {})
    endless = _endless(connection)
    rows = connection.execute(SCOPE_VERSIONS).fetchall()
    if not rows:
        return Seen(seen, {}, endless)
    unfit_ones, expected = _with_scorings(own, rows, stored)
    seen = strangers(connection.execute, found, expected)
    return Seen(seen, unfit_ones, endless)


def _endless(connection: Connection) -> str | None:
    for run_id, n_repeats in connection.execute(ENDLESS).fetchall():
        most = f"{MOST_REPEATS:,}"
        asked = f"run {named(str(run_id))} asked {n_repeats:,} times"
        return f"{asked}, and 1 to {most} go; {REMEDY}"
    return None


def _made(stored: Stored) -> Contents:
    with stored(None) as connection:
        return contents(connection.execute)


def _with_scorings(
    own: Contents, rows: Sequence[Sequence[object]], stored: Stored
) -> tuple[dict[str, str], Contents]:
    """Return which scorings are unfit, and what jevdb makes of the others."""

    def fill(connection: Connection) -> None:
        cells = (", ".join(quoted(str(cell)) for cell in row) for row in rows)
        listed = ", ".join(f"({row})" for row in cells)
        connection.execute(f"insert into scope_versions values {listed}")
        install(connection.execute)

    with stored(fill) as connection:
        made = contents(connection.execute)
        changed = {
            key: held
            for key, held in made.items()
            if key not in own or key in OVER_SCORINGS
        }
        return unfit(connection.execute), {**own, **changed}


def lacks_own(connection: Connection, stored: Stored) -> bool:
    """Whether a file lacks something that this program makes, or has it otherwise."""
    try:
        found = contents(connection.execute)
    except duckdb.Error:
        return True
    own = own_contents(lambda: _made(stored))
    return any(
        key not in found or (found[key] != held and key not in OVER_SCORINGS)
        for key, held in own.items()
    )


def own_of(found: Contents, stored: Stored) -> Contents:
    """Return what of a file has a name of what this program makes."""
    own = own_contents(lambda: _made(stored))
    return {key: held for key, held in found.items() if key in own}


def in_an_upgrades_way(
    connection: Connection, found: Contents, stored: Stored
) -> tuple[Thing, ...]:
    """Return what an older file holds that an upgrade could come upon."""
    own = own_contents(lambda: _made(stored))
    seen = strangers(connection.execute, found, own)
    return (*seen.hiding, *_no_views(seen), *_computing(seen))


def in_a_writers_way(seen: Seen) -> tuple[Thing, ...]:
    """Return what a file holds that making its views anew does not put right."""
    found = seen.strangers
    return (*found.tables, *found.hiding, *_no_views(found))


def _no_views(found: Strangers) -> tuple[Thing, ...]:
    """Return the tables that have names of views."""
    return tuple(each for each in found.replaced if each.kind == "table")


def _computing(found: Strangers) -> tuple[Thing, ...]:
    """Return tables, of any schema of jevdb's, that run something when read or filled.

    No table of jevdb's ever had a generated column, or a default.
    """
    return tuple(
        each
        for each in found.tables
        if each.kind != "table" or COMPUTED.search(each.definition or "")
    )


def tables_of(found: Contents) -> list[Thing]:
    """Return the tables among the contents of a catalog."""
    return [thing for held in found.values() for thing in held if thing.kind == "table"]


def run_unfit(connection: Connection, without: Collection[str] = ()) -> dict[str, str]:
    """Run the users' scorings within limits; return those that do not keep to them.

    Only where the connection reads this program's views.
    """
    late: dict[str, str] = {}
    for scoring, text in connection.execute(NEWEST).fetchall():
        if scoring in without:
            continue
        body = parse_text("scopes", "", str(text)).body
        try:
            faults = list(run_faults(connection, body))
        except (duckdb.Error, JevdbError) as error:
            faults = [str(error).splitlines()[0]]
        if faults:
            late[str(scoring)] = faults[0]
    return late
