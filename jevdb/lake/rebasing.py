"""A run prepared on one state of a lake, put behind the runs that came since.

Runs of other names cannot have changed what a run is, so that it need not be prepared
again: only its sequence number moves. Whatever else came is a reason to start anew.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from jevdb.lake.failures import Moved
from jevdb.lake.tables import Table
from jevdb.warehouse.sqlfiles import quoted

if TYPE_CHECKING:
    from jevdb.lake.connecting import Lake
    from jevdb.lake.pulling import Head
    from jevdb.warehouse.database import Connection

SINCE = """\
select seq, ingest_id, kind, ingested_at
from ingests
where seq >= {base:d}
order by seq"""
KINDS = "select distinct kind from ingests where seq > {base:d}"
IDENTITIES = """\
select runs.run_id, runs.benchmark_id, models.name, models.revision, runs.label
from ({runs}) as runs
join ({models}) as models using (model_id)"""


class Place(NamedTuple):
    """Where prepared rows go: how far behind, not before when, beside which models."""

    shift: int = 0
    not_before: datetime | None = None
    known_models: frozenset[str] = frozenset()

    def rows(self, table: Table, base: int) -> str:
        """Return the query for a table's new rows as they are to be published."""
        rows = table.rows_after(base)
        if table.parent is not None or not self.shift:
            return rows
        replaced = f"seq + {self.shift:d} as seq"
        if table.name == "ingests":
            moment = quoted(f"{self.not_before}")
            replaced += f", greatest(ingested_at, timestamp {moment}) as ingested_at"
        moved = f"select * replace ({replaced}) from ({rows})"
        if table.name == "models" and self.known_models:
            listed = ", ".join(map(quoted, sorted(self.known_models)))
            moved += f" where model_id not in ({listed})"
        return moved


def place_in(lake: Lake, mirror: Connection, base: Head) -> Place:
    """Return where rows prepared behind *base* go, in the lake's transaction.

    Raises
    ------
    Moved
        What came since could have made them other rows.
    """
    first, *later = lake.rows(SINCE.format(base=base.seq)) or [()]
    if tuple(first[:2]) != tuple(base):
        raise Moved
    if not later:
        return Place()
    theirs = {str(kind) for _, _, kind, _ in later}
    ours = {kind for (kind,) in mirror.execute(KINDS.format(base=base.seq)).fetchall()}
    if theirs != {"run"} or ours != {"run"}:
        raise Moved
    _require_other_names(lake, mirror, base.seq)
    known = lake.rows(f"select model_id from models where seq > {base.seq:d}")
    last_seq, *_, last_at = later[-1]
    assert isinstance(last_seq, int) and isinstance(last_at, datetime)
    models = frozenset(str(model_id) for (model_id,) in known)
    return Place(last_seq - base.seq, last_at, models)


def _require_other_names(lake: Lake, mirror: Connection, base: int) -> None:
    after = f"select * from runs where seq > {base:d}"
    # Whoever names a run describes its model; it may have been known before.
    asked = IDENTITIES.format(runs=after, models="from models")
    theirs = {tuple(row) for row in lake.rows(asked)}
    for run_id, *name in mirror.execute(asked).fetchall():
        for other_id, *other_name in theirs:
            if run_id == other_id or name == other_name:
                raise Moved
