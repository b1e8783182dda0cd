"""Every number of some runs over the same items, and what each was added up from.

Read once for all runs of a selection: asking for each number alone, as `jevdb explain`
does, would take hours for a hundred runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from jevdb.base.metrics import NUMBERS, Number
from jevdb.scoring.explain.written_out import inside
from jevdb.scoring.numbers import Value
from jevdb.scoring.numbers import read_numbers as read_placed
from jevdb.scoring.report_rows import largest_first
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

Content = TypeVar("Content")

TIERS = """\
select
    run_id, report_row, method_id, kind,
    weighted_tier, weight, n_items, n_right, n_clear, chance, rating_error,
    chance_rating_error, component
from (
{inside}
)
order by run_id, report_row, method_id, kind, weighted_tier nulls first"""


class Bin(NamedTuple):
    """A bin of an ECE, and what it adds to it."""

    bin: int
    lower: float
    upper: float
    n: int
    mean_stated: float | None
    share_true: float | None
    adds: float | None


class Fate(NamedTuple):
    """What became of some rows of a number's scope."""

    is_averaged: bool
    fate: str
    n: int


class Tier(NamedTuple):
    """A line of a component of I: one weighted tier, or all."""

    tier: str | None
    weight: float
    n: int
    n_right: int
    n_clear: int
    chance: float | None
    rating_error: float | None
    chance_rating_error: float | None
    component: float | None


class Part(NamedTuple):
    """A part of a component of C: a metric, and the points it gives."""

    part: str
    value: float | None
    points: float | None
    n: int
    n_scope: int


Row = tuple[str, str]
"""A run and a report row."""

ByMethod = dict[str, Content]


class Agreed(NamedTuple):
    """Methods that say the same, and what they say."""

    methods: list[str]
    content: object


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a selection; everything is by run and report row first."""

    values: Mapping[Row, Mapping[Number, ByMethod[Value]]]
    bins: Mapping[Row, Mapping[str, ByMethod[list[Bin]]]]
    fates: Mapping[Row, Mapping[Number, list[Fate]]]
    tiers: Mapping[Row, Mapping[str, ByMethod[list[Tier]]]]
    parts: Mapping[Row, Mapping[str, ByMethod[list[Part]]]]

    def report_rows(self, run_id: str) -> list[str]:
        """Return the report rows of a run, most items first, then by name."""
        coverage = Number("coverage", "all")
        sizes = {
            report_row: max(value.n_scope for value in found[coverage].values())
            for (run, report_row), found in self.values.items()
            if run == run_id
        }
        return largest_first(sizes)

    def value(self, row: Row, number: Number, method_id: str) -> Value | None:
        """Return a number, or None where the row has no items for it."""
        return self.values.get(row, {}).get(number, {}).get(method_id)


def in_order(numbers: Iterable[Number]) -> list[Number]:
    """Return the numbers in the order of the documents."""
    return sorted(numbers, key=NUMBERS.index)


def agreed(by_method: Mapping[str, Content]) -> list[Agreed]:
    """Return what methods say, those that say the same together."""
    found: list[Agreed] = []
    for method_id, content in by_method.items():
        for same in found:
            if same.content == content:
                same.methods.append(method_id)
                break
        else:
            found.append(Agreed([method_id], content))
    return found


def read_numbers(connection: Connection, methods: Sequence[str]) -> Numbers:
    """Return the numbers of the selection that the connection shows."""
    order = {method_id: place for place, method_id in enumerate(methods)}
    return Numbers(
        values=_values(connection, order),
        bins=_listed(connection, query("site/bins"), Bin._make, order),
        fates=_fates(connection, methods[0]),
        tiers=_listed(
            connection,
            TIERS.format(inside=inside("component_intelligence", "rated")),
            Tier._make,
            order,
        ),
        parts=_listed(connection, query("site/parts"), Part._make, order),
    )


def _values(
    connection: Connection, order: Mapping[str, int]
) -> dict[Row, dict[Number, ByMethod[Value]]]:
    found: dict[Row, dict[Number, ByMethod[Value]]] = {}
    asked_for = [each for each in read_placed(connection) if each.value.n_scope]
    for each in sorted(asked_for, key=lambda each: order[each.method_id]):
        numbers = found.setdefault((each.run_id, each.report_row), {})
        numbers.setdefault(each.number, {})[each.method_id] = each.value
    return found


def _listed(
    connection: Connection,
    statement: str,
    make: Callable[[list[Any]], Content],
    order: Mapping[str, int],
) -> dict[Row, dict[str, ByMethod[list[Content]]]]:
    """Return records of a kind, by run, report row, kind and method."""
    found: dict[Row, dict[str, ByMethod[list[Content]]]] = {}
    rows = connection.execute(statement).fetchall()
    rows.sort(key=lambda row: order[row[2]])
    for run_id, report_row, method_id, kind, *record in rows:
        kinds = found.setdefault((run_id, report_row), {})
        kinds.setdefault(kind, {}).setdefault(method_id, []).append(make(record))
    return found


def _fates(connection: Connection, method: str) -> dict[Row, dict[Number, list[Fate]]]:
    found: dict[Row, dict[Number, list[Fate]]] = {}
    for run_id, report_row, metric, kind, *fate in connection.execute(
        query("site/fates"), {"method": method}
    ).fetchall():
        fates = found.setdefault((run_id, report_row), {})
        fates.setdefault(Number(metric, kind), []).append(Fate(*fate))
    for fates in found.values():
        for listed in fates.values():
            listed.sort(key=lambda fate: (not fate.is_averaged, -fate.n, fate.fate))
    return found
