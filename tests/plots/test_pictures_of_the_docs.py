"""The pictures in docs/plots.md are what its commands draw; UPDATE_GOLDEN=1 redraws."""

from __future__ import annotations

import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commandline import jevdb

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "plots.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"!\[[^]]+\]\(pictures/([a-z-]+)\.svg\)", PAGE)
COMMANDS = dict(re.findall(r"^jevdb (plot .*) --out ([a-z-]+)\.svg$", PAGE, re.M))
LARGEST = 100_000


def said(svg: str) -> list[str | None]:
    """Return the title and the description: every number of a picture."""
    return [element.text for element in list(ElementTree.fromstring(svg))[:2]]


@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_is_what_its_command_draws(name: str, demo_path: Path):
    [command] = [each for each, out in COMMANDS.items() if out == name]
    done = jevdb(demo_path, *command.split(), "--out", "-")
    assert done.exit_code == 0, done.output
    path = DOCS / "pictures" / f"{name}.svg"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(done.stdout, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    # The strokes may differ between versions of the renderer; the numbers may not.
    assert said(kept) == said(done.stdout)
    assert len(kept) < LARGEST


def test_every_picture_is_shown():
    assert {f"{name}.svg" for name in SHOWN} == set(os.listdir(DOCS / "pictures"))
