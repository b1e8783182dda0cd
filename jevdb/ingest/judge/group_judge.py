"""One group of staged predictions at a time, held against the items they answer.

Everything SCORING.md §2 says about a single row is SQL over a group.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.arrow import register
from jevdb.base.errors import Problem
from jevdb.ingest.benchmark import Benchmark
from jevdb.ingest.converting.naming import has_numeral_names
from jevdb.ingest.judge.staging import empty_stage
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    import pyarrow as pa

    from jevdb.base.connection import Connection

VIEWS = ("aligned", "resolved", "judged")


class Judged(NamedTuple):
    """The rows of a group as they are stored, each with its digest, and its faults."""

    rows: pa.Table
    problems: list[Problem]
    strays: list[pa.Table]


class Asking(NamedTuple):
    """What of the options of a run its judge has to know.

    ``reads_levels`` and ``reads_nouls``: what numbers say of a level, and lists of yes
    and no, was said. ``allows_invalid``: another type of answer is an invalid one.
    """

    unsupported: tuple[str, ...] = ()
    reads_levels: bool = False
    reads_nouls: bool = False
    allows_invalid: bool = False


class GroupJudge:
    """Judges groups on a connection of its own to the scratch database."""

    def __init__(self, connection: Connection, benchmark: Benchmark, asking: Asking):
        self._connection = connection
        self._parameters = {
            "benchmark_id": benchmark.benchmark_id,
            "unsupported_types": list(asking.unsupported),
            "reads_levels": asking.reads_levels,
            "allows_invalid": asking.allows_invalid,
        }
        shapes = benchmark.shapes.to_pylist()
        self._asks_noul_order = not asking.reads_nouls and any(
            each["type"] == "noul" for each in shapes
        )
        self._numeral_shapes = [
            each["shape"]
            for each in shapes
            if each["type"] == "score"
            and not asking.reads_levels
            and has_numeral_names(each["options"])
        ]
        register(connection, "asked", benchmark.items)
        register(connection, "shapes", benchmark.shapes)
        self._stage(*empty_stage())
        connection.execute(query("ingest/alignments"))
        for view in VIEWS:
            statement = query(f"ingest/{view}")
            connection.execute(f"create temp view ingest_{view} as {statement}")

    def judge(self, rows: pa.Table, key_sets: pa.Table) -> Judged:
        """Return what staged rows are; their key sets are numbered in *key_sets*."""
        self._stage(rows, key_sets)
        run = self._connection.execute
        faults = run(query("ingest/faults"), self._parameters).fetchall()
        run(query("ingest/alignments"))
        # Arrow stays as it is until it is stored: no table is filled in between.
        judged = run("from ingest_judged").to_arrow_table()
        register(self._connection, "undigested", judged)
        digests = run(query("ingest/digests")).to_arrow_table()
        return Judged(
            judged.append_column("digest", digests["digest"]),
            [Problem(*fault) for fault in faults],
            [*self._strays(judged), *self._ambiguous(rows)],
        )

    def _strays(self, judged: pa.Table) -> Iterator[pa.Table]:
        """Yield the rows that are invalid by their values, if there are any."""
        if judged["reason"].null_count < judged.num_rows:
            yield self._connection.execute(query("ingest/strays")).to_arrow_table()

    def _ambiguous(self, rows: pa.Table) -> Iterator[pa.Table]:
        """Yield the rows of two meanings, where the group can have some."""
        n_lists = rows["key_set"].null_count - rows["given"].null_count
        asks_order = self._asks_noul_order and n_lists > 0
        if asks_order or self._numeral_shapes:
            found = self._connection.execute(
                query("ingest/ambiguous"),
                {
                    "asks_noul_order": asks_order,
                    "numeral_shapes": self._numeral_shapes,
                },
            )
            yield found.to_arrow_table()

    def _stage(self, rows: pa.Table, key_sets: pa.Table) -> None:
        register = self._connection.register
        register("staged_ids", rows.select(["position", "item_id"]))
        placed = self._connection.execute(query("ingest/placed")).to_arrow_table()
        register("staged_rows", rows.append_column("shape", placed["shape"]))
        register("staged_key_sets", key_sets)
