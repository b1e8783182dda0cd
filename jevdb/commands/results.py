"""`jevdb ingest results` and `jevdb results`: what others published, as reported."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from jevdb.base.output import Format
from jevdb.commands.common import BenchmarkOption, FormatOption, examples, show
from jevdb.commands.session import Session, say


def register(app: typer.Typer) -> None:
    """Add `jevdb results` to *app*."""
    app.command(
        epilog=examples(
            "jevdb results",
            "jevdb results --view 'family:reasoning' --format markdown",
            'jevdb sql "select distinct metric, definition from reported_metrics"',
        )
    )(results)


class ResultsFormat(StrEnum):
    """What files of published results are, where that is not seen in them."""

    TABLE = "table"


INGEST_EXAMPLES = (
    "jevdb ingest results decision-bench-results/results",
    "jevdb ingest results DecisionBench.json",
    "jevdb ingest results DecisionBench--compact.json model_meta.json --supersede",
    "jevdb ingest results board.csv --format table",
)


def ingest_results(
    context: typer.Context,
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="Decision Bench result files, model_meta.json, or folders of them.",
        ),
    ],
    form: Annotated[
        ResultsFormat | None,
        typer.Option(
            "--format",
            help="Tables (CSV, JSONL, Parquet), a line a number: benchmark, model, "
            "metric, value; and revision, label, row, kind, n, answered, requested, "
            "source.",
        ),
    ] = None,
    supersede: Annotated[
        bool,
        typer.Option(
            "--supersede", help="Supersede the result of that model and tags."
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what became of every file as JSON.")
    ] = False,
) -> None:
    """Store results that others published: aggregates without rows.

    Each number keeps its definition. jevdb always shows it as reported, never among the
    numbers computed from rows. I follows from the published counts, and is marked
    partial if it is over the ok rows alone. The same numbers again change nothing.
    """
    from jevdb.ingest.results.words import outcomes_in_words

    session: Session = context.obj
    done = session.storing().ingest_results(
        *paths, format=form and form.value, supersede=supersede
    )
    outcomes = done.outcomes
    say(outcomes_in_words(outcomes, done.skipped))
    if as_json:
        print(json.dumps([outcome.to_json() for outcome in outcomes]))
    else:
        for outcome in outcomes:
            if outcome.result_sha256:
                print(outcome.result_sha256)


def results(
    context: typer.Context,
    benchmark: BenchmarkOption = None,
    view: Annotated[
        str, typer.Option(help="The slice, such as family:reasoning.")
    ] = "overall",
    form: FormatOption = Format.TABLE,
) -> None:
    """List the published results: numbers as reported, computed by their publishers.

    `intelligence` is over all requested rows, and a row that is not ok counts as wrong.
    A number that is marked partial is over the ok rows only.
    """
    session: Session = context.obj
    rows = session.reading().results(benchmark, view=view).rows()
    show(rows, form, "no published results yet: see `jevdb ingest results`")
