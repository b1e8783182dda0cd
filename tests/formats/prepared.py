"""Read and judge a run's files against a few items, without a warehouse."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from jevdb.ingest import Model, RunOptions, RunSummary, prepare_run
from jevdb.ingest.benchmark import Benchmark, ItemTables

DATA = Path(__file__).parents[1] / "data"
MAPS = Path(__file__).parents[2] / "seeds" / "maps"


@dataclass
class Run:
    """What would be stored: rows by item id, without nulls; the run's own facts."""

    rows: dict[str, dict[str, Any]]
    options: RunOptions
    summary: RunSummary


def choice(item_id: str, *options: str) -> dict[str, Any]:
    return {"item_id": item_id, "type": "choice", "options": list(options)}


def noul(item_id: str) -> dict[str, Any]:
    return {"item_id": item_id, "type": "noul", "options": ["no", "yes"]}


def score(item_id: str, *levels: str) -> dict[str, Any]:
    return {"item_id": item_id, "type": "score", "options": list(levels)}


def multi(item_id: str, *options: str) -> dict[str, Any]:
    return {"item_id": item_id, "type": "multi_select", "options": list(options)}


def benchmark_of(items: Sequence[dict[str, Any]]) -> Benchmark:
    """Return a benchmark in which every item has a shape of its own."""
    table = pa.Table.from_pylist(list(items))
    numbered = table.append_column("shape", pa.array(range(len(items)), pa.int64()))
    shapes = numbered.select(["shape", "type", "options"])
    tables: Future[ItemTables] = Future()
    tables.set_result(ItemTables(numbered.select(["item_id", "shape"]), shapes))
    return Benchmark("b", 1, len(items), tables)


def prepare(items: Sequence[dict[str, Any]], *paths: Path, **options: Any) -> Run:
    """Return the run that the files are, as model ``m`` on benchmark ``b``."""
    benchmark = benchmark_of(items)
    given = RunOptions("b", options.pop("model", Model("m")), **options)
    done = prepare_run(benchmark, paths, given)
    rows = {
        row["item_id"]: {
            key: json.loads(value) if key in ("meta", "returned") else value
            for key, value in row.items()
            if value is not None
        }
        for row in done.rows.rows().to_pylist()
    }
    return Run(rows, done.options, done.summary)


def write(path: Path, *records: Any) -> Path:
    """Write JSON lines; text stands as it is."""
    lines = (each if isinstance(each, str) else json.dumps(each) for each in records)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path
