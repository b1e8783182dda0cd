"""Then: which ingest a past date or sequence number means.

As of an ingest, a warehouse is the rows, gold, names and visibility stored up to it,
scored by the present program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from jevdb.base.errors import UsageError
from jevdb.base.stored_values import require_time
from jevdb.base.wording import option
from jevdb.scoring.selection import Selection, narrowed

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

NEWEST = "select max(seq), min(ingested_at) from ingests"
LAST_BY = "select max(seq) from ingests where ingested_at <= $moment"


def resolve_as_of(connection: Connection, text: str) -> int:
    """Return the last ingest of *text*: a sequence number, a date, a date and time.

    A date means its end; dates and times are UTC unless they have an offset.

    Raises
    ------
    UsageError
        It is none of these, or nothing was stored yet, or the number is not reached.
    """
    newest, first = connection.execute(NEWEST).fetchall()[0]
    if re.fullmatch(r"\d{1,18}", text):
        if int(text) > newest:
            raise UsageError(f"{option('as_of', text)}: the newest ingest is {newest}")
        return int(text)
    moment = _moment(text)
    seq = connection.execute(LAST_BY, {"moment": moment}).fetchall()[0][0]
    if seq is None:
        require_time(first, "the first of ingests.ingested_at")
        raise UsageError(
            f"{option('as_of', text)}: this warehouse begins at {first.isoformat()}Z"
        )
    return int(seq)


def resolved(connection: Connection, text: str | None) -> int | None:
    """Return what `resolve_as_of` does; None, which means now, for None."""
    return None if text is None else resolve_as_of(connection, text)


def _moment(text: str) -> datetime:
    """Return the moment a date (its end) or a date and time means, in UTC."""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            day = datetime.combine(date.fromisoformat(text), datetime.min.time())
            return day + timedelta(days=1, microseconds=-1)
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"{option('as_of')} {text!r}: give an ingest number, a date (2026-03-31) "
            "or a date and time (2026-03-31T12:00Z)"
        ) from error
    return moment


@contextmanager
def then(connection: Connection, as_of: int | None) -> Iterator[None]:
    """Make runs, items, gold and names those of an ingest, until the block ends."""
    with narrowed(connection, Selection(as_of=as_of)):
        yield
