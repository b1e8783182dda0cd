"""`jevdb runs`: list the runs, and what can be done with one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.output import Format, Rows
from jevdb.base.text import counted, short_id
from jevdb.commands.common import (
    AsOfOption,
    BenchmarkOption,
    FormatOption,
    examples,
    show,
    show_result,
    writable,
)
from jevdb.commands.session import Session, say
from jevdb.warehouse.files import STDOUT

if TYPE_CHECKING:
    from jevdb.api.changing import Change

RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="An id prefix, model, model@revision or model@revision#label.",
    ),
]
ReasonOption = Annotated[str | None, typer.Option(help="Why; kept with the event.")]
TEXT_SHOWN = 60

runs_app = typer.Typer(invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        runs_app,
        name="runs",
        epilog=examples(
            "jevdb runs",
            "jevdb runs --benchmark cmdb-1500-synthetic --format json",
            "jevdb runs withdraw 55bf9a13 --reason 'wrong prompt'",
            "jevdb runs dump de-1 --out de-1.jsonl",
            "jevdb runs rejects de-1",
        ),
    )


@runs_app.callback()
def runs(
    context: typer.Context,
    benchmark: BenchmarkOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the runs; or withdraw, restore, relabel, hide or dump one, list its rejects.

    The list has withdrawn and superseded runs too. jevdb never deletes a run. It stores
    what happens to a run beside it, with the time.
    """
    if context.invoked_subcommand is not None:
        return
    session: Session = context.obj
    found = session.reading().runs(benchmark, as_of=as_of)
    show_result(found, form, "no runs yet: see `jevdb ingest run`")


@runs_app.command(
    epilog=examples("jevdb runs withdraw 55bf9a13 --reason 'wrong prompt'")
)
def withdraw(
    context: typer.Context,
    run: RunArgument,
    reason: Annotated[str, typer.Option(help="Why; kept with the event.")],
) -> None:
    """Withdraw a run: reports and exports leave it out, unless asked by its id.

    `jevdb runs restore` takes it back.
    """
    session: Session = context.obj
    _say_state(session.storing().withdraw(run, reason), "withdrawn")


@runs_app.command(epilog=examples("jevdb runs restore 55bf9a13"))
def restore(
    context: typer.Context, run: RunArgument, reason: ReasonOption = None
) -> None:
    """Take the withdrawal of a run back: reports and exports show it again."""
    session: Session = context.obj
    change = session.storing().restore(run, reason)
    kept = "; it stays superseded" if change.run.is_superseded else ""
    state = "restored" if change.is_new else "not withdrawn"
    say(f"{change.run.name} ({short_id(change.run.run_id)}) is {state}{kept}")


@runs_app.command(
    epilog=examples(
        "jevdb runs relabel 55bf9a13 greedy --reason 'it was no beam'",
        "jevdb runs relabel de-1#greedy ''",
    )
)
def relabel(
    context: typer.Context,
    run: RunArgument,
    label: Annotated[
        str, typer.Argument(metavar="LABEL", help="The new label; '' for none.")
    ],
    reason: ReasonOption = None,
) -> None:
    """Give a run another label; its id stays."""
    session: Session = context.obj
    state = f"labelled {label!r}" if label else "without a label"
    _say_state(session.storing().relabel(run, label, reason), state)


@runs_app.command(epilog=examples("jevdb runs private de-1@r1"))
def private(
    context: typer.Context, run: RunArgument, reason: ReasonOption = None
) -> None:
    """Keep a run out of exports; reports of your own still show it, marked."""
    session: Session = context.obj
    _say_state(session.storing().set_private(run, reason), "private")


@runs_app.command(epilog=examples("jevdb runs public de-1@r1"))
def public(
    context: typer.Context, run: RunArgument, reason: ReasonOption = None
) -> None:
    """Let a private run into exports."""
    session: Session = context.obj
    _say_state(session.storing().set_public(run, reason), "public")


def _say_state(change: Change, state: str) -> None:
    run = change.run
    already = "" if change.is_new else "already "
    say(f"{run.name} ({short_id(run.run_id)}) is {already}{state}")


@runs_app.command(
    epilog=examples(
        "jevdb runs rejects de-1", "jevdb runs rejects 55bf9a13 --format jsonl"
    )
)
def rejects(
    context: typer.Context, run: RunArgument, form: FormatOption = Format.TABLE
) -> None:
    """List the lines that `jevdb ingest run --keep-rejects` refused of a run.

    Each has its file, line, first faulty field, everything that is wrong, and its text
    up to a million characters. A table shows the beginning of the text.
    """
    session: Session = context.obj
    warehouse = session.reading()
    found = warehouse.run(run)
    rows = warehouse.rejects(found).rows()
    if form in (Format.TABLE, Format.MARKDOWN):
        shown = [[*row[:-1], _beginning(row[-1])] for row in rows.rows]
        rows = Rows(rows.columns, shown)
    show(rows, form, f"no line of {found.name} was refused and kept")


def _beginning(text: object) -> str | None:
    """Return as much of a line as a table has room for."""
    if text is None:
        return None
    line = str(text)
    return line if len(line) <= TEXT_SHOWN else f"{line[: TEXT_SHOWN - 3]}..."


@runs_app.command(
    epilog=examples("jevdb runs dump de-1 > de-1.jsonl", "jevdb runs dump 55bf9a13")
)
def dump(
    context: typer.Context,
    run: RunArgument,
    out: Annotated[
        Path, typer.Option(help="The file, or - for stdout.", callback=writable)
    ] = Path(STDOUT),
) -> None:
    """Write a run back as canonical JSON lines, in the order of its item ids.

    If you ingest the lines under the same names, they are the same run.
    """
    from jevdb.bundles.dump import dumped
    from jevdb.scoring.runs import asked_for
    from jevdb.warehouse.files import write_whole

    session: Session = context.obj
    with session.reader() as connection:
        (found,) = asked_for(connection, [run], on_choice=say)
        data = "".join(f"{line}\n" for line in dumped(connection, found.run_id))
    write_whole(out, data.encode())
    if str(out) != STDOUT:
        say(f"wrote {out}: {counted(found.n_rows, 'row')} of {found.name}")
