"""`jevdb models` and `jevdb benchmarks`: what there is, and what it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.output import Format
from jevdb.commands.common import AsOfOption, FormatOption, examples, show
from jevdb.commands.session import Session, say

if TYPE_CHECKING:
    from jevdb.scoring.naming import NameChange

ModelArgument = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="Its name, or one that it had before."),
]
BenchmarkArgument = Annotated[
    str,
    typer.Argument(metavar="ID", help="Its id, its name, or one that it had before."),
]
NewNameArgument = Annotated[
    str, typer.Argument(metavar="NEW", help="Its name from now on.")
]
ReasonOption = Annotated[str | None, typer.Option(help="Why; kept with the event.")]
RetiredOption = Annotated[
    bool, typer.Option("--retired", help="List those that are retired too.")
]

models_app = typer.Typer(invoke_without_command=True)
benchmarks_app = typer.Typer(invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        models_app,
        name="models",
        epilog=examples(
            "jevdb models",
            "jevdb models --format json",
            "jevdb models rename gavle gavel --reason 'a typo'",
            "jevdb models retire de-1",
        ),
    )
    app.add_typer(
        benchmarks_app,
        name="benchmarks",
        epilog=examples(
            "jevdb benchmarks",
            "jevdb benchmarks --format csv",
            "jevdb benchmarks rename mien mine --reason 'a typo'",
            "jevdb benchmarks retire tryout",
        ),
    )


@models_app.callback()
def models(
    context: typer.Context,
    as_of: AsOfOption = None,
    retired: RetiredOption = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the models: one line per name and revision, with its runs; or rename one.

    jevdb never deletes or changes a name. It stores a new name beside the old one, with
    the time, and what you exported before stays as it is.
    """
    if context.invoked_subcommand is not None:
        return
    session: Session = context.obj
    rows = session.reading().models(as_of=as_of, retired=retired).rows()
    show(rows, form, "no models yet: see `jevdb ingest run`")


@benchmarks_app.callback()
def benchmarks(
    context: typer.Context,
    as_of: AsOfOption = None,
    retired: RetiredOption = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the benchmarks: items, gold revision, scoring, runs; or rename one.

    `incomplete` names the report rows whose items are not those of METRICS.md.
    """
    if context.invoked_subcommand is not None:
        return
    session: Session = context.obj
    rows = session.reading().benchmarks(as_of=as_of, retired=retired).rows()
    show(rows, form, "no benchmarks")


@models_app.command(
    "rename",
    epilog=examples(
        "jevdb models rename gavle gavel-4b --reason 'a typo'",
        "jevdb models rename gavle gavel --merge",
        "jevdb models rename gavle gavle",
    ),
)
def rename_model(
    context: typer.Context,
    old: ModelArgument,
    new: NewNameArgument,
    reason: ReasonOption = None,
    merge: Annotated[
        bool,
        typer.Option("--merge", help="NEW is another model: show both as that one."),
    ] = False,
) -> None:
    """Call a model otherwise, in every revision; the old name still finds it.

    A report with `--as-of` a time before has the old name. Runs that you ingest under
    the old name later are shown under the new one. To give a merged model its own name
    back, rename it to that.
    """
    session: Session = context.obj
    _say_renamed(session.storing().rename_model(old, new, reason, merge=merge), "model")


@benchmarks_app.command(
    "rename", epilog=examples("jevdb benchmarks rename mien mine --reason 'a typo'")
)
def rename_benchmark(
    context: typer.Context,
    old: BenchmarkArgument,
    new: NewNameArgument,
    reason: ReasonOption = None,
) -> None:
    """Call a benchmark otherwise; the old name still finds it.

    Tables, boards and pages show the new name. The benchmark's id never changes: it
    stays in JSON, CSV and SQL (`benchmark_id`), so that exports of before and after fit
    together. Commands take the id and both names.
    """
    session: Session = context.obj
    _say_renamed(session.storing().rename_benchmark(old, new, reason), "benchmark")


@models_app.command("retire", epilog=examples("jevdb models retire de-1"))
def retire_model(
    context: typer.Context, name: ModelArgument, reason: ReasonOption = None
) -> None:
    """Take a model out of lists, reports, boards and exports, with its runs.

    `jevdb models restore` takes it back.
    """
    session: Session = context.obj
    _say_retired(session.storing().retire_model(name, reason), "model")


@benchmarks_app.command("retire", epilog=examples("jevdb benchmarks retire tryout"))
def retire_benchmark(
    context: typer.Context, name: BenchmarkArgument, reason: ReasonOption = None
) -> None:
    """Take a benchmark out of lists, reports, boards and exports, with its runs.

    `jevdb benchmarks restore` takes it back.
    """
    session: Session = context.obj
    _say_retired(session.storing().retire_benchmark(name, reason), "benchmark")


@models_app.command("restore", epilog=examples("jevdb models restore de-1"))
def restore_model(
    context: typer.Context, name: ModelArgument, reason: ReasonOption = None
) -> None:
    """Take back that a model is retired."""
    session: Session = context.obj
    _say_restored(session.storing().restore_model(name, reason), "model")


@benchmarks_app.command("restore", epilog=examples("jevdb benchmarks restore tryout"))
def restore_benchmark(
    context: typer.Context, name: BenchmarkArgument, reason: ReasonOption = None
) -> None:
    """Take back that a benchmark is retired."""
    session: Session = context.obj
    _say_restored(session.storing().restore_benchmark(name, reason), "benchmark")


def _say_renamed(change: NameChange, kind: str) -> None:
    if change.is_new:
        say(f"{kind} {change.was} is now called {change.name}")
    else:
        say(f"{kind} {change.name} is already called that")


def _say_retired(change: NameChange, kind: str) -> None:
    already = "" if change.is_new else "already "
    say(f"{kind} {change.name} is {already}retired")


def _say_restored(change: NameChange, kind: str) -> None:
    say(f"{kind} {change.name} is {'restored' if change.is_new else 'not retired'}")
