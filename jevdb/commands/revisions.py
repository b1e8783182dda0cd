"""`jevdb revisions`: what each correction of a benchmark's gold changed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.output import Format, write
from jevdb.commands.common import FormatOption, MethodOption, RunsOption, examples
from jevdb.commands.session import Session


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
        str,
        typer.Argument(
            metavar="BENCHMARK", help="Its id, its name, or one that it had before."
        ),
    ],
    run: RunsOption = None,
    method: MethodOption = DEFAULT_METHOD,
    items: Annotated[
        bool,
        typer.Option(
            "--items", help="List the items changed, not what it did to runs."
        ),
    ] = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show each gold revision: why, when, what it changed, and what it did to the runs.

    For every report row of every current run, or of the runs named, it shows items,
    accuracy, I and C (intelligence and calibration) by the gold before, and after. If a
    revision added an item that a run never answered, the item is missing, so wrong.
    """
    session: Session = context.obj
    warehouse = session.reading()
    if items:
        write(warehouse.changed_items(benchmark).rows(), form, sys.stdout)
        return
    found = warehouse.revisions(benchmark, run, method=method)
    if form is Format.TABLE:
        sys.stdout.write(found.text())
    else:
        write(found.rows(), form, sys.stdout)
