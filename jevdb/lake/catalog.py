"""What may be asked of an attached lake's catalog, whoever attached it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.lake.target import Target

Row = tuple[object, ...]


class Catalog(Protocol):
    """An attached lake, as its lock and its damaged files need it."""

    target: Target
    connection: Connection
    data: str

    @property
    def catalog(self) -> str:
        """What DuckDB calls the lake's catalog in PostgreSQL."""

    def rows(self, sql: str) -> Sequence[Row]:
        """Run a statement and return its rows."""

    def own(self, function: str, *arguments: str) -> str:
        """Return the call of a DuckLake function on this lake."""

    def catalog_rows(self, sql: str) -> Sequence[Row]:
        """Run a statement of PostgreSQL in the catalog and return its rows."""

    def beside(self) -> AbstractContextManager[Catalog]:
        """Give another connection to the same lake, for reading."""
