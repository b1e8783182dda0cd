"""The command line: root options, the error boundary, and where commands come from.

Each command lives in ``jevdb/commands`` and is parse, one call, one print. Heavy
imports sit in the command that needs them, so that ``jevdb --help`` and the read path
are quick.
"""

from __future__ import annotations

from typing import Annotated

import typer

from jevdb.base.errors import EXIT_CODES
from jevdb.base.version import __version__
from jevdb.commands import (
    baseline,
    calibration,
    check,
    compare,
    demo,
    doctor,
    explain,
    export,
    gate,
    history,
    ingest,
    lake,
    leaderboard,
    listing,
    maintenance,
    methods,
    plot,
    report,
    results,
    revisions,
    runs,
    scopes,
    session,
    site,
    snapshots,
    sql,
    verify,
)
from jevdb.commands.boundary import Boundary, prepare_streams
from jevdb.commands.imports import leave_out_unused

PANELS = {
    "Store": "demo init ingest",
    "Look": "report export plot site explain calibration history revisions results sql "
    "runs models benchmarks snapshots",
    "Compare and decide": "compare leaderboard gate baseline verify",
    "Define": "methods scopes",
    "Keep": "check doctor backup restore compact lake",
}
"""The commands by what they are for, as the help shows them."""

app = typer.Typer(
    cls=Boundary,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="A results warehouse for decision models: ingest predictions and gold, "
    "score them in SQL, compare and export.",
    epilog="\n\n".join(
        ["**Exit codes**", *(f"{code}  {words}" for code, words in EXIT_CODES.items())]
    ),
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jevdb {__version__}")
        raise typer.Exit()


@app.callback()
def root(
    context: typer.Context,
    db: Annotated[
        str,
        typer.Option(
            envvar="JEVDB_DB",
            metavar="PATH",
            help="The warehouse: a file, or lake:NAME, or ducklake:postgres:...",
        ),
    ] = "jevdb.duckdb",
    lock_timeout: Annotated[
        float,
        typer.Option(
            min=0, help="Seconds to wait while another process holds the file."
        ),
    ] = 30.0,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Hold the root options for the commands."""
    context.obj = session.Session(db, lock_timeout)


for commands in (
    *(demo, ingest, listing, runs, report, export, sql, check),
    explain,
    compare,
    leaderboard,
    plot,
    gate,
    baseline,
    results,
    snapshots,
    history,
    revisions,
    methods,
    scopes,
    calibration,
    maintenance,
    lake,
    verify,
    doctor,
    site,
):
    commands.register(app)

PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names.split()}
for each in app.registered_commands:
    called = each.name or getattr(each.callback, "__name__", "")
    each.rich_help_panel = PANEL_OF.get(called or "")
for group in app.registered_groups:
    group.rich_help_panel = PANEL_OF.get(group.name or "")


def main() -> None:
    """Run the command line."""
    prepare_streams()
    leave_out_unused()
    app()
