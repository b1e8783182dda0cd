"""Tallies of some runs, counted anywhere: by a function of bytes, which returns Arrow.

A `Task` is all that tallies follow from, and nothing else: the rows of some runs of one
benchmark, its sheet and the rules. It names no file, no catalog and no secret, so that
any process of any machine that has this jevdb can do it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from jevdb.base.arrow import register
from jevdb.base.errors import JevdbError
from jevdb.base.version import __version__
from jevdb.scoring.kept_form import judging, judging_sha256, packing
from jevdb.warehouse.connecting import open_scratch
from jevdb.warehouse.sqlfiles import program

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

CODEC = "zstd"
TABLES = ("golden_items", "strata", "run_rules", "runs", "models", "predictions")
PROOF = "wrong_run_digests"
"""The check that holds rows to their digest, and with the names to the run's id."""


class Task(NamedTuple):
    """What the tallies of some runs of one benchmark follow from.

    ``tables`` are streams of Arrow, in the order of `TABLES`; ``judging_sha256`` says
    by which SQL they are to be counted. The first four fields name the task.
    """

    judging_sha256: str
    sheet_sha256: str
    run_ids: tuple[str, ...]
    n_rows: int
    tables: tuple[bytes, ...]
    threads: int | None = None


class Tallied(NamedTuple):
    """What came of a task: the tallies that are proved, and what is wrong with others.

    ``tallies`` has a row per run and rule: run_id, rule_sha256, sizes, keys, counts,
    sums and cells_sha256; ``faults`` are the runs whose rows do not give their id, with
    why. Neither says in what order.
    """

    judging_sha256: str
    sheet_sha256: str
    run_ids: tuple[str, ...]
    n_rows: int
    tallies: pa.Table
    faults: tuple[tuple[str, str], ...]


Tally = Callable[[Task], Tallied]
Map = Callable[[Tally, Iterable[Task]], Iterable[Tallied]]
"""What does tasks, anywhere; results come in any order."""


class OtherVersion(JevdbError):
    """The jevdb or DuckDB that is to count is not the one that asks."""


def tally(task: Task) -> Tallied:
    """Count the tallies of a task, if its rows are those that its runs are named by.

    Raises
    ------
    OtherVersion
        This jevdb, or its DuckDB, counts by other SQL. Nothing was read.
    """
    import duckdb

    if task.judging_sha256 != judging_sha256():
        raise OtherVersion(
            f"a worker has jevdb {__version__} with DuckDB {duckdb.__version__}, which "
            "counts otherwise than the jevdb that asks it; install the same of both on "
            "all machines"
        )
    with closing(open_scratch()) as connection:
        if task.threads:
            connection.execute(f"set threads = {task.threads:d}")
        for name, stream in zip(TABLES, task.tables, strict=True):
            _load(connection, name, stream)
        faults = _faults(connection)
        if faults:
            connection.execute(
                "delete from runs where 'run ' || run_id in (select unnest($wrong))",
                {"wrong": [subject for subject, _ in faults]},
            )
        connection.execute("create view rules as from run_rules")
        for item in judging():
            if item.kind == "view":
                connection.execute(next(item.statements))
        found = connection.execute(packing()).to_arrow_table()
    return Tallied(*task[:4], found, tuple(faults))


def in_this_process(tally: Tally, tasks: Iterable[Task]) -> Iterable[Tallied]:
    """Do one task after the other, here."""
    return map(tally, tasks)


def packed(table: pa.Table) -> bytes:
    """Return a table as a stream of Arrow."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=CODEC)
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def _load(connection: Connection, name: str, stream: bytes) -> None:
    with pa.ipc.open_stream(stream) as reader:
        register(connection, "incoming", reader.read_all())
    connection.execute(f"create table {name} as from incoming")
    connection.unregister("incoming")


def _faults(connection: Connection) -> list[tuple[str, str]]:
    [proof] = [item.body for item in program() if item.name == PROOF]
    rows = connection.execute(f"select * from ({proof}) order by all").fetchall()
    return [(str(subject), str(detail)) for subject, detail in rows]
