"""`python -m benchmarks.score [RUNS]`: the whole report of many runs, three ways.

jevdb's process reads a warehouse file and prints every report row under two methods.
The numpy script reads the same rows from Parquet, its natural home, and computes one
method's numbers. The pure-Python script reads JSONL, a dict a row, of a tenth of the
runs, and computes all of them; its time is scaled up by ten.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.measure import JEVDB, Cost, compare, cost
from benchmarks.world import build
from jevdb.warehouse.database import open_reader

ITEMS = (
    "select items.*, golds.label_index, golds.labels, golds.reference "
    "from items inner join golds using (benchmark_id, item_id)"
)
PREDICTIONS = (
    "select run_id, item_id, status, label_index, labels, level, probabilities "
    "from predictions"
)
SHARE = 10


def main(runs: int = 700) -> None:
    """Build the world, run the three, print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        warehouse = place / "world.duckdb"
        build(warehouse, runs)
        with open_reader(warehouse, outward=True) as connection:
            for name, query in {
                "items.parquet": ITEMS,
                "predictions.parquet": PREDICTIONS,
                "items.jsonl": ITEMS,
                "predictions.jsonl": f"{PREDICTIONS} where run_id in "
                f"(select run_id from runs order by seq limit {runs // SHARE})",
            }.items():
                kind = "parquet" if name.endswith("parquet") else "json"
                connection.execute(
                    f"copy ({query}) to '{place / name}' (format {kind})"
                )
        methods = ("--method", "metrics-md", "--method", "jevbench-v1.5")
        report = (*JEVDB, "--db", warehouse, "report", "--format", "jsonl", *methods)
        script = (sys.executable, "-m", "benchmarks.score_numpy")
        loop = (sys.executable, "-m", "benchmarks.score_python")
        rows = (place / "items.jsonl", place / "predictions.jsonl")
        a_tenth = cost((*loop, *rows), 1)
        compare(
            f"report of {runs} runs x 1,500 items, whole processes",
            cost(report),
            {
                "vectorised numpy script over Parquet": cost(
                    (*script, place / "items.parquet", place / "predictions.parquet")
                ),
                "pure Python over JSONL (a tenth, x 10)": Cost(
                    a_tenth.seconds * SHARE, a_tenth.megabytes
                ),
            },
        )
        one = "select run_id from runs order by seq limit 1"
        with open_reader(warehouse) as connection:
            run_id = connection.execute(one).fetchall()[0][0]
        compare(
            "report of one run of them, and the help",
            cost((*JEVDB, "--db", warehouse, "report", "--run", run_id)),
            {"jevdb --help": cost((*JEVDB, "--help"))},
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
