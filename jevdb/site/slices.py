"""A board's runs on a part of its items: one type, tier, family, ..."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.directions import HIGHER_IS_BETTER
from jevdb.metric_names import Number
from jevdb.reports.report import Line, Request, selected_lines
from jevdb.selection import Selection, selected
from jevdb.site.answers import PROPERTIES
from jevdb.site.boards import Heading, heading

if TYPE_CHECKING:
    from jevdb.runs import Run
    from jevdb.warehouse.database import Connection

COLUMNS = (
    ("calibration", Number("calibration", "all")),
    ("accuracy", Number("accuracy", "all")),
    ("ece_choice", Number("ece", "choice")),
    ("ece_noul", Number("ece", "noul")),
    ("ece_score", Number("ece", "score")),
    ("ece_pooled", Number("ece", "pooled")),
    ("tvd", Number("tvd", "all")),
    ("rps", Number("rps", "score")),
)
"""What is shown of a slice beside I: its name in the report, and the number."""


class Slice(NamedTuple):
    """The runs of a board on the items with one value of a dimension.

    ``lines`` holds, for each run, its line by every method; the run with the highest I
    by the first method comes first.
    """

    dimension: str
    value: str
    n_items: int
    lines: list[list[Line]]
    columns: list[tuple[str, Heading]]


def slices(
    connection: Connection,
    runs: Sequence[Run],
    item_ids: Sequence[str],
    report_row: str,
    methods: Sequence[str],
) -> Iterator[Slice]:
    """Yield the parts of a report row, by dimension and value."""
    selection = Selection(
        run_ids=[run.run_id for run in runs],
        methods=methods,
        item_ids=item_ids,
        part_of=report_row,
    )
    with selected(connection, selection):
        lines = selected_lines(connection, Request(runs, methods))
    parts: dict[tuple[int, str], dict[str, list[Line]]] = {}
    for line in lines:
        dimension, _, value = line.report_row.partition("/")
        by_run = parts.setdefault((PROPERTIES.index(dimension), value), {})
        by_run.setdefault(line.run.run_id, []).append(line)
    for (place, value), found in sorted(parts.items()):
        yield _slice(PROPERTIES[place], value, list(found.values()))


def _slice(dimension: str, value: str, lines: list[list[Line]]) -> Slice:
    every = [line for found in lines for line in found]
    return Slice(
        dimension=dimension,
        value=value,
        n_items=every[0].n,
        lines=sorted(lines, key=lambda found: (-_first(found), found[0].run.name)),
        columns=[
            (name, Heading(number, heading(number), HIGHER_IS_BETTER[number.metric]))
            for name, number in COLUMNS
            if any(line.numbers[name].reason != "no_rows" for line in every)
        ],
    )


def _first(lines: Sequence[Line]) -> float:
    value = lines[0].numbers["intelligence"].value
    return float("-inf") if value is None else value
