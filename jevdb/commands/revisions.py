"""`jevdb revisions`: what each correction of a benchmark's gold changed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from jevdb.commands.common import FormatOption, RunsOption, examples
from jevdb.commands.session import Session, say
from jevdb.output import Format, write


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb revisions my-questions",
            "jevdb revisions my-questions --run my-model --method jevbench-v1.5",
            "jevdb revisions my-questions --items --format csv",
        )
    )(revisions)


def revisions(
    context: typer.Context,
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCHMARK", help="The benchmark, by its id.")
    ],
    run: RunsOption = None,
    method: Annotated[
        str, typer.Option("--method", help="Scoring method.")
    ] = "metrics-md",
    items: Annotated[
        bool,
        typer.Option(
            "--items", help="List the items changed, not what it did to runs."
        ),
    ] = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show each gold revision: why, when, what it changed, and what it did to the runs.

    For every current run (or those named) and report row: items, accuracy, I and C by
    the gold before, and after. An item that a revision added is missing, so wrong, for
    a run that never answered it.
    """
    from jevdb.names import require_benchmark
    from jevdb.reports import revisions as found
    from jevdb.reports.revisions_text import revisions_text
    from jevdb.runs import asked_for

    session: Session = context.obj
    with session.reader() as connection:
        require_benchmark(connection, benchmark)
        if items:
            write(found.changed_items(connection, benchmark), form, sys.stdout)
            return
        runs = asked_for(connection, run or (), benchmark, say)
        known = found.revisions(connection, benchmark)
        found.require_items(benchmark, known)
        done = found.effects(connection, known, runs, method)
    if form is Format.TABLE:
        sys.stdout.write(revisions_text(benchmark, known, done))
    else:
        write(found.revision_rows(known, done), form, sys.stdout)
