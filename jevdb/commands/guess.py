"""`jevdb ingest guess`: a starter mapping for a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from jevdb.commands.common import examples, writable
from jevdb.commands.ingest import ingest_app
from jevdb.commands.reading import takes_reading
from jevdb.commands.session import Session, say

GUESS_EXAMPLES = (
    "jevdb ingest guess answers.csv --benchmark support-routing --out map.toml",
    "jevdb ingest guess questions.csv --items > map.toml",
)


def register(app: typer.Typer) -> None:
    """Add the command to the group of ingests."""
    command = takes_reading(guess)
    ingest_app.command("guess", epilog=examples(*GUESS_EXAMPLES))(command)


def guess(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to look at.")],
    benchmark: Annotated[
        str | None,
        typer.Option("--benchmark", metavar="ID", help="The benchmark answered."),
    ] = None,
    items: Annotated[
        bool, typer.Option("--items", help="The file holds items, not answers.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="MAP.toml",
            callback=writable,
            help="The file to write the mapping to. [stdout]",
        ),
    ] = None,
    reading: Mapping[str, object] | None = None,
) -> None:
    """Propose a mapping for a file, with what speaks for each line; store nothing.

    It looks at the first 2,000 records. If it cannot know a line, it writes the line as
    a comment with the alternatives, and ends with exit code 1. With exit code 0, `jevdb
    ingest run FILE --map MAP.toml` reads those records. `jevdb ingest` itself never
    guesses a field.
    """
    session: Session = context.obj
    found = session.reading().guess(
        file, benchmark=benchmark, items=items, reading=reading
    )
    for line in found.words:
        say(line)
    if out is None or str(out) == "-":
        sys.stdout.write(found.toml)
    else:
        out.write_text(found.toml, encoding="utf-8")
        say(f"wrote {out}")
    if not found.is_sure:
        raise typer.Exit(1)
