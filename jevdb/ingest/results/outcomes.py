"""What became of files of published results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular

OutcomeWord = Literal[
    "stored", "already_there", "superseded_before", "reinstated", "described", "differs"
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file; *note* says what a person should know."""

    source: str
    outcome: OutcomeWord
    model: str
    revision: str | None
    tags: list[str]
    result_sha256: str | None
    intelligence: float | None = None
    intelligence_supported: float | None = None
    superseded: str | None = None
    note: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the outcome as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True, repr=False)
class PublishedOutcomes(Tabular):
    """What became of every file of published results."""

    outcomes: Sequence[Outcome]
    skipped: Sequence[str]

    def rows(self) -> Rows:
        """Return a row per file."""
        documents = [each.to_json() for each in self.outcomes]
        columns = tuple(documents[0]) if documents else ("source", "outcome")
        return Rows(columns, [list(each.values()) for each in documents])
