"""Suites in the warehouse: added from a file, found by name, listed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.base.errors import ConflictError, UnknownNameError
from jevdb.scoring.names import benchmark_ids
from jevdb.suites.document import Suite, Warehoused, read_suite
from jevdb.suites.stored_forms import StoredEdition, StoredSuite
from jevdb.warehouse.checks import Fault
from jevdb.warehouse.contents import named
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import insert_row, record
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

STORED = """\
select suite, version, document, sha256
from suites
order by seq, suite, version"""
UNSOUND = "unsound_suites"
"""The check that finds stored text which is no suite, or no edition."""


def add_suite(connection: Connection, path: Path) -> tuple[Suite, bool]:
    """Store the suite of a file; return it and whether it was not there already.

    Raises
    ------
    InputError
        The file is no suite, or names what the warehouse does not have.
    ConflictError
        The warehouse has another suite of this name and version.
    """
    suite = read_suite(path, warehoused(connection))
    with transaction(connection):
        found = connection.execute(
            "select sha256 from suites where suite = $name and version = $version",
            {"name": suite.name, "version": suite.version},
        ).fetchall()
        if found and found[0][0] == suite.sha256:
            return suite, False
        if found:
            raise ConflictError(
                f"suite {suite.id} is stored and says something else; a suite never "
                "changes: choose another version"
            )
        row = {
            "suite": suite.name,
            "version": suite.version,
            "document": suite.canonical,
        }
        seq = record(connection, "suite", suite.sha256)
        insert_row(connection, "suites", {**row, "sha256": suite.sha256, "seq": seq})
    return suite, True


def find_suite(connection: Connection, name: str) -> Suite:
    """Return the suite *name*, or ``name@version``; without a version the newest.

    Raises
    ------
    UnknownNameError
        There is none of that name.
    JevdbError
        Its document is not the one that was stored, or none that jevdb stores.
    """
    suites = stored_suites(connection)
    for suite in reversed(suites):
        if name in (suite.id, suite.suite):
            return suite.opened()
    known = {each for suite in suites for each in (suite.id, suite.suite)}
    raise UnknownNameError("suite", name, known)


def stored_suites(connection: Connection) -> list[StoredSuite]:
    """Return every suite, unopened, in the order in which they were added."""
    return [StoredSuite(*row) for row in connection.execute(STORED).fetchall()]


def unsound(connection: Connection) -> list[Fault]:
    """Return the suites and editions that jevdb would not have stored so, as faults."""
    found = [
        Fault(UNSOUND, f"suite {named(suite.id)}", problem)
        for suite in stored_suites(connection)
        for problem in suite.problems()
    ]
    for row in connection.execute(query("suites/editions")).fetchall():
        edition = StoredEdition(*row)
        try:
            edition.read()
        except ValueError as error:
            subject = f"edition {named(edition.name)}"
            found.append(Fault(UNSOUND, subject, str(error)))
    return found


def warehoused(connection: Connection) -> Warehoused:
    """Return what the warehouse has that a suite may name."""

    def listed(statement: str) -> frozenset[str]:
        return frozenset(
            str(name) for (name,) in connection.execute(statement).fetchall()
        )

    def grouped(statement: str) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for benchmark, name in connection.execute(statement).fetchall():
            found.setdefault(benchmark, set()).add(name)
        return {benchmark: frozenset(names) for benchmark, names in found.items()}

    return Warehoused(
        methods=listed("select method_id from methods"),
        benchmarks=listed("select benchmark_id from benchmarks"),
        benchmark_ids=benchmark_ids(connection),
        published=listed("select distinct benchmark_id from reported_results"),
        rows=grouped("select distinct benchmark_id, report_row from scopes"),
        items=grouped("select benchmark_id, item_id from items"),
    )
