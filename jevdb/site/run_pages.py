"""The pages of a run: its report and origin, its numbers explained, its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import BY_NAME, REGISTRY, Number
from jevdb.site.addresses import Switch
from jevdb.site.answers import Answers
from jevdb.site.boards import Cell, Heading, heading
from jevdb.site.charts import reliability
from jevdb.site.cohorts import OWN, Cohort
from jevdb.site.numbers import Numbers, in_order
from jevdb.site.profiles import profiles
from jevdb.site.reproducing import headed, numbers_sql
from jevdb.site.row_data import STATIC_ROWS, rows_table, run_rows
from jevdb.site.sections import below, sections

if TYPE_CHECKING:
    from collections.abc import Callable

    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run
    from jevdb.site.contents import Benchmark, Contents
    from jevdb.site.rendering import Pages

PAGED = tuple(
    Number(metric.name, kind)
    for metric in REGISTRY
    for kind in metric.paged
    if metric.name != "coverage"
)
"""The numbers of the report on a run's page."""


class Rank(NamedTuple):
    """Where a run stands on the first board."""

    rank: int | None
    title: str | None
    n_ranked: int
    note: str | None


class Compared(NamedTuple):
    """A comparison that a run is part of."""

    base: Run
    other: Run
    path: str


class ReportLine(NamedTuple):
    """A report row of a run by the first method, and what other methods change."""

    report_row: str
    n: int
    cells: list[Cell]
    others: list[tuple[str, str, Cell]]


class RunSite:
    """Writes the pages of the runs of a benchmark."""

    def __init__(
        self,
        contents: Contents,
        benchmark: Benchmark,
        pages: Pages,
        own: Numbers,
        answers: Answers,
    ):
        self.contents = contents
        self.benchmark = benchmark
        self.pages = pages
        self.own = own
        self.answers = answers

    def numbers(self, run: Run, cohort: Cohort, numbers: Numbers) -> None:
        """Write the pages that explain a run's numbers on the items of a cohort."""
        pages = self.contents.pages(run)
        report_rows = numbers.report_rows(run.run_id)
        for report_row in report_rows:
            self.pages.page(
                pages.numbers(cohort.key, report_row),
                "numbers.html",
                run=run,
                benchmark=self.benchmark,
                front=pages.front,
                cohort=cohort,
                is_own=cohort is OWN,
                report_row=report_row,
                others=[
                    Switch(
                        other,
                        pages.numbers(cohort.key, other).rpartition("/")[2],
                        other == report_row,
                    )
                    for other in report_rows
                ],
                sections=sections(
                    numbers,
                    run,
                    report_row,
                    self.contents.methods,
                ),
                below=below(numbers, run, report_row),
                n_methods=len(self.contents.methods),
                sql=self.benchmark.pages.sql(cohort.key),
            )

    def cohort_sql(
        self,
        connection: Connection,
        cohort: Cohort,
        runs: Sequence[Run],
        items: frozenset[str],
    ) -> None:
        """Write the query that gives the numbers of a cohort."""
        path = self.benchmark.pages.sql(cohort.key)
        is_own = cohort is OWN
        sql = numbers_sql(
            connection,
            self.benchmark,
            [run.run_id for run in runs],
            [] if is_own else sorted(self.answers.items.keys() - items),
        )
        words = f"the runs of the board '{cohort.title}'"
        words += "" if is_own else ", on the items they share"
        self.pages.file(path, headed(sql, words, path.rpartition("/")[2]))

    def front(
        self,
        run: Run,
        rank: Rank | None,
        compared: Sequence[Compared],
    ) -> None:
        """Write the run's own page."""
        pages = self.contents.pages(run)
        headings, lines = self._report(run)
        report_rows = self.own.report_rows(run.run_id)
        main = report_rows[0] if report_rows else None
        self.pages.page(
            pages.front,
            "run.html",
            run=run,
            origin=self.contents.origins[run.run_id],
            benchmark=self.benchmark,
            pages=pages,
            rank=rank,
            compared=compared,
            headings=headings,
            lines=lines,
            main=main,
            profiles=list(profiles(self.answers, run.run_id, main)) if main else [],
            bins=self._bins(run, main),
            sql=self.benchmark.pages.sql(OWN.key),
            model=self.contents.model_page(run),
            explained=[
                (report_row, pages.numbers(OWN.key, report_row))
                for report_row in report_rows
            ],
        )

    def _report(self, run: Run) -> tuple[list[Heading], list[ReportLine]]:
        """Return the report by the first method, and what others change of it."""
        report_rows = self.own.report_rows(run.run_id)
        used = [
            number
            for number in (*PAGED, Number("coverage", "all"))
            if any(
                number in self.own.values[run.run_id, report_row]
                for report_row in report_rows
            )
        ]
        headings = [
            Heading(number, heading(number), BY_NAME[number.metric].is_higher_better)
            for number in used
        ]
        return headings, [self._line(run, row, used) for row in report_rows]

    def _line(self, run: Run, report_row: str, used: Sequence[Number]) -> ReportLine:
        row = (run.run_id, report_row)
        first, *others = self.contents.method_ids
        coverage = self.own.value(row, Number("coverage", "all"), first)
        return ReportLine(
            report_row,
            coverage.n_scope if coverage else 0,
            [self._cell(run, report_row, number, first) for number in used],
            [
                (method_id, heading(number), changed)
                for method_id in others
                for number in used
                if (changed := self._cell(run, report_row, number, method_id)).value
                != self._cell(run, report_row, number, first).value
            ],
        )

    def _cell(self, run: Run, report_row: str, number: Number, method_id: str) -> Cell:
        value = self.own.value((run.run_id, report_row), number, method_id)
        if value is None:
            return Cell(None, number.metric, None)
        href = self.contents.pages(run).number(OWN.key, report_row, *number)
        return Cell(value.value, number.metric, href)

    def _bins(self, run: Run, main: str | None) -> list[tuple[str, str]]:
        """Return the reliability of each ECE of the main row, by the first method."""
        if main is None:
            return []
        found = self.own.bins.get((run.run_id, main), {})
        numbers = in_order(Number("ece", kind) for kind in found)
        method_id = self.contents.method_ids[0]
        return [
            (
                number.kind,
                reliability(
                    found[number.kind][method_id],
                    f"Share true over probability stated, {number.kind}: the numbers "
                    "are on the page of the numbers",
                ),
            )
            for number in numbers
            if method_id in found[number.kind]
        ]

    def rows(self, run: Run, item_href: Callable[[str], str]) -> None:
        """Write every answer of the run: as a page, and as a table."""
        answers = self.answers.by_run.get(run.run_id, [])
        pages = self.contents.pages(run)
        self.pages.file(pages.table, rows_table(answers))
        self.pages.page(
            pages.rows,
            "rows.html",
            run=run,
            benchmark=self.benchmark,
            front=pages.front,
            table=pages.table,
            first=[
                (self.answers.items[each.item_id], each, item_href(each.item_id))
                for each in answers[:STATIC_ROWS]
            ],
            n_rows=len(answers),
            data=run_rows(answers, self.answers),
            unsupported=self.contents.origins[run.run_id].unsupported_types,
        )
