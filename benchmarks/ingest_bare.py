"""The measure: a file of predictions by DuckDB's strict `read_json` alone."""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

COLUMNS = {
    "canonical": "{item_id: 'VARCHAR', answer: 'VARCHAR', "
    "probabilities: 'MAP(VARCHAR, DOUBLE)', latency_s: 'DOUBLE', "
    "input_tokens: 'BIGINT'}",
    "jevbench": "{task_id: 'VARCHAR', predicted: 'VARCHAR', "
    "probs: 'MAP(VARCHAR, DOUBLE)', latency_s: 'DOUBLE', input_tokens: 'BIGINT'}",
}


def main(source: str, target: str) -> None:
    """Load *source* into a fresh table with the key of a run's rows."""
    Path(target).unlink(missing_ok=True)
    columns = COLUMNS[Path(source).name.split(".")[0]]
    with duckdb.connect(target) as connection:
        connection.execute(
            "create table predictions (run_id varchar not null, item_id varchar not "
            "null, answer varchar, probabilities map(varchar, double), latency_s "
            "double, input_tokens bigint, primary key (run_id, item_id))"
        )
        connection.execute(
            f"insert into predictions select repeat('a', 64), * from read_json("
            f"$source, format = 'newline_delimited', columns = {columns})",
            {"source": source},
        )


if __name__ == "__main__":
    main(*sys.argv[1:3])
