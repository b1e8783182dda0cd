"""Files into stored rows: read strictly, judged by SQL, stored whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.ingest.benchmark import load_benchmark
from jevdb.ingest.items.storing import ItemsOptions, ingest_items
from jevdb.ingest.items.summary import ItemsSummary
from jevdb.ingest.run_options import Model, RunOptions
from jevdb.ingest.runs.prepared import prepare_run
from jevdb.ingest.runs.store import store_run
from jevdb.ingest.runs.summary import RunSummary

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

__all__ = [
    "ItemsOptions",
    "ItemsSummary",
    "Model",
    "RunOptions",
    "RunSummary",
    "ingest_items",
    "ingest_run",
    "load_benchmark",
    "prepare_run",
    "store_run",
]


def ingest_run(
    connection: Connection, paths: Sequence[Path], options: RunOptions
) -> RunSummary:
    """Read the files of one run and store it, all on one connection."""
    benchmark = load_benchmark(connection, options.benchmark_id)
    return store_run(connection, prepare_run(benchmark, paths, options))
