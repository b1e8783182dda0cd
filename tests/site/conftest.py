"""The small world and its site, built once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from making import made_once
from site_world import World, make_site, make_world


@pytest.fixture(scope="session")
def world(template: Path, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The warehouse and its site; for reading only."""

    def make(folder: Path) -> None:
        path = folder / "world.duckdb"
        shutil.copyfile(template, path)
        (folder / "runs.json").write_text(json.dumps(make_world(path)))
        make_site(path, folder / "site")

    folder = made_once(tmp_path_factory, "site_world", make)
    runs = json.loads((folder / "runs.json").read_text())
    return World(folder / "world.duckdb", folder / "site", runs)
