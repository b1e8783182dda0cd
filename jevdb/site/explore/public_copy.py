"""A copy of the warehouse for everybody: only what the site shows, table by table.

What a table may give is written down here, column by column where it holds more than
that; what is not written down stays behind. So a new table, or a new column with a path
in it, is not published by oversight.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.warehouse.database import open_reader, open_writer, transaction
from jevdb.warehouse.fresh import make
from jevdb.warehouse.sqlfiles import identifier, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jevdb.base.connection import Connection

PUBLISHED: dict[str, tuple[str, tuple[str, ...]]] = {
    "benchmarks": (
        "benchmark_id in (select benchmark_id from shown)",
        ("benchmark_id", "name", "version", "source", "scoring", "seq"),
    ),
    "items": (
        "benchmark_id in (select benchmark_id from shown)",
        (
            *("benchmark_id", "item_id", "type", "modality", "tier", "family"),
            *("domain", "options", "seq", "group", "level_values", "positive"),
        ),
    ),
    "gold_revisions": (
        "benchmark_id in (select benchmark_id from shown)",
        ("benchmark_id", "gold_revision", "seq"),
    ),
    "golds": (
        "benchmark_id in (select benchmark_id from shown)",
        (
            *("benchmark_id", "gold_revision", "item_id", "label_index", "labels"),
            *("reference", "seq"),
        ),
    ),
    "models": (
        "model_id in (select model_id from source.main.runs "
        "where run_id in (select run_id from shown_runs))",
        (
            *("model_id", "name", "revision", "provider", "open_weights"),
            *("parameters", "seq"),
        ),
    ),
    "runs": (
        "run_id in (select run_id from shown_runs)",
        (
            *("run_id", "benchmark_id", "model_id", "label", "started_at"),
            *("unsupported_types", "n_rows", "n_ok", "n_invalid", "n_unsupported"),
            *("n_error", "n_duplicate", "n_rejected", "rows_sha256", "seq"),
            "n_repeats",
        ),
    ),
    "predictions": (
        "run_id in (select run_id from shown_runs)",
        (
            *("run_id", "item_id", "repeat", "status", "reason", "label_index"),
            *("labels", "level", "probabilities", "renormalized"),
            *("answer_mismatch", "attempts"),
        ),
    ),
    "ingests": (
        "seq in (select seq from public.main.runs union select seq from "
        "public.main.items union select seq from public.main.golds "
        "union select seq from public.main.models union select 0)",
        ("seq", "ingest_id", "ingested_at", "kind", "jevdb_version"),
    ),
}
"""The tables that are published: which of their rows, and which columns."""
ALIKE = ("methods", "tier_weights", "scorings", "scope_versions")
"""Tables that say how is scored: published as they are."""


def write_copy(
    source: Path, path: Path, benchmarks: Sequence[str], runs: Sequence[str]
) -> None:
    """Write the copy of the warehouse at *source* to *path*, where there is no file."""
    make(path)
    with open_writer(path, outward=True, by_jevdb=True) as connection:
        connection.execute(f"attach {quoted(str(source))} as source (read_only)")
        name = connection.execute("select current_database()").fetchall()[0][0]
        for table, values in (("shown", benchmarks), ("shown_runs", runs)):
            column = "benchmark_id" if table == "shown" else "run_id"
            connection.execute(
                f"create temp table {table} as "
                f"select unnest(cast($values as varchar[])) as {column}",
                {"values": list(values)},
            )
        with transaction(connection):
            for table in ALIKE:
                _replace(connection, name, table, "true", None)
            of_shown = PUBLISHED["benchmarks"][0]
            _replace(connection, name, "report_rows", of_shown, None)
            for table, (condition, columns) in PUBLISHED.items():
                here = condition.replace("public.", f"{identifier(name)}.")
                _replace(connection, name, table, here, columns)
        connection.execute("detach source")
        connection.execute("checkpoint")


def _replace(
    connection: Connection,
    name: str,
    table: str,
    condition: str,
    columns: tuple[str, ...] | None,
) -> None:
    place = f"{identifier(name)}.main.{identifier(table)}"
    listed = "*" if columns is None else ", ".join(map(identifier, columns))
    connection.execute(f"delete from {place}")
    connection.execute(
        f"insert into {place} by name select {listed} from source.main."
        f"{identifier(table)} where {condition} order by all"
    )


def digests(path: Path) -> dict[str, str]:
    """Return the SHA-256 of the rows of every table of a copy, by table.

    The file itself is not the same bytes each time; its rows are.
    """
    with open_reader(path) as connection:
        tables = connection.execute(
            "select table_name from duckdb_tables() "
            "where schema_name = 'main' and not internal and not temporary "
            "order by table_name"
        ).fetchall()
        found = {}
        for (table,) in tables:
            rows = connection.execute(
                f"select * from main.{identifier(table)} order by all"
            ).fetchall()
            text = json.dumps(rows, default=str, ensure_ascii=True)
            found[table] = hashlib.sha256(text.encode()).hexdigest()
    return found
