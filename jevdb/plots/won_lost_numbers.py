"""The items that one of two runs won or lost, with the numbers of their comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UsageError
from jevdb.base.text import counted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.compare_request import Request
    from jevdb.comparison.compared_line import Line
    from jevdb.scoring.differences import Discordance
    from jevdb.scoring.runs import Run

NO_GROUP = "(none)"


class Item(NamedTuple):
    """An item that one of the two runs got right and the other did not."""

    item_id: str
    outcome: str
    group: str
    type: str


@dataclass(frozen=True, slots=True)
class WonLost:
    """The items won and lost, the line of accuracy, and the pairs of each group.

    ``by`` is the dimension of the groups.
    """

    base: Run
    other: Run
    line: Line
    by: str
    groups: dict[str, Discordance]
    items: Sequence[Item]
    cohort: str
    gold_revision: int


def read_won_lost(connection: Connection, request: Request) -> WonLost:
    """Return the items of a comparison of two runs, in groups of the breakdown.

    Raises
    ------
    UsageError, JevdbError
        More than one other run, or runs that cannot be compared; see
        `jevdb.comparison.compare.compare`.
    """
    from jevdb.comparison.compare import compare, compare_items

    if len(request.others) != 1:
        raise UsageError("won and lost items are of two runs: a base and one other")
    if request.base in request.others:
        raise UsageError("a run is named twice; tell runs apart by id or #label")
    request = request._replace(
        break_down=request.break_down or "family", methods=request.methods[:1]
    )
    comparison = compare(connection, request)
    lines = {
        line.key.report_row: line
        for line in comparison.lines
        if line.key.metric == "accuracy" and line.key.kind == "all"
    }
    row, *_ = lines
    rows = compare_items(connection, request)
    place = {name: at for at, name in enumerate(rows.columns)}
    by = str(request.break_down)
    return WonLost(
        base=request.base,
        other=request.others[0],
        line=lines[row],
        by=by,
        groups={
            name.removeprefix(f"{row}/"): line.pairs
            for name, line in lines.items()
            if name.startswith(f"{row}/") and line.pairs is not None
        },
        items=[
            Item(
                str(each[place["item_id"]]),
                str(each[place["outcome"]]),
                str(each[place[by]] or NO_GROUP),
                str(each[place["type"]]),
            )
            for each in rows.rows
        ],
        cohort=f"{counted(comparison.n_items, 'item')} ({request.asked.words})",
        gold_revision=comparison.gold_revision,
    )
