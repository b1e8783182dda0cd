"""`jevdb calibration`: how far a run's confidence can be trusted."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD, TARGET
from jevdb.base.output import Format, write
from jevdb.commands.common import (
    FormatOption,
    GoldOption,
    MethodOption,
    RowOption,
    examples,
)
from jevdb.commands.runs import RunArgument
from jevdb.commands.session import Session, say


class Kind(StrEnum):
    """The kinds of ECE."""

    CHOICE = "choice"
    NOUL = "noul"
    SCORE = "score"
    POOLED = "pooled"
    ALL = "all"


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb calibration de-1",
            "jevdb calibration de-1 --row hard_111 --kind score",
            "jevdb calibration de-1 --kind all --target 0.99 --format json",
        )
    )(calibration)


def calibration(
    context: typer.Context,
    run: RunArgument,
    row: RowOption = None,
    kind: Annotated[
        list[Kind] | None, typer.Option("--kind", help="Only this kind; repeatable.")
    ] = None,
    target: Annotated[
        float, typer.Option(help="The accuracy that a threshold shall reach.")
    ] = TARGET,
    method: MethodOption = DEFAULT_METHOD,
    gold_revision: GoldOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show bins, the ECE that chance alone gives, and what a threshold buys.

    For each kind of ECE: the bins and how full they are; the ECE beside the band that a
    perfectly calibrated model would show at this n and these probabilities, so that a
    scope of six items is not over-read; the accuracy-coverage curve; the confidence
    from which on answers reach the target accuracy, and what that gives out of bag; how
    often gold was given a probability of 0. `json`, `jsonl` and `csv` hold a row per
    kind with every bin and every point of the curve.
    """
    session: Session = context.obj
    found = session.reading().calibration(
        run,
        row=row,
        kinds=[each.value for each in kind] if kind else None,
        target=target,
        method=method,
        gold_revision=gold_revision,
    )
    if not found.depths:
        say(f"report row {found.report_row} has no items of this kind")
    if form in (Format.TABLE, Format.MARKDOWN):
        is_markdown = form is Format.MARKDOWN
        sys.stdout.write(found.markdown() if is_markdown else found.text())
    else:
        write(found.rows(), form, sys.stdout)
