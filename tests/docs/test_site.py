"""The documentation builds as a site, whole, without a network and for none."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pages import CHECKOUT, DOCS

# Nothing answers there, so whoever wants the network fails.
NO_NETWORK = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    shutil.copyfile(CHECKOUT / "mkdocs.yml", folder / "mkdocs.yml")
    shutil.copytree(DOCS, folder / "docs")
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict"],
        cwd=folder,
        env={**os.environ, **NO_NETWORK},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "build" / "docs"


class Fetched(HTMLParser):
    """What a browser fetches by itself when it opens a page."""

    def __init__(self, page: Path):
        super().__init__()
        self.found: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and given.get("rel") not in ("canonical", "prev", "next"):
            self.found.append(given.get("href", ""))
        elif tag in ("script", "img", "iframe", "source", "video", "audio"):
            self.found.append(given.get("src", ""))


def test_every_page_is_there_and_fetches_nothing_from_elsewhere(site: Path):
    pages = {path.stem for path in DOCS.glob("*.md")}
    built = {path.stem: path for path in site.glob("*.html")}
    assert pages <= built.keys()
    for name in pages:
        fetched = [each for each in Fetched(built[name]).found if each]
        assert fetched, "its style at least"
        assert [each for each in fetched if re.match(r"(https?:)?//", each)] == []


def test_every_page_is_in_the_navigation():
    listed = re.findall(r"^ +- (\S+\.md)$", (CHECKOUT / "mkdocs.yml").read_text(), re.M)
    assert sorted(listed) == sorted(path.name for path in DOCS.glob("*.md"))


def test_the_generated_pages_are_what_the_program_says():
    done = subprocess.run(
        [sys.executable, "-m", "docs.generated", "--check"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_stale_page_is_told(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    for name in ("generated.py", "commands.md", "tables.md"):
        text = (DOCS / name).read_text(encoding="utf-8")
        (tmp_path / "docs" / name).write_text(text.replace("## jevdb sql", "## sql"))
    done = subprocess.run(
        [sys.executable, "-m", "docs.generated", "--check"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "docs/commands.md" in done.stdout) == (1, True)
    assert "docs/tables.md" not in done.stdout
