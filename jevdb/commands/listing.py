"""`jevdb models` and `jevdb benchmarks`: what a warehouse holds."""

from __future__ import annotations

import typer

from jevdb.commands.common import AsOfOption, FormatOption, examples, show
from jevdb.commands.session import Session
from jevdb.output import Format


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
    nothing = "no models yet: see `jevdb ingest run`"
    list_rows(context.obj, "models_listed", form, nothing, as_of=as_of)


def benchmarks(
    context: typer.Context,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the benchmarks: items, gold revision, scoring, runs.

    `incomplete` names the report rows whose items are not those of METRICS.md.
    """
    list_rows(context.obj, "benchmarks_listed", form, "no benchmarks", as_of=as_of)


def list_rows(
    session: Session,
    name: str,
    form: Format,
    nothing: str,
    parameters: dict[str, str] | None = None,
    as_of: str | None = None,
) -> None:
    """Run a listing query and show its rows, or say that there are none."""
    from jevdb.as_of import resolved, then
    from jevdb.output import collected
    from jevdb.warehouse.sqlfiles import query

    with (
        session.reader() as connection,
        then(connection, resolved(connection, as_of)),
    ):
        connection.execute(query(name), parameters or {})
        rows = collected(connection)
    show(rows, form, nothing)
