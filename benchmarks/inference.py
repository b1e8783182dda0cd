"""`python -m benchmarks.inference [RUNS]`: what all pairs of many runs cost.

jevdb compares every pair of RUNS runs over 1,500 items by I, from the selection on:
terms, influences, variances, verdicts, ranks; then a whole board as the command gives
it. The alternative is what one would write first: a numpy bootstrap of 2,000 replicates
of two runs' accuracy, item by item, times the pairs. Where `errorbars` is installed its
paired comparison of accuracy stands beside; it has none of I. Each is the best of three
in one process.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.world import build
from jevdb.api.warehouse import Warehouse
from jevdb.comparison.all_pairs import all_pairs
from jevdb.comparison.paired import one_row, paired
from jevdb.comparison.standing import standings
from jevdb.scoring.keys import Key
from jevdb.scoring.selection import Selection
from jevdb.warehouse.database import open_reader

METHOD = "metrics-md"
REPLICATES = 2000
REPEATS = 3
BY = (("accuracy", "all"), ("intelligence", "all"), ("brier", "all"))


def main(runs: int = 50) -> None:
    """Build the world, time the ways, print them."""
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Path(folder) / "world.duckdb"
        build(warehouse, runs)
        seconds, right = pairs_of(warehouse)
        with Warehouse(warehouse) as opened:
            [benchmark] = {run.benchmark_id for run in opened.runs()}
            board = best(lambda: opened.leaderboard(benchmark))
    n_pairs = runs * (runs - 1) // 2
    print(f"\n{runs} runs x {right.shape[1]:,} items, {n_pairs:,} pairs")
    for name, taken in seconds.items():
        print(f"  {f'jevdb, all pairs by {name}, without reading':<58}{taken:8.3f} s")
    print(f"  {'jevdb, a board by I, from the file on':<58}{board:8.3f} s")
    loop = best(lambda: resampled_pair(right[0], right[1])) * n_pairs
    print(f"  {'numpy bootstrap of one pair, x pairs':<58}{loop:8.3f} s")
    for line in beside(right):
        print(line)


def pairs_of(warehouse: Path) -> tuple[dict[str, float], Any]:
    """Return seconds per number, and who got what right."""
    seconds = {}
    with (
        open_reader(warehouse) as connection,
        paired(connection, Selection(methods=[METHOD]), one_row(None)) as scores,
    ):
        [row] = scores.report_rows
        run_ids = sorted({run_id for run_id, _ in scores.values})
        for metric, kind in BY:
            key = Key(row, METHOD, metric, kind)
            values = [scores.value(run_id, key).value or 0.0 for run_id in run_ids]

            def ours(key: Key = key, values: list[float] = values) -> None:
                tested = all_pairs(scores.evidence, key, run_ids, values)
                standings(values, tested, values)

            seconds[metric] = best(ours)
        key = Key(row, METHOD, "accuracy", "all")
        return seconds, scores.evidence.right(key, run_ids)


def best(work: Callable[[], object]) -> float:
    """Return the least wall seconds of several goes."""
    taken = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return min(taken)


def resampled_pair(one: Any, two: Any) -> Any:
    """Return the interval of a difference as one would write it first."""
    random = np.random.default_rng(1)
    drawn = random.integers(0, len(one), (REPLICATES, len(one)))
    return np.quantile((two[drawn] - one[drawn]).mean(axis=1), [0.025, 0.975])


def beside(right: Any) -> list[str]:
    """Return what `errorbars` says of the first two runs, if it is installed."""
    if find_spec("errorbars") is None:
        return ["  (errorbars is not installed)"]
    compare = import_module("errorbars.compare").paired_compare
    seconds = best(lambda: compare(right[0], right[1]))
    pairs = len(right) * (len(right) - 1) // 2
    name = "errorbars, accuracy of one pair, x pairs"
    return [f"  {name:<58}{seconds * pairs:8.3f} s"]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
