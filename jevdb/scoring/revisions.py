"""What each gold revision of a benchmark changed, and what it did to the runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UsageError
from jevdb.base.output import Rows, collected, in_utc
from jevdb.base.stored_values import require_time
from jevdb.scoring.report import Request, read_report
from jevdb.scoring.revision_effects import Effect, Revision, Revisions
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run


def revisions(
    connection: Connection,
    benchmark_id: str,
    runs: Sequence[Run],
    method_id: str = DEFAULT_METHOD,
) -> Revisions:
    """Return the gold revisions of a benchmark, and what they did to *runs*.

    The runs are scored as they stand, those ingested after a revision too.

    Raises
    ------
    UsageError
        The benchmark has no gold.
    """
    found = _revisions(connection, benchmark_id)
    if not found:
        raise UsageError(f"{benchmark_id} has no items yet, and so no gold revision")
    effects = _effects(connection, found, runs, method_id)
    return Revisions(benchmark_id, found, effects)


def _revisions(connection: Connection, benchmark_id: str) -> list[Revision]:
    rows = connection.execute(
        query("scoring/gold_revisions_listed"), {"benchmark": benchmark_id}
    ).fetchall()
    found = [Revision(*map(in_utc, row)) for row in rows]
    for each in found:
        place = f"ingests.ingested_at of gold revision {each.gold_revision}"
        require_time(each.revised_at, place)
    return found


def _effects(
    connection: Connection,
    found: Sequence[Revision],
    runs: Sequence[Run],
    method_id: str,
) -> list[Effect]:
    """Return what every revision after the first did to each run and report row."""
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


def changed_items(connection: Connection, benchmark_id: str) -> Rows:
    """Return the items that a revision after the first added or changed."""
    connection.execute(query("scoring/gold_changes"), {"benchmark": benchmark_id})
    return collected(connection)
