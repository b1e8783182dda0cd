"""What scoring ahead came to: how much was counted, and what was wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import counted
from jevdb.warehouse.checks import Fault


@dataclass(frozen=True, slots=True, repr=False)
class Scored(Tabular):
    """How many runs had tallies kept, how many were counted and are kept now.

    ``faults`` are the runs whose rows do not give their id, and kept tallies that are
    not what the rows give; nothing of the former is kept.
    """

    n_kept: int
    """Runs whose tallies were kept before."""
    n_counted: int
    """Runs whose tallies were counted, and are kept now."""
    n_rows: int
    """Answers that were read for them."""
    n_checked: int
    """Runs whose kept tallies were counted again."""
    faults: Sequence[Fault]

    @property
    def passed(self) -> bool:
        """Whether every run that was looked at is in order."""
        return not self.faults

    def rows(self) -> Rows:
        """Return a row per fault."""
        return Rows(Fault._fields, list(self.faults))

    def heading(self) -> Iterable[str]:
        """Return in words what was done."""
        yield (
            f"{counted(self.n_counted, 'run')} scored from "
            f"{counted(self.n_rows, 'row')}, {self.n_kept:,} kept before"
        )
        if self.n_checked:
            found = "as they were" if self.passed else "not all as they were"
            yield f"{counted(self.n_checked, 'run')} counted again: {found}"
