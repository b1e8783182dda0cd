"""Published results into the warehouse: all of a call or nothing, each once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.arrow import register
from jevdb.base.errors import ConflictError
from jevdb.base.stored_values import read_object
from jevdb.base.wording import option
from jevdb.ingest.decode.records import canonical_json
from jevdb.ingest.results.identity import Ready, ready_to_store
from jevdb.ingest.results.numbers import Number
from jevdb.ingest.results.outcomes import Outcome, OutcomeWord
from jevdb.ingest.results.reading import DescribedModel, Published
from jevdb.ingest.results.records import BENCHMARK_ID, OVERALL, given
from jevdb.ingest.run_options import Model
from jevdb.ingest.runs.store import model_identity, store_model
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import insert_row, record
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


def store_published(
    connection: Connection, published: Published, *, supersede: bool = False
) -> list[Outcome]:
    """Store what files publish, in one transaction; return what became of each.

    The same numbers under the same name are there already and nothing is stored. A
    model_meta.json is stored unless a stored result describes its model otherwise.

    Raises
    ------
    ConflictError
        Other numbers hold the name (model, revision and tags), and they are not to be
        superseded; or two of the files have one name.
    """
    ready = [ready_to_store(each) for each in published.results]
    _refuse_twins(ready)
    with transaction(connection):
        holders = [_holder(connection, each) for each in ready]
        if not supersede:
            _refuse_others(ready, holders)
        outcomes = [
            _stored(connection, each, holder, supersede)
            for each, holder in zip(ready, holders, strict=True)
        ]
        return outcomes + [_described(connection, each) for each in published.models]


def _refuse_twins(ready: Sequence[Ready]) -> None:
    first: dict[str, Ready] = {}
    for each in ready:
        twin = first.setdefault(canonical_json(each.name), each)
        if twin.sha256 != each.sha256:
            raise ConflictError(
                f"{each.words}: {twin.read.source} and {each.read.source} report "
                "different numbers; ingest one of them"
            )


class _Holder(NamedTuple):
    """The results stored under a name: the current one, and whether this one is."""

    current: str | None
    is_known: bool


def _holder(connection: Connection, ready: Ready) -> _Holder:
    found = connection.execute(query("ingest/reported_holders"), ready.name).fetchall()
    current = next((sha256 for sha256, is_current in found if is_current), None)
    return _Holder(current, ready.sha256 in {sha256 for sha256, _ in found})


def _refuse_others(ready: Sequence[Ready], holders: Sequence[_Holder]) -> None:
    taken = [
        f"{each.read.source}: {each.words} is stored with other numbers "
        f"({holder.current[:12]})"
        for each, holder in zip(ready, holders, strict=True)
        if holder.current and not holder.is_known
    ]
    if taken:
        listed = "\n".join(taken)
        supersede = option("supersede", value=True)
        raise ConflictError(f"{listed}\n{supersede} lets the new numbers stand instead")


def _stored(
    connection: Connection, ready: Ready, holder: _Holder, supersede: bool
) -> Outcome:
    word: OutcomeWord = "stored"
    if holder.is_known and (holder.current == ready.sha256 or not supersede):
        is_current = holder.current == ready.sha256
        return _outcome(ready, "already_there" if is_current else "superseded_before")
    if _is_stored(connection, ready):
        # The same file twice in one call.
        return _outcome(ready, "already_there")
    seq = record(connection, "results", ready.sha256)
    insert_row(connection, "reported_results", _result_row(connection, ready, seq))
    if holder.is_known:
        word = "reinstated"
    else:
        _insert_numbers(connection, ready)
    return _outcome(ready, word, holder.current)


def _is_stored(connection: Connection, ready: Ready) -> bool:
    return _holder(connection, ready).current == ready.sha256


def _outcome(ready: Ready, word: OutcomeWord, superseded: str | None = None) -> Outcome:
    values = {each.metric: each.value for each in ready.numbers if each.view == OVERALL}
    return Outcome(
        *(ready.read.source, word, ready.read.model.name, ready.read.model.revision),
        *(ready.tags, ready.sha256),
        intelligence=values["intelligence"],
        intelligence_supported=values["intelligence_supported"],
        superseded=superseded,
    )


def _result_row(connection: Connection, ready: Ready, seq: int) -> dict[str, object]:
    read, result = ready.read, ready.read.result
    said = {
        "benchmark_name": result.benchmark_name,
        "benchmark_version": given(result.benchmark_version),
        "dataset_repo": result.dataset_repo,
        "dataset_revision": result.dataset_revision,
        "task_spec_sha256": given(result.task_spec_sha256),
        "artifact": result.artifact if isinstance(result.artifact, dict) else None,
        **read.extra,
    }
    return {
        "result_sha256": ready.sha256,
        "benchmark_id": BENCHMARK_ID,
        "model_id": store_model(connection, read.model, seq),
        "source_file": PurePath(read.source).name,
        "source_sha256": read.sha256,
        "tags": ready.tags,
        "requested_rows": result.requested_rows,
        "ok_rows": result.successful_rows,
        "unsupported_rows": result.unsupported_rows,
        "error_rows": result.error_rows,
        "submitted_at": read.submitted_at,
        "meta": canonical_json({k: v for k, v in said.items() if v is not None}),
        "seq": seq,
    }


def _insert_numbers(connection: Connection, ready: Ready) -> None:
    import pyarrow as pa

    columns = zip(*ready.numbers, strict=True)
    kinds = {"value": pa.float64(), "n": pa.int64(), "is_partial": pa.bool_()}
    table = pa.table(
        {
            name: pa.array(column, kinds.get(name, pa.string()))
            for name, column in zip(Number._fields, columns, strict=True)
        }
    )
    register(connection, "incoming_numbers", table)
    try:
        connection.execute(
            query("ingest/reported_metrics_insert"), {"result_sha256": ready.sha256}
        ).fetchall()
    finally:
        connection.unregister("incoming_numbers")


def _described(connection: Connection, read: DescribedModel) -> Outcome:
    """Store a model's description, unless a result's own block stands against it."""
    model, model_id = read.model, model_identity(read.model)
    note = None
    named = {"model": model.name, "revision": model.revision}
    found = connection.execute(query("ingest/reported_models"), named).fetchall()
    word: OutcomeWord = "already_there"
    if found and model_id not in {stored_id for stored_id, *_ in found}:
        word = "differs"
        note = "; ".join(_differences(model, found[0][1:]))
    elif not found and not _is_described(connection, model_id):
        word = "described"
        store_model(connection, model, record(connection, "results", model_id))
    return Outcome(read.source, word, model.name, model.revision, [], None, note=note)


def _is_described(connection: Connection, model_id: str) -> bool:
    found = connection.execute(
        "select 1 from models where model_id = $model_id", {"model_id": model_id}
    ).fetchall()
    return bool(found)


def _read_meta(text: object, name: str) -> dict[str, object]:
    return read_object(None if text is None else str(text), f"models.meta of {name}")


def _differences(model: Model, stored: tuple[object, ...]) -> Iterator[str]:
    """Yield what a model_meta.json says otherwise than the result's own block."""
    open_weights, parameters, text = stored
    ours = {**model.meta, "open_weights": model.open_weights}
    ours["parameter_count"] = model.parameters
    meta = _read_meta(text, model.name)
    theirs = {**meta, "open_weights": open_weights}
    theirs["parameter_count"] = parameters
    for key in sorted(ours.keys() | theirs.keys()):
        here, there = ours.get(key), theirs.get(key)
        if here != there:
            yield f"{key} is {here!r} there and {there!r} in the result"
