"""A lake's one lock: PostgreSQL's, in the order of asking, and for fairness only.

That two commits never stand on one state is the catalog's to see to.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import duckdb

from jevdb.base.errors import BusyError
from jevdb.lake.failures import failure
from jevdb.warehouse.sqlfiles import quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.lake.catalog import Catalog

LOCK_KEY = 7_236_833_451_190_081
LOCK_SLICE_S = 2
LOCK_HELD_S = 120
HOLDER = """\
select coalesce(usename, '?') || ' on ' || coalesce(client_addr::text, 'this host')
    || ', since ' || to_char(xact_start at time zone 'UTC', 'HH24:MI:SS') || ' UTC'
from pg_locks join pg_stat_activity using (pid)
where locktype = 'advisory' and granted
    and (classid::bigint << 32) + objid::bigint = {key}"""


def take_lock(
    lake: Catalog, timeout: float, on_wait: Callable[[str], None] | None
) -> Connection:
    """Return what holds the lock until it is rolled back.

    Raises
    ------
    BusyError
        Another held it for longer than *timeout* seconds.
    """
    deadline = time.monotonic() + timeout
    cursor = lake.connection.cursor()
    told = False
    while not _try_lock(lake, cursor, deadline - time.monotonic()):
        busy = f"{lake.target.name}: locked by {lock_holder(lake)}"
        if time.monotonic() >= deadline:
            cursor.close()
            raise BusyError(f"{busy}; try again when it is done")
        if on_wait and not told:
            on_wait(f"waiting: {busy}")
            told = True
    return cursor


def _try_lock(lake: Catalog, cursor: Connection, seconds: float) -> bool:
    """Wait a slice: while PostgreSQL waits, an interrupt does not reach us."""
    slice_ms = max(1, int(min(LOCK_SLICE_S, seconds) * 1000))
    settings = (
        f"set local lock_timeout = '{slice_ms}ms'; "
        "set local idle_in_transaction_session_timeout = "
        f"'{LOCK_HELD_S * 1000:d}ms'"
    )
    take = f"select 1 from pg_advisory_xact_lock({LOCK_KEY})"
    try:
        cursor.execute("begin transaction")
        cursor.execute(
            f"call postgres_execute({quoted(lake.catalog)}, {quoted(settings)})"
        ).fetchall()
        cursor.execute(
            f"from postgres_query({quoted(lake.catalog)}, {quoted(take)})"
        ).fetchall()
    except duckdb.Error as error:
        with suppress(duckdb.Error):
            cursor.execute("rollback")
        if "due to lock timeout" in str(error):
            return False
        raise failure(lake.target, error) from error
    return True


def lock_holder(lake: Catalog) -> str:
    """Return who holds the lock: user, host and since when; or ``nobody``."""
    found = lake.catalog_rows(HOLDER.format(key=LOCK_KEY))
    return str(found[0][0]) if found else "nobody"
