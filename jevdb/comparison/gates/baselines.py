"""The approved baseline of a benchmark: the run that others must not fall behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.output import in_utc
from jevdb.base.stored_values import require_time
from jevdb.base.text import short_id
from jevdb.base.wording import command, option
from jevdb.scoring.run_events import clear_baseline, set_baseline
from jevdb.scoring.runs import all_runs
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from datetime import datetime

    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run

APPROVING = command("set_baseline", "baseline set RUN")


class Baseline(NamedTuple):
    """A run approved for its benchmark; ``is_current`` if it still stands.

    ``approval`` is the ledger number of its approval; the error of its gates is shared
    out over ``looks`` candidates, or for ever where that is null.
    """

    benchmark_id: str
    run_id: str
    model: str
    revision: str | None
    label: str | None
    is_current: bool
    approved_at: datetime
    reason: str | None
    approval: int
    looks: int | None


def read_baselines(connection: Connection) -> list[Baseline]:
    """Return the baselines, by benchmark."""
    rows = connection.execute(query("comparison/baselines_listed")).fetchall()
    found = [Baseline(*map(in_utc, row)) for row in rows]
    for each in found:
        require_time(each.approved_at, f"ingests.ingested_at of {each.run_id}")
    return found


def approve(
    connection: Connection, run: Run, reason: str | None, looks: int | None = None
) -> bool:
    """Make *run* the baseline of its benchmark; return whether it was not yet.

    A new approval starts the count of looks again; so does another number of *looks*.

    Raises
    ------
    UsageError
        The run is withdrawn or superseded.
    """
    require_current(run)
    for known in read_baselines(connection):
        if (known.run_id, known.looks) == (run.run_id, looks):
            return False
    set_baseline(connection, run, reason, looks)
    return True


def require_current(run: Run) -> None:
    """Refuse a run that is withdrawn or superseded as a baseline: UsageError."""
    if not run.is_current:
        raise UsageError(
            f"{run.name} ({short_id(run.run_id)}) is {run.marks[-1]}: it cannot be a "
            "baseline"
        )


def clear(connection: Connection, benchmark_id: str, reason: str | None) -> Run:
    """Take the baseline of a benchmark back and return the run it was.

    Raises
    ------
    UnknownNameError
        The benchmark has none.
    """
    baselines = {known.benchmark_id: known for known in read_baselines(connection)}
    if benchmark_id not in baselines:
        raise UnknownNameError("baseline of benchmark", benchmark_id, baselines)
    run_id = baselines[benchmark_id].run_id
    [run] = [run for run in all_runs(connection) if run.run_id == run_id]
    clear_baseline(connection, run, reason)
    return run


def baseline_of(connection: Connection, benchmark_id: str) -> Run:
    """Return the approved baseline of a benchmark.

    Raises
    ------
    UsageError
        There is none, or it was withdrawn or superseded since.
    """
    for known in read_baselines(connection):
        if known.benchmark_id == benchmark_id:
            [run] = [r for r in all_runs(connection) if r.run_id == known.run_id]
            if run.is_current:
                return run
            raise UsageError(
                f"the baseline of {benchmark_id}, {run.name} ({short_id(run.run_id)}), "
                f"is {run.marks[-1]}; approve another with {APPROVING}"
            )
    raise UsageError(
        f"{benchmark_id} has no baseline; name one with {option('baseline')}, or "
        f"approve one with {APPROVING}"
    )


def approval_of(connection: Connection, run: Run) -> Baseline | None:
    """Return the approval of a run that is the baseline of its benchmark now."""
    for known in read_baselines(connection):
        if known.run_id == run.run_id:
            return known
    return None
