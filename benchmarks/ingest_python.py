"""An alternative: a loop over `json.loads` into SQLite, sums checked on the way."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path


def rows(source: str) -> Iterator[tuple[object, ...]]:
    """Yield the rows, refusing a distribution that does not sum to 1."""
    with open(source, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if abs(sum(row["probabilities"].values()) - 1) > 0.02:
                raise SystemExit(f"bad sum: {line}")
            yield (
                row["item_id"],
                row["answer"],
                json.dumps(row["probabilities"]),
                row["latency_s"],
                row["input_tokens"],
            )


def main(source: str, target: str) -> None:
    """Load *source* into a fresh table."""
    Path(target).unlink(missing_ok=True)
    with sqlite3.connect(target) as connection:
        connection.execute(
            "create table predictions (item_id text primary key, answer text, "
            "probabilities text, latency_s real, input_tokens integer)"
        )
        connection.executemany(
            "insert into predictions values (?, ?, ?, ?, ?)", rows(source)
        )


if __name__ == "__main__":
    main(*sys.argv[1:3])
