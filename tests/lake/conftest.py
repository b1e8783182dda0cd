"""A lake for every test: a database of its own, a folder, a machine with a cache."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from places import Machine, Place, Template, copied, make_template
from servers import Postgres


@pytest.fixture(scope="session")
def postgres(postgres_path: Path) -> Iterator[Postgres]:
    """A PostgreSQL server of the tests' own; nobody kills it, so it need not sync."""
    server = Postgres(postgres_path, "fsync=off", "autovacuum=off")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def small(
    postgres: Postgres, template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Template:
    """A lake with one benchmark of twenty items, and no run."""
    return make_template(postgres, template, tmp_path_factory.mktemp("small"), 20)


@pytest.fixture(scope="session")
def large(
    postgres: Postgres, template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Template:
    """A lake with one benchmark of 1,500 items, and no run."""
    return make_template(postgres, template, tmp_path_factory.mktemp("large"), 1500)


@pytest.fixture
def place(postgres: Postgres, small: Template, tmp_path: Path) -> Place:
    """A lake with the small benchmark, and no run."""
    return copied(postgres, small, tmp_path)


@pytest.fixture(scope="session")
def empty(
    postgres: Postgres, template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Template:
    """A lake with nothing in it but what comes with jevdb."""
    return make_template(postgres, template, tmp_path_factory.mktemp("empty"), 0)


@pytest.fixture
def empty_place(postgres: Postgres, empty: Template, tmp_path: Path) -> Place:
    """A lake with nothing in it."""
    return copied(postgres, empty, tmp_path)


@pytest.fixture
def large_place(postgres: Postgres, large: Template, tmp_path: Path) -> Place:
    """A lake with the large benchmark, and no run."""
    return copied(postgres, large, tmp_path)


@pytest.fixture
def machine(place: Place) -> Iterator[Machine]:
    """A machine with a mirror of the lake's first state; its cache is used here."""
    made = place.machine("here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JEVDB_CACHE", str(made.cache))
        patch.setenv("JEVDB_LAKES", str(made.cache / "lakes.toml"))
        yield made
