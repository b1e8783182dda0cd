"""The lines of the I/C report: one per run, report row and method, and their rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import REPORT_COLUMNS
from jevdb.base.output import Rows
from jevdb.scoring.differences import Unknown
from jevdb.scoring.report_rows import base_row

if TYPE_CHECKING:
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.differences import Alone
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run

NUMBERS = tuple(number.name for number in REPORT_COLUMNS)
WITH_INTERVALS = ("accuracy", "intelligence")
"""Numbers that stand with the interval of the run alone."""

COLUMNS = (
    *("run_id", "model", "revision", "label", "benchmark_id", "report_row"),
    *("method_id", "gold_revision", "n", *NUMBERS, "reasons"),
)


class Line(NamedTuple):
    """One run in one report row by one method."""

    run: Run
    report_row: str
    method_id: str
    gold_revision: int
    n: int
    numbers: dict[str, Value]
    partial_types: list[str] | None
    is_incomplete: bool
    benchmark_name: str
    main_ece: str | None
    intervals: Mapping[str, Alone] = MappingProxyType({})
    """Of those of `WITH_INTERVALS` with a value, 95 %; empty if not asked for."""
    clusters: str = ""
    """What intervals take together: ``12 clusters by group``; empty for no items."""

    def interval(self, name: str) -> Bounds | None:
        """Return the interval of a number, None where there is none."""
        found = self.intervals.get(name)
        return None if isinstance(found, Unknown) else found

    @property
    def base_row(self) -> str:
        """The report row that this one is, or is a slice of."""
        return base_row(self.report_row)


def by_benchmark(lines: Iterable[Line]) -> list[list[Line]]:
    """Return the lines of each benchmark together; they must be in order."""
    return [
        list(group)
        for _, group in groupby(lines, key=lambda line: line.run.benchmark_id)
    ]


def report_rows(lines: Sequence[Line]) -> Rows:
    """Return the lines as rows: the columns every report has, exact numbers.

    Two more columns appear only where they say something, named as in an export:
    `partial`, the types the indices are over if a run declared others unsupported, and
    `incomplete`, whether the benchmark lacks items. The ends of intervals come last.
    """
    extra = {}
    if any(line.partial_types is not None for line in lines):
        extra["partial"] = "partial_types"
    if any(line.is_incomplete for line in lines):
        extra["incomplete"] = "is_incomplete"
    fields = list(extra.values())
    ends = [f"{name}_{end}" for name in WITH_INTERVALS for end in ("low", "high")]
    if not any(line.intervals for line in lines):
        return Rows((*COLUMNS, *extra), [_row(line, fields) for line in lines])
    return Rows(
        (*COLUMNS, *extra, *ends),
        [[*_row(line, fields), *_ends(line)] for line in lines],
    )


def _ends(line: Line) -> list[float | None]:
    found = [line.interval(name) for name in WITH_INTERVALS]
    return [end for interval in found for end in interval or (None, None)]


def _row(line: Line, fields: Sequence[str]) -> list[object]:
    run = line.run
    reasons = {
        name: number.reason
        for name, number in sorted(line.numbers.items())
        if number.reason is not None
    }
    return [
        *(run.run_id, run.model, run.revision, run.label, run.benchmark_id),
        *(line.report_row, line.method_id, line.gold_revision, line.n),
        *(line.numbers[name].value for name in NUMBERS),
        reasons,
        *(getattr(line, name) for name in fields),
    ]
