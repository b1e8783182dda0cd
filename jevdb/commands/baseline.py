"""`jevdb baseline`: the run that a gate holds candidates against."""

from __future__ import annotations

from typing import Annotated

import typer

from jevdb.base.output import Format
from jevdb.base.text import short_id
from jevdb.commands.common import FormatOption, examples, show
from jevdb.commands.runs import ReasonOption, RunArgument
from jevdb.commands.session import Session, say

baseline_app = typer.Typer(no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        baseline_app,
        name="baseline",
        help="Approve the run that a gate holds candidates against.",
        epilog=examples(
            "jevdb baseline set de-1@r1 --reason 'release 1'",
            "jevdb baseline set de-1@r1 --suite our-suite",
            "jevdb baseline list",
            "jevdb baseline clear jevbench-public-231",
        ),
    )


@baseline_app.command(
    "set",
    epilog=examples(
        "jevdb baseline set de-1@r1 --reason 'release 1'",
        "jevdb baseline set de-1@r1 --looks 10",
        "jevdb baseline set de-1@r1 --suite our-suite",
    ),
)
def set_baseline(
    context: typer.Context,
    run: RunArgument,
    reason: ReasonOption = None,
    looks: Annotated[
        int | None,
        typer.Option(
            metavar="L",
            help="Share the error of its gates evenly over L candidates. [over "
            "any number]",
        ),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[@VERSION]",
            help="RUN is an entrant of this suite: approve all its runs there.",
        ),
    ] = None,
) -> None:
    """Approve a run as the baseline of its benchmark, in place of the one before.

    A good candidate fails the gate by chance with a limited probability: the k-th
    different one with 0.05 / (k (k + 1)) at most, all together with 5 %. With `--looks
    L`, each of the first L fails with 5 % / L at most. No later one can fail; evidence
    against it is inconclusive. A new approval starts again.

    The baseline of a suite is the entrant whose runs in the suite are all approved. The
    last of the approvals counts its looks.
    """
    session: Session = context.obj
    if suite is not None:
        runs, is_new = session.storing().set_suite_baseline(
            suite, run, reason, looks=looks
        )
        already = "" if is_new else "already "
        benchmarks = ", ".join(each.benchmark for each in runs)
        say(f"{run} is {already}the baseline of {suite}, by its runs on {benchmarks}")
        return
    found, is_new = session.storing().set_baseline(run, reason, looks=looks)
    already = "" if is_new else "already "
    say(
        f"{found.name} ({short_id(found.run_id)}) is {already}the baseline of "
        f"{found.benchmark}"
    )


@baseline_app.command("list", epilog=examples("jevdb baseline list --format json"))
def list_baselines(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """List the approved baseline of each benchmark that has one."""
    session: Session = context.obj
    rows = session.reading().baselines().rows()
    show(rows, form, "no baselines yet: see `jevdb baseline set`")


@baseline_app.command(
    "clear", epilog=examples("jevdb baseline clear jevbench-public-231")
)
def clear_baseline(
    context: typer.Context,
    benchmark: Annotated[
        str,
        typer.Argument(
            metavar="BENCHMARK", help="Its id, its name, or one that it had before."
        ),
    ],
    reason: ReasonOption = None,
) -> None:
    """Take back the baseline of a benchmark."""
    session: Session = context.obj
    run = session.storing().clear_baseline(benchmark, reason)
    say(f"{benchmark} has no baseline any more; it was {run.name}")
