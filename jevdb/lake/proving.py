"""Proof that what came from a lake is what was published: its digests, taken anew.

A data file carries no checksum of its own, so that a byte that flipped may still be
read as something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jevdb.base.errors import JevdbError
from jevdb.lake.tables import NOTHING
from jevdb.warehouse.checks import Fault
from jevdb.warehouse.sqlfiles import program

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

OF_INGESTS = "wrong_ingest_digests"
OF_RUNS = "wrong_run_digests"
SINCE = """\
with ingests as (from ingests where seq > {seq:d}),
golds as (from golds where seq > {seq:d}),
runs as (from runs where seq > {seq:d}),
predictions as (from predictions where rowid >= {row:d})
select subject, detail
from ({check})
order by subject, detail"""


class DamagedRows(JevdbError):
    """What the lake holds is not what was published; carries every fault."""

    def __init__(self, lake: str, faults: Sequence[Fault]):
        self.faults = list(faults)
        first, *others = self.faults
        more = f", and {len(others)} more like it" if others else ""
        super().__init__(
            f"{lake}: warehouse damaged: {first.subject}: {first.detail}{more}; "
            "nothing was pulled; restore the lake's storage from a backup, then see "
            "`jevdb lake verify`"
        )


def require_proof(
    lake: str, mirror: Connection, *checks: str, seq: int = NOTHING, row: int = 0
) -> None:
    """Refuse what the checks find of ingests after *seq* and of what belongs to them.

    Predictions are looked at from *row* on: as many as there were before.

    Raises
    ------
    DamagedRows
        Some do.
    """
    bodies = {item.name: item.body for item in program()}
    found = [
        Fault(check, subject, detail)
        for check in checks
        for subject, detail in mirror.execute(
            SINCE.format(seq=seq, row=row, check=bodies[check])
        ).fetchall()
    ]
    if found:
        raise DamagedRows(lake, found)
