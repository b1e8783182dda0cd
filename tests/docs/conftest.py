"""A `jevdb` for the pages, started once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import warm


@pytest.fixture(scope="session")
def warm_jevdb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The command that pages call, in a folder of its own."""
    folder = tmp_path_factory.mktemp("warm")
    process = warm.start(folder)
    yield folder / "jevdb"
    process.terminate()
    process.communicate()
