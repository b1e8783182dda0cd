"""`jevdb editions`: boards of suites, frozen by name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jevdb.base.errors import CheckError
from jevdb.base.output import Format
from jevdb.commands.common import (
    AsOfOption,
    FormatOption,
    RunsOption,
    examples,
    show,
    writable,
)
from jevdb.commands.compare import show_with_heading
from jevdb.commands.session import Session, say
from jevdb.commands.suite_options import DropOption, EntrantOption, MixedOption
from jevdb.warehouse.files import STDOUT

editions_app = typer.Typer(invoke_without_command=True)
EditionArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="The edition's name.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        editions_app,
        name="editions",
        epilog=examples(
            "jevdb editions freeze 2026-05 --suite our-suite",
            "jevdb editions",
            "jevdb editions show 2026-05 --out board.json",
            "jevdb editions check 2026-05",
            "jevdb editions diff 2026-04 2026-05",
        ),
    )


@editions_app.callback()
def editions(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """List the editions, frozen boards of suites; freeze, show, check, compare them."""
    if context.invoked_subcommand is None:
        session: Session = context.obj
        rows = session.reading().editions().rows()
        show(rows, form, "no editions yet: see `jevdb editions freeze`")


@editions_app.command(
    epilog=examples(
        "jevdb editions freeze 2026-05 --suite our-suite",
        "jevdb editions freeze 2026-04 --suite our-suite@1 --as-of 2026-04-30 "
        '--note "as published on the page"',
    )
)
def freeze(
    context: typer.Context,
    name: EditionArgument,
    suite: Annotated[
        str,
        typer.Option(
            "--suite", metavar="NAME[@VERSION]", help="The suite whose board is frozen."
        ),
    ],
    run: RunsOption = None,
    entrant: EntrantOption = None,
    drop: DropOption = None,
    reported: Annotated[
        bool, typer.Option("--reported", help="Add published results, marked.")
    ] = False,
    mixed: MixedOption = False,
    as_of: AsOfOption = None,
    note: Annotated[
        str | None, typer.Option(help="A note to keep with the edition.")
    ] = None,
) -> None:
    """Keep the board of a suite under a name, for ever, with what makes it again.

    The board has the public current runs, and none that is private today. The same
    board under the same name changes nothing. Another board is refused (exit 4).
    """
    session: Session = context.obj
    edition, is_new = session.storing().freeze(
        *(name, suite),
        run=run,
        entrant=entrant or (),
        drop=drop or (),
        reported=reported,
        mixed=mixed,
        as_of=as_of,
        note=note,
    )
    say(f"edition {edition.name} {'frozen' if is_new else 'is frozen just so already'}")


@editions_app.command(
    "show", epilog=examples("jevdb editions show 2026-05 --out board.json")
)
def show_edition(
    context: typer.Context,
    name: EditionArgument,
    out: Annotated[
        Path, typer.Option(help="The file, or - for stdout.", callback=writable)
    ] = Path(STDOUT),
) -> None:
    """Write the board of an edition back, byte for byte.

    On stderr it says which of its runs were withdrawn or superseded since.
    """
    from jevdb.warehouse.files import write_whole

    session: Session = context.obj
    found = session.reading().edition(name)
    for line in found.notices:
        say(f"notice: {line}")
    write_whole(out, found.edition.content)
    if str(out) != STDOUT:
        say(f"wrote {out}")


@editions_app.command(epilog=examples("jevdb editions check 2026-05"))
def check(
    context: typer.Context, name: EditionArgument, form: FormatOption = Format.TABLE
) -> None:
    """Make an edition again from its rows, by today's program; exit 1 if it differs.

    It names every number that differs: entrant, member, then, now. If the program
    changed and no byte did, it only says so.
    """
    session: Session = context.obj
    found = session.reading().check_edition(name)
    [words] = found.heading()
    if found.checked.program:
        say(f"warning: another program: {'; '.join(found.checked.program)}")
    if not found.passed:
        show(found.rows(), form, "")
        raise CheckError(words)
    say(words)


@editions_app.command(epilog=examples("jevdb editions diff 2026-04 2026-05"))
def diff(
    context: typer.Context,
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="An edition.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="A later one.")],
    form: FormatOption = Format.TABLE,
) -> None:
    """Say what changed between two editions, and which change moved whom by how much.

    It takes the move of each entrant in both apart, one change at a time: the suite,
    then the gold, then the rows.
    """
    session: Session = context.obj
    show_with_heading(session.reading().diff_editions(before, after), form)
