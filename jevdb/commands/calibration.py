"""`jevdb calibration`: how far a run's confidence can be trusted."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from jevdb.scoring.calibration_depths import Calibration


class ItemsTaken(StrEnum):
    """Which items a threshold is found on."""

    ALL = "all"
    ECE = "ece"


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
            "jevdb calibration de-1 --kind choice --target 0.8 --out thresholds.json",
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
        float, typer.Option(help="The accuracy that a threshold promises.")
    ] = TARGET,
    items: Annotated[
        ItemsTaken,
        typer.Option(
            help="Find thresholds on all items of the types, or only on those of "
            "the ECE."
        ),
    ] = ItemsTaken.ALL,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the thresholds for `gate --thresholds` too."
        ),
    ] = None,
    method: MethodOption = DEFAULT_METHOD,
    gold_revision: GoldOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Show how far stated probabilities can be trusted, and what a threshold promises.

    It shows for each kind of ECE (expected calibration error)

    - by how much the run says more, or less, than it gets right;
    - the ECE beside the band that a perfectly calibrated model would show at this n and
      these probabilities, and ce2, which is not biased;
    - the bins;
    - the confidence from which on at least the target is right, 95 % sure;
    - the accuracy-coverage curve;
    - how often gold was given a probability of 0.

    `--out` writes the thresholds, and refuses (exit 1) if too few rows can promise
    anything. `json`, `jsonl` and `csv` hold a row per kind with every bin and point.
    """
    session: Session = context.obj
    found = session.reading().calibration(
        run,
        row=row,
        kinds=[each.value for each in kind] if kind else None,
        target=target,
        items=items.value,
        method=method,
        gold_revision=gold_revision,
    )
    if not found.depths:
        say(f"report row {found.report_row} has no items of this kind")
    if out is not None:
        _write_thresholds(found, [each.value for each in kind or ()], out)
    if form in (Format.TABLE, Format.MARKDOWN):
        is_markdown = form is Format.MARKDOWN
        sys.stdout.write(found.markdown() if is_markdown else found.text())
    else:
        write(found.rows(), form, sys.stdout)


def _write_thresholds(found: Calibration, kinds: list[str], out: Path) -> None:
    from jevdb.warehouse.files import write_whole

    text = found.thresholds_file(kinds or None)
    for words in found.without_threshold():
        say(f"not in {out}: {words}")
    write_whole(out, text.encode())
