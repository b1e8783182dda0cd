"""The SQL behind the numbers of a page: one file that any DuckDB client can run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.scoring.explain.written_out import written_out
from jevdb.warehouse.scope_views import scope_view, scoring_rules_view
from jevdb.warehouse.sqlfiles import SqlObject, quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.site.contents import Benchmark

NUMBERS = """\
select run_id, report_row, method_id, metric, kind, value, n, n_scope, reason
from report_metrics
where n_scope > 0
order by run_id, report_row, method_id, metric, kind"""
HEAD = """\
-- Every number of {what}, by every method.
-- Run it on the warehouse: duckdb -readonly jevdb.duckdb -f {name}
-- It reads tables and macros only; every view in between is written out.
"""


class Shown(NamedTuple):
    """The rows of the tables that some numbers depend on, and their scoring."""

    tables: dict[str, str]
    scope: SqlObject
    rules: SqlObject


def numbers_sql(
    connection: Connection,
    benchmark: Benchmark,
    run_ids: Sequence[str],
    left_out: Sequence[str] = (),
) -> str:
    """Return the query that gives every number of some runs.

    *left_out* are the items that a cohort does not hold.
    """
    scope = scope_without(connection, benchmark, left_out)
    of_benchmark = f"benchmark_id = {quoted(benchmark.benchmark_id)}"
    of_runs = f"run_id in ({', '.join(quoted(run_id) for run_id in run_ids)})"
    tables = {
        "benchmarks": of_benchmark,
        "items": of_benchmark,
        "golds": f"{of_benchmark} and gold_revision <= {benchmark.gold_revision:d}",
        "runs": of_runs,
        "predictions": of_runs,
    }
    rules = scoring_rules_view(connection, benchmark.scoring)
    return written_out(Shown(tables, scope, rules), NUMBERS) + "\n"


def scope_without(
    connection: Connection, benchmark: Benchmark, left_out: Sequence[str]
) -> SqlObject:
    """Return the scope view of a benchmark without the items *left_out*."""
    scope = scope_view(connection, benchmark.scoring)
    if not left_out:
        return scope
    listed = ",\n    ".join(quoted(item_id) for item_id in left_out)
    only = f"where item_id not in (\n    {listed}\n)"
    return scope._replace(body=f"select *\nfrom (\n{scope.body}\n)\n{only}")


def headed(sql: str, what: str, name: str) -> bytes:
    """Return the file: the query under a comment that says how to run it."""
    return (HEAD.format(what=what, name=name) + sql).encode()
