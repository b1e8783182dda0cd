"""Models and benchmarks renamed or retired: rows in ``name_events``, never a change.

A function that returns whether there was anything to do makes doing it twice one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from jevdb.base.errors import ConflictError, UsageError
from jevdb.base.output import to_json
from jevdb.base.wording import command, option
from jevdb.scoring.naming import NameChange, Named, Names, names_of, restoring
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import insert_row, record

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

TAKEN = """\
select benchmark_id, list(run_id[:12] order by seq)
from run_states
where not is_superseded and model = $model
group by benchmark_id, model, revision, label
having count(*) > 1
order by benchmark_id"""


def rename(
    connection: Connection,
    kind: Named,
    old: str,
    new: str,
    reason: str | None = None,
    *,
    merge: bool = False,
) -> NameChange:
    """Call a model or a benchmark *new* from now on.

    A model that was merged into another has its own name back when it is renamed to
    just that.

    Raises
    ------
    UnknownNameError
        Nothing is or was called *old*.
    UsageError
        It is retired.
    ConflictError
        Something else is called *new* (of models, and *merge* was not said), or was; or
        two runs would have one name.
    """
    with transaction(connection):
        names = names_of(connection, kind)
        was = names.meant(old)
        if was == new:
            return NameChange(new, was, is_new=False)
        if names.is_retired(was):
            raise UsageError(
                f"{kind} {was} is retired; take that back first with "
                f"{restoring(kind, was)}"
            )
        affected = names.alike(was)
        shown_alike = {each for each in names.stored if names.shown(each) == was}
        if kind == "model" and old == new and len(shown_alike) > 1:
            affected = {old}
        elif new not in affected:
            _refuse_taken(names, was, new, merge=merge)
        _enter(connection, names, affected, "renamed", new, reason)
        if kind == "model":
            _refuse_double_runs(connection, was, new)
    return NameChange(new, was, is_new=True)


def retire(
    connection: Connection, kind: Named, name: str, reason: str | None = None
) -> NameChange:
    """Take a model or a benchmark out of lists and boards; its runs with it.

    Raises
    ------
    UnknownNameError
        Nothing is or was called this.
    """
    return _switch(connection, kind, name, "retired", reason)


def restore(
    connection: Connection, kind: Named, name: str, reason: str | None = None
) -> NameChange:
    """Take back that a model or a benchmark is retired; raises as `retire` does."""
    return _switch(connection, kind, name, "restored", reason)


def _switch(
    connection: Connection,
    kind: Named,
    name: str,
    event: Literal["retired", "restored"],
    reason: str | None,
) -> NameChange:
    with transaction(connection):
        names = names_of(connection, kind)
        shown = names.meant(name)
        is_new = names.is_retired(shown) is not (event == "retired")
        if is_new:
            _enter(connection, names, names.alike(shown), event, None, reason)
    return NameChange(shown, shown, is_new)


def _refuse_taken(names: Names, was: str, new: str, *, merge: bool) -> None:
    """Refuse a name that means something else already, now or in files of before."""
    kind = names.kind
    if new in names.shown_names:
        if kind == "benchmark":
            raise ConflictError(
                f"{new} is another benchmark; choose another name for {was}"
            )
        if names.is_retired(new):
            raise ConflictError(f"{new} is another model, which is retired")
        if not merge:
            raise ConflictError(
                f"{new} is another model; choose another name for {was}, or show the "
                f"runs of both as one model's with {option('merge', value=True)}"
            )
    elif new in names.states and names.shown(new) != new:
        raise ConflictError(
            f"{new} was the name of {kind} {names.shown(new)}, which it still finds; "
            f"choose another name for {was}"
        )


def _refuse_double_runs(connection: Connection, was: str, new: str) -> None:
    double = connection.execute(TAKEN, {"model": new}).fetchall()
    if double:
        benchmark, run_ids = double[0]
        raise ConflictError(
            f"{was} and {new} both have a run of one revision and label on "
            f"{benchmark}: {' and '.join(run_ids)}; give one another label with "
            f"{command('relabel', 'runs relabel RUN LABEL')} or withdraw and supersede "
            "it first"
        )


def _enter(
    connection: Connection,
    names: Names,
    affected: Iterable[str],
    event: str,
    value: str | None,
    reason: str | None,
) -> None:
    """Store what happened to these names, as one ingest."""
    ordered = sorted(affected)
    content = to_json([names.kind, ordered, event, value, reason])
    seq = record(connection, "event", hashlib.sha256(content.encode()).hexdigest())
    for name in ordered:
        row = {"seq": seq, "kind": names.kind, "name": name, "event": event}
        insert_row(connection, "name_events", {**row, "value": value, "reason": reason})
