"""Some runs over the same items: every number of each, and its interval."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jevdb.base.errors import UnknownNameError
from jevdb.scoring.differences import Unknown
from jevdb.scoring.evidence import Evidence, read_evidence
from jevdb.scoring.keys import Key
from jevdb.scoring.numbers import NO_ROWS, Value, read_numbers
from jevdb.scoring.selection import EVERY_NUMBER, Selection, selected

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.base.metrics import Number
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.cluster_by import ClusterBy
    from jevdb.scoring.differences import Alone
    from jevdb.scoring.terms import Items


class Values(dict[tuple[str, Key], Value]):
    """The numbers of some runs, by run and key."""

    def of(self, run_id: str, key: Key) -> Value:
        """Return a number; the row has no such items where there is none."""
        return self.get((run_id, key), NO_ROWS)


def read_values(connection: Connection) -> Values:
    """Return every number that the items ask for; call it inside `selected`."""
    return Values(
        ((each.run_id, Key(each.report_row, each.method_id, *each.number)), each.value)
        for each in read_numbers(connection)
        if each.value.n_scope
    )


def read_gold_revision(connection: Connection) -> int:
    """Return the gold revision of the selection; call it inside `selected`."""
    [[revision]] = connection.execute(
        "select max(gold_revision) from frames"
    ).fetchall()
    return int(revision)


@dataclass(frozen=True, slots=True)
class Scores:
    """What the SQL says of each run, and what its rows say of that.

    ``report_rows`` are those chosen.
    """

    values: Values
    evidence: Evidence
    report_rows: Sequence[str]
    gold_revision: int

    def value(self, run_id: str, key: Key) -> Value:
        """Return a number; the row has no such items where there is none."""
        return self.values.of(run_id, key)

    def alone(self, key: Key, run_id: str) -> Alone:
        """Return the interval of a number, or why there is none."""
        value = self.value(run_id, key)
        if value.value is None:
            return Unknown(value.reason or "no_rows")
        return self.evidence.alone(key, run_id, value.value)

    def interval(self, key: Key, run_id: str) -> Bounds | None:
        """Return the interval of a number; null where it has none."""
        found = self.alone(key, run_id)
        return None if isinstance(found, Unknown) else found


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
    rows: Callable[[Items], list[str]] = every_row,
    cluster: ClusterBy | None = None,
    numbers: Iterable[Number] | None = None,
    reports: Collection[str] | None = (EVERY_NUMBER,),
) -> Iterator[Scores]:
    """Give the numbers of a selection, and hold it open until the block ends.

    *rows* chooses the report rows. The runs are of one benchmark. Intervals and tests
    are asked only of *numbers*, if these are given. The block may read *reports*.
    """
    with selected(connection, selection, reports=reports):
        evidence = read_evidence(connection, cluster, numbers)
        yield Scores(
            values=read_values(connection),
            evidence=evidence,
            report_rows=rows(evidence.items),
            gold_revision=read_gold_revision(connection),
        )
