"""jevdb where others install it: the lines of the pages, other Pythons and DuckDBs."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from installing import BASE_PYTHON, CHECKOUT, TOOLS, environment, find_python, run
from needed import NOT_TESTED
from pages import blocks_of

NOTE = "<!-- not run: installs -->\n"
BLOCK = re.compile(re.escape(NOTE) + r"```sh\n(.*?)```", re.DOTALL)
INSTALLS = re.compile(r"(?:^|[`\s])((?:uvx|uv tool|uv pip|pipx|pip) [^`\n]*)")
URL = "git+https://git.example/jevdb"
"""What the pages say for where the project is."""
PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]


def lines() -> Iterator[str]:
    """Yield each line of the pages that installs jevdb, or runs it from elsewhere."""
    seen = set()
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            for line in block.splitlines():
                told = line.split("  #")[0].strip()
                if INSTALLS.match(told) and told not in seen:
                    seen.add(told)
                    yield told


def test_no_page_installs_what_is_not_published():
    for page in [*PAGES, *(CHECKOUT / "docs" / "examples").iterdir()]:
        text = BLOCK.sub("", page.read_text(encoding="utf-8"))
        for line in INSTALLS.findall(text):
            assert "jevdb-warehouse" not in line or URL in line, page.name


def test_the_pages_say_how_with_each_tool_from_each_place():
    found = list(lines())
    for tool in ("uvx", "uv tool install", "pipx install", "pip install"):
        assert any(each.startswith(tool) and URL in each for each in found), tool
        assert any(each.startswith(tool) and URL not in each for each in found), tool


@pytest.mark.long
@pytest.mark.parametrize("line", list(lines()))
def test_a_line_of_the_pages_installs(line: str, tmp_path: Path):
    binaries = environment(tmp_path / "env", "pip")
    for block in blocks_of(CHECKOUT / "README.md")[:3]:
        (tmp_path / str(block.title)).write_text(block.text)
    done = run(
        *("bash", "-euc", line.replace(URL, f"git+file://{CHECKOUT}")),
        cwd=tmp_path if "--gold" in line else CHECKOUT,
        PATH=os.pathsep.join([str(binaries), str(TOOLS), os.environ["PATH"]]),
        VIRTUAL_ENV=str(binaries.parent),
        UV_PYTHON=BASE_PYTHON,
        UV_TOOL_DIR=str(tmp_path / "tools"),
        UV_TOOL_BIN_DIR=str(binaries),
        PIPX_HOME=str(tmp_path / "pipx"),
        PIPX_BIN_DIR=str(binaries),
        PIPX_DEFAULT_PYTHON=BASE_PYTHON,
    )
    if line.startswith("uvx"):
        assert done.stdout.startswith(("jevdb ", "Not resolved: accuracy -33.3 "))
    else:
        told = run(binaries / "jevdb", "--version", cwd=tmp_path).stdout
        assert told.startswith("jevdb ")
        if URL in line:
            assert "(commit " in told


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the demo as the oldest DuckDB writes them, in a clean environment.

    Everything else is what constraints.txt pins.
    """
    return told_by(tmp_path_factory.mktemp("oldest"), oldest("duckdb"))


def told_by(folder: Path, duckdb: str, python: str = BASE_PYTHON) -> dict[str, bytes]:
    pinned = (CHECKOUT / "constraints.txt").read_text().splitlines()
    others = folder / "others.txt"
    others.write_text("\n".join(each for each in pinned if "duckdb" not in each))
    binaries = environment(
        folder / "env", "-c", others, CHECKOUT, duckdb, python=python
    )
    run(binaries / "jevdb", "demo", "story", cwd=folder)
    return {
        path.name: path.read_bytes()
        for path in (folder / "story").iterdir()
        if path.suffix != ".duckdb"
    }


def oldest(name: str) -> str:
    [bound] = [each for each in PROJECT["dependencies"] if each.startswith(f"{name}>")]
    return str(bound).split(",")[0].replace(">=", "==")


@pytest.mark.long
def test_the_newest_duckdb_writes_the_same_bytes(
    story: dict[str, bytes], tmp_path: Path
):
    [bounds] = [each for each in PROJECT["dependencies"] if each.startswith("duckdb>")]
    newest = told_by(tmp_path, bounds)
    assert len(story) >= 4
    assert newest == story


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_python_writes_the_same_bytes(
    version: str, story: dict[str, bytes], tmp_path: Path
):
    python = find_python(version)
    if python is None:
        pytest.skip(f"{NOT_TESTED}: no Python {version} on this machine")
    assert told_by(tmp_path, oldest("duckdb"), python) == story
