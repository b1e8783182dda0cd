"""`jevdb runs`: list the runs, and what can be done with one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.commands.common import (
    AsOfOption,
    BenchmarkOption,
    FormatOption,
    examples,
    show,
)
from jevdb.commands.session import Session, say
from jevdb.output import Format, Rows, collected
from jevdb.text import counted, short_id
from jevdb.warehouse.files import STDOUT

if TYPE_CHECKING:
    from jevdb.runs import Run
    from jevdb.warehouse.database import Connection

RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="An id prefix, model, model@revision or model@revision#label.",
    ),
]
ReasonOption = Annotated[str | None, typer.Option(help="Why; kept with the event.")]
PEOPLE_READ = (
    *("run_id", "benchmark_id", "model", "revision", "label", "started_at"),
    *("n_rows", "n_ok", "n_invalid", "n_unsupported", "n_error", "n_rejected"),
)

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
    """List the runs; or withdraw, relabel, hide or dump one, or list its rejects.

    Withdrawn and superseded runs are listed too. Nothing is ever deleted: what happens
    to a run is stored beside it, with the time.
    """
    if context.invoked_subcommand is not None:
        return
    from jevdb.as_of import resolved, then
    from jevdb.names import require_benchmark
    from jevdb.warehouse.sqlfiles import query

    session: Session = context.obj
    with (
        session.reader() as connection,
        then(connection, resolved(connection, as_of)),
    ):
        if benchmark is not None:
            require_benchmark(connection, benchmark)
        connection.execute(query("runs_listed"), {"benchmark": benchmark})
        rows = collected(connection)
    if form in (Format.TABLE, Format.MARKDOWN):
        rows = _for_people(rows)
    show(rows, form, "no runs yet: see `jevdb ingest run`")


def _for_people(rows: Rows) -> Rows:
    """Return the columns people look at, ids short, the state in words."""
    place = {name: i for i, name in enumerate(rows.columns)}
    states = ("private", "superseded", "withdrawn")
    shown = []
    for row in rows.rows:
        words = [word for word in states if row[place[f"is_{word}"]]]
        values = [row[place[name]] for name in PEOPLE_READ]
        values[0] = short_id(str(values[0]))
        values[-1] = values[-1] or None
        shown.append([*values, ", ".join(words) or None])
    return Rows((*PEOPLE_READ, "state"), shown)


@runs_app.command(
    epilog=examples("jevdb runs withdraw 55bf9a13 --reason 'wrong prompt'")
)
def withdraw(
    context: typer.Context,
    run: RunArgument,
    reason: Annotated[str, typer.Option(help="Why; kept with the event.")],
) -> None:
    """Withdraw a run: reports and exports leave it out, unless they name it."""
    from jevdb import run_events

    _change(
        context.obj,
        run,
        "withdrawn",
        lambda connection, found: run_events.withdraw(connection, found, reason),
    )


@runs_app.command(
    epilog=examples(
        "jevdb runs relabel 55bf9a13 greedy", "jevdb runs relabel de-1#greedy ''"
    )
)
def relabel(
    context: typer.Context,
    run: RunArgument,
    label: Annotated[
        str, typer.Argument(metavar="LABEL", help="The new label; '' for none.")
    ],
) -> None:
    """Give a run another label; its id stays."""
    from jevdb import run_events
    from jevdb.runs import all_runs

    _change(
        context.obj,
        run,
        f"labelled {label!r}" if label else "without a label",
        lambda connection, found: run_events.relabel(
            connection, found, label or None, all_runs(connection)
        ),
    )


@runs_app.command(epilog=examples("jevdb runs private de-1@r1"))
def private(
    context: typer.Context, run: RunArgument, reason: ReasonOption = None
) -> None:
    """Keep a run out of exports; reports of your own still show it, marked."""
    from jevdb import run_events

    _change(
        context.obj,
        run,
        "private",
        lambda connection, found: run_events.set_private(connection, found, reason),
    )


@runs_app.command(epilog=examples("jevdb runs public de-1@r1"))
def public(
    context: typer.Context, run: RunArgument, reason: ReasonOption = None
) -> None:
    """Let a private run into exports."""
    from jevdb import run_events

    _change(
        context.obj,
        run,
        "public",
        lambda connection, found: run_events.set_public(connection, found, reason),
    )


def _change(
    session: Session,
    name: str,
    state: str,
    change: Callable[[Connection, Run], bool],
) -> None:
    from jevdb.runs import asked_for

    def changed(connection: Connection) -> tuple[Run, bool]:
        (run,) = asked_for(connection, [name], on_choice=say)
        return run, change(connection, run)

    run, is_new = session.write(changed)
    already = "" if is_new else "already "
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
    from jevdb.runs import asked_for
    from jevdb.warehouse.sqlfiles import query

    session: Session = context.obj
    with session.reader() as connection:
        (found,) = asked_for(connection, [run], on_choice=say)
        connection.execute(query("run_rejects"), {"run_id": found.run_id})
        rows = collected(connection)
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
    out: Annotated[Path, typer.Option(help="The file, or - for stdout.")] = Path(
        STDOUT
    ),
) -> None:
    """Write a run back as canonical JSON lines, in the order of its item ids.

    Ingested again under the same names they are the same run.
    """
    from jevdb.bundles.dump import dumped
    from jevdb.runs import asked_for
    from jevdb.warehouse.files import write_whole

    session: Session = context.obj
    with session.reader() as connection:
        (found,) = asked_for(connection, [run], on_choice=say)
        data = "".join(f"{line}\n" for line in dumped(connection, found.run_id))
    write_whole(out, data.encode())
    if str(out) != STDOUT:
        say(f"wrote {out}: {counted(found.n_rows, 'row')} of {found.name}")
