"""`jevdb models`, `benchmarks`, `scopes` and `methods`: what a warehouse holds."""

from __future__ import annotations

import typer

from jevdb.commands.common import (
    AsOfOption,
    BenchmarkOption,
    FormatOption,
    examples,
    show,
)
from jevdb.commands.session import Session
from jevdb.output import Format


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    add = app.command
    add(epilog=examples("jevdb models", "jevdb models --format json"))(models)
    add(epilog=examples("jevdb benchmarks", "jevdb benchmarks --format csv"))(
        benchmarks
    )
    add(epilog=examples("jevdb scopes", "jevdb scopes --benchmark cmdb-1500"))(scopes)
    add(epilog=examples("jevdb methods", "jevdb methods --format json"))(methods)


def models(
    context: typer.Context,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the models: one line per name and revision, with its runs."""
    nothing = "no models yet: see `jevdb ingest run`"
    _list(context.obj, "models_listed", form, nothing, as_of=as_of)


def benchmarks(
    context: typer.Context,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the benchmarks: items, gold revision, scoring, runs.

    `incomplete` names the report rows whose items are not those of METRICS.md.
    """
    _list(context.obj, "benchmarks_listed", form, "no benchmarks", as_of=as_of)


def methods(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """List the scoring methods with every parameter."""
    _list(context.obj, "methods_listed", form, "no methods")


def scopes(
    context: typer.Context,
    benchmark: BenchmarkOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the scorings, each with the view that defines its scopes.

    With a benchmark: how many items of each type every report row and metric covers,
    and how many METRICS.md says there should be.
    """
    if benchmark is None:
        _list(context.obj, "scorings_listed", form, "no scorings")
        return
    from jevdb.names import require_benchmark

    session: Session = context.obj
    with session.reader() as connection:
        require_benchmark(connection, benchmark)
    _list(session, "scope_counts", form, "no items yet", {"benchmark": benchmark})


def _list(
    session: Session,
    name: str,
    form: Format,
    nothing: str,
    parameters: dict[str, str] | None = None,
    as_of: str | None = None,
) -> None:
    from jevdb.as_of import resolved, then
    from jevdb.output import collected
    from jevdb.sqlfiles import query

    with (
        session.reader() as connection,
        then(connection, resolved(connection, as_of)),
    ):
        connection.execute(query(name), parameters or {})
        rows = collected(connection)
    show(rows, form, nothing)
