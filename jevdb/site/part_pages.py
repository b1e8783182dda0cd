"""The boards on parts of their items: a page per report row and dimension.

On it the runs are rows and the values of the dimension columns: where one is strong and
another weak is seen at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from jevdb.site.addresses import Switch
from jevdb.site.slices import Slice, slices

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run
    from jevdb.site.competing import Made
    from jevdb.site.contents import Benchmark, Contents
    from jevdb.site.rendering import Pages
    from jevdb.site.slices import Line

SHADES = 9
"""Steps of shading between the least and the largest accuracy of a page."""


class Part(NamedTuple):
    """A report row by one dimension: its values, and every run's line in each."""

    report_row: str
    dimension: str
    slices: list[Slice]

    @property
    def rows(self) -> list[tuple[Run, list[Line | None]]]:
        """The runs, those of most right answers first, with a line for each value."""
        by_run: dict[Run, dict[str, Line]] = {}
        for each in self.slices:
            for line in each.lines:
                by_run.setdefault(line.run, {})[each.value] = line
        ordered = sorted(by_run, key=lambda run: (-_n_right(by_run[run]), run.name))
        return [
            (run, [by_run[run].get(each.value) for each in self.slices])
            for run in ordered
        ]

    @property
    def shades(self) -> Callable[[Line], int]:
        """How dark the accuracy of a line is, from 0 to `SHADES`."""
        shares = [
            each.accuracy.accuracy
            for part in self.slices
            for each in part.lines
            if each.accuracy
        ]
        least = min(shares, default=0.0)
        spread = max(shares, default=0.0) - least or 1.0

        def shade(line: Line) -> int:
            assert line.accuracy is not None
            return round(SHADES * (line.accuracy.accuracy - least) / spread)

        return shade


class PartSite:
    """Writes the parts of every board; cohorts of the same rows share theirs."""

    def __init__(
        self, connection: Connection, contents: Contents, benchmark: Benchmark
    ):
        self.connection = connection
        self.contents = contents
        self.benchmark = benchmark
        self._made: list[Made] = []
        self._found: dict[str, dict[tuple[str, str], Part]] = {}

    def write(self, pages: Pages, made: Sequence[Made]) -> None:
        """Write a page per dimension of each report row of each cohort."""
        for each in made:
            self._made.append(each)
            if self._shared(each) is each:
                self._found[each.cohort.key] = {
                    (part.report_row, part.dimension): part for part in self._read(each)
                }
        for each in made:
            if self._shared(each) is each:
                for part in self._found[each.cohort.key].values():
                    self._write(pages, each, part)

    def switches(self, made: Made, report_row: str, here: str = "") -> list[Switch]:
        """Return the dimensions by which there are parts of a board."""
        return [
            Switch(
                f"by {part.dimension}",
                self._path(made, part),
                part.dimension == here,
            )
            for part in self._parts(made).values()
            if part.report_row == report_row
        ]

    def _read(self, made: Made) -> Iterator[Part]:
        found = slices(
            *(self.connection, made.in_cohort, made.item_ids),
            *(made.report_rows, self.contents.method_ids[:1]),
        )
        for (row, dimension), group in groupby(
            found, key=lambda each: (each.report_row, each.dimension)
        ):
            yield Part(row, dimension, list(group))

    def _shared(self, made: Made) -> Made:
        """Return the first cohort that ranks the same runs on the same items."""
        return next(
            each
            for each in self._made
            if each.item_ids == made.item_ids
            and set(each.in_cohort) == set(made.in_cohort)
        )

    def _parts(self, made: Made) -> dict[tuple[str, str], Part]:
        return self._found[self._shared(made).cohort.key]

    def _path(self, made: Made, part: Part) -> str:
        key = self._shared(made).cohort.key
        return self.benchmark.pages.part(key, part.report_row, part.dimension)

    def _write(self, pages: Pages, made: Made, part: Part) -> None:
        rows = [
            Switch(row, self._path(made, other), row == part.report_row)
            for row in made.report_rows
            if (other := self._parts(made).get((row, part.dimension)))
        ]
        cohorts = [
            Switch(
                each.cohort.title,
                self._path(each, part),
                self._shared(each) is made,
            )
            for each in self._made
            if (part.report_row, part.dimension) in self._parts(each)
        ]
        pages.page(
            self._path(made, part),
            "part.html",
            part=part,
            benchmark=self.benchmark,
            made=made,
            rows=rows,
            cohorts=cohorts,
            method=self.contents.method_ids[0],
            contents=self.contents,
            parts=self.switches(made, part.report_row, part.dimension),
        )


def _n_right(lines: dict[str, Line]) -> int:
    return sum(line.accuracy.n_right for line in lines.values() if line.accuracy)
