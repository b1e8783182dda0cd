"""Editions as people and programs read them: the frozen board, a check, a file held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular

if TYPE_CHECKING:
    from jevdb.suites.editions import Checked, Edition

PLACES = 2


@dataclass(frozen=True, slots=True, repr=False)
class FrozenBoard(Tabular):
    """The board of an edition, as it was published."""

    edition: Edition
    notices: Sequence[str] = ()

    def rows(self) -> Rows:
        """Return a row per entrant, full precision."""
        entrants = self.edition.board["entrants"]
        rules = list(entrants[0]["columns"]) if entrants else []
        return Rows(
            (
                *("edition", "rank", "published_rank", "model", "revision", "label"),
                *("score", "low", "high", "reason", *rules, "areas"),
            ),
            [
                [
                    *(self.edition.name, each["rank"], each["published_rank"]),
                    *(each["model"], each["revision"], each["label"]),
                    *(each["score"][key] for key in ("value", "low", "high", "reason")),
                    *(each["columns"][rule] for rule in rules),
                    each["areas"],
                ]
                for each in entrants
            ],
        )

    def people_rows(self) -> Rows:
        """Return the board as people read it, rounded."""
        rows = self.rows()
        shown = [[_shown(value) for value in row] for row in rows.rows]
        return Rows(rows.columns[1:-1], [row[1:-1] for row in shown]).used()

    def heading(self) -> list[str]:
        """Return what the board is of, and what became since of its runs."""
        document = self.edition.document
        note = [document["note"]] if document.get("note") else []
        return [
            f"edition {self.edition.name}: {document['suite']}@{document['version']} "
            f"as of ingest {document['seq']}, by jevdb {document['program']['jevdb']}",
            *note,
            *self.notices,
        ]


@dataclass(frozen=True, slots=True, repr=False)
class EditionCheck(Tabular):
    """Numbers of an edition, or of a file of one, that are others by our rows."""

    name: str
    checked: Checked

    @property
    def passed(self) -> bool:
        """Whether every number is the same."""
        return not self.checked.differences

    def rows(self) -> Rows:
        """Return a row per number that differs."""
        return Rows(
            ("entrant", "member", "number", "then", "now"),
            [list(each) for each in self.checked.differences],
        )

    def heading(self) -> list[str]:
        """Return the verdict, in a line."""
        if self.checked.is_same:
            return [f"{self.name}: the same bytes"]
        count = len(self.checked.differences)
        if not count:
            return [f"{self.name}: the same numbers, in other bytes"]
        numbers = "1 number differs" if count == 1 else f"{count} numbers differ"
        return [f"{self.name}: {numbers}"]


def _shown(value: Any) -> Any:
    return f"{value:.{PLACES}f}" if isinstance(value, float) else value
