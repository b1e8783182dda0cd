"""`jevdb check`: is the warehouse whole."""

from __future__ import annotations

import typer

from jevdb.commands.common import FormatOption, examples, show
from jevdb.commands.session import Session, say
from jevdb.errors import CheckError
from jevdb.output import Format, Rows

FAULTS_SHOWN = 10


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(epilog=examples("jevdb check", "jevdb check --format json"))(check)


def check(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """Check the integrity of the warehouse: exit 1 if anything is wrong with it.

    Looks for orphans, golds and answers outside an item's options, distributions that
    are none, counts and digests that do not recompute, names used twice, gaps in the
    sequence. Where the items of a known benchmark are not all there, it says which are
    missing; that is no fault.
    """
    from jevdb.warehouse.checks import Fault, check_names, faults, shortfalls

    session: Session = context.obj
    names = check_names()
    with session.reader() as connection:
        found = {name: faults(connection, name) for name in names}
        notes = shortfalls(connection)
    shown = [fault for rows in found.values() for fault in rows[:FAULTS_SHOWN]]
    if shown or form not in (Format.TABLE, Format.MARKDOWN):
        show(Rows(Fault._fields, shown), form, "")
    for note in notes:
        say(f"incomplete: {note}")
    counts = [f"{name} {len(rows)}" for name, rows in found.items() if rows]
    if counts:
        raise CheckError(f"faults found: {', '.join(counts)}")
    say(f"{len(names)} checks, no faults")
