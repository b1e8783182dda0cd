"""Where the extensions of lakes come from: their wheels, or DuckDB if it is asked."""

from __future__ import annotations

import importlib.util

import duckdb
import pytest

from jevdb.base.errors import JevdbError, UsageError
from jevdb.lake.extensions import load_extension

HTTP = duckdb.IOException("Failed to download extension\nmore")


class Noting:
    """A connection that only notes what it is told, and refuses some of it."""

    def __init__(self, *refused: str):
        self.refused = refused
        self.told: list[str] = []

    def execute(self, statement: str) -> None:
        self.told.append(statement.partition("'")[0].strip())
        if statement.startswith(self.refused):
            raise HTTP


@pytest.fixture
def without_wheels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


def test_the_wheel_goes_before_all_else(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JEVDB_LAKE_EXTENSIONS", "install")
    noting = Noting()
    load_extension(noting, "ducklake")
    assert noting.told == ["load"]


def test_a_wheel_of_another_duckdb_makes_way(monkeypatch: pytest.MonkeyPatch):
    noting = Noting("load '")
    with pytest.raises(JevdbError, match="JEVDB_LAKE_EXTENSIONS=install"):
        load_extension(noting, "ducklake")
    monkeypatch.setenv("JEVDB_LAKE_EXTENSIONS", "install")
    load_extension(noting, "ducklake")
    assert noting.told[1:] == ["load", "install ducklake", "load ducklake"]


@pytest.mark.usefixtures("without_wheels")
def test_nothing_is_fetched_unasked(monkeypatch: pytest.MonkeyPatch):
    noting = Noting()
    monkeypatch.delenv("JEVDB_LAKE_EXTENSIONS", raising=False)
    with pytest.raises(JevdbError, match="needs DuckDB's extension ducklake: pip"):
        load_extension(noting, "ducklake")
    monkeypatch.setenv("JEVDB_LAKE_EXTENSIONS", "yes")
    with pytest.raises(UsageError, match="is 'yes'; it is install, or not set"):
        load_extension(noting, "ducklake")
    assert noting.told == []


@pytest.mark.usefixtures("without_wheels")
def test_what_cannot_be_fetched(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JEVDB_LAKE_EXTENSIONS", "install")
    with pytest.raises(JevdbError, match=r"cannot fetch it: .*Failed to download"):
        load_extension(Noting("install"), "httpfs")
