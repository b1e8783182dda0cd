"""`jevdb models` and `jevdb benchmarks`: what a warehouse holds."""

from __future__ import annotations

import typer

from jevdb.base.output import Format
from jevdb.commands.common import AsOfOption, FormatOption, examples, show
from jevdb.commands.session import Session


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    add = app.command
    add(epilog=examples("jevdb models", "jevdb models --format json"))(models)
    add(epilog=examples("jevdb benchmarks", "jevdb benchmarks --format csv"))(
        benchmarks
    )


def models(
    context: typer.Context,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the models: one line per name and revision, with its runs."""
    session: Session = context.obj
    rows = session.reading().models(as_of=as_of).rows()
    show(rows, form, "no models yet: see `jevdb ingest run`")


def benchmarks(
    context: typer.Context,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the benchmarks: items, gold revision, scoring, runs.

    `incomplete` names the report rows whose items are not those of METRICS.md.
    """
    session: Session = context.obj
    show(session.reading().benchmarks(as_of=as_of).rows(), form, "no benchmarks")
