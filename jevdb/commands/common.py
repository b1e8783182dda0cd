"""What commands that print rows share: their options, their help, their output."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.errors import JevdbError
from jevdb.base.output import Format, Rows, write
from jevdb.commands.session import say
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.warehouse.files import STDOUT

if TYPE_CHECKING:
    from jevdb.base.tabular import Tabular

FormatOption = Annotated[Format, typer.Option("--format", help="How rows are written.")]
BenchmarkOption = Annotated[
    str | None,
    typer.Option("--benchmark", metavar="ID", help="Only this benchmark."),
]
RunsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--run",
        metavar="RUN",
        help="An id prefix, model, model@revision or model@revision#label; repeatable.",
    ),
]
RowOption = Annotated[
    str | None,
    typer.Option("--row", help="Report row; the one with most items unless given."),
]
ClusterOption = Annotated[
    ClusterBy | None,
    typer.Option(
        "--cluster",
        help="What the items of a cluster share. Without it: their group, if "
        "all have one.",
    ),
]
MethodOption = Annotated[str, typer.Option("--method", help="Scoring method.")]
MethodsOption = Annotated[
    list[str] | None,
    typer.Option("--method", help="Scoring method; repeat it for several."),
]
GoldOption = Annotated[
    int | None, typer.Option(min=1, help="Score by this gold revision, not the newest.")
]

DataOption = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="Where a new lake keeps its files: a folder all can reach, or s3://...",
    ),
]
AsOfOption = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="What the warehouse held then: an ingest number, a date (its end) or a "
        "date and time, UTC.",
    ),
]


def writable(out: Path | None) -> Path | None:
    """Return where something is to be written, which has to be possible.

    It is looked at before the work, which may be long.

    Raises
    ------
    JevdbError
        Its folder is missing, or not to be written to.
    """
    if out is None or str(out) == STDOUT:
        return out
    folder = out.parent
    if not folder.is_dir():
        raise JevdbError(f"{out}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK) and not os.access(out, os.W_OK):
        raise JevdbError(f"{out}: the folder {folder} cannot be written to")
    return out


def examples(*lines: str) -> str:
    """Return the epilog of a command's help: what a person would type."""
    return "\n\n".join(["**Examples**", *lines])


def show(rows: Rows, form: Format, nothing: str) -> None:
    """Write rows to stdout; if there are none, say *nothing* to the person.

    People are spared the columns that no row uses; programs get every column.
    """
    if form in (Format.TABLE, Format.MARKDOWN):
        rows = rows.used()
    write(rows, form, sys.stdout)
    if not rows.rows:
        say(nothing)


def show_result(found: Tabular, form: Format, nothing: str) -> None:
    """Write a result: to people what they read of it, to programs every column."""
    is_for_people = form in (Format.TABLE, Format.MARKDOWN)
    show(found.people_rows() if is_for_people else found.rows(), form, nothing)
