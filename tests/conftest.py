"""A fresh warehouse for every test; and the programs that some tests need."""

from __future__ import annotations

import functools
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.testing
from building import open_for_a_test
from making import copied, made_once
from needed import NOT_TESTED, need, not_tested, required

from jevdb.base.connection import Connection
from jevdb.demonstration.demo import store_demo
from jevdb.warehouse.database import open_writer
from jevdb.warehouse.settings import SETTINGS

WRITES_NO_BYTECODE = sys.dont_write_bytecode


def pytest_configure(config: pytest.Config) -> None:
    """Refuse an unknown word in ``JEVDB_REQUIRE`` before any test runs."""
    required()
    # Every worker would rewrite every test module anew, half of what collecting costs.
    sys.dont_write_bytecode = False
    # Typer builds all commands anew at every call, a fifth of what most tests cost.
    typer.testing._get_command = functools.cache(typer.testing._get_command)
    # Over a few rows a second thread of DuckDB costs more than it does. Commands in
    # processes of their own have as many as a user's.
    SETTINGS["threads"] = 1
    # Started in the background of a shell, tests and what they start would ignore them.
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGQUIT: signal.SIG_DFL}
    for number, handler in usual.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
    # What is kept of the files of tests is of no use to anybody after them.
    folder = tempfile.TemporaryDirectory(prefix="jevdb-cache-")
    config.add_cleanup(folder.cleanup)
    os.environ.setdefault("JEVDB_CACHE", folder.name)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep bytecode, or not, as the environment says, once all is imported."""
    sys.dont_write_bytecode = WRITES_NO_BYTECODE


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was not tested, where a program is missing."""
    lines = not_tested(terminalreporter)
    if lines:
        terminalreporter.section(NOT_TESTED, red=True, bold=True)
        for line in lines:
            terminalreporter.line(line, red=True)


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """The Chromium on this machine (`make browser`)."""
    return need("browser")


@pytest.fixture(scope="session")
def postgres_path() -> Path:
    """The PostgreSQL server program on this machine (`make postgres`)."""
    return need("postgres")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty warehouse; copied, never opened, by the tests."""

    def make(folder: Path) -> None:
        with open_writer(folder / "template.duckdb", create=True):
            pass

    return made_once(tmp_path_factory, "template", make) / "template.duckdb"


@pytest.fixture(scope="session")
def demo_path(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with the benchmarks and runs of the demo; for reading only."""

    def make(folder: Path) -> None:
        copied(template, folder / "demo.duckdb")
        with open_writer(folder / "demo.duckdb") as connection:
            store_demo(connection, lambda words: None)

    return made_once(tmp_path_factory, "demo", make) / "demo.duckdb"


@pytest.fixture
def warehouse_path(template: Path, tmp_path: Path) -> Path:
    """A warehouse file of the test's own."""
    return copied(template, tmp_path / "warehouse.duckdb")


@pytest.fixture
def warehouse(warehouse_path: Path) -> Iterator[Connection]:
    """The same file, open for writing."""
    with open_for_a_test(warehouse_path) as connection:
        yield connection
