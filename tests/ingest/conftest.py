"""A small benchmark of every type, and one line to ingest a file of answers to it."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from building import open_for_a_test, open_to_fill
from making import copied
from small_benchmark import ITEMS, Line, as_bytes

from jevdb.base.connection import Connection
from jevdb.ingest import (
    ItemsOptions,
    Model,
    RunOptions,
    RunSummary,
    ingest_items,
    ingest_run,
)

Write = Callable[..., Path]
Ingest = Callable[..., RunSummary]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write lines to a file and return its path; ``.gz`` is compressed."""

    def write_lines(lines: Iterable[Line], name: str = "rows.jsonl") -> Path:
        path = tmp_path / name
        data = as_bytes(lines)
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        return path

    return write_lines


@pytest.fixture(scope="session")
def stocked(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with the benchmark ``b``; copied, never opened, by the tests."""
    folder = tmp_path_factory.mktemp("stocked")
    path, items = folder / "warehouse.duckdb", folder / "items.jsonl"
    copied(template, path)
    items.write_bytes(as_bytes(ITEMS))
    with open_to_fill(path) as connection:
        ingest_items(connection, [items], ItemsOptions("b"))
    return path


@pytest.fixture
def bench(stocked: Path, warehouse_path: Path) -> Iterator[Connection]:
    """The warehouse with the small benchmark ``b``."""
    copied(stocked, warehouse_path)
    with open_for_a_test(warehouse_path) as connection:
        yield connection


@pytest.fixture
def ingest(bench: Connection, write: Write) -> Ingest:
    """Ingest lines, or files, as a run of model ``m`` on ``b``."""

    def run(*given: Iterable[Line] | Path, **options: Any) -> RunSummary:
        paths = [
            each if isinstance(each, Path) else write(each, f"rows{i or ''}.jsonl")
            for i, each in enumerate(given)
        ]
        model = options.pop("model", Model("m"))
        return ingest_run(bench, paths, RunOptions("b", model, **options))

    return run


@pytest.fixture
def stored(bench: Connection) -> Callable[..., dict[str, Any]]:
    """Return the stored prediction of an item, of the latest run."""

    def row(item_id: str) -> dict[str, Any]:
        found = bench.execute(
            "select predictions.* from predictions join runs using (run_id) "
            "where item_id = ? order by seq desc limit 1",
            [item_id],
        )
        names = [column[0] for column in found.description]
        return dict(zip(names, found.fetchall()[0], strict=True))

    return row
