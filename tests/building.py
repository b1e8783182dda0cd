"""Builders that fill a warehouse with a benchmark or a run in one line."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from jevdb.base.connection import Connection
from jevdb.warehouse.database import open_writer
from jevdb.warehouse.sqlfiles import identifier

OK = {"status": "ok", "renormalized": False, "answer_mismatch": False, "attempts": 1}
BATCH = 300
_names = itertools.count(1)


@contextmanager
def open_for_a_test(path: Path) -> Iterator[Connection]:
    """Open a file that few will open again: its log is left beside it as it is."""
    with open_writer(path) as connection:
        connection.execute("pragma disable_checkpoint_on_shutdown")
        yield connection


def open_to_fill(path: Path) -> AbstractContextManager[Connection]:
    """Open a file for rows alone: whoever opens it next does not look it through."""
    return open_writer(path, by_jevdb=True)


def insert(
    connection: Connection, table: str, rows: Iterable[Mapping[str, Any]]
) -> None:
    """Insert records, all with the same columns; the others are null."""
    listed = list(rows)
    for start in range(0, len(listed), BATCH):
        batch = listed[start : start + BATCH]
        columns = list(batch[0])
        places = f"({', '.join('?' * len(columns))})"
        connection.execute(
            f"insert into {table} ({', '.join(map(identifier, columns))}) "
            f"values {', '.join([places] * len(batch))}",
            [row[column] for row in batch for column in columns],
        )


def next_seq(connection: Connection, kind: str) -> int:
    """Record one more ingest and return its sequence number."""
    seq = connection.execute("select max(seq) + 1 from ingests").fetchall()[0][0]
    connection.execute(
        "insert into ingests "
        "select $seq, $id, max(ingested_at) + to_seconds(1), $kind, 'test', null "
        "from ingests",
        {"seq": seq, "id": f"test-{seq}", "kind": kind},
    )
    return int(seq)


def add_benchmark(
    connection: Connection,
    items: Iterable[Mapping[str, Any]],
    *,
    scoring: str = "generic",
    benchmark_id: str | None = None,
) -> str:
    """Store items and their gold (the canonical form, ``reference`` as a list)."""
    name = benchmark_id or f"benchmark-{next(_names)}"
    seq = next_seq(connection, "items")
    insert(
        connection,
        "benchmarks",
        [{"benchmark_id": name, "name": name, "scoring": scoring, "seq": seq}],
    )
    insert(
        connection,
        "gold_revisions",
        [{"benchmark_id": name, "gold_revision": 1, "seq": seq}],
    )
    listed = list(items)
    insert(connection, "items", [_item_row(name, item, seq) for item in listed])
    insert(connection, "golds", [_gold_row(name, item, 1, seq) for item in listed])
    return name


def add_gold_revision(
    connection: Connection,
    benchmark_id: str,
    revision: int,
    items: Iterable[Mapping[str, Any]],
) -> None:
    """Store another gold for the items given."""
    seq = next_seq(connection, "items")
    insert(
        connection,
        "gold_revisions",
        [
            {
                "benchmark_id": benchmark_id,
                "gold_revision": revision,
                "reason": "a test's correction",
                "seq": seq,
            }
        ],
    )
    insert(
        connection,
        "golds",
        [_gold_row(benchmark_id, item, revision, seq) for item in items],
    )


def add_run(
    connection: Connection,
    benchmark_id: str,
    predictions: Iterable[Mapping[str, Any]],
    *,
    model: str = "model",
    revision: str | None = None,
    label: str | None = None,
    unsupported: Iterable[str] = (),
    run_id: str | None = None,
    repeats: int = 1,
) -> str:
    """Store a run; ``answer`` is a label, a level, or a list of labels.

    Probabilities are lists in option order, or said by option. Nothing is judged here:
    a row is stored with the status it is given, ``ok`` when it has none, and the flag
    ``renormalized`` where its sum asks for it.
    """
    name = run_id or f"{next(_names):064x}"
    seq = next_seq(connection, "run")
    known = connection.execute(
        "select item_id, type, options from items where benchmark_id = $id",
        {"id": benchmark_id},
    ).fetchall()
    options = {item_id: (kind, labels) for item_id, kind, labels in known}
    rows = [_prediction_row(name, row, *options[row["item_id"]]) for row in predictions]
    statuses = [row["status"] for row in rows]
    _add_model(connection, model, revision, seq)
    insert(
        connection,
        "runs",
        [
            {
                "run_id": name,
                "benchmark_id": benchmark_id,
                "model_id": _model_id(model, revision),
                "label": label,
                "unsupported_types": list(unsupported),
                "n_repeats": repeats,
                "n_rows": len(rows),
                **{
                    f"n_{status}": statuses.count(status)
                    for status in ("ok", "invalid", "unsupported", "error")
                },
                "n_duplicate": 0,
                "n_rejected": 0,
                "rows_sha256": f"rows of {name}",
                "seq": seq,
            }
        ],
    )
    insert(connection, "predictions", rows)
    return name


def _model_id(model: str, revision: str | None) -> str:
    return f"id of {model} {revision}"


def _add_model(
    connection: Connection, model: str, revision: str | None, seq: int
) -> None:
    key = _model_id(model, revision)
    known = connection.execute("from models where model_id = $key", {"key": key})
    if not known.fetchall():
        insert(
            connection,
            "models",
            [{"model_id": key, "name": model, "revision": revision, "seq": seq}],
        )


def item_options(item: Mapping[str, Any]) -> list[str]:
    """The item's options; a noul item has the two it always has."""
    return list(item.get("options") or ["no", "yes"])


def _item_row(benchmark_id: str, item: Mapping[str, Any], seq: int) -> dict[str, Any]:
    return {
        "benchmark_id": benchmark_id,
        "item_id": item["item_id"],
        "type": item["type"],
        "modality": item.get("modality", "text"),
        "tier": item.get("tier"),
        "family": item.get("family"),
        "domain": item.get("domain"),
        "group": item.get("group"),
        "level_values": item.get("values"),
        "positive": item.get("positive"),
        "options": item_options(item),
        "seq": seq,
    }


def _gold_row(
    benchmark_id: str, item: Mapping[str, Any], revision: int, seq: int
) -> dict[str, Any]:
    gold = item["gold"]
    several = item["type"] == "multi_select"
    index = gold if item["type"] == "score" else None
    if index is None and not several:
        index = item_options(item).index(gold)
    return {
        "benchmark_id": benchmark_id,
        "gold_revision": revision,
        "item_id": item["item_id"],
        "label_index": index,
        "labels": list(gold) if several else None,
        "reference": item.get("reference"),
        "seq": seq,
    }


def _prediction_row(
    run_id: str, row: Mapping[str, Any], kind: str, options: list[str]
) -> dict[str, Any]:
    answer = row.get("answer")
    stored = {"run_id": run_id, "item_id": row["item_id"], **OK}
    stored["repeat"] = row.get("repeat", 0)
    stored["status"] = row.get("status", "ok")
    said = row.get("probabilities")
    stored["probabilities"] = (
        [said[option] for option in options] if isinstance(said, Mapping) else said
    )
    total = 0.0
    for value in stored["probabilities"] or [1.0]:
        total += value
    stored["renormalized"] = abs(total - 1) > 0.001 + 1e-9
    for key in ("step_probabilities", "reason", "error"):
        stored[key] = row.get(key)
    stored |= {"labels": None, "level": None, "label_index": None}
    if answer is not None and kind == "multi_select":
        stored["labels"] = list(answer)
    elif answer is not None and kind == "score":
        stored["level"] = answer
    elif answer is not None:
        stored["label_index"] = options.index(answer)
    return stored
