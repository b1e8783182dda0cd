"""Numbers of runs as their reports have them, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jevdb.base.errors import UsageError
from jevdb.base.metrics import Number, decimals
from jevdb.plots.asking import (
    AS_REPORTED,
    CALIBRATION,
    INTELLIGENCE,
    Scored,
    one_benchmark,
)
from jevdb.plots.points import Spread
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run


@dataclass(frozen=True, slots=True)
class Measure:
    """A run's number with its interval."""

    value: Value
    interval: Bounds | None

    @property
    def spread(self) -> Spread | None:
        """The number as it is drawn; nothing where there is none."""
        if self.value.value is None:
            return None
        low, high = (
            (None, None)
            if self.interval is None
            else (self.interval.low, self.interval.high)
        )
        return Spread(self.value.value, low, high)


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers of runs of one benchmark in one report row: ``of[run_id][number]``."""

    runs: Sequence[Run]
    benchmark_id: str
    report_row: str
    method_id: str
    numbers: Sequence[Number]
    of: dict[str, dict[Number, Measure]]


def read_measures(
    connection: Connection,
    runs: Sequence[Run],
    numbers: Sequence[Number] = (INTELLIGENCE, CALIBRATION),
    *,
    scored: Scored = AS_REPORTED,
) -> Measured:
    """Return numbers of runs as their reports have them, with intervals.

    Raises
    ------
    UsageError, UnknownNameError
        No runs, several benchmarks; a method, gold revision or report row that there is
        not.
    """
    from jevdb.comparison.paired import one_row, paired
    from jevdb.scoring.keys import Key
    from jevdb.scoring.names import require_method
    from jevdb.scoring.report import require_gold_revision
    from jevdb.scoring.selection import Selection

    if len(set(numbers)) < len(numbers):
        raise UsageError("a number is named twice; the picture has one axis for each")
    benchmark_id = one_benchmark(runs)
    require_method(connection, scored.method_id)
    require_gold_revision(connection, scored.gold_revision, runs)
    selection = Selection(
        run_ids=[run.run_id for run in runs],
        methods=[scored.method_id],
        gold_revision=scored.gold_revision,
    )
    chosen = one_row(scored.report_row)
    with paired(connection, selection, chosen, numbers=numbers) as scores:
        [row] = scores.report_rows
        of: dict[str, dict[Number, Measure]] = {run.run_id: {} for run in runs}
        for run in runs:
            for each in numbers:
                key = Key(row, scored.method_id, *each)
                value = scores.value(run.run_id, key)
                of[run.run_id][each] = Measure(value, scores.interval(key, run.run_id))
    return Measured(runs, benchmark_id, row, scored.method_id, tuple(numbers), of)


def ordered(measured: Measured, by: Number) -> list[Run]:
    """Return the runs, the highest number first, those without one last."""

    def key(run: Run) -> tuple[bool, float, str, str]:
        value = measured.of[run.run_id][by].value.value
        return value is None, -(value or 0.0), run.name, run.run_id

    return sorted(measured.runs, key=key)


def shown_number(one: Measure, number: Number) -> str:
    """Return a number rounded as reports do, or that there is none."""
    if one.value.value is None:
        return "no value"
    return rounded(one.value.value, decimals(number.metric))
