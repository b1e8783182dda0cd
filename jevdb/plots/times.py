"""An axis of time: as far apart as the moments are, marked at round dates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

TICK_ROOM = 80.0
"""A date is less wide than this."""


class Tick(NamedTuple):
    """A marked moment: its place in pixels, and what it is called."""

    x: float
    text: str


class TimeAxis(NamedTuple):
    """An axis from the first to the last moment, between two places in pixels."""

    first: datetime
    last: datetime
    left: float
    right: float

    def at(self, moment: datetime) -> float:
        """Return the place of a moment; the middle, where all are the same one."""
        length = (self.last - self.first).total_seconds()
        if not length:
            return (self.left + self.right) / 2
        share = (moment - self.first).total_seconds() / length
        return self.left + share * (self.right - self.left)

    def ticks(self) -> list[Tick]:
        """Return as many round dates as there is room for; the first moment, if none.

        Hours are marked with the day, months and years without one.
        """
        most = max(2, int((self.right - self.left) // TICK_ROOM))
        for form, dates in _STEPS:
            found = list(islice(dates(self.first, self.last), most + 1))
            if 0 < len(found) <= most:
                return [Tick(self.at(date), format(date, form)) for date in found]
        return [Tick(self.at(self.first), format(self.first, "%Y-%m-%d %H:%M"))]


def time_axis(moments: Sequence[datetime], left: float, right: float) -> TimeAxis:
    """Return the axis that holds all *moments*, of which there is one at least."""
    return TimeAxis(min(moments), max(moments), left, right)


Dates = Callable[[datetime, datetime], Iterator[datetime]]


def _every(step: timedelta) -> Dates:
    """Return what yields midnights and times so far after them; weeks by Mondays."""

    def dates(first: datetime, last: datetime) -> Iterator[datetime]:
        day = first.replace(hour=0, minute=0, second=0, microsecond=0)
        date = day - timedelta(days=(day.toordinal() - 1) % max(step.days, 1))
        while date <= last:
            if date >= first:
                yield date
            date += step

    return dates


def _months(step: int) -> Dates:
    """Return what yields the first day of every so many months, counted from year 0."""

    def dates(first: datetime, last: datetime) -> Iterator[datetime]:
        midnight = first.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        month = (first.year * 12 + first.month - 1) // step * step
        while month // 12 <= last.year:
            date = midnight.replace(year=month // 12, month=month % 12 + 1)
            if first <= date <= last:
                yield date
            month += step

    return dates


_STEPS: Sequence[tuple[str, Dates]] = (
    *(("%m-%d %H:%M", _every(timedelta(minutes=step))) for step in (5, 15, 30)),
    *(("%m-%d %H:%M", _every(timedelta(hours=step))) for step in (1, 3, 6, 12)),
    *(("%Y-%m-%d", _every(timedelta(days=step))) for step in (1, 2, 4, 7, 14)),
    *(("%Y-%m", _months(step)) for step in (1, 2, 3, 6)),
    *(("%Y", _months(12 * step)) for step in (1, 2, 5, 10, 50)),
)
"""How moments are written, and which: from the finest to the coarsest."""
