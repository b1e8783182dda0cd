"""`jevdb scopes`: list the scorings, add one, show its SQL."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jevdb.base.output import Format
from jevdb.commands.common import BenchmarkOption, FormatOption, examples, show
from jevdb.commands.session import Session, say

scopes_app = typer.Typer(invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        scopes_app,
        name="scopes",
        epilog=examples(
            "jevdb scopes",
            "jevdb scopes --benchmark cmdb-1500-synthetic",
            "jevdb scopes show generic | sed \"s/'generic'/'acme'/\" > acme.sql",
            "jevdb scopes add acme.sql",
            "jevdb ingest items items.jsonl --benchmark mine --scoring acme",
        ),
    )


@scopes_app.callback()
def scopes(
    context: typer.Context,
    benchmark: BenchmarkOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the scorings, each with its scope view and its rules; or add one.

    With a benchmark it shows how many items of each type every report row and metric
    covers, and how many METRICS.md says there should be.
    """
    if context.invoked_subcommand is not None:
        return
    session: Session = context.obj
    warehouse = session.reading()
    if benchmark is None:
        show(warehouse.scorings().rows(), form, "no scorings")
    else:
        show(warehouse.scope_counts(benchmark).rows(), form, "no items yet")


@scopes_app.command(
    epilog=examples(
        "jevdb scopes add acme.sql",
        "jevdb scopes add acme.sql --reference-rule one_hot --tier-rule never",
    )
)
def add(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A SQL file.")],
    title: Annotated[
        str | None, typer.Option(help="What people call the scoring.")
    ] = None,
    reference_rule: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="What TVD (total variation distance) compares with: given, one_hot or "
            "given_or_one_hot (the default: one-hot gold where the gold has no "
            "reference at all).",
        ),
    ] = None,
    tier_rule: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="When tier weights apply: always, if_all (the default: if every item "
            "has a tier) or never.",
        ),
    ] = None,
    tvd_types: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE,...",
            help="The types TVD is asked for (default: choice,noul).",
        ),
    ] = None,
    main_ece: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="The ECE (expected calibration error) a report shows: by_type (the "
            "default), pooled, or a type's.",
        ),
    ] = None,
    item_types: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE,...", help="The types items may have (default: every type)."
        ),
    ] = None,
) -> None:
    """Add a scoring, or a new version of it, from a SQL file called after it.

    The file is a comment that says what the rows cover, then one select over
    `golden_items` with the columns `benchmark_id, report_row, subset, item_id`, for the
    benchmarks of this scoring only. The subsets are all, index, ece_choice, ece_noul,
    ece_score, pooled, tvd, rps and multi_select. The newest version is in force; older
    ones stay, see `jevdb report --scope-version`.

    The comment may also say what the options do, a line each, as `jevdb scopes show`
    prints it: `-- reference_rule = one_hot`. Options are put into the comment, so that
    the text that is stored says everything.
    """
    session: Session = context.obj
    added = session.storing().add_scope(
        file,
        title=title,
        reference_rule=reference_rule,
        tier_rule=tier_rule,
        tvd_types=_types(tvd_types),
        main_ece=main_ece,
        item_types=_types(item_types),
    )
    state = "added" if added.is_new else "is there already"
    say(f"scoring {added.scoring}, version {added.version}, {state}")


def _types(listed: str | None) -> list[str] | None:
    if listed is None:
        return None
    return [part.strip() for part in listed.split(",")]


@scopes_app.command("show", epilog=examples("jevdb scopes show acme --version 1"))
def show_scope(
    context: typer.Context,
    scoring: Annotated[
        str, typer.Argument(metavar="SCORING", help="As `jevdb scopes` lists it.")
    ],
    version: Annotated[
        int | None, typer.Option(min=1, help="The version. [the newest]")
    ] = None,
) -> None:
    """Print the SQL of a scoring, with its rules in the header."""
    session: Session = context.obj
    sys.stdout.write(session.reading().scope_sql(scoring, version))
