"""The boards of several benchmarks, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import overload

from jevdb.base.output import Rows
from jevdb.base.tabular import Told
from jevdb.base.text import markdown_text, visible
from jevdb.comparison.board import Leaderboard


@dataclass(frozen=True, slots=True, repr=False)
class Leaderboards(Told, Sequence[Leaderboard]):
    """A board for each benchmark, by id; ranks never cross benchmarks."""

    boards: Sequence[Leaderboard]

    def rows(self) -> Rows:
        """Return the rows of every board; ``benchmark_id`` tells them apart."""
        tables = [board.rows() for board in self.boards]
        return Rows(tables[0].columns, [row for each in tables for row in each.rows])

    def heading(self) -> list[str]:
        """Return the headings of all boards; of several, each after its benchmark."""
        return [
            line
            for board in self.boards
            for line in (*self._titled(f"{_name(board)}:"), *board.heading())
        ]

    def text(self) -> str:
        """Return each board; of several, under the id of its benchmark."""
        return "\n".join(
            "".join([*self._titled(f"{visible(_name(board))}\n\n"), board.text()])
            for board in self.boards
        )

    def markdown(self) -> str:
        """Return each board; of several, under a heading with its benchmark."""
        return "\n".join(
            "".join([*self._titled(f"## {_marked(board)}\n\n"), board.markdown()])
            for board in self.boards
        )

    def _titled(self, title: str) -> list[str]:
        return [title] if len(self.boards) > 1 else []

    def _repr_html_(self) -> str:
        return "".join(
            f"<h4>{escape(visible(_name(board)))}</h4>{board._repr_html_()}"
            for board in self.boards
        )

    def __len__(self) -> int:
        return len(self.boards)

    @overload
    def __getitem__(self, place: int) -> Leaderboard: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Leaderboard]: ...
    def __getitem__(self, place: int | slice) -> Leaderboard | Sequence[Leaderboard]:
        return self.boards[place]


def _name(board: Leaderboard) -> str:
    return board.request.benchmark_id


def _marked(board: Leaderboard) -> str:
    return markdown_text(_name(board))
