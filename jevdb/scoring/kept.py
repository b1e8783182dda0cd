"""The tallies that a selection need not count: those kept that are proved to be ours.

Kept tallies are under all that they follow from: the run, whose id is the digest of its
rows; the sheet of its benchmark; the numbers of the rule; the SQL. And they are sealed
by who counted them. Those that are not, or whose digest or seal is wrong, are as if
they were not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.scoring.kept_form import judging_sha256
from jevdb.warehouse.seals import Seal, known_seal
from jevdb.warehouse.sqlfiles import filled, query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

BELIEVED = "believed_tallies"
SHEETS = "run_sheets"
RULES = "run_rules"
ANY = """\
select 1
from kept_tallies
where judging_sha256 = '{judging}' and sealed_by = '{seal}'
limit 1"""
CODES = f"""\
select
    rowid, seal, run_id, n_repeats, sheet_sha256, rule_sha256, found_sha256
from {BELIEVED}"""
COMPLETE = f"""\
select run_id
from {BELIEVED}
group by run_id
having count(*) = (select count(*) from {RULES})"""


class Sealed(NamedTuple):
    """What the seal of kept tallies is made of, beside the SQL that counted."""

    run_id: str
    n_repeats: int
    sheet_sha256: str
    rule_sha256: str
    cells_sha256: str

    def code(self, seal: Seal) -> str:
        """Return the seal of these tallies."""
        return seal.of(judging_sha256(), *self)


def find_believed(connection: Connection) -> list[str]:
    """Return the runs of a selection whose tallies by every rule are kept, and ours.

    They are in the temporary table `BELIEVED` then, unless there are none. The
    connection shows the items of the selection already, its strata and its rules.
    """
    seal = known_seal()
    if seal is None:
        return []
    asked = ANY.format(judging=judging_sha256(), seal=seal.name)
    if not connection.execute(asked).fetchall():
        return []
    lay_out_keys(connection)
    try:
        return _believed(connection, seal)
    finally:
        forget_keys(connection)


def lay_out_keys(connection: Connection) -> None:
    """Have the digests of sheets and rules of a selection in temporary tables."""
    connection.execute(f"create temp table {SHEETS} as {query('scoring/sheets')}")
    rules = query("scoring/rule_digests")
    connection.execute(f"create temp table {RULES} as {rules}")


def forget_keys(connection: Connection) -> None:
    """Drop the tables of `lay_out_keys`."""
    for name in (SHEETS, RULES):
        connection.execute(f"drop table temp.{name}")


def _believed(connection: Connection, seal: Seal) -> list[str]:
    candidates = filled(
        query("scoring/kept_candidates"),
        {"judging": judging_sha256(), "sealed_by": seal.name},
    )
    connection.execute(f"create temp table {BELIEVED} as {candidates}")
    false = [
        row
        for row, code, *said in connection.execute(CODES).fetchall()
        if not seal.fits(code, judging_sha256(), *Sealed(*said))
    ]
    if false:
        _leave_out(connection, f"rowid in ({', '.join(map(str, false))})")
    runs = [str(run_id) for (run_id,) in connection.execute(COMPLETE).fetchall()]
    _leave_out(
        connection, f"run_id not in ({COMPLETE.removesuffix('order by run_id')})"
    )
    if not runs:
        forget_believed(connection)
    return runs


def _leave_out(connection: Connection, condition: str) -> None:
    connection.execute(f"delete from temp.{BELIEVED} where {condition}")


def forget_believed(connection: Connection) -> None:
    """Drop what `find_believed` left."""
    connection.execute(f"drop table temp.{BELIEVED}")
