"""The pages of one benchmark: its boards, slices, comparisons, runs and items."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.output import Format, write
from jevdb.scoring.selection import Selection, selected
from jevdb.site.about_pages import About
from jevdb.site.addresses import comparison_page
from jevdb.site.answers import read_answers
from jevdb.site.cells import decided_rows
from jevdb.site.cohorts import OWN
from jevdb.site.competing import RANKED_BY, Contest, Made
from jevdb.site.numbers import read_numbers
from jevdb.site.part_pages import PartSite, Switch
from jevdb.site.pictures import won_and_lost
from jevdb.site.published import read_published
from jevdb.site.run_pages import Compared, Rank, RunSite

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.base.documents import Json
    from jevdb.comparison.board import Leaderboard
    from jevdb.scoring.runs import Run
    from jevdb.site.boards import Table
    from jevdb.site.contents import Benchmark, Contents
    from jevdb.site.pictures import Shown
    from jevdb.site.rendering import Pages


class Front(NamedTuple):
    """What the first page says of a benchmark."""

    benchmark: Benchmark
    n_runs: int
    n_published: int
    board: Leaderboard | None
    table: Table | None


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
        self.plane: Shown | None = None
        self.published = read_published(connection, benchmark.benchmark_id, RANKED_BY)

    def write(self, results: Json) -> Front:
        """Write every page; *results* are those of all runs by the first method."""
        methods = self.contents.method_ids
        run_ids = [run.run_id for run in self.runs]
        with selected(self.connection, Selection(run_ids=run_ids, methods=methods)):
            numbers = read_numbers(self.connection, methods)
            answers = read_answers(self.connection, self.benchmark.benchmark_id)
        runs = RunSite(self.contents, self.benchmark, self.pages, numbers, answers)
        contest = Contest(self.connection, self.contents, self.benchmark, runs, answers)
        if contest.entrants:
            contest.hold()
        parts = PartSite(self.connection, self.contents, self.benchmark)
        parts.write(self.pages, contest.made)
        compared = self._comparisons(contest, runs)
        for run in self.runs:
            runs.numbers(run, OWN, numbers)
            taking_part = [each for each in compared if run in (each.base, each.other)]
            runs.front(self.connection, run, self._rank(contest, run), taking_part)
            runs.rows(run)
            runs.results(run, results)
        self._boards(contest, parts, compared)
        about = About(self.benchmark, answers, self.published, len(self.runs))
        about.write(self.connection, self.pages, runs)
        return self._front(contest)

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

    def _comparisons(self, contest: Contest, runs: RunSite) -> list[Compared]:
        """Write a page per comparison; return where each is."""
        short, made = self.contents.short, contest.first
        found = []
        for pair in contest.pairs:
            path = comparison_page(short[pair.base.run_id], short[pair.other.run_id])
            found.append(Compared(pair.base, pair.other, path))
            assert made is not None
            board, _ = next(iter(made.boards.values()))
            cohort = f"{len(made.item_ids)} items ({made.cohort.asked.words})"
            drawn = won_and_lost(pair, cohort, board.gold_revision)
            self.pages.page(
                path,
                "comparison.html",
                pair=pair,
                decided=decided_rows(pair.decided, runs.heads),
                properties=runs.properties,
                benchmark=self.benchmark,
                base=self.contents.pages(pair.base),
                other=self.contents.pages(pair.other),
                made=made,
                picture=self.pages.bare_picture(
                    f"{path.removesuffix('.html')}.svg", drawn
                ),
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
        self.plane = self.pages.picture(self.benchmark.pages.plane, contest.plane)
        for made in contest.made:
            for report_row, method_id in made.boards:
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
        out = io.StringIO()
        write(board.rows(), Format.JSON, out)
        data = f"{path.removesuffix('.html')}.json"
        self.pages.file(data, out.getvalue().encode())
        is_first = path == self.benchmark.pages.front
        on_board = {entry.run for entry in board.entries}
        self.pages.page(
            path,
            "board.html",
            benchmark=self.benchmark,
            made=made,
            board=board,
            table=table,
            data=data,
            rows=self._row_switches(contest, made, report_row, method_id),
            cohorts=self._cohort_switches(contest, made, report_row, method_id),
            methods=[
                Switch(
                    name,
                    self._address(contest, made, report_row, name),
                    name == method_id,
                )
                for name in self.contents.method_ids
            ],
            parts=parts.switches(made, report_row),
            published=self.published,
            skipped=contest.skipped,
            picture=self.plane if is_first else None,
            pages=self.contents.pages,
            compared={each.other: each.path for each in reversed(compared)}
            if is_first
            else {},
            older=[
                (run, self.contents.pages(run).front)
                for run in self.runs
                if run not in on_board
            ],
        )

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
            path = self._address(contest, made, row, method_id)
            title = made.cohort.words
            found.append(Switch(made.cohort.title, path, made is here, title))
        return found

    def _front(self, contest: Contest) -> Front:
        counts = len(self.runs), len(self.published.results)
        if contest.first is None:
            return Front(self.benchmark, *counts, None, None)
        return Front(
            self.benchmark, *counts, *next(iter(contest.first.boards.values()))
        )
