"""The lines of a leaderboard: runs, and published results below or among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import sign
from jevdb.comparison.leaderboard_reported import Reported
from jevdb.comparison.standing import DIGITS

if TYPE_CHECKING:
    from jevdb.comparison.leaderboard import Entry, Leaderboard
    from jevdb.comparison.standing import Standing


class Line(NamedTuple):
    """A run or a published result, and what can be said of its place.

    ``standing`` (who leads, how stable the ranks are) is null on a board that ranks
    published results: those cannot be resampled. ``ties_above`` is then known only of a
    run right below a run.
    """

    item: Entry | Reported
    rank: int | None = None
    ties_above: bool | None = None
    standing: Standing | None = None


Placing = Callable[["Leaderboard", Sequence[Reported]], list[Line]]
"""How published results are placed: `listed_below` or `ranked_together`."""


def listed_below(board: Leaderboard, reported: Sequence[Reported]) -> list[Line]:
    """Return the runs as they are ranked, then the published results."""
    runs = [
        Line(entry, place and place.rank, place and place.ties_above, place)
        for entry in board.entries
        for place in [entry.standing]
    ]
    return [*runs, *map(Line, reported)]


def ranked_together(board: Leaderboard, reported: Sequence[Reported]) -> list[Line]:
    """Return runs and published results by value; exact ties share a rank.

    Runs that gave way, and results without the number, follow without a rank.
    """
    direction = sign(board.request.number.metric)
    items: list[Entry | Reported] = [*board.entries, *reported]
    values = [_value(item) for item in items]
    ranked = sorted(
        (round(-direction * value, DIGITS), place)
        for place, value in enumerate(values)
        if value is not None
    )
    lines: list[Line] = []
    for value, place in ranked:
        above = lines[-1].item if lines else None
        rank = 1 + sum(other < value for other, _ in ranked)
        lines.append(Line(items[place], rank, _ties(items[place], above)))
    left = [item for item, value in zip(items, values, strict=True) if value is None]
    return lines + [Line(item) for item in left]


def _value(item: Entry | Reported) -> float | None:
    """Return what an item is ranked by; None where it is not ranked."""
    if isinstance(item, Reported):
        return item.value
    return None if item.standing is None else item.value.value


def _ties(item: Entry | Reported, above: Entry | Reported | None) -> bool | None:
    """Return whether a run may tie with the line above, if that is a run too."""
    if isinstance(item, Reported) or isinstance(above, Reported):
        return None
    return item.standing and item.standing.ties_above
