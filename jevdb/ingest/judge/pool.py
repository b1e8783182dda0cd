"""The scratch database of judges, and its judges of groups that wait for work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.ingest.benchmark import Benchmark
from jevdb.ingest.judge.group_judge import Asking, GroupJudge
from jevdb.warehouse.connecting import open_scratch
from jevdb.warehouse.settings import limit_memory

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

MEMORY = "512MB"


class JudgePool:
    """What the judges of one run have, or of many runs of one benchmark in turn.

    To make a judge of groups takes as long as to judge a thousand rows.
    """

    def __init__(self, benchmark: Benchmark):
        self._benchmark = benchmark
        self._idle: dict[Asking, list[GroupJudge]] = {}
        self._database = open_scratch()
        # What does not fit is sorted on disk.
        limit_memory(self._database, MEMORY)

    def scratch(self) -> Connection:
        """Return a connection for the next run, set up for judging."""
        scratch = self._database.cursor()
        # The reader keeps the other core busy, and with two threads rows and digests
        # would come in orders of their own.
        scratch.execute("set threads = 1")
        # Nothing tells DuckDB how many rows a batch of Arrow has: queries say by their
        # order which side of a join is the small one.
        scratch.execute("set disabled_optimizers = 'join_order,build_side_probe_side'")
        return scratch

    def take(self, asking: Asking) -> GroupJudge:
        """Return a judge that nobody has, a new one if need be."""
        try:
            return self._idle[asking].pop()
        except (KeyError, IndexError):
            return GroupJudge(self._database.cursor(), self._benchmark, asking)

    def give_back(self, asking: Asking, judge: GroupJudge) -> None:
        """Have the judge wait for more work."""
        self._idle.setdefault(asking, []).append(judge)

    def close(self) -> None:
        """Let go of the database, and of all that wait."""
        self._database.close()
