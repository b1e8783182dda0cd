"""`jevdb sql`: one query, read-only and locked in."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from jevdb.base.errors import UsageError
from jevdb.base.output import Format
from jevdb.commands.common import FormatOption, examples
from jevdb.commands.session import Session


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb sql 'select model, intelligence from report order by 2 desc'",
            "jevdb sql 'from report_bins' --format csv",
            "jevdb sql 'show tables'",
            "jevdb sql 'select py_mcnemar_exact(30, 12)'",
            "jevdb sql - < question.sql",
        )
    )(sql)


def sql(
    context: typer.Context,
    query: Annotated[
        str, typer.Argument(help="One select statement, or - to read it from stdin.")
    ],
    form: FormatOption = Format.TABLE,
    timeout: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="End the query after so many seconds; 0 is no limit. Without "
            "it: 60 if the output is no terminal, else no limit.",
            show_default=False,
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="End the query when it takes so much memory, such as 500MB or "
            "2GB; 0 is no limit. [half of the machine's]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Run one SQL query on the warehouse and print its rows.

    The query can read every table and view and nothing else: no writing, no other file,
    no extension, no setting. It is one `select` (or `from`, `with`, `values`,
    `describe`, `summarize`, `show tables`), in DuckDB's SQL. Times are UTC.

    Ctrl-C ends it within a second, with exit 130.

    Statistics are there as functions: `py_mcnemar_exact(n_only_a, n_only_b)`,
    `py_clopper_pearson(k, n, confidence)`, `py_wilson_interval(k, n, confidence)`,
    `py_holm(p_values)`, and `py_paired_interval(base, other, blocks)`.
    """
    from jevdb.base.memory import for_duckdb
    from jevdb.base.output import write
    from jevdb.commands.limits import (
        FOR_DUCKDB,
        default_timeout,
        ending,
        memory_of,
    )
    from jevdb.scoring.adhoc import lend_statistics, select
    from jevdb.warehouse.settings import SETTINGS

    session: Session = context.obj
    text = _stdin() if query == "-" else query
    seconds = default_timeout() if timeout is None else timeout
    most = memory_of(memory)
    settings = SETTINGS | for_duckdb(most and int(FOR_DUCKDB * most))
    with ending(seconds, most), session.reader(settings=settings) as connection:
        lend_statistics(connection, text)
        write(select(connection, text), form, sys.stdout)


def _stdin() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise UsageError(f"standard input is not UTF-8 text: {error}") from error
