"""Tables fit the terminal they are shown in, and say what they leave out."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest
from commandline import COMMAND, fill

from jevdb.base.aligning import aligned, room_of
from jevdb.base.text import width

ROWS = [
    ["run", "value", "interval", "sha256", "said of it"],
    ["first", "0.5", "0.25 to 0.75", "ab" * 32, "two of four items are right"],
    ["界", "12.25", "", "cd" * 32, "one"],
]
RIGHT = [False, True, False, False, False]


def shown(cells: int, rows: list[list[str]] = ROWS) -> tuple[list[str], list[str]]:
    """Return the lines of a table in so many cells, and the columns left out."""
    with room_of(cells) as room:
        lines = "\n".join(aligned(rows, RIGHT[: len(rows[0])])).splitlines()
    return lines, list(room.left_out)


def test_without_a_terminal_every_column_is_there():
    lines = aligned(ROWS, RIGHT)
    assert len(lines) == 3
    assert "ab" * 32 in lines[1]
    assert lines[1].endswith("two of four items are right")


def test_what_fits_is_as_it_is_without_a_terminal():
    # 5 + 5 + 12 + 64 + 27 cells and four gaps of two.
    assert shown(121) == (aligned(ROWS, RIGHT), [])


def test_the_column_of_long_words_goes_first_and_sentences_wrap():
    # Without the digest 5 + 5 + 12 + 27 and three gaps: 55.
    whole, left_out = shown(55)
    assert left_out == ["sha256"]
    assert whole[1] == "first    0.5  0.25 to 0.75  two of four items are right"
    # 3 cells fewer: the sentence has 24 and breaks between words.
    wrapped, left_out = shown(52)
    assert left_out == ["sha256"]
    assert wrapped == [
        "run    value  interval      said of it",
        "first    0.5  0.25 to 0.75  two of four items are",
        "                            right",
        "界     12.25                one",
    ]


def test_an_interval_is_never_parted_and_what_stays_stays():
    # 5 + 5 + 12 + 24 and gaps are 52: at 51 the sentence goes, not the interval.
    lines, left_out = shown(51)
    assert left_out == ["sha256", "said of it"]
    assert lines[1] == "first    0.5  0.25 to 0.75"


@pytest.mark.parametrize("cells", [40, 60, 80, 100])
def test_no_line_is_wider_than_the_terminal(cells: int):
    long_first = [["sha256", "n"], ["ab" * 32, "7"]]
    headings = [[f"number_of_{each}" for each in "abc"], ["1", "22", "333"]]
    indented = [["", "value", "kind"], ["    " + "slice " * 9, "1", "x" * 90]]
    for rows in (ROWS, long_first, headings, indented):
        lines, left_out = shown(cells, rows)
        assert max(map(width, lines)) <= cells
        # Nothing is lost but the columns that are named.
        kept = [i for i, name in enumerate(rows[0]) if name not in left_out]
        text = "".join("".join(lines).split())
        wanted = "".join(row[i] for row in rows for i in kept)
        assert sorted(text) == sorted("".join(wanted.split()))


def on_a_terminal(path: Path, cells: int, *arguments: str) -> tuple[list[str], str]:
    ours, its = pty.openpty()
    done = subprocess.Popen(
        [*COMMAND, "--db", str(path), *arguments],
        stdout=its,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": str(cells)},
        text=True,
    )
    said = done.communicate(timeout=60)[1]
    os.close(its)
    with os.fdopen(ours, "rb") as stream:
        return stream.read1().decode().splitlines(), said


def test_a_command_fits_its_terminal_and_says_what_is_left_out(warehouse_path: Path):
    fill(warehouse_path)
    lines, said = on_a_terminal(warehouse_path, 60, "runs")
    assert max(map(len, lines)) <= 60
    assert lines[0].startswith("run_id")
    assert "left out to fit 60 columns: " in said
    assert "n_unsupported" in said
    assert "`| cat`" in said
    # Programs are given everything, also on a terminal.
    lines, said = on_a_terminal(warehouse_path, 60, "runs", "--format", "csv")
    assert ("n_unsupported" in lines[0], said) == (True, "")
