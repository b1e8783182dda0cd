"""A prepared run into the warehouse: whole, once, and under a name of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.arrow import register
from jevdb.base.errors import ConflictError, JevdbError
from jevdb.base.text import counted
from jevdb.base.wording import option
from jevdb.ingest.decode.records import canonical_json
from jevdb.ingest.guards.gold import hold_against_gold
from jevdb.ingest.judge.rejects import store_rejects
from jevdb.ingest.run_options import Model
from jevdb.ingest.runs.prepared import PreparedRun
from jevdb.ingest.runs.summary import RunSummary, run_name
from jevdb.scoring.naming import Named, names_of, now_called, restoring
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import insert_row, record
from jevdb.warehouse.settings import one_thread
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class _Holder(NamedTuple):
    """A stored run that has the rows, or holds the name."""

    run_id: str
    has_rows: bool
    is_withdrawn: bool
    is_superseded: bool
    is_private: bool
    rows_sha256: str
    unsupported_types: list[str]


class _Place(NamedTuple):
    """Where a run finds itself: the same rows stored, and another run of its name."""

    same: _Holder | None
    other: _Holder | None


def store_run(connection: Connection, prepared: PreparedRun) -> RunSummary:
    """Store the run in one transaction and return its summary with the outcome.

    The same rows under the same name are there already and nothing is stored.

    Raises
    ------
    ConflictError
        Other rows hold the name, and the run is not told to supersede them.
    """
    with transaction(connection), _incoming(connection, prepared):
        prepared = _named_now(connection, prepared)
        place = _place(connection, prepared)
        prepared = _compared(connection, prepared, place)
        if place.same and not place.same.is_superseded:
            return _already_there(prepared.summary, place.same)
        if place.same:
            return _reinstate(connection, prepared.summary, place)
        return _insert(connection, prepared, place.other)


def foreseen(connection: Connection, prepared: PreparedRun) -> RunSummary:
    """Return the summary of a dry run; raises what storing would raise."""
    with _incoming(connection, prepared):
        prepared = _named_now(connection, prepared)
        place = _place(connection, prepared)
        prepared = _compared(connection, prepared, place)
    if place.same and not place.same.is_superseded:
        return _already_there(prepared.summary, place.same)
    return prepared.summary


def _named_now(connection: Connection, prepared: PreparedRun) -> PreparedRun:
    """Note what the model is called now, and that reports leave out what is retired."""
    summary, notes = prepared.summary, list(prepared.summary.notes)
    said: dict[Named, str] = {
        "model": summary.model,
        "benchmark": summary.benchmark_id,
    }
    for kind, name in said.items():
        names = names_of(connection, kind)
        shown = names.shown(name)
        if kind == "model" and shown != name:
            notes.append(now_called(kind, name, shown))
        if names.is_retired(shown):
            notes.append(
                f"{kind} {shown} is retired: reports leave the run out until "
                f"{restoring(kind, shown)}"
            )
    return prepared._replace(summary=replace(summary, notes=notes))


def _place(connection: Connection, prepared: PreparedRun) -> _Place:
    found = connection.execute(
        query("ingest/run_holders"), _name(prepared.summary)
    ).fetchall()
    holders = [_Holder(*row) for row in found]
    same = next((each for each in holders if _is_same(each, prepared)), None)
    other = next((each for each in holders if each is not same), None)
    stands = same is not None and not same.is_superseded
    if other and not stands and not prepared.options.supersede:
        raise _conflict(connection, prepared.summary, other)
    return _Place(same, other)


@contextmanager
def _incoming(connection: Connection, prepared: PreparedRun) -> Iterator[None]:
    register(connection, "incoming", prepared.rows.rows())
    try:
        yield
    finally:
        connection.unregister("incoming")


def _name(summary: RunSummary) -> dict[str, object]:
    names = ("run_id", "benchmark_id", "model", "revision", "label")
    return {name: getattr(summary, name) for name in names}


def _is_same(holder: _Holder, prepared: PreparedRun) -> bool:
    """Whether a stored run has these rows: by its id, or relabelled to this name."""
    return holder.has_rows or (
        holder.rows_sha256 == prepared.summary.rows_sha256
        and holder.unsupported_types == sorted(set(prepared.options.unsupported))
    )


def _compared(
    connection: Connection, prepared: PreparedRun, place: _Place
) -> PreparedRun:
    """Hold the rows against the gold; what is stored already was held before."""
    if place.same:
        return prepared
    found = hold_against_gold(
        connection, prepared.rows, prepared.options, prepared.types
    )
    return prepared._replace(
        summary=replace(
            prepared.summary,
            disagreements=found.n,
            disagreement_places=found.places,
        )
    )


def _already_there(summary: RunSummary, holder: _Holder) -> RunSummary:
    return replace(
        summary,
        outcome="already_there",
        run_id=holder.run_id,
        is_withdrawn=holder.is_withdrawn,
    )


def _conflict(
    connection: Connection, summary: RunSummary, holder: _Holder
) -> ConflictError:
    found = connection.execute(query("ingest/differences"), {"run_id": holder.run_id})
    n_other, n_new, n_gone, first = found.fetchall()[0]
    parts = [
        counted(n, f"row {one}", f"rows {many}")
        for n, one, many in (
            (n_other, "differs", "differ"),
            (n_new, "is new", "are new"),
            (n_gone, "is gone", "are gone"),
        )
        if n
    ]
    what = ", ".join(parts) or "the types it declares unsupported differ"
    where = f" (the first: item {first!r})" if first else ""
    state = "withdrawn run" if holder.is_withdrawn else "run"
    return ConflictError(
        f"{run_name(summary)} on {summary.benchmark_id} is {state} "
        f"{holder.run_id[:12]} already, with other rows: {what}{where}; store these "
        f"under another {option('label')}, or replace that run with "
        f"{option('supersede', value=True)}"
    )


def _reinstate(
    connection: Connection, summary: RunSummary, place: _Place
) -> RunSummary:
    same, holder = place
    seq = record(connection, "event", summary.run_id)
    _event(connection, seq, summary.run_id, "reinstated", None)
    if holder:
        _event(connection, seq, holder.run_id, "superseded", summary.run_id)
    return replace(
        summary,
        outcome="reinstated",
        superseded=holder.run_id if holder else None,
        is_withdrawn=same is not None and same.is_withdrawn,
    )


def _insert(
    connection: Connection, prepared: PreparedRun, holder: _Holder | None
) -> RunSummary:
    summary, options = prepared.summary, prepared.options
    seq = record(connection, "run", summary.run_id)
    run = {
        "run_id": summary.run_id,
        "benchmark_id": summary.benchmark_id,
        "model_id": store_model(connection, options.model, seq),
        "label": summary.label,
        "started_at": options.started_at,
        "settings": canonical_json(options.settings) if options.settings else None,
        "source_files": canonical_json(summary.files),
        "unsupported_types": sorted(set(options.unsupported)),
        "n_repeats": summary.repeats,
        "n_rows": summary.expected - summary.missing,
        "n_ok": summary.ok,
        "n_invalid": summary.invalid,
        "n_unsupported": summary.unsupported,
        "n_error": summary.error,
        "n_duplicate": summary.duplicates,
        "n_rejected": summary.rejected,
        "rows_sha256": summary.rows_sha256,
        "seq": seq,
    }
    insert_row(connection, "runs", run)
    _require_once(connection)
    with one_thread(connection):
        connection.execute(
            query("ingest/predictions"), {"run_id": summary.run_id}
        ).fetchall()
    if prepared.rejects:
        store_rejects(connection, prepared.rejects, seq)
    if options.is_private:
        _event(connection, seq, summary.run_id, "private", None)
    if holder:
        _event(connection, seq, holder.run_id, "superseded", summary.run_id)
    return replace(
        summary, outcome="stored", superseded=holder.run_id if holder else None
    )


def _require_once(connection: Connection) -> None:
    """Refuse rows of which two answer the same: predictions have no key to do it."""
    twice = connection.execute(query("ingest/stored_twice")).fetchall()
    if twice:
        raise JevdbError(f"item {twice[0][0]!r} would be stored twice; nothing was")


def model_identity(model: Model) -> str:
    """Return the SHA-256 of the model's description, by which it is known."""
    return hashlib.sha256(canonical_json(_described(model)).encode()).hexdigest()


def _described(model: Model) -> dict[str, object]:
    return {
        "name": model.name,
        "revision": model.revision,
        "provider": model.provider,
        "open_weights": model.open_weights,
        "parameters": model.parameters,
        "requested_name": model.requested_name,
        "resolved_name": model.resolved_name,
        "meta": dict(model.meta) or None,
    }


def store_model(connection: Connection, model: Model, seq: int) -> str:
    """Store the model as described, unless it is known just so; return its id."""
    model_id = model_identity(model)
    known = connection.execute(
        "select 1 from models where model_id = $model_id", {"model_id": model_id}
    ).fetchall()
    if not known:
        meta = canonical_json(model.meta) if model.meta else None
        row = {**_described(model), "model_id": model_id, "meta": meta, "seq": seq}
        insert_row(connection, "models", row)
    return model_id


def _event(
    connection: Connection, seq: int, run_id: str, event: str, value: str | None
) -> None:
    row = {"seq": seq, "run_id": run_id, "event": event, "value": value, "reason": None}
    insert_row(connection, "run_events", row)
