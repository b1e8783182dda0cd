"""Some runs over the same items: every number of each, and its replicates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jevdb.base.errors import UnknownNameError
from jevdb.comparison.bootstrap import Bootstrap, Key, bootstrap
from jevdb.numerics.resampling import Interval
from jevdb.scoring.numbers import NO_ROWS, Value, read_numbers
from jevdb.scoring.selection import Selection, selected

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.terms import Items


@dataclass(frozen=True, slots=True)
class Scores:
    """What the SQL says of each run, and what it would say of other draws of items."""

    values: dict[tuple[str, Key], Value]
    bootstrap: Bootstrap
    gold_revision: int

    def value(self, run_id: str, key: Key) -> Value:
        """Return a number; the row has no such items where there is none."""
        return self.values.get((run_id, key), NO_ROWS)

    def interval(self, key: Key, run_id: str) -> Interval | None:
        """Return the interval of a number; null where the run has none."""
        if self.value(run_id, key).value is None:
            return None
        return self.bootstrap.interval(key, run_id)

    def difference(self, key: Key, base: str, other: str) -> Interval | None:
        """Return the interval of other minus base; null where one has no number."""
        if None in (self.value(base, key).value, self.value(other, key).value):
            return None
        return self.bootstrap.difference(key, base, other)


def every_row(items: Items) -> list[str]:
    """Choose all report rows."""
    return items.report_rows


def one_row(report_row: str | None) -> Callable[[Items], list[str]]:
    """Choose *report_row*, or the one with most items; refuse an unknown one."""

    def chosen(items: Items) -> list[str]:
        if report_row is None:
            return items.report_rows[:1]
        if report_row not in items.report_rows:
            raise UnknownNameError("report row", report_row, items.report_rows)
        return [report_row]

    return chosen


@contextmanager
def paired(
    connection: Connection,
    selection: Selection,
    metrics: Iterable[str],
    rows: Callable[[Items], list[str]] = every_row,
) -> Iterator[Scores]:
    """Give the numbers of a selection, and hold it open until the block ends.

    Replicates are there for *metrics* in the report rows that *rows* chooses. The runs
    are of one benchmark.
    """
    with selected(connection, selection):
        numbers = read_numbers(connection)
        gold = connection.execute("select max(gold_revision) from frames").fetchall()
        yield Scores(
            values={
                (each.run_id, Key(each.report_row, each.method_id, *each.number)): (
                    each.value
                )
                for each in numbers
                if each.value.n_scope
            },
            bootstrap=bootstrap(connection, metrics=metrics, rows=rows),
            gold_revision=gold[0][0],
        )
