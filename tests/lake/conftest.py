"""A lake for every test: a database of its own, a folder, a machine with a cache."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from places import Machine, Place, benchmark_rows
from servers import Postgres

from jevdb.ingest import ItemsOptions, ingest_items
from jevdb.lake import initialise
from jevdb.lake.target import resolve
from jevdb.warehouse.database import open_writer

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres(postgres_path: Path) -> Iterator[Postgres]:
    """A PostgreSQL server of the tests' own."""
    server = Postgres(postgres_path)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def small_template(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse file with one benchmark of twenty items, and no run."""
    folder = tmp_path_factory.mktemp("small")
    path, items = folder / "small.duckdb", folder / "items.jsonl"
    shutil.copyfile(template, path)
    items.write_text("".join(f"{json.dumps(row)}\n" for row in benchmark_rows(20)))
    with open_writer(path) as connection:
        ingest_items(connection, [items], ItemsOptions("small"))
    return path


@pytest.fixture(scope="session")
def lake_template(
    postgres: Postgres, small_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The data folder of the lake that tests copy; its catalog is `template_lake`."""
    postgres.psql("create database template_lake")
    folder = tmp_path_factory.mktemp("lake_template") / "data"
    target = resolve(f"ducklake:{catalog(postgres, 'template_lake')}")
    with open_writer(small_template) as warehouse:
        assert initialise(target, warehouse, data=str(folder)) == "created"
    return folder


def catalog(postgres: Postgres, database: str) -> str:
    return f"postgres:host=127.0.0.1 port={postgres.port} user=keeper dbname={database}"


@pytest.fixture
def place(
    postgres: Postgres, lake_template: Path, small_template: Path, tmp_path: Path
) -> Place:
    """A lake with the small benchmark, and no run."""
    database = f"lake_{next(_numbers)}"
    data = tmp_path / "data"
    shutil.copytree(lake_template, data)
    postgres.psql(f"create database {database} template template_lake")
    postgres.psql(
        f"update ducklake_metadata set value = '{data}/' where key = 'data_path'",
        database,
    )
    return Place(postgres, database, data, small_template, tmp_path)


@pytest.fixture
def machine(place: Place) -> Iterator[Machine]:
    """A machine with a mirror of the lake's first state; its cache is used here."""
    made = place.machine("here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JEVDB_CACHE", str(made.cache))
        patch.setenv("JEVDB_LAKES", str(made.cache / "lakes.toml"))
        yield made
