"""Text that DuckLake would read as its own: refused before it is published.

It builds its catalog's SQL by replacing names in braces, also inside values. Such a
text as the smallest or largest of a file makes the commit fail, or makes rows vanish.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.base.errors import InputError, Problem
from jevdb.warehouse.sqlfiles import identifier

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.lake.files import Column
    from jevdb.lake.tables import Table

NAMES = (
    *("SNAPSHOT_ID", "SCHEMA_VERSION", "NEXT_CATALOG_ID", "NEXT_FILE_ID", "AUTHOR"),
    *("COMMIT_MESSAGE", "COMMIT_EXTRA_INFO", "METADATA_CATALOG"),
    *("METADATA_CATALOG_NAME_LITERAL", "METADATA_CATALOG_NAME_IDENTIFIER"),
    *("METADATA_SCHEMA_NAME_LITERAL", "METADATA_SCHEMA_ESCAPED", "METADATA_PATH"),
    "DATA_PATH",
)
REFUSED = rf"\{{({'|'.join(NAMES)})\}}|\x00"
PLACES = {
    "predictions": ("source_file", "source_line"),
    "rejects": ("source_file", "line"),
    "reported_results": ("source_file", "null::bigint"),
    "items": ("benchmark_id || ' ' || item_id", "null::bigint"),
    "golds": ("benchmark_id || ' ' || item_id", "null::bigint"),
}
MOST = 1000


def refuse_placeholders(
    warehouse: Connection,
    found: dict[Table, str],
    columns: dict[str, list[Column]],
) -> None:
    """Refuse rows, given as a query a table, that hold what a lake cannot keep.

    Raises
    ------
    InputError
        Some do; each is named with its file, line and field.
    """
    texts = {
        table: (rows, [column for column in columns[table.name] if _is_text(column)])
        for table, rows in found.items()
    }
    # One statement for all: what each of its own costs is felt by those who wait.
    every = "\nunion all\n".join(
        f"select concat_ws(' ', {', '.join(map(_text, held))}) as text from ({rows})"
        for rows, held in texts.values()
    )
    refused = f"select 1 from ({every}) where regexp_matches(text, $refused) limit 1"
    if warehouse.execute(refused, {"refused": REFUSED}).fetchall():
        problems = [
            problem
            for table, (rows, held) in texts.items()
            for problem in _problems(warehouse, table.name, rows, held)
        ]
        raise InputError(problems)


def _problems(
    warehouse: Connection, table: str, rows: str, texts: list[Column]
) -> list[Problem]:
    source, line = PLACES.get(table, (f"'{table}'", "null::bigint"))
    held = ",\n    ".join(
        f"nullif(regexp_extract({_text(column)}, $refused), '')" for column in texts
    )
    names = ", ".join(f"'{column.name}'" for column in texts)
    listed = warehouse.execute(
        f"select {source} as source, {line} as line, field, held from (\n"
        f"  select *, unnest([{names}]) as field, unnest([{held}]) as held\n"
        f"  from ({rows})\n) where held is not null order by all limit {MOST}",
        {"refused": REFUSED},
    ).fetchall()
    return [
        Problem(str(source), line, field, _words(held))
        for source, line, field, held in listed
    ]


def _is_text(column: Column) -> bool:
    return "VARCHAR" in column.kind or column.kind == "JSON"


def _text(column: Column) -> str:
    name = identifier(column.name)
    if column.kind.endswith("[]"):
        return f"array_to_string({name}, ' ')"
    return f"cast({name} as varchar)"


def _words(held: str) -> str:
    if held == "\0":
        return "text holds a NUL character"
    return (
        f"the text {held} is one that a lake's catalog reads as its own; store the run "
        "in a file, or change the text"
    )
