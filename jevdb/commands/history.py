"""`jevdb history`: how a model did over time."""

from __future__ import annotations

from typing import Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.output import Format
from jevdb.commands.common import (
    BenchmarkOption,
    ClusterOption,
    FormatOption,
    MethodOption,
    RowOption,
    examples,
    show_result,
)
from jevdb.commands.session import Session


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb history de-1",
            "jevdb history de-1 --metric ece_noul --row hard_111",
            "jevdb history de-1@r2 --method jevbench-v1.5 --format csv",
        )
    )(history)


def history(
    context: typer.Context,
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A model, or model@revision.")
    ],
    metric: Annotated[
        str, typer.Option("--metric", help="I, C, accuracy, ece_noul, ...")
    ] = "I",
    benchmark: BenchmarkOption = None,
    row: RowOption = None,
    method: MethodOption = DEFAULT_METHOD,
    cluster: ClusterOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show every run of a model, one line each, by started, then by ingest.

    It shows all revisions and labels, and marks superseded and withdrawn runs. The
    number is given twice: by the gold when the run was ingested (then) and by that of
    today. The change is against the line before, by the gold of today.
    """
    session: Session = context.obj
    found = session.reading().history(
        model,
        metric,
        benchmark=benchmark,
        row=row,
        method=method,
        cluster=cluster.value if cluster else None,
    )
    show_result(found, form, f"no run of {model} on {benchmark}")
