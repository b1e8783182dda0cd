"""Ranks by several methods, and how much of a step is model and how much is method.

The step from run X by method A to run Y by method B is (Y_B - X_A). The model's part is
the mean of (Y_A - X_A) and (Y_B - X_B), the method's the mean of (X_B - X_A) and
(Y_B - Y_A): both orders of changing one thing at a time, averaged (the Shapley value
of two players), so that the parts add up. What the two orders differ by is the
interaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UsageError
from jevdb.base.metrics import number_named, sign
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import short_id
from jevdb.scoring.names import OnChoice, require_benchmark
from jevdb.scoring.report import Request, read_report
from jevdb.scoring.report_lines import NUMBERS, Line
from jevdb.scoring.report_rows import row_meant
from jevdb.scoring.runs import Run, all_runs, asked_for, resolve

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class Asked(NamedTuple):
    """The number to rank by: of a benchmark's report, in one report row."""

    benchmark_id: str
    methods: Sequence[str]
    number: str
    report_row: str | None


class Standing(NamedTuple):
    """A run by one method: its value and rank (1 is best); null is not ranked."""

    run: Run
    report_row: str
    method_id: str
    value: float | None
    rank: int | None


Standings = dict[tuple[str, str], Standing]


@dataclass(frozen=True, slots=True, repr=False)
class MethodRanks(Tabular):
    """Runs ranked by several methods; with two runs, what of the step is method."""

    asked: Asked
    standings: Standings
    pair: Sequence[Run]

    def rows(self) -> Rows:
        """Return a row per run and method; of two runs, the parts of the step."""
        return self._steps() if self.pair else standing_rows(self.asked, self.standings)

    def people_rows(self) -> Rows:
        """Return a row per run, best first by the first method."""
        if self.pair:
            return self._steps()
        return wide_rows(self.standings, self.asked.methods)

    def _steps(self) -> Rows:
        old, new = self.pair
        return step_rows(self.standings, old, new, self.asked.methods)


def standings(
    connection: Connection,
    asked: Asked,
    names: Sequence[str],
    on_choice: OnChoice | None = None,
) -> MethodRanks:
    """Return every run's standing by method, and the runs that *names* mean.

    The current runs of the benchmark are ranked, and those named.

    Raises
    ------
    UsageError
        A metric that no report has.
    UnknownNameError
        A benchmark, method, run or report row that there is not.
    """
    if asked.number not in NUMBERS:
        raise UsageError(f"no report has {asked.number}; it has {', '.join(NUMBERS)}")
    benchmark_id = require_benchmark(connection, asked.benchmark_id, on_choice)
    asked = asked._replace(benchmark_id=benchmark_id)
    ranked = asked_for(connection, (), asked.benchmark_id, on_choice)
    known = [
        run for run in all_runs(connection) if run.benchmark_id == asked.benchmark_id
    ]
    named = [resolve(known, name) for name in names]
    runs = [*ranked, *(run for run in dict.fromkeys(named) if run not in ranked)]
    lines = read_report(connection, Request(runs, asked.methods))
    row = _row(asked, lines)
    kept = [line for line in lines if line.report_row == row]
    found: Standings = {}
    for method in asked.methods:
        mine = [line for line in kept if line.method_id == method]
        values = {line.run: line.numbers[asked.number].value for line in mine}
        best_first = ranks(values, sign(number_named(asked.number).metric) < 0)
        for run, value in values.items():
            place = best_first.get(run)
            found[run.run_id, method] = Standing(run, row, method, value, place)
    return MethodRanks(asked, found, named)


def _row(asked: Asked, lines: Sequence[Line]) -> str:
    sizes = {line.report_row: line.n for line in lines}
    return row_meant(asked.report_row, sizes) if lines else ""


def ranks(values: dict[Run, float | None], is_lower_better: bool) -> dict[Run, int]:
    """Return ranks from 1; exact ties share one (1, 1, 3), what is null has none."""
    sign = 1 if is_lower_better else -1
    keys = {run: sign * value for run, value in values.items() if value is not None}
    return {
        run: 1 + sum(other < key for other in keys.values())
        for run, key in keys.items()
    }


def standing_rows(asked: Asked, found: Standings) -> Rows:
    """Return a row per run and method; rank_change is against the first method."""
    columns = ("run_id", "model", "revision", "label", "report_row", "method_id")
    first = asked.methods[0]
    rows = []
    for standing in found.values():
        run = standing.run
        before = found[run.run_id, first].rank
        is_ranked = before is not None and standing.rank is not None
        rows.append(
            [
                *(run.run_id, run.model, run.revision, run.label),
                *(standing.report_row, standing.method_id, asked.number),
                *(standing.value, standing.rank),
                standing.rank - before if is_ranked else None,  # type: ignore[operator]
            ]
        )
    return Rows((*columns, "metric", "value", "rank", "rank_change"), rows)


def wide_rows(found: Standings, methods: Sequence[str]) -> Rows:
    """Return a row per run, best first by the first method, for people."""
    runs = {standing.run for standing in found.values()}
    columns = ["run", "run_id"]
    for method in methods:
        columns += [method, f"rank by {method}"]
    rows: list[list[object]] = []
    for run in sorted(runs, key=lambda run: _order(found[run.run_id, methods[0]])):
        row: list[object] = [run.name, short_id(run.run_id)]
        for method in methods:
            standing = found[run.run_id, method]
            value = standing.value
            row += [None if value is None else round(value, 4), standing.rank]
        rows.append(row)
    return Rows(tuple(columns), rows)


def _order(standing: Standing) -> tuple[bool, int, str]:
    return standing.rank is None, standing.rank or 0, standing.run.run_id


def step_rows(found: Standings, old: Run, new: Run, methods: Sequence[str]) -> Rows:
    """Return what of the step, in value and in rank, is model and what is method."""
    first, last = methods[0], methods[-1]
    corners = [
        found[run.run_id, method] for run in (old, new) for method in (first, last)
    ]
    columns = (
        *("of", "old_by_first", "old_by_last", "new_by_first", "new_by_last"),
        *("step", "model", "method", "interaction"),
    )
    values = [corner.value for corner in corners]
    places = [corner.rank for corner in corners]
    return Rows(columns, [["value", *_step(values)], ["rank", *_step(places)]])


def _step(corners: Sequence[float | None]) -> list[float | None]:
    x_a, x_b, y_a, y_b = corners
    if x_a is None or x_b is None or y_a is None or y_b is None:
        return [*corners, None, None, None, None]
    model = ((y_a - x_a) + (y_b - x_b)) / 2
    method = ((x_b - x_a) + (y_b - y_a)) / 2
    return [*corners, y_b - x_a, model, method, (y_b - x_b) - (y_a - x_a)]
