"""Where a number stands: its run, report row, views, scope, and the query it is.

The query is self-contained: it returns the number in any DuckDB client on the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UsageError
from jevdb.base.metrics import BY_NAME, Number
from jevdb.scoring.as_of import then
from jevdb.scoring.explain.written_out import Place, written_out
from jevdb.scoring.names import require_method
from jevdb.scoring.numbers import Value
from jevdb.scoring.report import require_gold_revision
from jevdb.scoring.report_rows import row_meant
from jevdb.scoring.selection import Selection, sliced
from jevdb.warehouse.scope_views import (
    marked,
    require_versions,
    scope_view,
    scoring_rules_view,
    stored_sql,
)
from jevdb.warehouse.sqlfiles import SqlObject, parse_text, program, quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run
    from jevdb.scoring.selection import Dimension

VIEWS = {
    "intelligence": "component_intelligence",
    "calibration": "component_calibration",
}
PAGES = {
    r"METRICS\.md": "docs/rules-metrics.md",
    r"SCORING\.md": "docs/rules-scoring.md",
    r"SUITES\.md §[23]": "docs/metrics.md §3",
    r"INFERENCE\.md §3": "docs/statistics.md",
}
"""What the headers of SQL files cite, and the page of the documentation to read."""


class Asked(NamedTuple):
    """The number to explain: whose, which, where, by which method and gold.

    ``as_of``, ``by`` and ``scope_version`` are those of a report that shows it.
    """

    run: Run
    number: Number
    report_row: str | None
    method_id: str
    gold_revision: int | None
    as_of: int | None = None
    by: Dimension | None = None
    scope_version: int | None = None

    @property
    def selection(self) -> Selection:
        """The report that shows the number."""
        version = self.scope_version
        return Selection(
            run_ids=[self.run.run_id],
            methods=[self.method_id],
            gold_revision=self.gold_revision,
            as_of=self.as_of,
            by=self.by,
            scope_versions=None if version is None else [version],
        )


def place_of(connection: Connection, asked: Asked) -> Place:
    """Return where the number stands; the newest gold unless one is asked for."""
    require_method(connection, asked.method_id)
    benchmark = asked.run.benchmark_id
    with then(connection, asked.as_of):
        require_gold_revision(connection, asked.gold_revision, [asked.run])
        scoring, revision = connection.execute(
            "select max(benchmarks.scoring), max(golden_items.gold_revision) "
            "from benchmarks left join golden_items using (benchmark_id) "
            f"where benchmark_id = {quoted(benchmark)}"
        ).fetchall()[0]
    if revision is None:
        raise UsageError(f"{benchmark} has no items yet; ingest them first")
    scope_file = _scope_file(connection, asked, scoring)
    return Place(
        run_id=asked.run.run_id,
        benchmark_id=benchmark,
        gold_revision=asked.gold_revision or revision,
        method_id=asked.method_id,
        scope=_covering(scope_file, asked),
        scope_file=scope_file,
        rules=scoring_rules_view(connection, scoring, asked.scope_version),
        as_of=asked.as_of,
    )


def _scope_file(connection: Connection, asked: Asked, scoring: str) -> SqlObject:
    view = scope_view(connection, scoring)
    if asked.scope_version is None:
        return view
    require_versions(connection, [asked.scope_version], [asked.run.benchmark_id])
    text = stored_sql(connection, scoring, asked.scope_version)
    return parse_text(view.layer, view.name, text)


def _covering(view: SqlObject, asked: Asked) -> SqlObject:
    """Return the scope view with report rows as the report asked for names them."""
    body = view.body
    if asked.scope_version is not None:
        body = marked(body, asked.scope_version)
    if asked.by is not None:
        body = sliced(body, asked.by)
    return view._replace(body=body)


def asked_query(connection: Connection, asked: Asked) -> str:
    """Return one query that gives the number in any DuckDB client on the file.

    Raises the errors of `explain`.
    """
    place = place_of(connection, asked)
    return number_query(place, asked.number, report_row_of(connection, place, asked))


def number_query(place: Place, number: Number, report_row: str) -> str:
    """Return the query of a number in a report row that there is."""
    statement = f"""\
select value
from {view_of(number)}
where
    report_row = {quoted(report_row)}
    and metric = {quoted(number.metric)}
    and kind = {quoted(number.kind)}"""
    title = (
        f"-- {number.metric}, kind {number.kind}, of run\n-- {place.run_id},\n"
        f"-- report row {_in_comment(report_row)}, method {place.method_id}, "
        f"gold revision {place.gold_revision}{_as_of_words(place)}.\n"
        "-- Reads the tables and macros of the warehouse; every view is written out.\n"
    )
    return title + written_out(place, statement)


def _as_of_words(place: Place) -> str:
    return "" if place.as_of is None else f", as of ingest {place.as_of}"


def _in_comment(text: str) -> str:
    return " ".join(text.split())


def view_of(number: Number) -> str:
    """Return the view that has the number."""
    if not BY_NAME[number.metric].is_index:
        return f"metric_{number.metric}"
    return "indices" if number.kind == "all" else VIEWS[number.metric]


def definitions(number: Number) -> list[SqlObject]:
    """Return the views whose headers say, in words, what the number is.

    The headers cite pages of the documentation, with the number of a section.
    """
    names = [view_of(number)]
    if number.metric in VIEWS and number.kind == "all":
        names.append(VIEWS[number.metric])
    by_name = {item.name: item for item in program()}
    return [citing_pages(by_name[name]) for name in names]


def citing_pages(view: SqlObject) -> SqlObject:
    """Return the view with pages of the documentation cited in its header."""
    header = view.header
    for cited, page in PAGES.items():
        header = re.sub(cited, page, header)
    return view._replace(header=header)


def value_of(connection: Connection, number: Number, report_row: str) -> Value:
    """Return the number in a report row of the selection that the connection shows."""
    statement = f"""\
select value, n, n_scope, reason
from {view_of(number)}
where
    report_row = {quoted(report_row)}
    and metric = {quoted(number.metric)}
    and kind = {quoted(number.kind)}"""
    return Value(*connection.execute(statement).fetchall()[0])


def report_row_of(connection: Connection, place: Place, asked: Asked) -> str:
    """Return the report row asked for, or the one with most items, first by name."""
    statement = """\
select
    report_row,
    count_if(subset = 'all')
from scopes
group by report_row"""
    sizes = dict(connection.execute(written_out(place, statement)).fetchall())
    if not sizes:
        raise UsageError(f"{place.scope.name} covers no item of {place.benchmark_id}")
    return row_meant(asked.report_row, sizes)
