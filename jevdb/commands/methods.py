"""`jevdb methods`: list the scoring methods, add one, tell method from model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jevdb.commands.common import FormatOption, examples, show
from jevdb.commands.listing import list_rows
from jevdb.commands.session import Session, say
from jevdb.errors import UsageError
from jevdb.output import Format

methods_app = typer.Typer(invoke_without_command=True)
TWO = 2


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        methods_app,
        name="methods",
        epilog=examples(
            "jevdb methods",
            "jevdb methods add acme.toml",
            "jevdb methods compare jevbench-public-231 --method metrics-md "
            "--method acme",
        ),
    )


@methods_app.callback()
def methods(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """List the scoring methods with every parameter; add or compare some."""
    if context.invoked_subcommand is None:
        list_rows(context.obj, "methods_listed", form, "no methods")


@methods_app.command(epilog=examples("jevdb methods add acme.toml"))
def add(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file.")],
) -> None:
    """Add a scoring method from a TOML file that names every parameter.

    The keys are those that `jevdb methods` lists (weights as `choice_weight`,
    `noul_weight`, `score_weight`), and a table `tier_weights` with all four tiers, or
    none. A method never changes; the same file again does nothing.
    """
    from jevdb.additions.methods import add_method

    session: Session = context.obj
    method, is_new = session.write(lambda connection: add_method(connection, file))
    say(f"method {method.method_id} {'added' if is_new else 'is there already'}")


@methods_app.command(
    epilog=examples(
        "jevdb methods compare jevbench-public-231 --method metrics-md "
        "--method jevbench-v1.5",
        "jevdb methods compare jevbench-public-231 --method metrics-md "
        "--method jevbench-v1.5 --run de-1@r1 --run de-1@r2",
    )
)
def compare(
    context: typer.Context,
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCHMARK", help="The benchmark, by its id.")
    ],
    method: Annotated[
        list[str], typer.Option("--method", help="Scoring method; give two or more.")
    ],
    metric: Annotated[
        str, typer.Option("--metric", help="I, C, or another number of the report.")
    ] = "I",
    row: Annotated[
        str | None,
        typer.Option("--row", help="Report row; the one with most items unless given."),
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option("--run", help="Two runs: the old one, then the new one."),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Rank a benchmark's runs by each method: what is method and what is model.

    With two runs: the step from the old run by the first method to the new run by the
    last one, as the part that the model makes (its step, at a fixed method, averaged
    over both) and the part that the method makes (its step, at a fixed model).
    """
    from jevdb.comparison import method_effects as effects
    from jevdb.metric_names import number_named

    methods = tuple(dict.fromkeys(method))
    names = run or []
    if len(methods) < TWO:
        raise UsageError("name two methods or more, each with --method")
    if len(names) not in (0, TWO):
        raise UsageError("name two runs, the old one first, or none")
    asked = effects.Asked(benchmark, methods, number_named(metric).name, row)
    session: Session = context.obj
    with session.reader() as connection:
        standings, pair = effects.standings(connection, asked, names, say)
    if pair:
        old, new = pair
        show(effects.step_rows(standings, old, new, methods), form, "")
    elif form in (Format.TABLE, Format.MARKDOWN):
        show(effects.wide_rows(standings, methods), form, "no runs to rank")
    else:
        show(effects.standing_rows(asked, standings), form, "no runs to rank")
    sys.stdout.flush()
