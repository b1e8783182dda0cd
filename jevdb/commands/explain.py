"""`jevdb explain`: everything behind one number."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UsageError
from jevdb.base.metrics import REGISTRY
from jevdb.base.output import Format, write
from jevdb.commands.common import (
    AsOfOption,
    FormatOption,
    GoldOption,
    MethodOption,
    RowOption,
    examples,
)
from jevdb.commands.compare import show_with_heading
from jevdb.commands.report import Dimension
from jevdb.commands.runs import RunArgument
from jevdb.commands.session import Session
from jevdb.commands.suite_options import SuiteOption, require_no_others

if TYPE_CHECKING:
    from jevdb.scoring.explain.explanation import Explanation

LISTED = [metric.heading if metric.is_index else metric.name for metric in REGISTRY]
"""The metrics as people write them."""


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb explain de-1 I",
            "jevdb explain de-1 ece_choice --row hard_111 --items",
            "jevdb explain de-1 C --kind score --format markdown",
            "jevdb explain de-1 I --by tier --row public_231/hard",
            "jevdb explain de-1 accuracy --as-of 2026-03-31",
            "jevdb explain de-1 --suite our-suite",
            "jevdb explain de-1 I --method jevbench-v1.5 --sql > i.sql",
            "duckdb -readonly jevdb.duckdb -f i.sql",
        )
    )(explain)


def explain(
    context: typer.Context,
    run: RunArgument,
    metric: Annotated[
        str | None,
        typer.Argument(
            metavar="[METRIC]",
            help=f"{', '.join(LISTED[:-1])} or {LISTED[-1]}; a kind may follow: "
            "ece_noul.",
        ),
    ] = None,
    row: RowOption = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", help="all, choice, noul, score, pooled, multi_select."),
    ] = None,
    method: MethodOption = DEFAULT_METHOD,
    gold_revision: GoldOption = None,
    by: Annotated[
        Dimension | None,
        typer.Option(
            "--by", help="Add the report rows of this slice, such as public_231/hard."
        ),
    ] = None,
    scope_version: Annotated[
        int | None,
        typer.Option(
            "--scope-version",
            min=1,
            help="Version of the benchmark's own scoring: report rows are overall@1.",
        ),
    ] = None,
    as_of: AsOfOption = None,
    items: Annotated[
        bool, typer.Option("--items", help="Show every row of the scope too.")
    ] = False,
    sql: Annotated[
        bool, typer.Option("--sql", help="Print one query that gives the number.")
    ] = False,
    suite: SuiteOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show what is behind a number: definition, method, scope, rows, bins or terms.

    With `--sql` it prints one query that returns the same number, digit for digit, in
    any DuckDB client on the file. The query spells out every view between the tables
    and the number. `json` is one object; `jsonl` and `csv` are the items alone. A
    definition names the page of the documentation that it comes from, and the section.

    With a suite, RUN is an entrant: its score down to its areas, members and answers.
    """
    session: Session = context.obj
    warehouse = session.reading()
    if suite is not None:
        require_no_others(context, "run", "suite", "as_of")
        show_with_heading(warehouse.explain_suite(suite, run, as_of=as_of), form)
        return
    if metric is None:
        raise UsageError("name the METRIC, or a suite with --suite")
    if sql:
        text = warehouse.explain_sql(
            *(run, metric),
            kind=kind,
            row=row,
            method=method,
            gold_revision=gold_revision,
            by=by.value if by else None,
            scope_version=scope_version,
            as_of=as_of,
        )
        sys.stdout.write(f"{text}\n")
        return
    explanation = warehouse.explain(
        *(run, metric),
        kind=kind,
        row=row,
        method=method,
        gold_revision=gold_revision,
        by=by.value if by else None,
        scope_version=scope_version,
        as_of=as_of,
    )
    _print(explanation, form, items)


def _print(explanation: Explanation, form: Format, items: bool) -> None:
    if form is Format.TABLE:
        sys.stdout.write(explanation.text(items))
    elif form is Format.MARKDOWN:
        sys.stdout.write(explanation.markdown(items))
    elif form is Format.JSON:
        document = explanation.to_json(items)
        text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
        sys.stdout.write(text + "\n")
    elif items:
        write(explanation.rows(), form, sys.stdout)
    else:
        raise UsageError(f"{form} has the items only; add --items, or use json")
