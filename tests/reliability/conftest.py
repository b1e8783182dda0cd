"""The scene of the tests here."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenes import Scene, make_scene


@pytest.fixture(scope="session")
def scene(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A small warehouse to copy, and files to ingest."""
    return make_scene(template, tmp_path_factory.mktemp("scene"))
