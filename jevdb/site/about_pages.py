"""The pages about a benchmark itself: its scope and items, what others published."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.site.item_pages import CHUNK
from jevdb.site.published import HEADINGS
from jevdb.site.row_data import STATIC_ROWS
from jevdb.warehouse.scope_views import scope_view
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.site.answers import Answers
    from jevdb.site.contents import Benchmark
    from jevdb.site.item_pages import ItemSite
    from jevdb.site.published import Published
    from jevdb.site.rendering import Pages


class About(NamedTuple):
    """What there is to say of a benchmark."""

    benchmark: Benchmark
    answers: Answers
    published: Published
    n_runs: int

    def write(self, connection: Connection, pages: Pages, items: ItemSite) -> None:
        """Write the page of scope and items, and that of published results if any."""
        self._items(connection, pages, items)
        if self.published.results:
            pages.page(
                self.benchmark.pages.published,
                "published.html",
                benchmark=self.benchmark,
                published=self.published,
                headings=HEADINGS,
            )

    def _items(self, connection: Connection, pages: Pages, items: ItemSite) -> None:
        named = {"benchmark": self.benchmark.benchmark_id}
        revisions = (
            "select gold_revision, reason from gold_revisions "
            "where benchmark_id = $benchmark order by gold_revision"
        )
        pages.page(
            self.benchmark.pages.items,
            "items.html",
            benchmark=self.benchmark,
            answers=self.answers,
            counts=connection.execute(query("scoring/scope_counts"), named).fetchall(),
            revisions=connection.execute(revisions, named).fetchall(),
            first=[
                (item, items.href(item.item_id))
                for item in list(self.answers.items.values())[:STATIC_ROWS]
            ],
            pages_of_items=[
                (f"{first + 1} to {min(first + CHUNK, len(self.answers.items))}", path)
                for first, path in items.pages
            ],
            scope=scope_view(connection, self.benchmark.scoring),
            n_runs=self.n_runs,
            is_repeated=any(run.n_repeats > 1 for run in items.runs),
            published=self.published,
        )
