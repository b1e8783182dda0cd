"""How a model did over time: every run of it, scored by the gold of then and of now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UnknownNameError
from jevdb.base.metrics import Number
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import short_id
from jevdb.comparison.compared_line import verdict_of
from jevdb.numerics.discordant import LEVEL
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.differences import Unknown
from jevdb.scoring.evidence import read_evidence
from jevdb.scoring.keys import Key
from jevdb.scoring.names import require_benchmark, require_method
from jevdb.scoring.numbers import Value, read_numbers
from jevdb.scoring.report_rows import row_meant
from jevdb.scoring.runs import Run, all_runs
from jevdb.scoring.selection import EVERY_NUMBER, Selection, selected

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.differences import Alone, Contrast

GOLD_THEN = """\
select runs.run_id, max(revised.gold_revision)
from runs
inner join (select distinct benchmark_id, gold_revision, seq from golds) as revised
    on runs.benchmark_id = revised.benchmark_id
    and revised.seq <= runs.seq
group by runs.run_id"""
"""A run that came before any gold has none."""

ACCURACY = Number("accuracy", "all")
"""Of every item: its n is the size of a report row."""

COLUMNS = (
    *("run_id", "model", "revision", "label", "benchmark_id", "report_row"),
    *("method_id", "metric", "kind", "started_at", "ingested_at", "seq", "state"),
    *("gold_revision_then", "value_then", "gold_revision", "value", "n", "change"),
    *("reason", "low", "high", "interval_reason", "verdict", "verdict_reason"),
    *("p_value", "cluster", "n_clusters"),
)

PEOPLE_COLUMNS = (
    *("run_id", "revision", "label", "benchmark_id", "report_row", "started_at"),
    *("ingested_at", "state", "gold_revision_then", "value_then", "gold_revision"),
    *("value", "low", "high", "change", "verdict", "reason"),
)


class Asked(NamedTuple):
    """Whose history: a model (or ``model@revision``), of which number, where."""

    model: str
    number: Number
    method_id: str
    benchmark_id: str | None = None
    report_row: str | None = None
    cluster: ClusterBy | None = None


class Score(NamedTuple):
    """A run's number by one gold revision, and how many items its report row has."""

    gold_revision: int
    number: Value
    n_items: int

    @property
    def value(self) -> float | None:
        """The number itself."""
        return self.number.value

    @property
    def n(self) -> int:
        """How many rows it averages."""
        return self.number.n

    @property
    def reason(self) -> str | None:
        """Why there is none."""
        return self.number.reason


Scores = dict[str, Score]


class Line(NamedTuple):
    """A run in one report row: the number by the gold of its ingest, and of today.

    ``change`` is against the line before with a number, by the gold of today, and
    ``verdict`` what is known of it: better, worse or not_resolved; both over the items
    of the report row, at 5 % for each change alone. ``alone`` is the interval of the
    run's own number, or why there is none.
    """

    run: Run
    report_row: str
    then: Score | None
    now: Score
    change: float | None
    alone: Alone | None = None
    contrast: Contrast | None = None
    verdict: str | None = None
    clusters: tuple[str, int | None] = (ClusterBy.NONE.value, None)
    """What items are clustered by, and how many clusters there are."""


@dataclass(frozen=True, slots=True, repr=False)
class History(Tabular):
    """Every run of a model, scored by the gold of then and of now."""

    asked: Asked
    lines: Sequence[Line]

    def rows(self) -> Rows:
        """Return a row per run."""
        return history_rows(self.asked, self.lines)

    def people_rows(self) -> Rows:
        """Return the columns people look at, ids short, numbers with four decimals."""
        return _for_people(self.rows(), [line.run.benchmark for line in self.lines])


def history(connection: Connection, asked: Asked) -> History:
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
    known = [run_id for run_id in run_ids if run_id in gold_then]
    for revision in sorted({gold_then[run_id] for run_id in known}):
        wanted = [run_id for run_id in known if gold_then[run_id] == revision]
        if any(_newest(now[run_id]) != revision for run_id in wanted):
            then |= _scores(connection, asked, wanted, revision)
    lines = [
        _line(run, asked.report_row, now[run.run_id], then.get(run.run_id, {}))
        for run in runs
        if now[run.run_id]
    ]
    by_benchmark = groupby(_with_changes(lines), key=lambda line: line.run.benchmark_id)
    judged = [_judged(connection, asked, list(group)) for _, group in by_benchmark]
    return History(asked, [line for group in judged for line in group])


def _judged(connection: Connection, asked: Asked, lines: Sequence[Line]) -> list[Line]:
    """Return lines of one benchmark with intervals, and verdicts on their changes."""
    selection = Selection(
        run_ids=[line.run.run_id for line in lines], methods=(asked.method_id,)
    )
    judged: list[Line] = []
    with selected(connection, selection, reports=[]):
        evidence = read_evidence(connection, asked.cluster, [asked.number])
    before: Line | None = None
    for line in lines:
        if line.now.value is None:
            judged.append(line)
            continue
        key = Key(line.report_row, asked.method_id, *asked.number)
        found = line._replace(
            alone=evidence.alone(key, line.run.run_id, line.now.value),
            clusters=evidence.cluster_words(line.report_row),
        )
        if before is not None and line.change is not None:
            contrast = evidence.difference(
                key, before.run.run_id, line.run.run_id, line.change
            )
            verdict, _ = verdict_of(asked.number.metric, contrast, None, LEVEL)
            found = found._replace(contrast=contrast, verdict=verdict)
        judged.append(found)
        before = line
    return judged


def _runs(connection: Connection, asked: Asked) -> list[Run]:
    benchmark_id = asked.benchmark_id
    if benchmark_id is not None:
        benchmark_id = require_benchmark(connection, benchmark_id)
    known = all_runs(connection)
    bare = {run.run_id: run._replace(label=None).name for run in known}
    mine = [run for run in known if asked.model in (run.model, bare[run.run_id])]
    mine = mine or [run for run in known if asked.model in run.former]
    if not mine:
        raise UnknownNameError("model", asked.model, {run.model for run in known})
    kept = [run for run in mine if benchmark_id in (None, run.benchmark_id)]
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
    with selected(connection, selection, reports=[EVERY_NUMBER]):
        sizes = {
            (each.run_id, each.report_row): each.value.n
            for each in read_numbers(connection, ACCURACY.metric)
            if each.number == ACCURACY
        }
        for each in read_numbers(connection, asked.number.metric):
            if each.number == asked.number:
                n_items = sizes[each.run_id, each.report_row]
                score = Score(each.gold_revision, each.value, n_items)
                found[each.run_id][each.report_row] = score
    return found


def _newest(scores: Scores) -> int:
    return max((score.gold_revision for score in scores.values()), default=0)


def _line(run: Run, wanted: str | None, now: Scores, then: Scores) -> Line:
    row = row_meant(wanted, {name: score.n_items for name, score in now.items()})
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
        *(line.change, now.reason, *_interval(line), line.verdict),
        *(*_test(line), *line.clusters),
    ]


def _interval(line: Line) -> tuple[float | None, float | None, str | None]:
    if line.alone is None:
        return None, None, line.now.reason
    if isinstance(line.alone, Unknown):
        return None, None, line.alone.reason
    return *line.alone, None


def _test(line: Line) -> tuple[str | None, float | None]:
    """Return why a change has no test, and the p-value of one that has."""
    if line.contrast is None:
        return None, None
    if isinstance(line.contrast, Unknown):
        return line.contrast.reason, None
    return None, line.contrast.p_value


def _for_people(rows: Rows, benchmarks: Sequence[str]) -> Rows:
    """Return the columns people look at, ids short, numbers with four decimals."""
    places = [rows.columns.index(name) for name in PEOPLE_COLUMNS]
    shown = []
    named = PEOPLE_COLUMNS.index("benchmark_id") - 1
    for row, benchmark in zip(rows.rows, benchmarks, strict=True):
        run_id, *values = (row[place] for place in places)
        values[named] = benchmark
        numbers = [round(v, 4) if isinstance(v, float) else v for v in values]
        shown.append([short_id(str(run_id)), *numbers])
    return Rows(PEOPLE_COLUMNS, shown).used()
