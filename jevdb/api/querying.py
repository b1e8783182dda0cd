"""SQL on a warehouse: one query as a frame, or a SQLAlchemy engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from jevdb.api.base import Base
from jevdb.base.installing import require_module

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import sqlalchemy as sa

    from jevdb.base.connection import Connection
    from jevdb.scoring.adhoc import Parameters

FrameName = Literal["arrow", "pandas", "polars"]
NAIVE = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
"""Types of times without a zone, which are UTC."""


class Querying(Base):
    """Ad-hoc SQL."""

    @overload
    def sql(
        self,
        query: str,
        params: Parameters = None,
        *,
        to: Literal["arrow"] = "arrow",
        tables: Mapping[str, Any] | None = None,
        safe: bool = True,
    ) -> pa.Table: ...
    @overload
    def sql(
        self,
        query: str,
        params: Parameters = None,
        *,
        to: Literal["pandas"],
        tables: Mapping[str, Any] | None = None,
        safe: bool = True,
    ) -> pd.DataFrame: ...
    @overload
    def sql(
        self,
        query: str,
        params: Parameters = None,
        *,
        to: Literal["polars"],
        tables: Mapping[str, Any] | None = None,
        safe: bool = True,
    ) -> pl.DataFrame: ...
    def sql(
        self,
        query: str,
        params: Parameters = None,
        *,
        to: FrameName = "arrow",
        tables: Mapping[str, Any] | None = None,
        safe: bool = True,
    ) -> pa.Table | pd.DataFrame | pl.DataFrame:
        """Run one SQL query and return its rows; never writes.

        Parameters
        ----------
        query : str
            One select (or from, with, values, describe, show tables) in DuckDB's SQL.
        params : mapping or sequence, optional
            Values for ``$name``, or for ``?``. Give values this way, not in the text.
        to : {'arrow', 'pandas', 'polars'}
            What the rows become; pandas and polars come with the extra ``formats``.
        tables : mapping, optional
            Data frames or Arrow tables of yours, by the names the query reads them by.
        safe : bool
            Let the query read the warehouse and nothing else: no other file, no
            network, no setting. Without it other files can be read too; a warehouse
            that holds views or macros besides jevdb's is refused then, because they
            could do so as well.

        Returns
        -------
        pyarrow.Table, pandas.DataFrame or polars.DataFrame
            Times have a zone, which is UTC.

        Raises
        ------
        JevdbError
            It is not one select, does more than read, or DuckDB finds a fault in it.

        Examples
        --------
        >>> found = warehouse.sql(
        ...     "select model, n from report where report_row = $row order by all",
        ...     {"row": "hard_111"},
        ... )
        >>> sorted(set(found.column("n").to_pylist()))
        [111]
        """
        if to not in _FRAMES:
            raise _unknown(to)
        if to != "arrow":
            require_module(to, "formats")
        from jevdb.scoring.adhoc import executed, lend_statistics, lend_tables
        from jevdb.warehouse.database import require_own_views

        with self._reader(outward=not safe) as connection:
            if not safe:
                require_own_views(connection, self.path)
            lend_statistics(connection, query)
            lend_tables(connection, tables or {})
            with executed(connection, query, params, reads_files=not safe):
                return _FRAMES[to](connection)

    @property
    def engine(self) -> sa.Engine:
        """A SQLAlchemy engine on the file, read-only; for `pandas.read_sql` and others.

        Each connection opens the file, reads it and nothing else, and lets go of it
        when it is closed. Whatever is to be stored goes through the methods of the
        warehouse. The extra ``sqlalchemy`` brings the dialect, which holds DuckDB
        below 2.

        Raises
        ------
        JevdbError
            The extra is not installed.

        Examples
        --------
        >>> import sqlalchemy as sa
        >>> with warehouse.engine.connect() as connection:
        ...     connection.execute(sa.text("select count(*) from runs")).scalar()
        5
        """
        require_module("duckdb_sqlalchemy", "sqlalchemy")
        import sqlalchemy as sa
        from duckdb_sqlalchemy import ConnectionWrapper
        from sqlalchemy.pool import NullPool

        from jevdb.warehouse.database import connected

        self._require_open()
        with self._reader():
            pass
        store = self._store

        def connect() -> ConnectionWrapper:
            wait, notify = store.lock_timeout, store.notify
            return ConnectionWrapper(
                connected(store.path, lock_timeout=wait, on_wait=notify)
            )

        return sa.create_engine("duckdb://", creator=connect, poolclass=NullPool)


def _arrow(connection: Connection) -> pa.Table:
    import pyarrow as pa

    table = connection.to_arrow_table()
    zoned = [field.with_type(_in_utc(field.type)) for field in table.schema]
    return table.cast(pa.schema(zoned))


def _in_utc(kind: pa.DataType) -> pa.DataType:
    """Return a type with the zone of times that are stored without one: UTC."""
    import pyarrow as pa

    if pa.types.is_timestamp(kind) and kind.tz is None:
        return pa.timestamp(kind.unit, "UTC")
    if pa.types.is_list(kind):
        inner = kind.value_field
        return pa.list_(inner.with_type(_in_utc(inner.type)))
    if pa.types.is_struct(kind):
        return pa.struct([each.with_type(_in_utc(each.type)) for each in kind])
    if pa.types.is_map(kind):
        return pa.map_(_in_utc(kind.key_type), _in_utc(kind.item_type))
    return kind


def _pandas(connection: Connection) -> pd.DataFrame:
    kinds = [str(kind) for _, kind, *_ in connection.description or ()]
    frame = connection.df()
    for place, kind in enumerate(kinds):
        if kind in NAIVE:
            frame.isetitem(place, frame.iloc[:, place].dt.tz_localize("UTC"))
    return frame


def _polars(connection: Connection) -> pl.DataFrame:
    import polars as pl

    frame = pl.from_arrow(_arrow(connection))
    assert isinstance(frame, pl.DataFrame)
    return frame


_FRAMES: dict[str, Any] = {"arrow": _arrow, "pandas": _pandas, "polars": _polars}


def _unknown(name: str) -> Exception:
    from jevdb.base.errors import UnknownNameError

    return UnknownNameError("frame", name, _FRAMES)
