"""The numbers of a model's runs over time, and what changed between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import JevdbError, UsageError
from jevdb.base.metrics import Number
from jevdb.base.wording import option
from jevdb.plots.asking import INTELLIGENCE

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.history import Line
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.runs import Run


class Change(NamedTuple):
    """What changed before a run (counted from 0; as many as there are: after all)."""

    before: int
    words: str


@dataclass(frozen=True, slots=True)
class History:
    """A number of a model's runs: a line per method and run, their intervals, changes.

    ``lines[method]`` are in the order of the runs; ``intervals[method]`` by run id.
    """

    model: str
    number: Number
    lines: Mapping[str, Sequence[Line]]
    intervals: Mapping[str, Mapping[str, Bounds | None]]
    changes: Sequence[Change]

    @property
    def runs(self) -> list[Run]:
        """The runs, in order."""
        return [line.run for line in next(iter(self.lines.values()))]


def read_history(
    connection: Connection,
    model: str,
    number: Number = INTELLIGENCE,
    *,
    methods: Sequence[str] = (DEFAULT_METHOD,),
    benchmark_id: str | None = None,
    report_row: str | None = None,
) -> History:
    """Return the history of a model (or ``model@revision``) on one benchmark.

    Raises
    ------
    UsageError
        The model answered several benchmarks and none was chosen.
    JevdbError
        None of its runs has a report row.
    UnknownNameError
        A model, method, benchmark or report row that there is not.
    """
    from jevdb.comparison.history import Asked
    from jevdb.comparison.history import history as lines_of

    lines = {}
    for method in methods:
        asked = Asked(model, number, method, benchmark_id, report_row)
        lines[method] = lines_of(connection, asked).lines
    first = lines[methods[0]]
    benchmarks = sorted({line.run.benchmark_id for line in first})
    if not benchmarks:
        raise JevdbError(f"no run of {model} has a number to show")
    if len(benchmarks) > 1:
        raise UsageError(
            f"{model} answered {', '.join(benchmarks)}; choose one with "
            f"{option('benchmark')}"
        )
    intervals = {
        method: _intervals(connection, found, number, method)
        for method, found in lines.items()
    }
    changes = [*_gold_changes(first), *_method_changes(connection, first, methods)]
    return History(
        model, number, lines, intervals, sorted(changes, key=lambda each: each.before)
    )


def _intervals(
    connection: Connection, lines: Sequence[Line], number: Number, method: str
) -> dict[str, Bounds | None]:
    """Return the interval of each run's number by the gold of today."""
    from jevdb.comparison.paired import paired
    from jevdb.scoring.keys import Key
    from jevdb.scoring.selection import Selection

    run_ids = [line.run.run_id for line in lines]
    selection = Selection(run_ids=run_ids, methods=[method])
    with paired(connection, selection, numbers=[number]) as scores:
        return {
            line.run.run_id: scores.interval(
                Key(line.report_row, method, *number), line.run.run_id
            )
            for line in lines
        }


def gold_then(line: Line) -> int:
    """Return the gold revision of the run's ingest."""
    return (line.then or line.now).gold_revision


def _gold_changes(lines: Sequence[Line]) -> Iterator[Change]:
    """Yield each step of the gold between the ingests of two runs, and up to today."""
    golds = [*map(gold_then, lines), lines[-1].now.gold_revision]
    for place, (before, after) in enumerate(pairwise(golds), 1):
        if before != after:
            yield Change(place, f"gold {after}")


def _method_changes(
    connection: Connection, lines: Sequence[Line], methods: Sequence[str]
) -> Iterator[Change]:
    """Yield the methods shown that came after the first run."""
    rows = connection.execute(
        "select method_id, seq from methods "
        "where method_id in (select unnest($methods)) order by seq, method_id",
        {"methods": list(methods)},
    ).fetchall()
    for method_id, seq in rows:
        later = [place for place, line in enumerate(lines) if line.run.seq > seq]
        before = later[0] if later else len(lines)
        if before:
            yield Change(before, f"method {method_id}")
