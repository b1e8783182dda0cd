"""The examples in the docstrings of the Python API do what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import jevdb
import jevdb.api

MODULES = [
    f"jevdb.api.{module.name}" for module in pkgutil.iter_modules(jevdb.api.__path__)
]


@pytest.fixture(scope="module")
def names(
    demo_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, object]:
    """What the examples may use: the demo's warehouse, and an empty one."""
    empty = tmp_path_factory.mktemp("new") / "new.duckdb"
    return {
        "jevdb": jevdb,
        "path": demo_path,
        "warehouse": jevdb.open(demo_path),
        "new": jevdb.open(empty, read_only=False),
    }


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, names: dict[str, object]):
    done = doctest.testmod(
        importlib.import_module(name), extraglobs=names, raise_on_error=False
    )
    assert done.failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [
        example
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
        for example in test.examples
    ]
    assert len(found) > 20
