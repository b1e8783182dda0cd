"""The pages of one benchmark: its boards, slices, comparisons, runs and items."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from jevdb.base.output import Format, write
from jevdb.scoring.selection import Selection, selected
from jevdb.site.about_pages import About
from jevdb.site.addresses import Switch, comparison_page
from jevdb.site.answers import read_answers
from jevdb.site.boards import RANKED_BY, plane_of
from jevdb.site.cohorts import OWN
from jevdb.site.competing import Contest, Made
from jevdb.site.fronts import Front, answer, made_up
from jevdb.site.item_pages import CHUNK, ItemSite
from jevdb.site.model_pages import told
from jevdb.site.numbers import read_numbers
from jevdb.site.part_pages import PartSite
from jevdb.site.published import read_published
from jevdb.site.row_data import items_script
from jevdb.site.run_pages import Compared, Rank, RunSite

if TYPE_CHECKING:
    from collections.abc import Callable

    from jevdb.base.connection import Connection
    from jevdb.comparison.board import Leaderboard
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.runs import Run
    from jevdb.site.contents import Benchmark, Contents
    from jevdb.site.model_pages import Told
    from jevdb.site.rendering import Pages


class BenchmarkSite:
    """Writes the pages of a benchmark."""

    def __init__(
        self,
        connection: Connection,
        contents: Contents,
        benchmark: Benchmark,
        pages: Pages,
    ):
        self.connection = connection
        self.contents = contents
        self.benchmark = benchmark
        self.pages = pages
        self.runs = contents.runs_of(benchmark)
        self.cohorts: dict[str, frozenset[str]] = {}
        self.made_up = made_up([contents.origins[run.run_id] for run in self.runs])
        self.published = read_published(connection, benchmark.benchmark_id, RANKED_BY)

    def write(self) -> tuple[Front, list[Told]]:
        """Write every page; return what the first page says, and the models' pages."""
        methods = self.contents.methods
        run_ids = [run.run_id for run in self.runs]
        selection = Selection(run_ids=run_ids, methods=self.contents.method_ids)
        with selected(self.connection, selection):
            numbers = read_numbers(self.connection, self.contents.method_ids)
            answers = read_answers(
                self.connection,
                self.benchmark.benchmark_id,
                str(methods[0]["method_id"]),
                int(str(methods[0]["bins"])),
            )
        runs = RunSite(self.contents, self.benchmark, self.pages, numbers, answers)
        contest = Contest(self.connection, self.contents, self.benchmark, runs, answers)
        if contest.entrants:
            contest.hold()
        self.cohorts = contest.items
        parts = PartSite(self.connection, self.contents, self.benchmark)
        parts.write(self.pages, contest.made)
        items = ItemSite(
            self.contents, self.benchmark, answers, self._in_order(contest)
        )
        items.write(self.connection, self.pages)
        data = items_script(answers, contest.items, CHUNK)
        self.pages.file(self.benchmark.pages.items_data, data)
        compared = self._comparisons(contest, items)
        if self.runs:
            whole = frozenset(answers.items)
            runs.cohort_sql(self.connection, OWN, self.runs, whole)
        for run in self.runs:
            runs.numbers(run, OWN, numbers)
            taking_part = [each for each in compared if run in (each.base, each.other)]
            runs.front(run, self._rank(contest, run), taking_part)
            runs.rows(run, items.href)
        self._boards(contest, parts, compared)
        about = About(self.benchmark, answers, self.published, len(self.runs))
        about.write(self.connection, self.pages, items)
        history = told(
            self.connection, self.contents, self.benchmark, numbers, _alone(contest)
        )
        return self._front(contest), history

    def _in_order(self, contest: Contest) -> list[Run]:
        """Return the runs as the first board has them, then the others."""
        if contest.first is None:
            return self.runs
        board, _ = next(iter(contest.first.boards.values()))
        return list(dict.fromkeys([*(e.run for e in board.entries), *self.runs]))

    def _address(self, contest: Contest, made: Made, row: str, method_id: str) -> str:
        """Return where a board is: the first one is the benchmark's front."""
        first = contest.first
        if first is made and (row, method_id) == next(iter(made.boards)):
            return self.benchmark.pages.front
        return self.benchmark.pages.board(made.cohort.key, row, method_id)

    def _rank(self, contest: Contest, run: Run) -> Rank | None:
        """Return where a run stands on the first board; None if it is not there."""
        if contest.first is None:
            return None
        board, table = next(iter(contest.first.boards.values()))
        for entry in board.entries:
            if entry.run == run:
                standing = entry.standing
                return Rank(
                    standing.rank if standing else None,
                    standing.title if standing else None,
                    len(table.ranked),
                    entry.note,
                )
        return None

    def _comparisons(self, contest: Contest, items: ItemSite) -> list[Compared]:
        """Write a page per comparison; return where each is."""
        short = self.contents.short
        found = []
        for pair in contest.pairs:
            path = comparison_page(short[pair.base.run_id], short[pair.other.run_id])
            found.append(Compared(pair.base, pair.other, path))
            self.pages.page(
                path,
                "comparison.html",
                pair=pair,
                benchmark=self.benchmark,
                base=self.contents.pages(pair.base),
                other=self.contents.pages(pair.other),
                made=contest.first,
                item_href=items.href,
            )
        return found

    def _boards(
        self, contest: Contest, parts: PartSite, compared: list[Compared]
    ) -> None:
        if contest.first is None:
            self.pages.page(
                self.benchmark.pages.front,
                "empty.html",
                benchmark=self.benchmark,
                published=self.published,
                skipped=contest.skipped,
                runs=[(run, self.contents.pages(run).front) for run in self.runs],
            )
            return
        for made in contest.made:
            for report_row, method_id in made.boards:
                if method_id not in self._methods(contest, made):
                    continue
                self._board(contest, made, report_row, method_id, parts, compared)

    def _board(
        self,
        contest: Contest,
        made: Made,
        report_row: str,
        method_id: str,
        parts: PartSite,
        compared: list[Compared],
    ) -> None:
        board, table = made.boards[report_row, method_id]
        path = self._address(contest, made, report_row, method_id)
        is_main = method_id == self.contents.method_ids[0]
        is_first = path == self.benchmark.pages.front
        on_board = {entry.run for entry in board.entries}
        self.pages.page(
            path,
            "board.html",
            benchmark=self.benchmark,
            made=made,
            board=board,
            table=table,
            data=self._data(board, path) if is_first else None,
            is_main=is_main,
            made_up=self.made_up,
            sentences=answer(table),
            rows=self._row_switches(contest, made, report_row, method_id),
            cohorts=self._cohort_switches(contest, made, report_row, method_id),
            methods=[
                Switch(
                    name,
                    self._address(contest, made, report_row, name),
                    name == method_id,
                )
                for name in self._methods(contest, made)
            ],
            parts=parts.switches(made, report_row),
            published=self.published,
            skipped=contest.skipped,
            plane=plane_of(table, self._run_href(path)) if is_first else "",
            pages=self.contents.pages,
            compared={each.other: each for each in reversed(compared)}
            if is_first
            else {},
            older=[
                (run, self.contents.pages(run).front)
                for run in self.runs
                if run not in on_board
            ],
        )

    def _methods(self, contest: Contest, made: Made) -> list[str]:
        """Return the methods a cohort has boards by: all for the first and the whole.

        By another method a board differs in I alone.
        """
        is_seen_first = made is contest.first or made.cohort is OWN
        return self.contents.method_ids[: None if is_seen_first else 1]

    def _data(self, board: Leaderboard, path: str) -> str:
        """Write the board as `jevdb leaderboard` gives it; return where it is."""
        out = io.StringIO()
        write(board.rows(), Format.JSON, out)
        data = f"{path.removesuffix('.html')}.json"
        self.pages.file(data, out.getvalue().encode())
        return data

    def _run_href(self, path: str) -> Callable[[Run], str]:
        root = "../" * path.count("/")
        return lambda run: root + self.contents.pages(run).front

    def _row_switches(
        self, contest: Contest, made: Made, report_row: str, method_id: str
    ) -> list[Switch]:
        return [
            Switch(
                name,
                self._address(contest, made, name, method_id),
                name == report_row,
            )
            for name in made.report_rows
        ]

    def _cohort_switches(
        self, contest: Contest, here: Made, report_row: str, method_id: str
    ) -> list[Switch]:
        """Return the other cohorts: the same report row, or their largest."""
        found = []
        for made in contest.made:
            rows = made.report_rows
            row = report_row if report_row in rows else rows[0]
            known = self._methods(contest, made)
            method = method_id if method_id in known else known[0]
            path = self._address(contest, made, row, method)
            title = made.cohort.words
            found.append(Switch(made.cohort.title, path, made is here, title))
        return found

    def _front(self, contest: Contest) -> Front:
        told = len(self.runs), len(self.published.results), self.made_up
        if contest.first is None:
            return Front(self.benchmark, *told, None, None)
        return Front(self.benchmark, *told, *next(iter(contest.first.boards.values())))


def _alone(contest: Contest) -> dict[str, Bounds | None]:
    """Return the intervals of I over all items, of the runs that are on a board."""
    for made in contest.made:
        if made.cohort is OWN:
            board, _ = next(iter(made.boards.values()))
            return {entry.run.run_id: entry.interval for entry in board.entries}
    return {}
