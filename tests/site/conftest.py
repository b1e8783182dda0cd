"""The small world and its site, built once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from site_world import World, make_site, make_world


@pytest.fixture(scope="session")
def world(template: Path, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The warehouse and its site; for reading only."""
    folder = tmp_path_factory.mktemp("site world")
    path = folder / "world.duckdb"
    shutil.copyfile(template, path)
    runs = make_world(path)
    return World(path, make_site(path, folder / "site"), runs)
