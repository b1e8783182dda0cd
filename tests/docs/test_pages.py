"""Every code block of the documentation does what its page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import (
    BLOCK,
    CHECKOUT,
    EMPTY,
    IN_A_CHECKOUT,
    NOT_RUN,
    Block,
    Reader,
    assert_shown,
    blocks_of,
    pages,
)

ELSEWHERE = {
    "api.md": "../api/test_doctests.py",
    "ci.md": "test_ci.py",
    "commands.md": "test_examples.py",
    "contributing.md": "test_contributing.py",
}
"""Pages that a test of their own follows."""

NOT_RUN_HERE = {
    "README.md": 2,
    "start.md": 2,
    "lake.md": 1,
    "site.md": 1,
    "tools.md": 8,
}
"""How many blocks of a page need what a test of pages has not, and others have."""


@pytest.mark.parametrize(
    "page",
    [page for page in pages() if page.name not in ELSEWHERE],
    ids=lambda page: page.name,
)
def test_a_page_does_what_it_says(
    page: Path, demo_path: Path, warm_jevdb: Path, tmp_path: Path
):
    blocks = blocks_of(page)
    folder = tmp_path / "page"
    folder.mkdir()
    text = page.read_text(encoding="utf-8")
    is_in_a_checkout = IN_A_CHECKOUT in text
    if is_in_a_checkout:
        for name in ("seeds", "tests"):
            (folder / name).symlink_to(CHECKOUT / name)
    demo = None if is_in_a_checkout or EMPTY in text else demo_path
    Reader(folder, demo, warm_jevdb).follow(blocks)
    not_run = sum(block.note.startswith(NOT_RUN) for block in blocks)
    assert not_run <= NOT_RUN_HERE.get(page.name, 0)


@pytest.mark.parametrize("page", list(pages()), ids=lambda page: page.name)
def test_no_code_stands_outside_a_block(page: Path):
    """Markdown takes indented lines for code, too; nobody would run it."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    assert re.findall(r"\n\n(?: {4}|\t).*", text) == []


@pytest.mark.parametrize("page", list(pages()), ids=lambda page: page.name)
def test_what_a_page_makes_can_be_made(page: Path):
    """Blocks that set something up are not run, but what they name is there."""
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    code = "\n".join(block.text for block in blocks_of(page))
    assert set(re.findall(r"^make ([a-z-]+)", code, re.MULTILINE)) <= targets


def test_a_block_that_fails_names_its_line(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n```sh\ntrue\n```\n\n```sh\nfalse\n```\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(AssertionError, match="line 7: exit 1, not 0"):
        Reader(folder, None).follow(blocks_of(page))


def test_what_is_shown_is_compared():
    assert_shown("a\n...\nd", "a\nb\nc\nd\n")
    assert_shown("a ... c", "a b c\n")
    with pytest.raises(AssertionError, match="printed"):
        assert_shown("a ... c", "a\nc\n")
    with pytest.raises(AssertionError, match="printed"):
        assert_shown("a\nc", "a\nb\nc\n")


def test_blocks_share_folder_and_variables(tmp_path: Path):
    reader = Reader(tmp_path, None)
    reader.follow(
        [
            Block(1, "toml", "x = 1\n", "here.toml", ""),
            Block(2, "sh", "export WORD=said; mkdir down; cd down", None, ""),
            Block(3, "sh", "cat ../here.toml; echo $WORD; exit 3", None, "exits 3"),
            Block(4, "text", "x = 1\nsaid\n", None, ""),
        ]
    )
