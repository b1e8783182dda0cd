"""`python -m benchmarks.suites [MEMBERS] [ENTRANTS] [ITEMS]`: a whole board of a suite.

137 benchmarks of 300 items, 60 entrants: 2.5 million answers. Timed is what the command
does from the file on: scores, intervals and ranks, by the mean over areas (analytic)
and by Borda points (2,000 resamples). The rows are made in SQL, not ingested.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from jevdb.api.warehouse import Warehouse
from jevdb.base.connection import Connection
from jevdb.warehouse.database import open_writer

MEMBERS, ENTRANTS, ITEMS = 137, 60, 300
AREAS = ("choice", "noul", "score")

WORLD = """
insert into benchmarks (benchmark_id, name, scoring, seq)
select 'b' || b, 'b' || b, 'generic', 0 from range({members}) as t (b);

insert into gold_revisions (benchmark_id, gold_revision, seq)
select 'b' || b, 1, 0 from range({members}) as t (b);

insert into items (benchmark_id, item_id, type, modality, options, seq)
select 'b' || b, 'i' || i, 'choice', 'text', ['a', 'b', 'c', 'd'], 0
from range({members}) as t (b), range({items}) as u (i);

insert into golds (benchmark_id, gold_revision, item_id, label_index, seq)
select 'b' || b, 1, 'i' || i, (b + i) % 4, 0
from range({members}) as t (b), range({items}) as u (i);

insert into models (model_id, name, seq)
select 'm' || m, 'm' || m, 0 from range({entrants}) as t (m);

insert into runs (
    run_id, benchmark_id, model_id, unsupported_types, n_rows, n_ok, n_invalid,
    n_unsupported, n_error, n_duplicate, n_rejected, rows_sha256, seq
)
select
    sha256(b || '/' || m), 'b' || b, 'm' || m, [], {items}, {items}, 0, 0, 0, 0, 0, '',
    0
from range({members}) as t (b), range({entrants}) as u (m);

insert into predictions (
    run_id, item_id, status, probabilities, renormalized, answer_mismatch, attempts
)
select
    sha256(b || '/' || m), 'i' || i, 'ok',
    case
        when (hash(b, m, i) % 1000) / 1000 < 0.4 + 0.3 * m / {entrants}
            + 0.2 * (hash(b, i) % 1000) / 1000
            then [if(k = (b + i) % 4, 0.7, 0.1) for k in range(4)]
        else [if(k = (b + i + 1) % 4, 0.7, 0.1) for k in range(4)]
    end,
    false, false, 1
from range({members}) as t (b), range({entrants}) as u (m), range({items}) as v (i)
"""


def main(members: int = MEMBERS, entrants: int = ENTRANTS, items: int = ITEMS) -> None:
    """Build the world, time the boards, print them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.duckdb"
        with open_writer(path, create=True) as connection:
            fill(connection, members, entrants, items)
        print(f"{members} benchmarks x {entrants} entrants x {items} items")
        for rule in ("areas", "borda"):
            text = suite(rule, members)
            file = Path(folder) / f"{rule}.toml"
            file.write_text(text, "utf-8")
            Warehouse(path, read_only=False).add_suite(file)
            started, used = time.perf_counter(), _processor_time()
            board = Warehouse(path).suite(f"by-{rule}")
            wall, cpu = time.perf_counter() - started, _processor_time() - used
            assert len(board.ranked) == entrants
            assert all(entry.interval for entry in board.ranked)
            print(f"  {rule:<6} {wall:6.2f} s, {cpu:6.2f} s of processor time")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  peak memory {peak:,.0f} MB")


def fill(connection: Connection, members: int, entrants: int, items: int) -> None:
    """Store the benchmarks, runs and answers."""
    connection.execute(
        WORLD.format(members=members, entrants=entrants, items=items)
    ).fetchall()


def suite(rule: str, members: int) -> str:
    """Return a suite over the first *members* benchmarks."""
    lines = [f'name = "by-{rule}"', 'version = "1"', f'aggregate = "{rule}"']
    for place in range(members):
        lines += [
            *("[[member]]", f'benchmark = "b{place}"', 'metric = "accuracy"'),
            *('transform = "skill"', 'base = "best_fixed"', "clip = true"),
            f'area = "{AREAS[place % len(AREAS)]}"',
        ]
    return "\n".join(lines)


def _processor_time() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
