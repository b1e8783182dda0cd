"""The notebook of the documentation runs from a clean clone, and shows what it gives.

``UPDATE_GOLDEN=1`` writes the outputs anew, for review.
"""

from __future__ import annotations

import json
import os
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from pages import DOCS

NOTEBOOK = DOCS / "notebooks" / "a-day.ipynb"


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The notebook, run by a kernel of this environment."""
    folder = tmp_path_factory.mktemp("notebook")
    given = nbformat.read(NOTEBOOK, as_version=4)
    with pytest.MonkeyPatch.context() as patch:
        # The kernel is that of this environment, not one that a user registered.
        patch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
        patch.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        client = NotebookClient(
            given, kernel_name="python3", timeout=120, record_timing=False
        )
        return client.execute(cwd=str(folder))


def shown(notebook: Any) -> list[list[object]]:
    """Return what each code cell shows, without the number of its execution."""
    return [
        [output.get("text") or output.get("data") for output in cell["outputs"]]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def test_it_shows_what_it_gives(executed: Any):
    for cell in executed["cells"]:
        for output in cell.get("outputs", []):
            if "execution_count" in output:
                output["execution_count"] = None
        if "execution_count" in cell:
            cell["execution_count"] = None
    if os.environ.get("UPDATE_GOLDEN"):
        nbformat.write(executed, NOTEBOOK)
    assert shown(executed) == shown(nbformat.read(NOTEBOOK, as_version=4))


def test_it_is_small_and_names_no_place():
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < 60_000
    assert all(place not in text for place in ("/tmp", "/home", "/root", "Users"))
    cells = json.loads(text)["cells"]
    assert any(cell.get("outputs") for cell in cells)
