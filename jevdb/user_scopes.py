"""Scorings that a user added: where the SQL of a scoring is."""

from __future__ import annotations

from jevdb.database import Connection
from jevdb.sqlfiles import SqlObject, program


def scope_view(connection: Connection, scoring: str) -> SqlObject:
    """Return the view that says which items the scoring's rows and metrics cover."""
    name = view_name(scoring)
    return next(item for item in program() if item.name == name)


def view_name(scoring: str) -> str:
    """Return the name of a scoring's scope view."""
    return "scope_" + scoring.replace("-", "_")
