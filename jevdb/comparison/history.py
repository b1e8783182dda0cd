"""How a model did over time: every run of it, scored by the gold of then and of now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UnknownNameError
from jevdb.base.output import Rows
from jevdb.scoring.names import require_benchmark, require_method
from jevdb.scoring.runs import Run, all_runs
from jevdb.scoring.selection import Selection, selected
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.base.metrics import Number

GOLD_THEN = """\
select runs.run_id, max(gold_revisions.gold_revision)
from runs
inner join gold_revisions
    on runs.benchmark_id = gold_revisions.benchmark_id
    and gold_revisions.seq <= runs.seq
group by runs.run_id"""

COLUMNS = (
    *("run_id", "model", "revision", "label", "benchmark_id", "report_row"),
    *("method_id", "metric", "kind", "started_at", "ingested_at", "seq", "state"),
    *("gold_revision_then", "value_then", "gold_revision", "value", "n", "change"),
    "reason",
)


class Asked(NamedTuple):
    """Whose history: a model (or ``model@revision``), of which number, where."""

    model: str
    number: Number
    method_id: str
    benchmark_id: str | None = None
    report_row: str | None = None


class Score(NamedTuple):
    """A run's number by one gold revision."""

    gold_revision: int
    value: float | None
    n: int
    reason: str | None
    n_items: int


Scores = dict[str, Score]


class Line(NamedTuple):
    """A run in one report row: the number by the gold of its ingest, and of today.

    ``change`` is against the line before, by the gold of today.
    """

    run: Run
    report_row: str
    then: Score | None
    now: Score
    change: float | None


def history(connection: Connection, asked: Asked) -> list[Line]:
    """Return a line per run of the model, by benchmark, started, then sequence.

    Without a report row it is the one with most items. Superseded and withdrawn runs
    are there too; a run without a start counts from its ingest. A run whose benchmark
    has no report row has no line.

    Raises
    ------
    UnknownNameError
        A model, method, benchmark or report row that there is not.
    """
    require_method(connection, asked.method_id)
    runs = _runs(connection, asked)
    run_ids = [run.run_id for run in runs]
    now = _scores(connection, asked, run_ids, None)
    gold_then = dict(connection.execute(GOLD_THEN).fetchall())
    then: dict[str, Scores] = {}
    for revision in sorted({gold_then[run_id] for run_id in run_ids}):
        wanted = [run_id for run_id in run_ids if gold_then[run_id] == revision]
        if any(_newest(now[run_id]) != revision for run_id in wanted):
            then |= _scores(connection, asked, wanted, revision)
    lines = [
        _line(run, asked.report_row, now[run.run_id], then.get(run.run_id, {}))
        for run in runs
        if now[run.run_id]
    ]
    return list(_with_changes(lines))


def _runs(connection: Connection, asked: Asked) -> list[Run]:
    if asked.benchmark_id is not None:
        require_benchmark(connection, asked.benchmark_id)
    known = all_runs(connection)
    bare = {run.run_id: run._replace(label=None).name for run in known}
    mine = [run for run in known if asked.model in (run.model, bare[run.run_id])]
    if not mine:
        raise UnknownNameError("model", asked.model, {run.model for run in known})
    kept = [run for run in mine if asked.benchmark_id in (None, run.benchmark_id)]
    return sorted(
        kept,
        key=lambda run: (run.benchmark_id, run.started_at or run.ingested_at, run.seq),
    )


def _scores(
    connection: Connection, asked: Asked, run_ids: Sequence[str], revision: int | None
) -> dict[str, Scores]:
    """Return each run's number by report row, by a gold revision or the newest."""
    selection = Selection(
        run_ids=run_ids, methods=(asked.method_id,), gold_revision=revision
    )
    found: dict[str, Scores] = {run_id: {} for run_id in run_ids}
    if not run_ids:
        return found
    with selected(connection, selection):
        rows = connection.execute(
            query("comparison/history_numbers"), asked.number._asdict()
        ).fetchall()
    for run_id, report_row, *score in rows:
        found[run_id][report_row] = Score(*score)
    return found


def _newest(scores: Scores) -> int:
    return max((score.gold_revision for score in scores.values()), default=0)


def _line(run: Run, wanted: str | None, now: Scores, then: Scores) -> Line:
    if wanted is not None and wanted not in now:
        raise UnknownNameError("report row", wanted, now)
    row = wanted or min(now, key=lambda name: (-now[name].n_items, name))
    return Line(run, row, then.get(row), now[row], None)


def _with_changes(lines: Iterable[Line]) -> Iterable[Line]:
    for _, group in groupby(lines, key=lambda line: line.run.benchmark_id):
        before = None
        for line in group:
            value = line.now.value
            if value is None or before is None:
                yield line
            else:
                yield line._replace(change=value - before)
            before = value


def history_rows(asked: Asked, lines: Sequence[Line]) -> Rows:
    """Return the lines as rows; where the gold is as it was, then is now."""
    return Rows(COLUMNS, [_row(asked, line) for line in lines])


def _row(asked: Asked, line: Line) -> list[object]:
    run, now, then = line.run, line.now, line.then or line.now
    return [
        *(run.run_id, run.model, run.revision, run.label, run.benchmark_id),
        *(line.report_row, asked.method_id, *asked.number),
        *(run.started_at, run.ingested_at, run.seq),
        ", ".join(run.marks) or None,
        *(then.gold_revision, then.value, now.gold_revision, now.value, now.n),
        *(line.change, now.reason),
    ]
