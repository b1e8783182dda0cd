"""`jevdb doctor`: what is here, and what is wrong."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from jevdb.base.text import counted
from jevdb.commands.common import examples
from jevdb.commands.session import Session, say


class Form(StrEnum):
    """How a diagnosis is written."""

    TEXT = "text"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb doctor",
            "jevdb --db team.duckdb doctor --quick",
            "jevdb doctor --format json > doctor.json",
        )
    )(doctor)


def doctor(
    context: typer.Context,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Leave out the checks, which read the whole file."
        ),
    ] = False,
    form: Annotated[
        Form, typer.Option("--format", help="How the diagnosis is written.")
    ] = Form.TEXT,
) -> None:
    """Show versions, sizes and who holds the file, and what is wrong with a remedy.

    It works on a warehouse in any state, and on none. It waits for nobody and changes
    nothing, so it does not upgrade an older file. It runs the checks of `jevdb check`
    too. Of a lake it sees this machine's mirror, as it is; see `jevdb lake status` and
    `verify`.

    Exit code 0 if all is well, 6 if another process holds the file, else 1.
    """
    from jevdb.base.output import to_json

    session: Session = context.obj
    found = session.reading().doctor(quick=quick)
    if form is Form.JSON:
        sys.stdout.write(to_json(found.to_json()) + "\n")
    else:
        sys.stdout.write(found.text())
    if found.exit_code:
        problems = sum(each.exit_code > 0 for each in found.seen.findings)
        say(f"error: {counted(problems, 'problem')} found")
        raise typer.Exit(found.exit_code)
