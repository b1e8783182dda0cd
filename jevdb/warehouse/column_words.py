"""What the columns mean: the comments of ``sql/columns.toml``, put into the catalog."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Protocol

from jevdb.base.metrics import SUMMED
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.sqlfiles import identifier, quoted

EVERYWHERE = "everywhere"


class _Cursor(Protocol):
    def fetchall(self) -> Sequence[Sequence[object]]: ...


@cache
def column_words() -> Mapping[str, Mapping[str, str]]:
    """Return the meanings by column name, by relation or under ``everywhere``."""
    text = (asset_folder("sql") / "columns.toml").read_text(encoding="utf-8")
    words = tomllib.loads(text)
    return {**words, EVERYWHERE: {**words[EVERYWHERE], **dict(_words_of_terms())}}


def _words_of_terms() -> Iterator[tuple[str, str]]:
    """Yield the columns that the metrics are means of, and their sums."""
    for metric in SUMMED:
        yield str(metric.term), f"what the row adds to the mean {metric.title}"
        yield str(metric.tally), f"sum of {metric.term}, in units of 2^-53"


def meaning(relation: str, column: str) -> str | None:
    """Return what a column of a table or view means."""
    words = column_words()
    return words.get(relation, {}).get(column) or words[EVERYWHERE].get(column)


def comment_columns(
    execute: Callable[[str], _Cursor], relations: Iterable[str]
) -> None:
    """Give the columns of tables and views their comments in the catalog."""
    wanted = set(relations)
    columns = execute(
        "select table_name, column_name from duckdb_columns() "
        "where database_name = current_database() and schema_name = 'main'"
    ).fetchall()
    comments = []
    for relation, column in columns:
        words = meaning(str(relation), str(column))
        if relation in wanted and words:
            name = f"{identifier(str(relation))}.{identifier(str(column))}"
            comments.append(f"comment on column {name} is {quoted(words)}")
    # In one call: there are hundreds, and a call costs as much as a comment.
    if comments:
        execute(";\n".join(comments))
