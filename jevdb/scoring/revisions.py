"""What each gold revision of a benchmark changed, and what it did to the runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UsageError
from jevdb.base.output import Rows, collected
from jevdb.scoring.report import Line, Request, read_report
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run

EFFECTS = ("n", "accuracy", "intelligence", "calibration")


class Revision(NamedTuple):
    """A gold revision: when and why, and how many items it added or changed."""

    gold_revision: int
    revised_at: datetime
    reason: str | None
    n_items: int
    n_added: int
    n_gold_changed: int
    n_reference_changed: int
    n_reference_added: int


class Effect(NamedTuple):
    """A run in one report row, by the gold before a revision and by the revision."""

    revision: Revision
    before: Line | None
    after: Line


def revisions(connection: Connection, benchmark_id: str) -> list[Revision]:
    """Return the gold revisions of a benchmark, the first one first."""
    rows = connection.execute(
        query("scoring/gold_revisions_listed"), {"benchmark": benchmark_id}
    ).fetchall()
    return [Revision(*row) for row in rows]


def changed_items(connection: Connection, benchmark_id: str) -> Rows:
    """Return the items that a revision after the first added or changed."""
    connection.execute(query("scoring/gold_changes"), {"benchmark": benchmark_id})
    return collected(connection)


def effects(
    connection: Connection,
    found: Sequence[Revision],
    runs: Sequence[Run],
    method_id: str = DEFAULT_METHOD,
) -> list[Effect]:
    """Return what every revision after the first did to each run and report row.

    The runs are scored as they stand, those ingested after a revision too.
    """
    if not runs:
        return []
    reports = [
        {(line.run.run_id, line.report_row): line for line in lines}
        for lines in (
            read_report(connection, Request(runs, (method_id,), each.gold_revision))
            for each in found
        )
    ]
    return [
        Effect(revision, before.get(place), line)
        for revision, before, after in zip(
            found[1:], reports[:-1], reports[1:], strict=True
        )
        for place, line in after.items()
    ]


def require_items(benchmark_id: str, found: Sequence[Revision]) -> None:
    """Refuse a benchmark without gold."""
    if not found:
        raise UsageError(f"{benchmark_id} has no items yet, and so no gold revision")


def revision_rows(found: Sequence[Revision], done: Sequence[Effect]) -> Rows:
    """Return a row per revision, run and report row; the first revision has no run."""
    columns = [*Revision._fields, "run_id", "model", "revision", "label"]
    columns += ["report_row", "method_id"]
    for name in EFFECTS:
        columns += [f"{name}_before", f"{name}_after"]
    rows: list[list[object]] = []
    for revision in found:
        mine = [effect for effect in done if effect.revision == revision]
        rows += [_row(effect) for effect in mine]
        if not mine:
            rows.append([*revision, *[None] * (len(columns) - len(revision))])
    return Rows(tuple(columns), rows)


def _row(effect: Effect) -> list[object]:
    run, line = effect.after.run, effect.after
    row: list[object] = [*effect.revision, run.run_id, run.model, run.revision]
    row += [run.label, line.report_row, line.method_id]
    for name in EFFECTS:
        row += [effect.before and number(effect.before, name), number(line, name)]
    return row


def number(line: Line, name: str) -> float | None:
    """Return a number of a line, or how many items its row has (``n``)."""
    return line.n if name == "n" else line.numbers[name].value
