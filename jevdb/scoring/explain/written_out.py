"""One query that shows the whole method: the views it reads, written out as CTEs.

A name in a persisted view does not see a caller's CTE, so pinning a gold revision or a
run from outside needs the views' texts themselves. They are put in front of a statement
in layer order, over base tables narrowed to one run: what stands there is everything
between the tables and the number, and it runs in any DuckDB client on the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from jevdb.warehouse.sqlfiles import SqlObject, program, quoted
from jevdb.warehouse.writing_out import as_cte, cte, read_by

SCOPES_BODY = """\
select
    benchmark_id,
    report_row,
    subset,
    item_id
from {view}"""


class Narrowed(Protocol):
    """The rows of each base table that some numbers depend on, and their scoring."""

    @property
    def tables(self) -> Mapping[str, str]:
        """The condition that a table's rows meet."""

    @property
    def scope(self) -> SqlObject:
        """The view that says which items count."""

    @property
    def rules(self) -> SqlObject:
        """The view that says what the scoring is besides that: its one row."""


class Place(NamedTuple):
    """Where a number stands: one run, scored by one method and one gold revision.

    ``scope`` says which items count: what ``scope_file`` says, and beside it the slices
    or the version asked for; ``rules`` are those of that version. ``as_of`` leaves out
    what was stored after that ingest.
    """

    run_id: str
    benchmark_id: str
    gold_revision: int
    method_id: str
    scope: SqlObject
    scope_file: SqlObject
    rules: SqlObject
    as_of: int | None = None

    @property
    def tables(self) -> dict[str, str]:
        """The rows of each base table that the number depends on."""
        benchmark = f"benchmark_id = {quoted(self.benchmark_id)}"
        run = f"run_id = {quoted(self.run_id)}"
        method = f"method_id = {quoted(self.method_id)}"
        dated = "" if self.as_of is None else f" and seq <= {self.as_of:d}"
        gold = f" and gold_revision <= {self.gold_revision:d}"
        return {
            "benchmarks": benchmark + dated,
            "items": benchmark + dated,
            "golds": benchmark + gold + dated,
            "runs": run,
            "predictions": run,
            "methods": method,
            "tier_weights": method,
        }


def written_out(place: Narrowed, statement: str) -> str:
    """Return *statement* behind the CTEs of every view it reads; it has none itself."""
    views = _views(place)
    names = list(read_by(statement, views, place.tables))
    parts = [
        f"{name} as (\n    select *\n    from main.{name}\n    where {condition}\n)"
        for name, condition in place.tables.items()
        if name in names
    ]
    parts += [cte(views[name]) for name in names if name in views]
    return "with " + ",\n\n".join(parts) + f"\n\n{statement}"


def inside(view: str, cte: str) -> str:
    """Return the statement that shows a CTE of a view: what it was added up from."""
    body = next(item.body for item in program() if item.name == view)
    ctes, _, _ = body.rpartition("\nselect\n")
    return as_cte(f"{ctes}\nselect *\nfrom {cte}")


def _views(place: Narrowed) -> dict[str, SqlObject]:
    """Return the views by name; the unions are of the one scoring that applies."""
    views = {item.name: item for item in program() if item.kind == "view"}
    views[place.scope.name] = place.scope
    views["scoring_rules"] = place.rules
    body = SCOPES_BODY.format(view=place.scope.name)
    views["scopes"] = views["scopes"]._replace(body=body)
    return views
