"""Proof that what came from a lake is what was published: its digests, taken anew.

A data file carries no checksum of its own, so that a byte that flipped may still be
read as something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jevdb.errors import JevdbError
from jevdb.lake.tables import CHILDREN, Table
from jevdb.warehouse.checks import Fault
from jevdb.warehouse.sqlfiles import program

if TYPE_CHECKING:
    from jevdb.warehouse.database import Connection

PREDICTIONS = Table("predictions", *CHILDREN["predictions"])
PROOFS = ("wrong_run_digests", "wrong_ingest_digests")
SINCE = """\
with ingests as (from ingests where seq > {base:d}),
golds as (from golds where seq > {base:d}),
runs as (from runs where seq > {base:d}),
predictions as ({predictions})
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


def require_proof(lake: str, mirror: Connection, base: int) -> None:
    """Refuse runs, items and gold, stored after *base*, that give other digests.

    Raises
    ------
    DamagedRows
        Some do.
    """
    bodies = {item.name: item.body for item in program()}
    keys = mirror.execute(f"select run_id from runs where seq > {base:d}").fetchall()
    rows = PREDICTIONS.rows_of([key for (key,) in keys]) or (
        f"from {PREDICTIONS.name} where run_id in (select run_id from runs)"
    )
    found = [
        Fault(check, subject, detail)
        for check in PROOFS
        for subject, detail in mirror.execute(
            SINCE.format(base=base, predictions=rows, check=bodies[check])
        ).fetchall()
    ]
    if found:
        raise DamagedRows(lake, found)
