"""`jevdb snapshots`: the exports that were kept by name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jevdb.base.output import Format
from jevdb.commands.common import FormatOption, examples, show, writable
from jevdb.commands.session import Session, say
from jevdb.warehouse.files import STDOUT

snapshots_app = typer.Typer(invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.add_typer(
        snapshots_app,
        name="snapshots",
        epilog=examples(
            "jevdb export --snapshot 2026-04-model-card",
            "jevdb snapshots",
            "jevdb snapshots show 2026-04-model-card --out evaluation_results.json",
        ),
    )


@snapshots_app.callback()
def snapshots(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """List the exports kept with `jevdb export --snapshot`, or write one back."""
    if context.invoked_subcommand is not None:
        return
    session: Session = context.obj
    rows = session.reading().snapshots().rows()
    show(rows, form, "no snapshots yet: see `jevdb export --snapshot`")


@snapshots_app.command(
    "show",
    epilog=examples(
        "jevdb snapshots show 2026-04-model-card > evaluation_results.json"
    ),
)
def show_snapshot(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The snapshot's name.")],
    out: Annotated[
        Path, typer.Option(help="The file, or - for stdout.", callback=writable)
    ] = Path(STDOUT),
) -> None:
    """Write a snapshot back, byte for byte."""
    from jevdb.warehouse.files import write_whole

    session: Session = context.obj
    data = session.reading().snapshot(name)
    write_whole(out, data)
    if str(out) != STDOUT:
        say(f"wrote {out}")
