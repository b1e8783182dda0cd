"""The pages of suites: a board over many benchmarks, its members, its editions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.scoring.report_text import rounded
from jevdb.site.addresses import suite_page
from jevdb.suites.editions import find_edition, notices
from jevdb.suites.leaderboard import leaderboard
from jevdb.suites.roster import Request
from jevdb.suites.storing import all_suites
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
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
    connection: Connection, contents: Contents, pages: Pages
) -> list[SuiteLink]:
    """Write a page for every version of a suite, and return where they are."""
    known = {run.run_id: contents.pages(run).front for run in contents.runs}
    frozen = _editions(connection)
    links = []
    for suite in all_suites(connection):
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


def _editions(connection: Connection) -> dict[str, list[FrozenLine]]:
    rows = connection.execute(query("suites/editions")).fetchall()
    found: dict[str, list[FrozenLine]] = {}
    for name, _, _, _, sha256 in rows:
        edition = find_edition(connection, name)
        suite = f"{edition.document['suite']}@{edition.document['version']}"
        line = FrozenLine(
            name, sha256, edition.document.get("note"), notices(connection, edition)
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
