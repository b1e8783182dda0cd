"""The answer of a benchmark: who leads, by how much, and why it can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.text import counted
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jevdb.comparison.board import Leaderboard
    from jevdb.site.boards import Row, Table
    from jevdb.site.contents import Benchmark, Origin

SHOWN = 5
"""Runs on the first page; leaders beyond them are named in the sentence."""
NAMED = 4
PAIR = 2


class Front(NamedTuple):
    """What the first page says of a benchmark.

    ``path`` is where its data of numbers are explained; ``made_up`` is "made-up data",
    "partly made up", or nothing where every run is real.
    """

    benchmark: Benchmark
    n_runs: int
    n_published: int
    made_up: str
    board: Leaderboard | None
    table: Table | None

    @property
    def sentences(self) -> list[str]:
        """Who leads, in a sentence or two."""
        if self.board is None or self.table is None:
            return []
        return answer(self.table)

    @property
    def shown(self) -> list[Row]:
        """The best runs."""
        return [] if self.table is None else self.table.ranked[:SHOWN]

    @property
    def left_out(self) -> str:
        """How many items the board is on, and why others are not."""
        board = self.board
        if board is None:
            return ""
        n_out = board.n_asked - board.n_items
        if not n_out:
            return f"all {counted(board.n_asked, 'item')}"
        why = "a run has no answer to them"
        return f"{board.n_items} of {counted(board.n_asked, 'item')} ({n_out}: {why})"


def made_up(origins: Sequence[Origin]) -> str:
    """Return whether the runs of a benchmark are made up, as their models say."""
    flags = [origin.is_made_up for origin in origins]
    if flags and all(flags):
        return "made-up data"
    return "partly made up" if any(flags) else ""


def answer(table: Table) -> list[str]:
    """Return who leads a board by I, with the interval, and who may lead too.

    The forms are those of INFERENCE.md §8; a lead of a value alone is never called one.
    """
    ranked = table.ranked
    if not ranked:
        return []
    first = ranked[0]
    leaders = [row for row in ranked if row.leads]
    found = _measured(first)
    if len(ranked) == 1:
        return [f"Only {first.run.name} is ranked: I {found}."]
    if not leaders:
        return [
            f"{first.run.name} has the highest I, {found}; no two runs can be tested, "
            "so that nobody leads."
        ]
    if len(leaders) == 1:
        gap = _gap(first, ranked[1])
        rest = "" if len(ranked) == PAIR else "it is above every other run, "
        return [
            f"{first.run.name} leads I with {found}: {rest}{gap} above "
            f"{ranked[1].run.name}."
        ]
    others = _listed([row.run.name for row in leaders if row is not first])
    if len(leaders) == len(ranked) > PAIR:
        others = f"none of the {len(ranked) - 1} other runs can"
    else:
        others += " can't"
    return [f"{first.run.name} has the highest I, {found}; {others} be told from it."]


def _gap(first: Row, second: Row) -> str:
    one, two = first.cells[0].value, second.cells[0].value
    assert one is not None and two is not None
    return f"{one - two:.1f}"


def _measured(row: Row) -> str:
    cell = row.cells[0]
    if cell.interval is None:
        return rounded(cell.value, 1)
    low, high = cell.interval
    return f"{rounded(cell.value, 1)} ({low:z.1f} to {high:z.1f})"


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:NAMED])
    if len(names) > NAMED:
        return f"{', '.join(shown)} and {len(names) - NAMED} more"
    if len(shown) == 1:
        return shown[0]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
