"""Names a user gives: known ones pass, unknown ones are told what is near."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.base.errors import UnknownNameError

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


def require_benchmark(connection: Connection, benchmark_id: str) -> None:
    """Refuse a benchmark that the warehouse does not know."""
    _require(
        connection, "benchmark", benchmark_id, "select benchmark_id from benchmarks"
    )


def require_method(connection: Connection, method_id: str) -> None:
    """Refuse a scoring method that the warehouse does not know."""
    _require(connection, "method", method_id, "select method_id from methods")


def _require(connection: Connection, kind: str, name: str, listing: str) -> None:
    known = {str(row[0]) for row in connection.execute(listing).fetchall()}
    if name not in known:
        raise UnknownNameError(kind, name, known)
