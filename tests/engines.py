"""Scores the demo on an engine, whose first worker kills itself; prints a digest.

Run as ``python engines.py WAREHOUSE MARKER ENGINE``; the marker says that one is dead.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from contextlib import ExitStack
from pathlib import Path

import duckdb

import jevdb
from jevdb.scoring.engines import engine_of
from jevdb.scoring.tallying import Tallied, Task, tally

KEPT = """
    select run_id, sheet_sha256, rule_sha256, judging_sha256, cells_sha256
    from kept_tallies
    order by all
"""


def fragile(task: Task) -> Tallied:
    """Count, unless nobody has died yet."""
    try:
        Path(os.environ["MARKER"]).touch(exist_ok=False)
    except FileExistsError:
        return tally(task)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nobody gets here")


def score(path: str, marker: str, on: str) -> str:
    """Return the digest of what is kept when an engine has counted."""
    # Workers have it from us.
    os.environ["MARKER"] = marker
    with duckdb.connect(path) as connection:
        connection.execute("delete from kept_tallies")
    with ExitStack() as stack:
        if on == "dask":
            from distributed import LocalCluster

            cluster = LocalCluster(n_workers=2, threads_per_worker=1)
            on = f"dask:{stack.enter_context(cluster).scheduler_address}"
        engine = stack.enter_context(engine_of(on))
        with jevdb.open(path, read_only=False) as warehouse:
            done = warehouse.score(map=lambda _, tasks: engine.map(fragile, tasks))
    assert (done.n_counted, done.passed) == (5, True), done
    assert Path(marker).exists()
    with duckdb.connect(path, read_only=True) as connection:
        return hashlib.sha256(
            str(connection.execute(KEPT).fetchall()).encode()
        ).hexdigest()


if __name__ == "__main__":
    print(score(*sys.argv[1:]))
