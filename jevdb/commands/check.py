"""`jevdb check`: is the warehouse whole."""

from __future__ import annotations

import typer

from jevdb.base.errors import CheckError
from jevdb.base.output import Format, Rows
from jevdb.base.text import counted
from jevdb.commands.common import FormatOption, examples, show
from jevdb.commands.session import Session, say

FAULTS_SHOWN = 10


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(epilog=examples("jevdb check", "jevdb check --format json"))(check)


def check(context: typer.Context, form: FormatOption = Format.TABLE) -> None:
    """Check the integrity of the warehouse: exit 1 if anything is wrong with it.

    It reads every cell, which finds damaged blocks. It looks for orphans, golds and
    answers outside an item's options, distributions that are none, counts and digests
    that do not recompute, names used twice, and gaps in the sequence. If items of a
    known benchmark are missing, it says how many; that is no fault.
    """
    session: Session = context.obj
    done = session.reading().check()
    shown = [fault for rows in done.found.values() for fault in rows[:FAULTS_SHOWN]]
    if shown or form not in (Format.TABLE, Format.MARKDOWN):
        show(Rows(done.rows().columns, shown), form, "")
    for note in done.shortfalls:
        say(f"incomplete: {note}")
    for other in done.others:
        say(f"not jevdb's, and nothing of jevdb's reads it: the {other}")
    if not done.passed:
        raise CheckError(f"faults found: {done.counts}")
    say(f"{counted(len(done.found), 'check')}, no faults")
