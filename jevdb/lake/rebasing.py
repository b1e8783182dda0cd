"""A run prepared on one state of a lake, put behind the runs that came since.

Runs of other names cannot have changed what a run is, so that it need not be prepared
again: only its sequence number moves. Every commit of a run leaves a note of what that
takes to see in its snapshot. A commit without a note is a reason to start anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Self

from jevdb.lake.failures import Moved
from jevdb.lake.tables import Table
from jevdb.warehouse.sqlfiles import quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.lake.connecting import Lake

INGESTS = "select seq, kind, ingested_at from ingests where seq > {base:d}"
IDENTITY = """\
select runs.run_id, runs.benchmark_id, models.name, models.revision, runs.label
from runs
join models using (model_id)
where runs.seq > {base:d}"""
NEW_MODELS = "select model_id from models where seq > {base:d} order by model_id"
NOTES = """\
select commit_extra_info
from ducklake_snapshot_changes
where snapshot_id > {after:d} and snapshot_id <= {until:d}
order by snapshot_id"""


class Note(NamedTuple):
    """What the commit of one run was: its name is a digest, no text of a user's."""

    seq: int
    at: str
    run: str
    name: str
    models: Sequence[str]

    @classmethod
    def of(cls, mirror: Connection, base: int) -> Self | None:
        """Return the note for what is new in the mirror, if that is just a run."""
        ingests = mirror.execute(INGESTS.format(base=base)).fetchall()
        if [kind for _, kind, _ in ingests] != ["run"]:
            return None
        ((seq, _, at),) = ingests
        ((run_id, *name),) = mirror.execute(IDENTITY.format(base=base)).fetchall()
        models = mirror.execute(NEW_MODELS.format(base=base)).fetchall()
        digest = hashlib.sha256(json.dumps(name).encode()).hexdigest()
        return cls(seq, at.isoformat(), run_id, digest, [key for (key,) in models])

    @classmethod
    def read(cls, text: object) -> Self:
        """Return the note of a snapshot; raises `Moved` where it left none."""
        try:
            return cls(**json.loads(str(text)))
        except (ValueError, TypeError) as error:
            raise Moved from error

    def moved(self, place: Place) -> Note:
        """Return the note of the same run at its place."""
        moments = [self.at, place.not_before or self.at]
        at = max(moments, key=datetime.fromisoformat)
        return self._replace(seq=self.seq + place.shift, at=at)


class Place(NamedTuple):
    """Where prepared rows go: how far behind, not before when, beside which models."""

    shift: int = 0
    not_before: str | None = None
    known_models: frozenset[str] = frozenset()

    def rows(self, table: Table, base: int) -> str:
        """Return the query for a table's new rows as they are to be published."""
        rows = table.rows_after(base)
        if table.parent is not None or not self.shift:
            return rows
        replaced = f"seq + {self.shift:d} as seq"
        if table.name == "ingests":
            moment = f"timestamp {quoted(str(self.not_before))}"
            replaced += f", greatest(ingested_at, {moment}) as ingested_at"
        moved = f"select * replace ({replaced}) from ({rows})"
        if table.name == "models" and self.known_models:
            listed = ", ".join(map(quoted, sorted(self.known_models)))
            moved += f" where model_id not in ({listed})"
        return moved


def place_in(lake: Lake, ours: Note | None, snapshot: int) -> Place:
    """Return where rows prepared on a snapshot go, in the lake's transaction.

    Raises
    ------
    Moved
        What came since could have made them other rows.
    """
    now = lake.snapshot()
    if now == snapshot:
        return Place()
    found = lake.catalog_rows(NOTES.format(after=snapshot, until=now))
    theirs = [Note.read(text) for (text,) in found]
    if ours is None or len(theirs) != now - snapshot:
        raise Moved
    if any(note.run == ours.run or note.name == ours.name for note in theirs):
        raise Moved
    last = theirs[-1]
    models = frozenset(model for note in theirs for model in note.models)
    return Place(last.seq + 1 - ours.seq, last.at, models)
