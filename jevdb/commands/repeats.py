"""`jevdb repeats`: a run that asked the same items several times."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UsageError
from jevdb.base.output import Format, write
from jevdb.base.wording import option
from jevdb.commands.common import FormatOption, MethodOption, RowOption, examples
from jevdb.commands.runs import RunArgument
from jevdb.commands.session import Session


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb repeats de-1",
            "jevdb repeats de-1 --k 2",
            "jevdb repeats de-1 --among 0,1 --format json",
        )
    )(repeats)


def repeats(
    context: typer.Context,
    run: RunArgument,
    row: RowOption = None,
    k: Annotated[
        int | None, typer.Option(help="Show pass_k for this k; else for all up to 10.")
    ] = None,
    among: Annotated[
        str | None, typer.Option(metavar="0,1", help="Only these repeats, from 0.")
    ] = None,
    method: MethodOption = DEFAULT_METHOD,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show the repeats of a run: each by itself, and what they show together.

    Each repeat has a line with its accuracy, Brier, ECE (expected calibration error)
    and I (intelligence). Below are the flip rate (items answered otherwise in some
    repeat), pass_all and pass_any (items right in every one, in one at least), pass_k
    (right in all of k repeats drawn), the standard deviation of the accuracies, and how
    often two answers differ in being right. `--among` chooses repeats. Other formats
    hold a row per repeat and number.
    """
    session: Session = context.obj
    found = session.reading().repeats(
        run, row=row, k=k, among=_numbers(among), method=method
    )
    if form in (Format.TABLE, Format.MARKDOWN):
        is_markdown = form is Format.MARKDOWN
        sys.stdout.write(found.markdown() if is_markdown else found.text())
    else:
        write(found.rows(), form, sys.stdout)


def _numbers(among: str | None) -> list[int] | None:
    if among is None:
        return None
    try:
        return [int(part) for part in among.split(",")]
    except ValueError as error:
        raise UsageError(
            f"{option('among')} {among!r} is not of the form 0,1"
        ) from error
