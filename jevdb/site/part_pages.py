"""The boards on parts of their items: a page per cohort, report row, type, tier, ..."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.site.slices import Place, Slice, slices

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.site.competing import Made
    from jevdb.site.contents import Benchmark, Contents
    from jevdb.site.rendering import Pages


class Switch(NamedTuple):
    """A choice: where it leads, and whether it is the one shown."""

    words: str
    path: str
    is_here: bool
    title: str = ""


class PartSite:
    """Writes the parts of every board; cohorts of the same rows share theirs."""

    def __init__(
        self, connection: Connection, contents: Contents, benchmark: Benchmark
    ):
        self.connection = connection
        self.contents = contents
        self.benchmark = benchmark
        self._made: list[Made] = []
        self._found: dict[str, dict[Place, Slice]] = {}

    def write(self, pages: Pages, made: Sequence[Made]) -> None:
        """Write a page per part of each report row of each cohort."""
        for each in made:
            self._made.append(each)
            if self._shared(each) is each:
                found = slices(
                    *(self.connection, each.in_cohort, each.item_ids),
                    *(each.report_rows, self.contents.method_ids),
                )
                self._found[each.cohort.key] = {part.place: part for part in found}
        for each in made:
            if self._shared(each) is each:
                for part in self._found[each.cohort.key].values():
                    self._write(pages, each, part)

    def switches(
        self, made: Made, report_row: str, here: Slice | None = None
    ) -> list[tuple[str, list[Switch]]]:
        """Return the parts of a board there are pages for, by dimension."""
        groups: dict[str, list[Switch]] = {}
        for part in self._parts(made).values():
            if part.report_row == report_row:
                switch = Switch(part.value, self._path(made, part.place), part is here)
                groups.setdefault(part.dimension, []).append(switch)
        return list(groups.items())

    def _shared(self, made: Made) -> Made:
        """Return the first cohort that ranks the same runs on the same items."""
        return next(
            each
            for each in self._made
            if each.item_ids == made.item_ids
            and set(each.in_cohort) == set(made.in_cohort)
        )

    def _parts(self, made: Made) -> dict[Place, Slice]:
        return self._found[self._shared(made).cohort.key]

    def _path(self, made: Made, place: Place) -> str:
        return self.benchmark.pages.slice(self._shared(made).cohort.key, *place)

    def _write(self, pages: Pages, made: Made, part: Slice) -> None:
        rows = [
            Switch(row, self._path(made, place), row == part.report_row)
            for row in made.report_rows
            if (place := part.place._replace(report_row=row)) in self._parts(made)
        ]
        cohorts = [
            Switch(
                each.cohort.title,
                self._path(each, part.place),
                self._shared(each) is made,
            )
            for each in self._made
            if part.place in self._parts(each)
        ]
        pages.page(
            self._path(made, part.place),
            "slice.html",
            part=part,
            benchmark=self.benchmark,
            made=made,
            rows=rows,
            cohorts=cohorts,
            methods=self.contents.method_ids,
            contents=self.contents,
            parts=self.switches(made, part.report_row, part),
        )
