"""Runs as they are listed: typed, as rows, and as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import short_id
from jevdb.scoring.runs import Run

PEOPLE_COLUMNS = (
    *("run_id", "benchmark_id", "model", "revision", "label", "started_at"),
    *("n_rows", "n_ok", "n_invalid", "n_unsupported", "n_error", "n_rejected"),
)


@dataclass(frozen=True, slots=True, repr=False)
class Runs(Tabular, Sequence[Run]):
    """Runs in the order of reports; the rows have settings, files and digests too."""

    runs: Sequence[Run]
    listed: Rows

    def rows(self) -> Rows:
        """Return a row per run, every column."""
        return self.listed

    def people_rows(self) -> Rows:
        """Return the columns people look at, ids short, the state in words."""
        return _for_people(self.listed, {run.run_id: run for run in self.runs})

    def __len__(self) -> int:
        return len(self.runs)

    def __bool__(self) -> bool:
        return bool(self.runs)

    @overload
    def __getitem__(self, place: int) -> Run: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Run]: ...
    def __getitem__(self, place: int | slice) -> Run | Sequence[Run]:
        return self.runs[place]


def _for_people(rows: Rows, runs: Mapping[str, Run]) -> Rows:
    """Return the columns people look at, ids short, the state in words."""
    place = {name: i for i, name in enumerate(rows.columns)}
    states = ("private", "superseded", "withdrawn", "retired")
    shown = []
    for row in rows.rows:
        words = [word for word in states if row[place[f"is_{word}"]]]
        values = [row[place[name]] for name in PEOPLE_COLUMNS]
        values[1] = runs[str(values[0])].benchmark
        values[0] = short_id(str(values[0]))
        values[-1] = values[-1] or None
        shown.append([*values, ", ".join(words) or None])
    return Rows((*PEOPLE_COLUMNS, "state"), shown).used()
