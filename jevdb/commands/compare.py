"""`jevdb compare`: is another run better than the base."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.commands.common import FormatOption, examples, show
from jevdb.commands.session import Session, say
from jevdb.comparison.cohorts import Modality, Rule
from jevdb.errors import UnknownNameError, UsageError
from jevdb.output import Format, Rows, write
from jevdb.text import markdown_text, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jevdb.runs import Run
    from jevdb.warehouse.database import Connection

CohortOption = Annotated[
    Rule,
    typer.Option(
        "--cohort",
        help="The items compared: where every run has an ok row (shared), and a "
        "distribution (shared-probability); the same but refusing to leave any out "
        "(strict); all items, what a run lacks counting as wrong (own).",
    ),
]
ModalityOption = Annotated[
    Modality | None, typer.Option("--modality", help="Only items of this modality.")
]
PEOPLE = (Format.TABLE, Format.MARKDOWN)
NO_ITEMS = "no item won or lost"


class Dimension(StrEnum):
    """What a comparison can be broken down by."""

    TYPE = "type"
    TIER = "tier"
    FAMILY = "family"
    DOMAIN = "domain"


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb compare de-1 gavel-decide-4b",
            "jevdb compare de-1@r1 de-1@r2 --by family",
            "jevdb compare de-1 gavel-decide-4b --items --format json",
            "jevdb compare synthetic-bold synthetic-steady synthetic-terse "
            "--cohort shared-probability --modality text",
        )
    )(compare)


def compare(
    context: typer.Context,
    base: Annotated[
        str,
        typer.Argument(
            metavar="BASE",
            help="An id prefix, model, model@revision or model@revision#label.",
        ),
    ],
    others: Annotated[
        list[str], typer.Argument(metavar="OTHER...", help="The runs beside it.")
    ],
    benchmark: Annotated[
        str | None,
        typer.Option("--benchmark", metavar="ID", help="Where the runs are looked up."),
    ] = None,
    cohort: CohortOption = Rule.SHARED,
    modality: ModalityOption = None,
    method: Annotated[
        list[str] | None,
        typer.Option("--method", help="Scoring method; repeat it for several."),
    ] = None,
    by: Annotated[
        Dimension | None, typer.Option("--by", help="Add rows per type, tier, ...")
    ] = None,
    items: Annotated[
        bool, typer.Option("--items", help="List the items won and lost instead.")
    ] = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Compare runs on the same items: differences, intervals, ties, McNemar.

    Every number of both runs, the difference and its paired 95 % bootstrap interval; a
    tie is an interval that holds 0. Accuracy also has the exact McNemar test, with
    Holm's adjustment over all the tests shown.
    """
    from jevdb.comparison.cohorts import Asked
    from jevdb.comparison.compare import Request, compare_items
    from jevdb.comparison.compare import compare as compared
    from jevdb.comparison.compare_rows import comparison_rows, heading, people_rows
    from jevdb.reports.report import DEFAULT_METHOD

    session: Session = context.obj
    with session.reader() as connection:
        runs = comparable(connection, [base, *others], benchmark)
        if len(set(runs)) < len(runs):
            raise UsageError("a run is named twice; tell runs apart by id or #label")
        request = Request(
            base=runs[0],
            others=runs[1:],
            asked=Asked(cohort, modality),
            methods=tuple(dict.fromkeys(method or (DEFAULT_METHOD,))),
            by=by.value if by else None,
        )
        if items:
            rows = compare_items(connection, request)
            show(_item_rows(rows) if form in PEOPLE else rows, form, NO_ITEMS)
        else:
            found = compared(connection, request)
            show_with_heading(
                heading(found), people_rows(found), comparison_rows(found), form
            )


def comparable(
    connection: Connection, names: Sequence[str], benchmark: str | None = None
) -> list[Run]:
    """Return the runs that *names* mean, all on the benchmark of the first.

    Raises
    ------
    UsageError
        One is on another benchmark.
    """
    from jevdb.runs import all_runs, asked_for, resolve

    [base] = asked_for(connection, names[:1], benchmark, say)
    found = [base]
    for name in names[1:]:
        try:
            found += asked_for(connection, [name], base.benchmark_id, say)
        except UnknownNameError:
            other = resolve(all_runs(connection), name)
            raise UsageError(
                f"{name} answered {other.benchmark_id}, {base.name} "
                f"{base.benchmark_id}: runs compare on one benchmark; choose it with "
                "--benchmark"
            ) from None
    return found


def show_with_heading(
    heading: Iterable[str], people: Rows, programs: Rows, form: Format
) -> None:
    """Write a heading and rows for people; for programs rows, and the heading apart."""
    if form not in PEOPLE:
        for line in heading:
            say(visible(line))
        write(programs, form, sys.stdout)
        return
    for line in heading:
        is_list = form is Format.MARKDOWN
        typer.echo(f"- {markdown_text(line)}" if is_list else visible(line))
    typer.echo()
    write(people, form, sys.stdout)


def _item_rows(rows: Rows) -> Rows:
    """Return the items with short ids and distributions of three decimals."""
    return Rows(
        rows.columns,
        [[_short(value) for value in row] for row in rows.rows],
        rows.json_columns,
    )


def _short(value: object) -> object:
    if isinstance(value, dict):
        return {name: round(share, 3) for name, share in value.items()}
    return value
