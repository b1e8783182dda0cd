"""`jevdb score`: count once what every report counts, and keep it."""

from __future__ import annotations

from typing import Annotated

import typer

from jevdb.base.errors import CheckError
from jevdb.base.output import Format
from jevdb.base.text import counted
from jevdb.commands.common import (
    AsOfOption,
    BenchmarkOption,
    FormatOption,
    GoldOption,
    MethodsOption,
    RunsOption,
    examples,
    show,
)
from jevdb.commands.report import Dimension
from jevdb.commands.session import Session, say


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb score",
            "jevdb score --on processes:8",
            "jevdb score --benchmark my-questions --by tier",
            "jevdb score --check 20",
        )
    )(score)


def score(
    context: typer.Context,
    run: RunsOption = None,
    benchmark: BenchmarkOption = None,
    method: MethodsOption = None,
    gold_revision: GoldOption = None,
    as_of: AsOfOption = None,
    by: Annotated[
        Dimension | None,
        typer.Option(
            "--by", help="Count for reports with a line per tier, family or domain."
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            metavar="ENGINE",
            help="Count elsewhere: processes:N, ray, ray:ADDRESS or dask:ADDRESS.",
        ),
    ] = None,
    check: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Count N kept runs again, and compare."),
    ] = 0,
    form: FormatOption = Format.TABLE,
) -> None:
    """Count what reports over these runs take of their rows, and keep it.

    It counts every current run by every method unless you name some. Reports, exports
    and boards then read a few dozen rows a run in place of all its answers, and show
    the same numbers. jevdb uses what is kept only if nothing that it follows from has
    changed. A second call counts what is new.

    jevdb does not use what somebody else kept in the file, unless both have the same
    secret in JEVDB_TALLY_KEY. The exit code is 1 if the answers of a run do not fit its
    id, or if tallies that `--check` counts again differ.
    """
    from jevdb.ingest.progress import Progress

    session: Session = context.obj
    with Progress() as progress:
        done = session.storing().score(
            run,
            benchmark=benchmark,
            method=method,
            gold_revision=gold_revision,
            as_of=as_of,
            by=by.value if by else None,
            on=on,
            check=check,
            on_rows=lambda n, of: progress.say(
                f"{n:,} of {counted(of, 'row', form=',')} counted"
            ),
        )
    if done.faults or form not in (Format.TABLE, Format.MARKDOWN):
        show(done.rows(), form, "")
    for line in done.heading():
        say(line)
    if not done.passed:
        raise CheckError(f"{counted(len(done.faults), 'fault')} found: see above")
