"""The I/C report as data: one line per run, report row and method, in a stable order.

Lines are ordered by benchmark, model, revision, label and run (null first), then report
row (most items first, then by name; slices under their row), then method as asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UsageError
from jevdb.base.metrics import REPORTED
from jevdb.scoring.as_of import then
from jevdb.scoring.names import require_method
from jevdb.scoring.numbers import Value
from jevdb.scoring.report_lines import NUMBERS, Line, by_benchmark
from jevdb.scoring.report_rows import under_their_row
from jevdb.scoring.runs import Run
from jevdb.scoring.selection import Selection, selected
from jevdb.warehouse.scope_views import require_versions
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.cluster_by import ClusterBy
    from jevdb.scoring.selection import Breakdown


class Intervals(NamedTuple):
    """How intervals are taken: what items that belong together share.

    Unless it is given, their group where every item of the row has one.
    """

    cluster: ClusterBy | None = None


SHOWN = {number.metric for number in REPORTED}
"""The metrics of a report, whose parts are all that I and C are made of."""


class Request(NamedTuple):
    """What a report is over: runs in the order to show, and how they are scored."""

    runs: Sequence[Run]
    methods: Sequence[str] = (DEFAULT_METHOD,)
    gold_revision: int | None = None
    by: Breakdown | None = None
    """A line more per part; ``repeat`` shows each repeat as a run by itself."""
    as_of: int | None = None
    scope_versions: Sequence[int] = ()
    intervals: Intervals | None = None
    """Whether lines have intervals; users' scorings in several versions have none."""


def read_report(connection: Connection, request: Request) -> list[Line]:
    """Return the lines that *request* asks for.

    Raises
    ------
    UnknownNameError
        A method that the warehouse does not know.
    UsageError
        A gold revision or scope version that a benchmark of the report does not have.
    """
    for method in request.methods:
        require_method(connection, method)
    benchmarks = [run.benchmark_id for run in request.runs]
    require_versions(connection, request.scope_versions, benchmarks)
    with then(connection, request.as_of):
        require_gold_revision(connection, request.gold_revision, request.runs)
    if not request.runs:
        return []
    selection = Selection(
        run_ids=[run.run_id for run in request.runs],
        methods=request.methods,
        gold_revision=request.gold_revision,
        as_of=request.as_of,
        by=None if request.by == "repeat" else request.by,
        scope_versions=request.scope_versions,
        metrics=SHOWN,
        repeats="each" if request.by == "repeat" else None,
    )
    if request.by == "repeat":
        request = request._replace(runs=list(_repeats_alone(request.runs)))
    with selected(connection, selection, reports=["report"]):
        lines = selected_lines(connection, request)
        asked, groups = request.intervals, by_benchmark(lines)
        if request.scope_versions or asked is None or not groups:
            return lines
        if len(groups) == 1:
            return _with_intervals(connection, lines, asked)
    # The terms behind intervals are read of one benchmark at a time.
    found: list[Line] = []
    for group in groups:
        # A repeat by itself is called <run_id>/<repeat>.
        run_ids = list(
            dict.fromkeys(line.run.run_id.partition("/")[0] for line in group)
        )
        of_one = replace(selection, run_ids=run_ids)
        with selected(connection, of_one, reports=[]):
            found += _with_intervals(connection, group, asked)
    return found


def _repeats_alone(runs: Iterable[Run]) -> Iterator[Run]:
    """Yield each repeat of the runs as the run by itself that a selection makes it."""
    for run in runs:
        for repeat in range(run.n_repeats):
            label = f"{run.label or ''} repeat {repeat}".strip()
            yield run._replace(
                run_id=f"{run.run_id}/{repeat}",
                label=label if run.n_repeats > 1 else run.label,
                n_repeats=1,
            )


def _with_intervals(
    connection: Connection, lines: Sequence[Line], asked: Intervals
) -> list[Line]:
    from jevdb.scoring.intervals import with_intervals

    return with_intervals(connection, lines, asked.cluster)


def selected_lines(connection: Connection, request: Request) -> list[Line]:
    """Return the lines of the selection that the connection shows."""
    runs = {run.run_id: run for run in request.runs}
    connection.execute(query("scoring/report_lines"))
    columns = [str(column[0]) for column in connection.description or ()]
    rows = [dict(zip(columns, row, strict=True)) for row in connection.fetchall()]
    lines = [_line(runs[row["run_id"]], row) for row in rows]
    return in_order(lines, list(runs), request.methods)


def require_gold_revision(
    connection: Connection, revision: int | None, runs: Iterable[Run]
) -> None:
    """Refuse a gold revision that a benchmark of *runs* does not have."""
    if revision is None:
        return
    found = connection.execute(
        "select benchmark_id, max(gold_revision) from gold_revisions group by all"
    ).fetchall()
    newest = dict(found)
    for benchmark in sorted({run.benchmark_id for run in runs}):
        if not 1 <= revision <= newest.get(benchmark, 0):
            raise UsageError(
                f"{benchmark} has no gold revision {revision}; its newest is "
                f"{newest.get(benchmark, 0)}"
            )


def _line(run: Run, row: dict[str, Any]) -> Line:
    numbers = {
        name: Value(
            row[name],
            row["counts"].get(name, 0),
            row["scope_counts"].get(name, 0),
            row["reasons"].get(name),
        )
        for name in NUMBERS
    }
    return Line(
        run=run,
        numbers=numbers,
        **{name: row[name] for name in Line._fields if name in row},
    )


def in_order(
    lines: Sequence[Line], run_ids: Sequence[str], methods: Sequence[str]
) -> list[Line]:
    """Return the lines in the order of the report."""
    runs = {run_id: place for place, run_id in enumerate(run_ids)}
    sizes = {(line.run.run_id, line.report_row): line.n for line in lines}
    return sorted(
        lines,
        key=lambda line: (
            runs[line.run.run_id],
            under_their_row(
                line.report_row, sizes.get((line.run.run_id, line.base_row), 0)
            ),
            methods.index(line.method_id),
        ),
    )
