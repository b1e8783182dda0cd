"""`jevdb history`: how a model did over time."""

from __future__ import annotations

from typing import Annotated

import typer

from jevdb.commands.common import BenchmarkOption, FormatOption, examples, show
from jevdb.commands.session import Session
from jevdb.output import Format, Rows
from jevdb.text import short_id

PEOPLE_READ = (
    *("run_id", "revision", "label", "benchmark_id", "report_row", "started_at"),
    *("ingested_at", "state", "gold_revision_then", "value_then", "gold_revision"),
    *("value", "change", "reason"),
)


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
    row: Annotated[
        str | None,
        typer.Option("--row", help="Report row; the one with most items unless given."),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help="Scoring method.")
    ] = "metrics-md",
    form: FormatOption = Format.TABLE,
) -> None:
    """Show every run of a model, one line each, by started, then by ingest.

    All revisions and labels; superseded and withdrawn runs are marked. The number is
    given by the gold of the run's ingest (then) and of today; the change is against the
    line before, by the gold of today.
    """
    from jevdb.comparison.history import Asked, history_rows
    from jevdb.comparison.history import history as lines_of
    from jevdb.metric_names import number_named

    asked = Asked(model, number_named(metric), method, benchmark, row)
    session: Session = context.obj
    with session.reader() as connection:
        lines = lines_of(connection, asked)
    rows = history_rows(asked, lines)
    if form in (Format.TABLE, Format.MARKDOWN):
        rows = _for_people(rows)
    show(rows, form, f"no run of {model} on {benchmark}")


def _for_people(rows: Rows) -> Rows:
    """Return the columns people look at, ids short, numbers with four decimals."""
    places = [rows.columns.index(name) for name in PEOPLE_READ]
    shown = []
    for row in rows.rows:
        run_id, *values = (row[place] for place in places)
        numbers = [round(v, 4) if isinstance(v, float) else v for v in values]
        shown.append([short_id(str(run_id)), *numbers])
    return Rows(PEOPLE_READ, shown)
