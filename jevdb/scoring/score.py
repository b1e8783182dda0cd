"""Scoring ahead: tallies counted once, anywhere, and kept for every later report.

What is to be counted is what a report over these runs would count: their rows, by a
gold, a slicing and the rules of the methods. What is kept already is not counted again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from jevdb.base.arrow import register
from jevdb.base.errors import JevdbError
from jevdb.scoring.kept import (
    RULES,
    Sealed,
    find_believed,
    forget_believed,
    forget_keys,
    lay_out_keys,
)
from jevdb.scoring.kept_form import judging_sha256
from jevdb.scoring.selection import Selection, laid_out
from jevdb.scoring.tallying import Tallied, Task, packed
from jevdb.warehouse.database import transaction
from jevdb.warehouse.sqlfiles import query, quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.warehouse.seals import Seal

TASK_ROWS = 250_000
LEAST_ROWS = 20_000
"""A task of fewer rows takes longer to begin than to do."""
CHUNK_ROWS = 2_000_000
"""Rows whose tallies are stored together: what a kill loses at most."""
KEYS = ("run_id", "rule_sha256", "cells_sha256")
OLD = """\
delete from kept_tallies
where sealed_by = '{seal}' and judging_sha256 <> '{judging}'"""


class Wanted(NamedTuple):
    """A run whose tallies are to be counted."""

    run_id: str
    benchmark_id: str
    sheet_sha256: str
    n_rows: int
    n_repeats: int


class Plan(NamedTuple):
    """What of a selection is kept already, and what is to be counted."""

    kept: tuple[Wanted, ...]
    missing: tuple[Wanted, ...]

    @property
    def n_rows(self) -> int:
        """How many rows are to be read."""
        return sum(each.n_rows for each in self.missing)

    def chunks(self, n_workers: int = 1) -> Iterator[list[list[Wanted]]]:
        """Yield tasks, each runs of one sheet, that are done and stored together."""
        most = min(TASK_ROWS, max(LEAST_ROWS, self.n_rows // n_workers + 1))
        chunk: list[list[Wanted]] = []
        rows = 0
        for group in grouped(self.missing, most):
            chunk.append(group)
            rows += sum(each.n_rows for each in group)
            if rows >= CHUNK_ROWS:
                yield chunk
                chunk, rows = [], 0
        if chunk:
            yield chunk


def grouped(wanted: Iterable[Wanted], most: int = TASK_ROWS) -> Iterator[list[Wanted]]:
    """Yield runs of one sheet that have at most so many rows, or are one."""
    group: list[Wanted] = []
    for each in wanted:
        is_full = sum(one.n_rows for one in group) + each.n_rows > most
        if group and (is_full or group[0].sheet_sha256 != each.sheet_sha256):
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def plan(connection: Connection, selection: Selection, *, anew: bool = False) -> Plan:
    """Return what is kept of a selection, and what is to be counted.

    With *anew* all is to be counted, whatever is kept.
    """
    with laid_out(connection, selection):
        believed = [] if anew else find_believed(connection)
        if believed:
            forget_believed(connection)
        lay_out_keys(connection)
        try:
            rows = connection.execute(query("scoring/runs_to_tally")).fetchall()
        finally:
            forget_keys(connection)
    ours = set(believed)
    found = [Wanted(*row) for row in rows]
    return Plan(
        tuple(each for each in found if each.run_id in ours),
        tuple(each for each in found if each.run_id not in ours),
    )


def tasks(
    connection: Connection,
    selection: Selection,
    groups: Sequence[Sequence[Wanted]],
    threads: int | None = None,
) -> list[Task]:
    """Return the tasks of some groups of runs, with all that they need."""
    with laid_out(connection, selection):
        lay_out_keys(connection)
        try:
            return [_task(connection, group, threads) for group in groups]
        finally:
            forget_keys(connection)


def _task(connection: Connection, group: Sequence[Wanted], threads: int | None) -> Task:
    runs = ", ".join(quoted(each.run_id) for each in group)
    benchmark = quoted(group[0].benchmark_id)
    tables = (
        f"select * from golden_items where benchmark_id = {benchmark}",
        f"select * from strata where benchmark_id = {benchmark}",
        f"select * from {RULES}",
        query("scoring/task_runs").replace("$runs", runs),
        query("scoring/task_models").replace("$runs", runs),
        query("scoring/task_rows").replace("$runs", runs),
    )
    found = [connection.execute(sql).to_arrow_table() for sql in tables]
    return Task(
        judging_sha256(),
        group[0].sheet_sha256,
        tuple(each.run_id for each in group),
        found[-1].num_rows,
        tuple(map(packed, found)),
        threads,
    )


def keep(
    connection: Connection,
    done: Iterable[Tallied],
    wanted: Sequence[Wanted],
    seal: Seal,
) -> None:
    """Store tallies that are not there yet, under this seal.

    Those that the same seal has of other SQL, which nobody asks for again, go.
    """
    repeats = {each.run_id: each.n_repeats for each in wanted}
    with transaction(connection):
        connection.execute(OLD.format(seal=seal.name, judging=judging_sha256()))
        for each in done:
            register(connection, "counted", _sealed(each, repeats, seal))
            connection.execute(query("scoring/kept_tallies_insert"))
            connection.unregister("counted")


def _sealed(done: Tallied, repeats: Mapping[str, int], seal: Seal) -> pa.Table:
    table = done.tallies
    of_run = (table.column(name).to_pylist() for name in KEYS)
    codes = [
        Sealed(run_id, repeats[run_id], done.sheet_sha256, rule, cells).code(seal)
        for run_id, rule, cells in zip(*of_run, strict=True)
    ]
    same = {
        "sheet_sha256": done.sheet_sha256,
        "judging_sha256": judging_sha256(),
        "sealed_by": seal.name,
    }
    for name, value in same.items():
        table = table.append_column(name, pa.array([value] * len(codes), pa.string()))
    return table.append_column("seal", pa.array(codes, pa.string()))


def require_asked(done: Iterable[Tallied], asked: Sequence[Task]) -> list[Tallied]:
    """Return what came of tasks, once each; refuse what nobody asked for.

    Raises
    ------
    JevdbError
        What did the tasks left some out, or gave back others.
    """
    found = list(done)
    if sorted(each[:4] for each in found) != sorted(each[:4] for each in asked):
        raise JevdbError(
            f"{len(asked)} tasks were given away, and what came back is not what came "
            "of each of them, once; nothing of it is kept"
        )
    return found
