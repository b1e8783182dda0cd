"""The command line: root options, the error boundary, and where commands come from.

Each command lives in ``jevdb/commands`` and is parse, one call, one print. Heavy
imports sit in the command that needs them, so that ``jevdb --help`` and the read path
are quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from jevdb.base import memory
from jevdb.base.errors import EXIT_CODES
from jevdb.base.starting import end_on_interrupts, leave_interrupts
from jevdb.base.version import full_version
from jevdb.commands import session
from jevdb.commands.boundary import Boundary, prepare_streams
from jevdb.commands.imports import leave_out_unused

COMMANDS = {
    "Store": ("demo", "ingest", "ingest_many", "guess"),
    "Look": (
        *("listing", "runs", "report", "export", "sql", "explain", "plot", "results"),
        *("snapshots", "history", "revisions", "calibration", "repeats", "site"),
    ),
    "Keep": ("check", "score", "maintenance", "lake", "doctor"),
    "Compare and decide": ("compare", "leaderboard", "gate", "baseline", "verify"),
    "Define": ("methods", "scopes", "suites", "editions"),
}
"""The modules of ``jevdb/commands`` by what their commands are for.

The help shows a panel for each; a module puts its commands into the app itself.
"""

app = typer.Typer(
    cls=Boundary,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
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
        typer.echo(f"jevdb {full_version()}")
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


def _register(panel: str, module: str) -> None:
    """Add the commands of a module to the app, in a panel of its help."""
    commands, groups = len(app.registered_commands), len(app.registered_groups)
    import_module(f"jevdb.commands.{module}").register(app)
    for command in app.registered_commands[commands:]:
        command.rich_help_panel = panel
    for group in app.registered_groups[groups:]:
        group.rich_help_panel = panel


for panel, modules in COMMANDS.items():
    for module in modules:
        _register(panel, module)


def main() -> None:
    """Run the command line."""
    end_on_interrupts()
    prepare_streams()
    memory.prepare()
    leave_out_unused()
    try:
        app()
    finally:
        leave_interrupts()
