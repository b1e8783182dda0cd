"""A board's runs on a part of its items: one type, tier, family, ..."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import BY_NAME, REPORTED
from jevdb.scoring.report import Request, selected_lines
from jevdb.scoring.report_lines import Line as ReportLine
from jevdb.scoring.selection import Selection, selected
from jevdb.site.answers import PROPERTIES
from jevdb.site.boards import Heading, heading
from jevdb.site.profiles import Share

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run

COLUMNS = tuple(
    (number.name, number)
    for number in REPORTED
    if number.metric not in ("intelligence", "coverage")
)
"""What is shown of a slice beside I: its name in the report, and the number."""


class Line(NamedTuple):
    """A run on a part: I by each method, the other numbers by the first."""

    run: Run
    intelligence: list[float | None]
    numbers: list[float | None]
    accuracy: Share | None


class Slice(NamedTuple):
    """The runs of a board on the items with one value of a dimension.

    The run with the highest I by the first method comes first.
    """

    report_row: str
    dimension: str
    value: str
    n_items: int
    lines: list[Line]
    columns: list[Heading]


class Place(NamedTuple):
    """A part of a report row: the items with one value of a dimension."""

    report_row: str
    dimension: str
    value: str


def slices(
    connection: Connection,
    runs: Sequence[Run],
    item_ids: Sequence[str],
    report_rows: Sequence[str],
    methods: Sequence[str],
) -> Iterator[Slice]:
    """Yield the parts of report rows, by row, dimension and value."""
    selection = Selection(
        run_ids=[run.run_id for run in runs],
        methods=methods,
        item_ids=item_ids,
        parts_of=report_rows,
    )
    with selected(connection, selection):
        lines = selected_lines(connection, Request(runs, methods))
    places = {
        f"{row}/{dimension}/": (at, row, dimension)
        for at, (row, dimension) in enumerate(product(report_rows, PROPERTIES))
    }
    parts: dict[tuple[int, Place], dict[str, list[ReportLine]]] = {}
    for line in lines:
        head = max(
            (each for each in places if line.report_row.startswith(each)), key=len
        )
        at, row, dimension = places[head]
        place = Place(row, dimension, line.report_row.removeprefix(head))
        by_run = parts.setdefault((at, place), {})
        by_run.setdefault(line.run.run_id, []).append(line)
    for (_, place), found in sorted(parts.items()):
        yield _slice(place, list(found.values()))


def _slice(place: Place, lines: list[list[ReportLine]]) -> Slice:
    every = [line for found in lines for line in found]
    used = [
        (name, number)
        for name, number in COLUMNS
        if any(line.numbers[name].reason != "no_rows" for line in every)
    ]
    ordered = sorted(lines, key=lambda found: (-_first(found), found[0].run.name))
    return Slice(
        *place,
        n_items=every[0].n,
        lines=[_line(found, [name for name, _ in used]) for found in ordered],
        columns=[
            Heading(number, heading(number), BY_NAME[number.metric].is_higher_better)
            for _, number in used
        ],
    )


def _line(lines: Sequence[ReportLine], names: Sequence[str]) -> Line:
    first = lines[0]
    accuracy = first.numbers["accuracy"]
    return Line(
        run=first.run,
        intelligence=[line.numbers["intelligence"].value for line in lines],
        numbers=[first.numbers[name].value for name in names],
        accuracy=None
        if accuracy.value is None
        else Share("", round(accuracy.value * accuracy.n), accuracy.n, accuracy.n),
    )


def _first(lines: Sequence[ReportLine]) -> float:
    value = lines[0].numbers["intelligence"].value
    return float("-inf") if value is None else value
