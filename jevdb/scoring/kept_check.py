"""Kept tallies held to what the rows give, bit for bit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, get_args

from jevdb.base.arrow import register
from jevdb.scoring.kept import Sealed
from jevdb.scoring.kept_form import judging_sha256
from jevdb.scoring.score import Wanted, grouped, plan, tasks
from jevdb.scoring.selection import Dimension, Selection
from jevdb.scoring.tallying import Tallied, tally
from jevdb.warehouse.checks import Fault
from jevdb.warehouse.seals import known_seal
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

WRONG = "wrong_kept_tallies"
SHEETS = """\
select distinct sheet_sha256
from kept_tallies
where judging_sha256 = '{judging}' and run_id in (select run_id from runs)"""
REVISIONS = "select distinct gold_revision from gold_revisions order by 1 desc"
KEPT_OF = """\
select run_id
from kept_tallies
where judging_sha256 = '{judging}' and sheet_sha256 = '{sheet}'"""


def kept_faults(connection: Connection) -> list[Fault]:
    """Return what is wrong with the tallies that are kept, in a stable order.

    Every one has to have the digest that it says, and a run. Those of today's SQL are
    counted again: by every gold revision and slicing that the warehouse has.
    """
    if not connection.execute("select 1 from kept_tallies limit 1").fetchall():
        return []
    found = [*_broken(connection), *_recounted(connection)]
    return sorted(set(found))


def _broken(connection: Connection) -> Iterator[Fault]:
    """Yield the faults that are seen without the rows."""
    seal = known_seal()
    for row in connection.execute(query("scoring/kept_tallies_seen")).fetchall():
        run_id, is_there, n_repeats, judging, sealed_by, code, says, gives = row[:8]
        subject = f"run {run_id}"
        if not is_there:
            yield Fault(WRONG, subject, "kept tallies of a run that is not there")
        if says != gives:
            detail = f"cells_sha256 {says}, its tallies give {gives}"
            yield Fault(WRONG, subject, detail)
        elif is_there and seal is not None and sealed_by == seal.name:
            sheet, rule = row[8:]
            said = Sealed(run_id, n_repeats, sheet, rule, gives)
            if not seal.fits(code, judging, *said):
                yield Fault(WRONG, subject, "its seal is not that of its tallies")


def _recounted(connection: Connection) -> Iterator[Fault]:
    """Yield the tallies that are not what the rows give today."""
    asked = SHEETS.format(judging=judging_sha256())
    left = {sheet for (sheet,) in connection.execute(asked).fetchall()}
    for selection in _selections(connection):
        if not left:
            return
        known = [
            each
            for each in plan(connection, selection, anew=True).missing
            if each.sheet_sha256 in left
        ]
        left -= {each.sheet_sha256 for each in known}
        yield from recount(connection, selection, known)


def _selections(connection: Connection) -> Iterator[Selection]:
    revisions = [number for (number,) in connection.execute(REVISIONS).fetchall()]
    for revision in (None, *revisions):
        for by in (None, *get_args(Dimension)):
            yield Selection(gold_revision=revision, by=by)


def recount(
    connection: Connection, selection: Selection, wanted: Iterable[Wanted]
) -> Iterator[Fault]:
    """Yield the tallies kept of these runs that are not what their rows give."""
    by_sheet: dict[str, list[Wanted]] = {}
    for each in wanted:
        by_sheet.setdefault(each.sheet_sha256, []).append(each)
    for sheet, runs in by_sheet.items():
        names = KEPT_OF.format(judging=judging_sha256(), sheet=sheet)
        kept = {name for (name,) in connection.execute(names).fetchall()}
        for group in grouped([each for each in runs if each.run_id in kept]):
            [task] = tasks(connection, selection, [group])
            yield from compared(connection, tally(task))


def compared(connection: Connection, done: Tallied) -> Iterator[Fault]:
    """Yield the tallies kept of a task's runs that are not what was counted."""
    for subject, detail in done.faults:
        yield Fault(WRONG, subject, detail)
    register(connection, "counted", done.tallies)
    rows = connection.execute(
        query("scoring/kept_tallies_compared"),
        {"judging": done.judging_sha256, "sheet": done.sheet_sha256},
    ).fetchall()
    connection.unregister("counted")
    for run_id, sealed_by, gives in rows:
        detail = (
            f"the tallies that {sealed_by} kept are not what its rows give: {gives}"
        )
        yield Fault(WRONG, f"run {run_id}", detail)
