"""`jevdb suites`: list the suites, add one, show one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jevdb.base.output import Format
from jevdb.commands.common import FormatOption, examples, show
from jevdb.commands.compare import show_with_heading
from jevdb.commands.session import Session, say

suites_app = typer.Typer(invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        suites_app,
        name="suites",
        epilog=examples(
            "jevdb suites",
            "jevdb suites add our-suite.toml",
            "jevdb suites show our-suite@1",
            "jevdb leaderboard --suite our-suite",
        ),
    )


@suites_app.callback()
def suites(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """List the suites, each one score over many benchmarks; add or show one."""
    if context.invoked_subcommand is None:
        session: Session = context.obj
        show(session.reading().suites().rows(), form, "no suites yet")


@suites_app.command(
    epilog=examples("jevdb suites add our-suite.toml", "jevdb suites add jevals-0.1")
)
def add(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A TOML file, or a suite that ships."),
    ],
) -> None:
    """Add a suite from a TOML file.

    It has `name`, `version`, and a table `[[member]]` for each benchmark with its
    `metric`. `aggregate` says how their values become the score: mean, areas,
    geometric, borda, win_rate or median. A suite never changes. The same file again
    does nothing.
    """
    session: Session = context.obj
    suite, is_new = session.storing().add_suite(file)
    say(f"suite {suite.id} {'added' if is_new else 'is there already'}")


@suites_app.command(
    "show",
    epilog=examples("jevdb suites show our-suite", "jevdb suites show our-suite@1"),
)
def show_suite(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME[@VERSION]",
            help="The suite; its newest version unless you name one.",
        ),
    ],
    form: FormatOption = Format.TABLE,
) -> None:
    """Show a suite: its rules and members, every default filled in.

    `--format json` gives the document. The suite's digest is that of its canonical
    form.
    """
    session: Session = context.obj
    suite = session.reading().suite_definition(name)
    if form is Format.JSON:
        sys.stdout.write(f"{suite.canonical}\n")
        return
    show_with_heading(suite, form)
