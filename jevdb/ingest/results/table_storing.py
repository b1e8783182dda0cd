"""Tables of published numbers into the warehouse: all of a call or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jevdb.base.errors import ConflictError
from jevdb.base.wording import option
from jevdb.ingest.benchmark import DEFAULT_SCORING
from jevdb.ingest.decode.records import canonical_json
from jevdb.ingest.results.outcomes import Outcome
from jevdb.ingest.results.table import FORMAT, TableResult
from jevdb.ingest.run_options import Model
from jevdb.ingest.runs.store import store_model
from jevdb.scoring.names import stored_benchmark
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import insert_row, record
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


def store_table(
    connection: Connection, results: Sequence[TableResult], *, supersede: bool = False
) -> list[Outcome]:
    """Store the results of tables, in one transaction; return what became of each.

    A benchmark that is not there yet is made, without items.

    Raises
    ------
    ConflictError
        Other numbers hold a name, and are not to be superseded; or two of the tables
        have one name.
    """
    _refuse_twins(results)
    with transaction(connection):
        results = [
            each._replace(benchmark_id=stored_benchmark(connection, each.benchmark_id))
            for each in results
        ]
        held = [_holders(connection, each) for each in results]
        taken = [
            f"{each.source}: {each.words} is stored with other numbers ({current[:12]})"
            for each, (current, known) in zip(results, held, strict=True)
            if current and each.sha256 not in known
        ]
        if taken and not supersede:
            words = option("supersede", value=True)
            listed = "\n".join(taken)
            raise ConflictError(f"{listed}\n{words} lets the new numbers stand instead")
        return [
            _stored(connection, each, current, known, supersede)
            for each, (current, known) in zip(results, held, strict=True)
        ]


def _refuse_twins(results: Sequence[TableResult]) -> None:
    first: dict[str, TableResult] = {}
    for each in results:
        twin = first.setdefault(canonical_json(each.name), each)
        if twin is not each:
            raise ConflictError(
                f"{each.words}: {twin.source} and {each.source} both report it; put "
                "its numbers in one file"
            )


def _holders(
    connection: Connection, result: TableResult
) -> tuple[str | None, frozenset[str]]:
    found = connection.execute(query("ingest/reported_holders"), result.name).fetchall()
    current = next((sha256 for sha256, is_current in found if is_current), None)
    return current, frozenset(sha256 for sha256, _ in found)


def _stored(
    connection: Connection,
    result: TableResult,
    current: str | None,
    known: frozenset[str],
    supersede: bool,
) -> Outcome:
    is_known = result.sha256 in known
    if is_known and (current == result.sha256 or not supersede):
        word = "already_there" if current == result.sha256 else "superseded_before"
        return _outcome(result, word)
    seq = record(connection, "results", result.sha256)
    _require_benchmark(connection, result.benchmark_id, seq)
    model = Model(name=result.model, revision=result.revision)
    row = {
        "result_sha256": result.sha256,
        "benchmark_id": result.benchmark_id,
        "model_id": store_model(connection, model, seq),
        "source_file": result.source,
        "source_sha256": result.source_sha256,
        "tags": result.tags,
        "requested_rows": result.requested,
        "ok_rows": result.answered,
        "unsupported_rows": 0,
        "error_rows": result.requested - result.answered,
        "meta": canonical_json({"format": FORMAT}),
        "seq": seq,
    }
    insert_row(connection, "reported_results", row)
    if not is_known:
        for number in result.numbers:
            is_partial = result.answered < result.requested
            row = {**number._asdict(), "is_partial": is_partial, "reason": None}
            insert_row(
                connection,
                "reported_metrics",
                {"result_sha256": result.sha256, **row},
            )
    return _outcome(result, "reinstated" if is_known else "stored", current)


def _require_benchmark(connection: Connection, benchmark_id: str, seq: int) -> None:
    """Make the benchmark where there is none: its items may come later."""
    found = connection.execute(
        "select 1 from benchmarks where benchmark_id = $name", {"name": benchmark_id}
    ).fetchall()
    if not found:
        row = {"benchmark_id": benchmark_id, "name": benchmark_id, "seq": seq}
        insert_row(connection, "benchmarks", {**row, "scoring": DEFAULT_SCORING})


def _outcome(result: TableResult, word: str, superseded: str | None = None) -> Outcome:
    return Outcome(
        *(result.source, word, result.model, result.revision),  # type: ignore[arg-type]
        *(result.tags, result.sha256),
        superseded=superseded,
        note=result.benchmark_id,
    )
