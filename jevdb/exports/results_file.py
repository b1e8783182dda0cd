"""``evaluation_results.json``: every number of some runs by one method, byte-stable.

The document depends on the rows, the gold and the method alone: no clock, sequence,
path or version is in it, so the same rows give the same bytes on any machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.documents import Json, objects
from jevdb.base.metrics import INDICES, REGISTRY, TYPES, Number
from jevdb.scoring.as_of import then
from jevdb.scoring.methods import method_json
from jevdb.scoring.names import require_method
from jevdb.scoring.numbers import NO_ROWS, Value, read_numbers
from jevdb.scoring.report import require_gold_revision
from jevdb.scoring.runs import Run
from jevdb.scoring.selection import EVERY_NUMBER, Selection, selected
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

SCHEMA_VERSION = 1


Numbers = dict[Number, Value]


class Request(NamedTuple):
    """What an export holds: runs in the order of the document, and their scoring."""

    runs: Sequence[Run]
    method: str = DEFAULT_METHOD
    gold_revision: int | None = None
    as_of: int | None = None


def document(connection: Connection, request: Request) -> Json:
    """Return the document that *request* asks for."""
    with exporting(connection, request):
        return selected_document(connection, request)


@contextmanager
def exporting(connection: Connection, request: Request) -> Iterator[None]:
    """Make the connection show what *request* asks for, until the block ends.

    Raises
    ------
    UnknownNameError
        A method that the warehouse does not know.
    UsageError
        A gold revision that a benchmark of the export does not have.
    """
    require_method(connection, request.method)
    with then(connection, request.as_of):
        require_gold_revision(connection, request.gold_revision, request.runs)
    selection = Selection(
        run_ids=[run.run_id for run in request.runs],
        methods=(request.method,),
        gold_revision=request.gold_revision,
        as_of=request.as_of,
    )
    with selected(connection, selection, reports=["report", EVERY_NUMBER]):
        yield


def selected_document(connection: Connection, request: Request) -> Json:
    """Return the document of the selection that the connection shows."""
    rows = _rows(connection)
    return {
        "schema_version": SCHEMA_VERSION,
        "method": method_json(connection, request.method),
        "benchmarks": objects(connection, query("exports/benchmarks")),
        "runs": [_run_json(run, rows.get(run.run_id, {})) for run in request.runs],
    }


def _rows(connection: Connection) -> dict[str, Json]:
    """Return, for each run, its report rows with all their numbers."""
    numbers: dict[tuple[str, str], Numbers] = {}
    for each in read_numbers(connection):
        place = numbers.setdefault((each.run_id, each.report_row), {})
        place[each.number] = each.value
    rows: dict[str, Json] = {}
    for run_id, report_row, partial, incomplete, n_repeats in connection.execute(
        query("exports/marks")
    ).fetchall():
        row = {**row_json(numbers[run_id, report_row]), "repeats": n_repeats}
        if incomplete:
            row["incomplete"] = True
        if partial is not None:
            row["partial"] = partial
        rows.setdefault(run_id, {})[report_row] = row
    return rows


def row_json(numbers: Numbers) -> Json:
    """Return a report row: every key, whatever the row has."""
    metrics = {
        metric.name: {
            kind: _number_json(numbers, metric.name, kind) for kind in metric.kinds
        }
        for metric in REGISTRY
        if not metric.is_index
    }
    return {
        **{name: _index_json(numbers, name) for name in INDICES},
        "metrics": metrics,
    }


def _index_json(numbers: Numbers, name: str) -> Json:
    components = {kind: _number_json(numbers, name, kind) for kind in TYPES}
    return {**_number_json(numbers, name, "all"), "components": components}


def _number_json(numbers: Numbers, metric: str, kind: str) -> Json:
    value = numbers.get(Number(metric, kind), NO_ROWS)
    counts = {"n": value.n, "n_scope": value.n_scope}
    if value.value is None:
        return {"value": None, "reason": value.reason, **counts}
    # Minus zero becomes zero.
    return {"value": value.value + 0.0, **counts}


def _run_json(run: Run, rows: Json) -> Json:
    return {
        "run_id": run.run_id,
        "model": {"name": run.model, "revision": run.revision},
        "label": run.label,
        "benchmark_id": run.benchmark_id,
        "rows": rows,
    }


def to_bytes(document: Json) -> bytes:
    """Return the document's bytes: keys sorted, floats as Python writes them."""
    text = json.dumps(
        document, ensure_ascii=False, allow_nan=False, indent=2, sort_keys=True
    )
    return text.encode() + b"\n"
