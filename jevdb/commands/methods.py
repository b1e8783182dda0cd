"""`jevdb methods`: list the scoring methods, add one, tell method from model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jevdb.base.errors import UsageError
from jevdb.base.output import Format
from jevdb.commands.common import FormatOption, examples, show, show_result
from jevdb.commands.session import Session, say

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
        session: Session = context.obj
        show(session.reading().methods().rows(), form, "no methods")


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
    session: Session = context.obj
    method, is_new = session.storing().add_method(file)
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
        str,
        typer.Argument(
            metavar="BENCHMARK", help="Its id, its name, or one that it had before."
        ),
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

    With two runs it takes the step from the old run by the first method to the new run
    by the last one apart. The model's part is its step at a fixed method, averaged over
    both. The method's part is its step at a fixed model, averaged over both.
    """
    names = run or []
    if len(names) not in (0, TWO):
        raise UsageError("name two runs, the old one first, or none")
    old, new = names or (None, None)
    session: Session = context.obj
    found = session.reading().compare_methods(
        benchmark, method, metric=metric, row=row, old=old, new=new
    )
    show_result(found, form, "" if found.pair else "no runs to rank")
    sys.stdout.flush()
