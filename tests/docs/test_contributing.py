"""The page for contributors, followed in a copy of the checkout."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from pages import CHECKOUT, DOCS, NOT_RUN, Reader, blocks_of

PAGE = DOCS / "contributing.md"
NEEDED = ("jevdb", "sql", "migrations", "seeds", "tests")
FILES = ("pyproject.toml", ".sqlfluffignore")
ITEMS = [
    {"item_id": name, "type": "choice", "options": ["a", "b"], "gold": "a"}
    for name in ("c1", "c2")
]
ROWS = [
    {"item_id": "c1", "probabilities": [0.5, 0.5]},
    {"item_id": "c2", "probabilities": [0.5, 0.5]},
]
SHIM = """\
#!/bin/sh
PYTHONPATH={folder} exec {python} -c 'from jevdb.cli import main; main()' "$@"
"""


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """A contributor in a checkout of his own, with a small warehouse."""
    folder = tmp_path / "checkout"
    ignored = shutil.ignore_patterns("__pycache__", "*_cache", "data")
    for name in NEEDED:
        shutil.copytree(CHECKOUT / name, folder / name, ignore=ignored)
    for name in FILES:
        shutil.copy(CHECKOUT / name, folder)
    for name, records in (("items", ITEMS), ("rows", ROWS)):
        text = "".join(f"{json.dumps(record)}\n" for record in records)
        (folder / f"{name}.jsonl").write_text(text)
    command = tmp_path / "bin" / "jevdb"
    command.parent.mkdir()
    command.write_text(SHIM.format(folder=folder, python=sys.executable))
    command.chmod(0o755)
    reader = Reader(folder, None, command)
    reader.environment["PYTHONPATH"] = str(folder)
    reader.bash("jevdb init", 0)
    return reader


@pytest.mark.long
def test_the_page_can_be_followed(reader: Reader):
    blocks = blocks_of(PAGE)
    assert sum(block.note.startswith(NOT_RUN) for block in blocks) == 1
    reader.follow(blocks)


def test_the_places_of_a_metric_are_those_that_name_one():
    text = PAGE.read_text(encoding="utf-8")
    told = set(re.findall(r"^- `(jevdb/[a-z_/]+\.py)`", text, re.MULTILINE))
    # The metric that nothing else is called like.
    naming = {
        str(path.relative_to(CHECKOUT))
        for path in (CHECKOUT / "jevdb").rglob("*.py")
        if re.search(r"\bordinal_mae\b", path.read_text(encoding="utf-8"))
    }
    assert told == naming
