"""A small warehouse with a run, made by the commands, and another run's answers."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import duckdb
from commandline import jevdb

from jevdb.warehouse.connecting import log_of

ITEMS = 400
BENCHMARK = ("--benchmark", "bench")


class Scene(NamedTuple):
    """A warehouse with the run of `first`, and the answers of `second`."""

    path: Path
    items: Path
    answers: Path


def write_lines(path: Path, records: Iterable[dict[str, object]]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def make_scene(template: Path, folder: Path) -> Scene:
    path = folder / "base.duckdb"
    shutil.copyfile(template, path)
    names = [f"i{number}" for number in range(ITEMS)]
    options = [f"option {letter}" for letter in "abcde"]
    item = {"type": "choice", "options": options, "gold": options[0]}
    items = write_lines(
        folder / "items.jsonl", ({"item_id": name, **item} for name in names)
    )
    assert jevdb(path, "ingest", "items", str(items), *BENCHMARK).exit_code == 0
    first, second = (write_answers(folder, names, model) for model in (1, 2))
    stored = jevdb(path, *ingest(first, "first"))
    assert stored.exit_code == 0, stored.stderr
    return Scene(path, items, second)


def write_answers(folder: Path, names: list[str], seed: int) -> Path:
    """Write answers that differ with the seed."""
    dice = random.Random(seed)
    tops = [dice.uniform(0.2, 1) for _ in names]
    return write_lines(
        folder / f"{seed}.jsonl",
        (
            {"item_id": name, "probabilities": [top, *[(1 - top) / 4] * 4]}
            for name, top in zip(names, tops, strict=True)
        ),
    )


def ingest(answers: Path, model: str = "second") -> list[str]:
    return ["ingest", "run", str(answers), *BENCHMARK, "--model", model]


def exported(path: Path) -> str:
    result = jevdb(path, "export", "--out", "-")
    assert result.exit_code == 0, result.stderr
    return result.stdout


def stored(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables, without when they came and the ingests' ids."""
    with duckdb.connect(str(path), read_only=True) as connection:
        tables = connection.execute(
            "select table_name, string_agg(format('\"{}\"', column_name), ', ') "
            "from duckdb_columns() semi join duckdb_tables() using (table_oid) "
            "where column_name not in ('ingested_at', 'ingest_id') group by table_name"
        ).fetchall()
        return {
            table: connection.sql(
                f"select {columns} from {table} order by all"
            ).fetchall()
            for table, columns in sorted(tables)
        }


def assert_whole(path: Path) -> None:
    result = jevdb(path, "check")
    assert result.exit_code == 0, result.output


def copied(source: Path, path: Path) -> None:
    """Put a copy at *path*, with the log that belongs to it, or none."""
    for old, new in ((source, path), (log_of(source), log_of(path))):
        new.unlink(missing_ok=True)
        if old.exists():
            shutil.copyfile(old, new)
