"""The pages of a run: its report and origin, its numbers explained, its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.documents import Json
from jevdb.base.metrics import BY_NAME, REGISTRY, Number
from jevdb.exports.results_file import to_bytes
from jevdb.site.answers import Answers
from jevdb.site.boards import Cell, Heading, heading
from jevdb.site.cells import answer_rows, item_heads
from jevdb.site.cohorts import OWN, Cohort
from jevdb.site.numbers import Numbers, agreed, in_order
from jevdb.site.pictures import Shown, diagram
from jevdb.site.profiles import profiles
from jevdb.site.reproducing import headed, numbers_sql
from jevdb.site.sections import sections

if TYPE_CHECKING:
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

TERMS = {
    "confidence": "Confidence",
    "yes_probability": "P(yes)",
    "gold_probability": "P(gold)",
    "rating": "Rating",
    "squared_error": "Brier",
    "total_variation": "TVD",
    "ranked_probability": "RPS",
    "rating_error": "Rating error",
    "f1": "F1",
}


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
    """A report row of a run by methods that agree on what is shown of it."""

    report_row: str
    methods: list[str]
    n: int
    cells: list[Cell]


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
        self._strata = {name: i for i, name in enumerate(sorted(answers.places))}
        self.properties = answers.properties
        self.heads = item_heads(answers.items, self.properties)

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
                    (other, pages.numbers(cohort.key, other)) for other in report_rows
                ],
                sections=sections(numbers, run, report_row, self.contents.methods),
                rows=pages.rows,
                sql=pages.sql
                if cohort is OWN
                else self.benchmark.pages.sql(cohort.key),
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
        sql = numbers_sql(
            connection,
            self.benchmark,
            [run.run_id for run in runs],
            sorted(self.answers.items.keys() - items),
        )
        words = f"the runs of the board '{cohort.title}', on the items they share"
        self.pages.file(path, headed(sql, words, path.rpartition("/")[2]))

    def front(
        self,
        connection: Connection,
        run: Run,
        rank: Rank | None,
        compared: Sequence[Compared],
    ) -> None:
        """Write the run's own page, and the query that gives its numbers."""
        pages = self.contents.pages(run)
        sql = numbers_sql(connection, self.benchmark, [run.run_id])
        words = f"run {run.run_id}"
        self.pages.file(pages.sql, headed(sql, words, pages.sql.rpartition("/")[2]))
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
            picture=self._picture(run, main),
            explained=[
                (report_row, pages.numbers(OWN.key, report_row))
                for report_row in report_rows
            ],
        )

    def _report(self, run: Run) -> tuple[list[Heading], list[ReportLine]]:
        """Return the report: a line per report row and methods that agree."""
        report_rows = self.own.report_rows(run.run_id)
        asked = [*PAGED, Number("coverage", "all")]
        used = [
            number
            for number in asked
            if any(
                number in self.own.values[run.run_id, report_row]
                for report_row in report_rows
            )
        ]
        lines = [
            self._line(run, report_row, same.methods, used)
            for report_row in report_rows
            for same in agreed(
                {
                    method_id: [
                        self.own.value((run.run_id, report_row), number, method_id)
                        for number in used
                    ]
                    for method_id in self.contents.method_ids
                }
            )
        ]
        headings = [
            Heading(number, heading(number), BY_NAME[number.metric].is_higher_better)
            for number in used
        ]
        return headings, lines

    def _line(
        self, run: Run, report_row: str, methods: list[str], used: Sequence[Number]
    ) -> ReportLine:
        row = (run.run_id, report_row)
        pages = self.contents.pages(run)
        cells = []
        for number in used:
            value = self.own.value(row, number, methods[0])
            href = pages.number(OWN.key, report_row, *number)
            cells.append(
                Cell(value.value, number.metric, href)
                if value
                else Cell(None, number.metric, None)
            )
        coverage = self.own.value(row, Number("coverage", "all"), methods[0])
        return ReportLine(
            report_row, methods, coverage.n_scope if coverage else 0, cells
        )

    def _picture(self, run: Run, main: str | None) -> Shown | None:
        """Draw the reliability of the run on its main row."""
        if main is None:
            return None
        method = self.contents.methods[0]
        drawn = diagram(run, main, self.own, self.answers, method)
        return self.pages.bare_picture(self.contents.pages(run).diagram, drawn)

    def _bins(self, run: Run, main: str | None) -> list[tuple[str, object]]:
        """Return the bins of each ECE of the main row, by the first method."""
        if main is None:
            return []
        found = self.own.bins.get((run.run_id, main), {})
        numbers = in_order(Number("ece", kind) for kind in found)
        method_id = self.contents.method_ids[0]
        return [
            (number.kind, found[number.kind][method_id])
            for number in numbers
            if method_id in found[number.kind]
        ]

    def rows(self, run: Run) -> None:
        """Write the page with every answer of the run."""
        answers = self.answers.by_run.get(run.run_id, [])
        terms = [
            (name, words)
            for name, words in TERMS.items()
            if any(getattr(answer, name) is not None for answer in answers)
        ]
        self.pages.page(
            self.contents.pages(run).rows,
            "rows.html",
            run=run,
            benchmark=self.benchmark,
            front=self.contents.pages(run).front,
            rows=answer_rows(
                answers,
                self.answers.items,
                self.heads,
                self._strata,
                [name for name, _ in terms],
            ),
            properties=self.properties,
            terms=terms,
            places={
                self._strata[stratum]: sorted(map(list, places))
                for stratum, places in self.answers.places.items()
            },
        )

    def results(self, run: Run, results: Json) -> None:
        """Write the run's evaluation_results.json, as `jevdb export --run` would."""
        listed, benchmarks = results["runs"], results["benchmarks"]
        assert isinstance(listed, list)
        assert isinstance(benchmarks, list)
        one = {
            **results,
            "runs": [row for row in listed if row["run_id"] == run.run_id],
            "benchmarks": [
                row for row in benchmarks if row["benchmark_id"] == run.benchmark_id
            ],
        }
        self.pages.file(self.contents.pages(run).results, to_bytes(one))
