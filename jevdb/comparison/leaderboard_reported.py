"""Published results that stand beside a leaderboard, marked; ranked only if asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.text import short_id
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.base.metrics import Number


class Reported(NamedTuple):
    """A published result: the number as reported, over all rows of the benchmark.

    Null where its publisher does not give the number, or defines it another way.
    """

    model: str
    revision: str | None
    tags: Sequence[str]
    value: float | None
    n: int
    coverage: float | None
    accuracy: float | None
    intelligence: float | None
    result_sha256: str

    @property
    def name(self) -> str:
        """The model, its revision (short, if it is a commit) and tags."""
        revision = "" if self.revision is None else f"@{short_id(self.revision)}"
        return "".join([self.model, revision, *(f"#{tag}" for tag in self.tags)])

    @property
    def note(self) -> str:
        """Where it comes from, in words."""
        return f"as reported, result {short_id(self.result_sha256)}"


def read_reported(
    connection: Connection, benchmark_id: str, number: Number
) -> list[Reported]:
    """Return the published results of a benchmark, best first."""
    metric = number.metric if number.kind == "all" else None
    rows = connection.execute(
        query("comparison/leaderboard_reported"),
        {"benchmark": benchmark_id, "metric": metric},
    ).fetchall()
    return [Reported(*row) for row in rows]
