"""The pages of suites: a board over many benchmarks, its members, its editions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import JevdbError
from jevdb.scoring.report_text import rounded
from jevdb.site.addresses import suite_page
from jevdb.suites.editions import notices, opened, stored_editions
from jevdb.suites.leaderboard import leaderboard
from jevdb.suites.roster import Request
from jevdb.suites.storing import stored_suites

if TYPE_CHECKING:
    from collections.abc import Callable

    from jevdb.base.connection import Connection
    from jevdb.site.contents import Contents
    from jevdb.site.rendering import Pages
    from jevdb.suites.board import SuiteBoard

DECIMALS = 4


class SuiteLink(NamedTuple):
    """A suite on the first page: where its page is, and who leads."""

    name: str
    path: str
    sentences: list[str]


class FrozenLine(NamedTuple):
    """An edition of a suite, and what became since of its runs."""

    name: str
    sha256: str
    note: str | None
    notices: list[str]


def write_suites(
    connection: Connection,
    contents: Contents,
    pages: Pages,
    on_words: Callable[[str], None],
) -> list[SuiteLink]:
    """Write a page for every version of a suite, and return where they are.

    One whose document is not as jevdb stores them is left out, in words.
    """
    known = {run.run_id: contents.pages(run).front for run in contents.runs}
    frozen = _editions(connection, on_words)
    links = []
    for stored in stored_suites(connection):
        try:
            suite = stored.opened()
        except JevdbError as error:
            on_words(f"left out: {error}")
            continue
        board = leaderboard(connection, Request(suite, reported=True))
        path = suite_page(suite.id)
        pages.page(
            path,
            "suite.html",
            suite=suite,
            board=board,
            rows=_cells(board),
            members=_members(board, known),
            editions=frozen.get(suite.id, []),
        )
        links.append(SuiteLink(suite.id, path, board.sentences()))
    return links


def _editions(
    connection: Connection, on_words: Callable[[str], None]
) -> dict[str, list[FrozenLine]]:
    found: dict[str, list[FrozenLine]] = {}
    for stored in stored_editions(connection):
        try:
            edition = opened(stored)
        except JevdbError as error:
            on_words(f"left out: {error}")
            continue
        suite = f"{edition.document['suite']}@{edition.document['version']}"
        line = FrozenLine(
            stored.name,
            stored.content_sha256,
            edition.document["note"],
            notices(connection, edition),
        )
        found.setdefault(suite, []).append(line)
    return found


def _cells(board: SuiteBoard) -> tuple[tuple[str, ...], list[list[str]]]:
    """Return the board as people read it: columns, and a row per entrant."""
    rows = board.people_rows()
    return rows.columns, [
        ["" if cell is None else str(cell) for cell in row] for row in rows.rows
    ]


class MemberLine(NamedTuple):
    """A member, and its value for each entrant, with the page of the run."""

    name: str
    number: str
    weight: float
    values: list[tuple[str, str | None]]


def _members(board: SuiteBoard, known: dict[str, str]) -> list[MemberLine]:
    lines = []
    for place, member in enumerate(board.scores.members):
        values = []
        for entry in board.entries:
            value = entry.values[place]
            shown = "N/A" if value.value is None else rounded(value.value, DECIMALS)
            mark = " (reported)" if value.origin == "reported" else ""
            values.append((shown + mark, known.get(value.run_id or "")))
        lines.append(MemberLine(member.name, member.number, member.weight, values))
    return lines
