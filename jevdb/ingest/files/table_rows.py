"""Rows of a table, whose cells have types, as JSON lines: Parquet, Arrow, data frames.

Text columns may hold JSON where the canonical form has a list or an object; see
`jevdb.ingest.files.cells`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from jevdb.base.errors import Problem
from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.files.cells import (
    COUNT_CELLS,
    NotJsonCell,
    json_line,
    quoted,
    text_token,
)

Row = dict[str, object]


def table_lines(
    rows: Iterable[Row], first: int, source: str, problems: Problems
) -> LineBatch:
    """Return the rows, numbered from *first*; a cell that is not JSON is a problem."""
    lines, numbers = [], []
    for number, row in enumerate(rows, first):
        try:
            lines.append(json_line(_tokens(row)))
            numbers.append(number)
        except NotJsonCell as error:
            field = f"$.{error.name}"
            text = json.dumps(row, ensure_ascii=False, default=str)
            problems.add(Problem(source, number, field, str(error), text))
    return LineBatch(lines, numbers)


def _tokens(row: Row) -> dict[str, str]:
    given = {name: value for name, value in row.items() if value is not None}
    return {name: _token(name, value) for name, value in given.items()}


def _token(name: str, value: object) -> str:
    if isinstance(value, str):
        return text_token(name, value)
    if isinstance(value, float) and name in COUNT_CELLS and value.is_integer():
        return str(int(value))
    if isinstance(value, dict):
        return _object(value.items())
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return _object(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _object(pairs: Iterable[tuple[str, object]]) -> str:
    """Return a JSON object; a struct's null is a key that this row does not have."""
    members = (
        f"{quoted(str(key))}:{json.dumps(value, ensure_ascii=False, default=str)}"
        for key, value in pairs
        if value is not None
    )
    return "{" + ",".join(members) + "}"
