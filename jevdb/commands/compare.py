"""`jevdb compare`: is another run better than the base."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UsageError
from jevdb.base.output import Format, Rows, write
from jevdb.base.text import visible
from jevdb.commands.common import (
    ClusterOption,
    FormatOption,
    MethodsOption,
    examples,
    show,
)
from jevdb.commands.files import Files, GoldFileOption, WhereOption, warehouse_for
from jevdb.commands.ingest import FieldOption, MapOption
from jevdb.commands.patience import patience
from jevdb.commands.reading import takes_reading
from jevdb.commands.session import say
from jevdb.commands.suite_options import SuiteOption, require_no_others
from jevdb.comparison.cohorts import Modality, Rule
from jevdb.comparison.rules import IntervalRule

if TYPE_CHECKING:
    from jevdb.base.tabular import Tabular

CohortOption = Annotated[
    Rule,
    typer.Option(
        "--cohort",
        help="The items compared. shared: every run has an ok or an invalid row. "
        "shared-probability: and a distribution, or the row is invalid. strict: as "
        "shared, but refuse to leave items out. own: all items; a missing answer "
        "counts as wrong.",
    ),
]
IntervalOption = Annotated[
    IntervalRule,
    typer.Option(
        "--interval",
        help="bootstrap is what METHOD v1.5 prescribes; its 95 % intervals of I "
        "(intelligence) hold the truth in 87 to 92 %.",
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


class Breakdown(StrEnum):
    """The same, and the repeats of runs that asked several times."""

    TYPE = "type"
    TIER = "tier"
    FAMILY = "family"
    DOMAIN = "domain"
    REPEAT = "repeat"


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb compare de-1 gavel-decide-4b",
            "jevdb compare a.jsonl b.jsonl --gold items.jsonl",
            "jevdb compare de-1@r1 de-1@r2 --by family --all",
            "jevdb compare de-1 gavel-decide-4b --metric I --equivalent-within 3",
            "jevdb compare de-1 gavel-decide-4b --items --format json",
            "jevdb compare de-1 gavel-decide-4b --suite our-suite",
            "jevdb compare synthetic-bold synthetic-steady synthetic-terse "
            "--cohort shared-probability --modality text",
        )
    )(takes_reading(compare))


def compare(
    context: typer.Context,
    base: Annotated[
        str,
        typer.Argument(
            metavar="BASE",
            help="An id prefix, model, model@revision or model@revision#label; or a "
            "file of answers.",
        ),
    ],
    others: Annotated[
        list[str],
        typer.Argument(
            metavar="OTHER...", help="The runs, or files, to compare with it."
        ),
    ],
    gold: GoldFileOption = None,
    benchmark: Annotated[
        str | None,
        typer.Option(
            "--benchmark", metavar="ID", help="The benchmark whose runs are meant."
        ),
    ] = None,
    cohort: CohortOption = Rule.SHARED,
    modality: ModalityOption = None,
    method: MethodsOption = None,
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            metavar="NUMBER",
            help="The headline's first number: accuracy or I.",
        ),
    ] = "accuracy",
    row: Annotated[
        str | None,
        typer.Option(
            "--row", help="The headline's row; the one with most items unless given."
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="DIMENSION",
            help="Add rows per type, tier, family or domain; or compare each repeat "
            "alone.",
        ),
    ] = None,
    break_down: Annotated[
        Breakdown | None, typer.Option("--break-down", hidden=True)
    ] = None,
    cluster: ClusterOption = None,
    equivalent_within: Annotated[
        float | None,
        typer.Option(
            "--equivalent-within",
            metavar="POINTS",
            help="Call runs equivalent if the interval lies within these points of 0.",
        ),
    ] = None,
    interval: IntervalOption = IntervalRule.ANALYTIC,
    shows_all: Annotated[
        bool,
        typer.Option("--all", help="Show every number and row, marked exploratory."),
    ] = False,
    items: Annotated[
        bool, typer.Option("--items", help="List the items won and lost instead.")
    ] = False,
    suite: SuiteOption = None,
    form: FormatOption = Format.TABLE,
    map_file: MapOption = None,
    field: FieldOption = None,
    where: WhereOption = None,
    reading: Mapping[str, object] | None = None,
) -> None:
    """Compare runs on the same items: is another better than the base.

    The headline tests accuracy by exact McNemar, and I (intelligence) by Student's t of
    the linearised index. It tests I only if the difference in accuracy is resolved. The
    other runs share the error. A verdict, its interval and its p-value say the same.
    `not_resolved` is not equal. All other lines are exploratory and cannot change it.

    Files of answers need no warehouse. Give their items with `--gold`, unless the files
    carry them. jevdb reads the files as `jevdb ingest` does, and keeps nothing.

    With a suite it compares two entrants, and says which members make the difference.
    """
    if suite is not None:
        require_no_others(context, "suite", "base", "others")
        if len(others) != 1:
            raise UsageError("with --suite: name two entrants, the base first")
        warehouse = context.obj.reading()
        show_with_heading(warehouse.compare_suite(suite, base, others[0]), form)
        return
    files = Files(gold, map_file, field, where, reading or {})
    of_a_warehouse = {"benchmark": benchmark}
    with warehouse_for(context.obj, (base, *others), files, of_a_warehouse) as filed:
        if items:
            rows = filed.warehouse.compare_items(
                *filed.runs,
                benchmark=benchmark,
                cohort=cohort.value,
                modality=modality.value if modality else None,
            ).rows()
            show(_item_rows(rows) if form in PEOPLE else rows, form, NO_ITEMS)
            return
        with patience("comparing"):
            found = filed.warehouse.compare(
                *filed.runs,
                benchmark=benchmark,
                cohort=cohort.value,
                modality=modality.value if modality else None,
                method=method or (DEFAULT_METHOD,),
                metric=metric,
                by=by,
                row=row,
                break_down=break_down.value if break_down else None,
                cluster=cluster.value if cluster else None,
                equivalent_within=equivalent_within,
                interval=interval.value,
                all=shows_all,
            )
    show_with_heading(found, form)


def show_with_heading(found: Tabular, form: Format) -> None:
    """Write a heading and rows for people; for programs rows, and the heading apart."""
    if form not in PEOPLE:
        for line in found.heading():
            say(visible(line))
        write(found.rows(), form, sys.stdout)
        return
    text = found.markdown() if form is Format.MARKDOWN else found.text()
    typer.echo(text, nl=False)


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
