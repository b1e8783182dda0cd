"""`python -m benchmarks.scale [RUNS]`: what kept tallies save, and what they cost.

Processor seconds of whole processes on a world of made-up runs over 1,500 items, each
beside what it is held to in the same run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import CHECKOUT, JEVDB
from benchmarks.world import build
from jevdb.warehouse.database import open_writer, transaction

NAMED = """
create temp table named as
with digested as ({digests})
select
    runs.run_id as old_id,
    digested.rows_sha256,
    run_digest(
        runs.benchmark_id, models.name, models.revision, runs.label,
        runs.unsupported_types, digested.rows_sha256
    ) as run_id,
    digested.n_rows
from runs
inner join models on runs.model_id = models.model_id
inner join digested on runs.run_id = digested.run_id
"""
DIGESTS = """
select
    run_id,
    count(*) as n_rows,
    digest_of(
        prediction_digest(
            item_id, status, reason, label_index, labels, level, probabilities,
            returned, step_probabilities, latency_s, input_tokens, output_tokens,
            cost_usd, error, meta
        ),
        item_id
    ) as rows_sha256
from predictions
group by run_id
"""
RENAMED = (
    """
    update predictions set run_id = named.run_id
    from named where predictions.run_id = named.old_id
    """,
    """
    update runs set
        run_id = named.run_id, rows_sha256 = named.rows_sha256,
        n_rows = named.n_rows, n_ok = named.n_rows
    from named where runs.run_id = named.old_id
    """,
)


class Cost(NamedTuple):
    """Processor and wall seconds of a process and its children, and its peak (MB)."""

    processor: float
    wall: float
    megabytes: float

    def __str__(self) -> str:
        return (
            f"{self.processor:7.2f} s, wall {self.wall:6.2f} s {self.megabytes:6.0f} MB"
        )


def cost(*command: str | Path, repeats: int = 3) -> Cost:
    """Run a command, and take the least of its costs."""
    return Cost(*map(min, zip(*(_once(command) for _ in range(repeats)), strict=True)))


def _once(command: Sequence[str | Path]) -> Cost:
    started = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed: {command}")
    wall = time.perf_counter() - started
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def named_after_their_rows(path: Path) -> None:
    """Give made-up runs the ids that their rows give: only such are scored."""
    with open_writer(path) as connection, transaction(connection):
        connection.execute(NAMED.format(digests=DIGESTS))
        for statement in RENAMED:
            connection.execute(statement)
        connection.execute("drop table named")


def main(runs: int = 700) -> None:
    """Build the world, and print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.duckdb"
        build(path, runs)
        named_after_their_rows(path)
        to = (*JEVDB, "--db", path)
        report, export = (*to, "report", "--format", "jsonl"), (*to, "export", "--out")
        export = (*export, Path(folder) / "x.json")
        before = path.stat().st_size
        counting = {"report": cost(*report), "export": cost(*export)}
        rows = f"{runs:,} runs, {runs * 1500:,} answers"
        print(f"{rows}; the file has {before / 2**20:.0f} MB")
        for workers in (1, 2):
            with open_writer(path) as connection:
                connection.execute("delete from kept_tallies")
            on = f"processes:{workers}"
            scoring = cost(*to, "score", "--on", on, repeats=1)
            print(f"  score --on {on}     {scoring}")
        print(f"  the file has {(path.stat().st_size - before) / 2**20:.1f} MB more")
        for name, command in (("report", report), ("export", export)):
            kept = cost(*command)
            ratio = kept.processor / counting[name].processor
            print(f"  {name} counting {counting[name]}")
            print(f"  {name} kept     {kept}   {ratio:.2f} of it")
        with open_writer(path) as connection:
            connection.execute(
                "delete from kept_tallies "
                "where run_id = (select run_id from runs order by seq limit 1)"
            )
        print(f"  report, one run not kept {cost(*report)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
