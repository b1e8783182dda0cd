"""Names a user gives: known ones pass, unknown ones are told what is near."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.wording import option

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

NAMED = 5


def require_benchmark(connection: Connection, benchmark_id: str) -> None:
    """Refuse a benchmark that the warehouse does not know."""
    _require(
        connection, "benchmark", benchmark_id, "select benchmark_id from benchmarks"
    )


def only_benchmark(connection: Connection) -> str:
    """Return the benchmark that is meant where none is named: the only one with runs.

    Raises
    ------
    UsageError
        There are several, or none yet.
    """
    known = benchmarks_with_runs(connection)
    if len(known) == 1:
        return known[0]
    named = ", ".join(repr(each) for each in known[:NAMED])
    more = f" and {len(known) - NAMED} more" if len(known) > NAMED else ""
    raise UsageError(
        f"say which {option('benchmark')} is meant; there are runs of {named}{more}"
    )


def benchmarks_with_runs(connection: Connection) -> list[str]:
    """Return every benchmark that has runs, by id.

    Raises
    ------
    UsageError
        There are no runs yet.
    """
    found = connection.execute("select distinct benchmark_id from runs").fetchall()
    if not found:
        raise UsageError(
            f"say which {option('benchmark')} is meant; there are no runs yet"
        )
    return sorted(str(row[0]) for row in found)


def require_method(connection: Connection, method_id: str) -> None:
    """Refuse a scoring method that the warehouse does not know."""
    _require(connection, "method", method_id, "select method_id from methods")


def _require(connection: Connection, kind: str, name: str, listing: str) -> None:
    known = {str(row[0]) for row in connection.execute(listing).fetchall()}
    if name not in known:
        raise UnknownNameError(kind, name, known)
