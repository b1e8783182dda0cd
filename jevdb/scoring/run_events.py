"""What happens to a run after its ingest: a row in ``run_events``, never a change.

A function that returns whether there was anything to do makes doing it twice one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jevdb.base.errors import ConflictError
from jevdb.base.output import to_json
from jevdb.base.text import short_id
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import record

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run


def withdraw(connection: Connection, run: Run, reason: str) -> bool:
    """Take a run out of every report that does not name it, until it is restored."""
    if run.is_withdrawn:
        return False
    _record(connection, run, "withdrawn", None, reason)
    return True


def restore(connection: Connection, run: Run, reason: str | None) -> bool:
    """Take a withdrawal back; a run that is superseded as well stays superseded."""
    if not run.is_withdrawn:
        return False
    _record(connection, run, "reinstated", "withdrawn", reason)
    return True


def set_private(connection: Connection, run: Run, reason: str | None) -> bool:
    """Leave a run out of exports."""
    if run.is_private:
        return False
    _record(connection, run, "private", None, reason)
    return True


def set_public(connection: Connection, run: Run, reason: str | None) -> bool:
    """Let a run into exports again."""
    if not run.is_private:
        return False
    _record(connection, run, "public", None, reason)
    return True


def set_baseline(
    connection: Connection, run: Run, reason: str | None, looks: int | None = None
) -> None:
    """Approve a run as the baseline of its benchmark, for a number of looks or ever."""
    set_baselines(connection, [run], reason, looks)


def set_baselines(
    connection: Connection,
    runs: Iterable[Run],
    reason: str | None,
    looks: int | None = None,
) -> None:
    """Approve runs as the baselines of their benchmarks, all of them or none."""
    value = None if looks is None else str(looks)
    with transaction(connection):
        for run in runs:
            _insert(connection, run, "baseline_set", value, reason)


def clear_baseline(connection: Connection, run: Run, reason: str | None) -> None:
    """Take the approval back."""
    _record(connection, run, "baseline_cleared", None, reason)


def relabel(
    connection: Connection,
    run: Run,
    label: str | None,
    others: Iterable[Run],
    reason: str | None = None,
) -> bool:
    """Give a run another label, or none.

    Raises
    ------
    ConflictError
        Another run holds this name; a superseded one holds none.
    """
    if run.label == label:
        return False
    named = run._replace(label=label)
    for other in others:
        if other.identity == named.identity and holds_name(run) and holds_name(other):
            raise ConflictError(
                f"{named.name} on {run.benchmark_id} is run {short_id(other.run_id)}; "
                "choose another label"
            )
    _record(connection, run, "relabelled", label, reason)
    return True


def holds_name(run: Run) -> bool:
    """Whether no other run can have the run's name; a withdrawn one keeps its own."""
    return not run.is_superseded


def _record(
    connection: Connection, run: Run, event: str, value: str | None, reason: str | None
) -> None:
    with transaction(connection):
        _insert(connection, run, event, value, reason)


def _insert(
    connection: Connection, run: Run, event: str, value: str | None, reason: str | None
) -> None:
    content = to_json([run.run_id, event, value, reason])
    seq = record(connection, "event", hashlib.sha256(content.encode()).hexdigest())
    connection.execute(
        "insert into run_events (seq, run_id, event, value, reason) "
        "values ($seq, $run_id, $event, $value, $reason)",
        {
            "seq": seq,
            "run_id": run.run_id,
            "event": event,
            "value": value,
            "reason": reason,
        },
    )
