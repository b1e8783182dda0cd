"""`python -m benchmarks.bootstrap [RUNS]`: intervals of every number of many runs.

jevdb draws 2,000 replicates of 1,500 items and gives I, C and every typed metric, in
three report rows, its interval, from the selection on: terms, weights, tallies, values,
quantiles. The first alternative is the loop that comes to mind: draw items, index, and
average with numpy, run by run; it does accuracy, Brier, NLL, TVD and one ECE of one
report row, for a hundredth of the replicates, and its time is scaled up by a hundred.
The second is a floor: a bare product of the same weights with as many columns. Each is
the best of three in one process.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.world import build
from jevdb.comparison.bootstrap import bootstrap
from jevdb.comparison.tallying import COUNTS, UNITS, tally
from jevdb.numerics.resampling import (
    REPLICATES,
    percentile_intervals,
    resampled,
    unscaled,
)
from jevdb.scoring.selection import Selection, selected
from jevdb.scoring.terms import Terms, read_terms
from jevdb.warehouse.database import open_reader

SHARE = 100
REPEATS = 3
BINS = 10


def main(runs: int = 50) -> None:
    """Build the world, time the three, print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Path(folder) / "world.duckdb"
        build(warehouse, runs)
        with (
            open_reader(warehouse) as connection,
            selected(connection, Selection(methods=["metrics-md"])),
        ):
            [terms] = read_terms(connection)
            weights = resampled(terms.items.blocks).counts

            def ours() -> None:
                for values in bootstrap(connection).values.values():
                    percentile_intervals(values)

            seconds = best(ours)
            loop = best(lambda: looped(terms, weights[: REPLICATES // SHARE])) * SHARE
            columns = n_columns(terms)
            drawn = weights.astype(np.float64)
            matrix = np.ones((drawn.shape[1], columns))
            floor = best(lambda: drawn @ matrix)
    print(f"\n{runs} runs x 1,500 items, {REPLICATES:,} replicates, every number")
    print(f"  {'jevdb':<56}{seconds:8.2f} s")
    for name, theirs in {
        "numpy loop, 5 metrics of 1 row (a hundredth, x 100)": loop,
        f"bare product with {columns:,} columns": floor,
    }.items():
        print(
            f"  {name:<56}{theirs:8.2f} s   jevdb takes {seconds / theirs:.3g} times "
            "as long"
        )


def best(work: Callable[[], object]) -> float:
    """Return the least wall seconds of several goes."""
    taken = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return min(taken)


def n_columns(terms: Terms) -> int:
    """Return how many columns the tallies have if no stratum's are left out."""
    one = unscaled(np.ones((1, len(terms.items.item_ids)), dtype=np.int64))
    names = [*COUNTS, *UNITS, "top", "yes"]
    found = {
        name
        for stratum in tally(terms, one, slice(0, 1), names)
        for name in stratum.sums
    }
    return len(found) * len(terms.run_ids)


def looped(terms: Terms, weights: Any) -> list[Any]:
    """Return intervals as one would write it first: replicate by replicate."""
    values = {
        name: terms.columns[name] / 2.0**53
        for name in ("squared_error", "total_variation", "likelihood", "top_gap")
    }
    drawn_items = [np.repeat(np.arange(len(row)), row) for row in weights]
    found = np.empty((5, len(terms.run_ids), len(weights)))
    for run in range(len(terms.run_ids)):
        right, bins = terms.columns["n_right"][run], terms.columns["top_bin"][run]
        stated = terms.columns["n_stated"][run]
        compared = terms.columns["n_compared"][run]
        for place, drawn in enumerate(drawn_items):
            n = stated[drawn].sum()
            gaps = np.bincount(bins[drawn] + 1, values["top_gap"][run][drawn], BINS + 1)
            found[:, run, place] = (
                right[drawn].mean(),
                values["squared_error"][run][drawn].sum() / n,
                values["likelihood"][run][drawn].sum() / n,
                values["total_variation"][run][drawn].sum() / compared[drawn].sum(),
                np.abs(gaps[1:]).sum() / n,
            )
    return [np.quantile(metric, [0.025, 0.975], axis=1) for metric in found]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
