"""`jevdb verify`: do published numbers recompute."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jevdb.base.errors import CheckError, UsageError
from jevdb.base.output import Format, write
from jevdb.commands.common import FormatOption, examples, show
from jevdb.commands.session import Session, say
from jevdb.commands.suite_options import require_no_others


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb verify evaluation_results.json",
            "jevdb verify published.json --map de-1",
            "jevdb verify RESULTS.md --map results-md",
            "jevdb verify --edition board.json",
            "jevdb verify card.md --map mine.toml --tolerance 0.01 --format json",
        )
    )(verify)


def verify(
    context: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="JSON or Markdown.")
    ] = None,
    edition: Annotated[
        Path | None,
        typer.Option(
            "--edition",
            metavar="FILE",
            help="A suite's board (`export --suite`, `editions show`) to compare "
            "with the same runs here.",
        ),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--map",
            metavar="FILE",
            help="What the numbers mean, in TOML; or the name of a mapping that ships.",
        ),
    ] = None,
    run: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="The run to take in place of the one that the mapping names.",
        ),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="How much a number may differ. [1e-9; rounded ones half a last digit]",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option("--method", help="Scoring method; the file's, or metrics-md."),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Recompute published numbers: which do, which do not and by how much, which lack.

    An `evaluation_results.json` needs no mapping, nor does a file that a mapping of
    jevdb's fits. Any other JSON file or Markdown table needs one. The mapping says
    which run, report row and metric each number is. Numbers that it leaves out are
    listed as lacking. The exit code is 1 if a number differs.
    """
    session: Session = context.obj
    if edition is not None:
        require_no_others(context, "edition")
        _verify_edition(session, edition, form)
        return
    if file is None:
        raise UsageError("name a FILE, or a board with --edition")
    found = session.reading().verify(
        file, map=mapping, run=run, tolerance=tolerance, method=method
    )
    rows = found.rows()
    is_for_people = form in (Format.TABLE, Format.MARKDOWN)
    write(rows.used() if is_for_people else rows, form, sys.stdout)
    [words] = found.heading()
    if not found.passed:
        raise CheckError(f"{file}: {words}")
    say(f"{file}: {words}")


def _verify_edition(session: Session, file: Path, form: Format) -> None:
    found = session.reading().verify_edition(file)
    [words] = found.heading()
    if not found.passed:
        show(found.rows(), form, "")
        raise CheckError(words)
    say(words)
