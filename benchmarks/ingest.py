"""`python -m benchmarks.ingest [ROWS]`: one run of many rows into a warehouse.

The measure is a bare strict `read_json` of the same file into a table with the same
primary key: no check beyond types, no alignment, no digest. Each figure is the best of
three whole processes on a fresh copy of a warehouse that has the items. The bounds are
2.0 for canonical rows, 3.0 for JevBench's layout, and 1.5 for compressed files against
our own plain one.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import JEVDB, Cost, compare, cost
from jevdb.base.zstd import zstd
from jevdb.warehouse.files import sync

OPTIONS = [
    ["track_order", "cancel_order", "change_address", "report_damage", "billing"],
    ["approve", "reject", "escalate", "ask_again", "hold"],
    ["none", "low", "some", "high", "full"],
]
REPEATS = 3
Row = dict[str, object]


def main(count: int = 1_000_000) -> None:
    """Make the files, ingest each in every way, print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write(place / "items.jsonl", items(count))
        write(place / "canonical.jsonl", canonical(count))
        write(place / "jevbench.jsonl", (runner_row(row) for row in canonical(count)))
        plain = (place / "canonical.jsonl").read_bytes()
        (place / "canonical.jsonl.gz").write_bytes(gzip.compress(plain, 6))
        (place / "canonical.jsonl.zst").write_bytes(zstd.compress(plain, 3))
        del plain
        empty = place / "items.duckdb"
        cost(jevdb(empty, "items", place / "items.jsonl"), 1)
        report(place, count)


def report(place: Path, count: int) -> None:
    """Run everything and print it."""
    canonical_cost = ingest(place, "canonical.jsonl")
    compare(
        f"{count:,} canonical rows, 5 options",
        canonical_cost,
        alternatives(place, "canonical.jsonl"),
    )
    compare(
        f"{count:,} rows of JevBench's layout",
        ingest(place, "jevbench.jsonl"),
        {"bare strict read_json": bare(place, "jevbench.jsonl")},
    )
    for suffix in ("gz", "zst"):
        compare(
            f"{count:,} canonical rows, .{suffix}",
            ingest(place, f"canonical.jsonl.{suffix}"),
            {"jevdb, the plain file": canonical_cost},
        )


def items(count: int) -> Iterator[Row]:
    """Yield the items that the rows answer."""
    for i in range(count):
        options = OPTIONS[i % len(OPTIONS)]
        gold = options[i % len(options)]
        item = {"item_id": name(i), "type": "choice", "options": options, "gold": gold}
        yield item


def canonical(count: int) -> Iterator[Row]:
    """Yield rows with an answer, a distribution, and what it took."""
    draw = random.Random(20260925)
    for i in range(count):
        options = OPTIONS[i % len(OPTIONS)]
        raw = [draw.random() for _ in options]
        values = [round(value / sum(raw), 6) for value in raw]
        yield {
            "item_id": name(i),
            "answer": max(zip(values, options, strict=True))[1],
            "probabilities": dict(zip(options, values, strict=True)),
            "latency_s": round(draw.random(), 4),
            "input_tokens": draw.randrange(1000),
        }


def runner_row(row: Row) -> Row:
    """Return a canonical row as JevBench's Runner writes it."""
    return {
        "task_id": row["item_id"],
        "family": "made up",
        "status": "ok",
        "ok": True,
        "valid": True,
        "correct": None,
        "predicted": row["answer"],
        "ordinal_ev": None,
        "probs": row["probabilities"],
        "latency_s": row["latency_s"],
        "input_tokens": row["input_tokens"],
    }


def name(i: int) -> str:
    """Return the id of the i-th item."""
    return f"item-{i:08d}"


def write(path: Path, records: Iterator[Row]) -> None:
    """Write records as JSON lines."""
    with path.open("w") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def jevdb(warehouse: Path, kind: str, file: Path) -> Sequence[str | Path]:
    """Return the command that ingests *file*."""
    model = ("--model", "m") if kind == "run" else ()
    command = (*JEVDB, "--db", warehouse, "ingest", kind, file, "--benchmark", "b")
    return (*command, *model)


def ingest(place: Path, file: str) -> Cost:
    """Ingest the file into fresh copies of the warehouse; keep the best."""
    costs = []
    for _ in range(REPEATS):
        warehouse = shutil.copyfile(place / "items.duckdb", place / "run.duckdb")
        # Else the command waits for the copy to be on the disk too.
        sync(warehouse)
        costs.append(cost(jevdb(warehouse, "run", place / file), 1))
    return Cost(*map(min, zip(*costs, strict=True)))


def bare(place: Path, file: str) -> Cost:
    """Load the file with DuckDB alone."""
    return cost(loader("ingest_bare", place / file, place / "bare.duckdb"), REPEATS)


def alternatives(place: Path, file: str) -> dict[str, Cost]:
    """Load the file in the ways a person might, each into a table with the same key."""
    found = {"bare strict read_json": bare(place, file)}
    path, target = place / file, place / "other.sqlite"
    if importlib.util.find_spec("pandas"):
        found["pandas into SQLite"] = cost(loader("ingest_pandas", path, target), 1)
    found["json module into SQLite"] = cost(loader("ingest_python", path, target), 1)
    return found


def loader(module: str, *paths: Path) -> Sequence[str | Path]:
    """Return the command that runs one of the alternatives."""
    return (sys.executable, "-m", f"benchmarks.{module}", *paths)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
