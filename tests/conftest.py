"""A fresh warehouse for every test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from jevdb.demonstration.demo import store_demo
from jevdb.warehouse.database import Connection, open_writer


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty warehouse; copied, never opened, by the tests."""
    path = tmp_path_factory.mktemp("template") / "template.duckdb"
    with open_writer(path, create=True):
        pass
    return path


@pytest.fixture(scope="session")
def demo_path(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with the benchmarks and runs of the demo; for reading only."""
    path = tmp_path_factory.mktemp("demo") / "demo.duckdb"
    shutil.copyfile(template, path)
    with open_writer(path) as connection:
        store_demo(connection, lambda words: None)
    return path


@pytest.fixture
def warehouse_path(template: Path, tmp_path: Path) -> Path:
    """A warehouse file of the test's own."""
    path = tmp_path / "warehouse.duckdb"
    shutil.copyfile(template, path)
    return path


@pytest.fixture
def warehouse(warehouse_path: Path) -> Iterator[Connection]:
    """The same file, open for writing."""
    with open_writer(warehouse_path) as connection:
        yield connection
