"""Rows of a table, whose cells have types, as JSON lines: Parquet, Arrow, data frames.

Text columns may hold JSON where the canonical form has a list or an object; see
`jevdb.ingest.files.cells`. A number is a number whatever its type, a list a list.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, time
from decimal import Decimal

from jevdb.base.errors import InputError, Problem
from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.files.cells import (
    COUNT_CELLS,
    NotJsonCell,
    json_line,
    quoted,
    text_token,
)
from jevdb.ingest.files.sources import Source
from jevdb.ingest.files.table_forms import (
    INDEX_NAMES,
    NOT_COUNTED,
    index_note,
    index_start,
)

Row = dict[str, object]


def require_distinct(source: str, names: Sequence[str]) -> None:
    """Refuse a table that has a column twice: nobody knows which one is meant."""
    if twice := [name for name, n in Counter(names).items() if n > 1]:
        raise InputError(
            [Problem(source, 1, name, "column given twice") for name in twice]
        )


def without_index(
    source: Source, batches: Iterable[list[Row]], problems: Problems
) -> Iterator[list[Row]]:
    """Yield the rows without a column that has the name of an index and counts them.

    A row at which such a column stops counting is a problem.
    """
    name, start, number = None, 0, 1
    for rows in batches:
        if number == 1:
            name, start = _index(rows)
            if name is not None:
                source.notes.append(index_note(source.name, name))
        if name is not None:
            for line, row in enumerate(rows, number):
                if str(row.pop(name, None)) != str(line - 1 + start):
                    problems.add(Problem(source.name, line, None, NOT_COUNTED))
        number += len(rows)
        yield rows


def _index(rows: Sequence[Row]) -> tuple[str | None, int]:
    for name in INDEX_NAMES:
        if rows and name in rows[0]:
            start = index_start(name, [row.get(name) for row in rows])
            if start is not None:
                return name, start
    return None, 0


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
    return {
        name: _token(name, value) for name, value in row.items() if value is not None
    }


def _token(name: str, value: object) -> str:
    if isinstance(value, str):
        return text_token(name, value)
    if isinstance(value, Decimal):
        value = _number(value)
    if isinstance(value, float) and name in COUNT_CELLS and value.is_integer():
        return str(int(value))
    if isinstance(value, dict):
        return _object(name, value.items())
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return _object(name, value)
    return _json(name, value)


def _object(name: str, pairs: Iterable[tuple[str, object]]) -> str:
    """Return a JSON object; a struct's null is a key that this row does not have."""
    members = (
        f"{quoted(str(key))}:{_json(name, value)}"
        for key, value in pairs
        if value is not None
    )
    return "{" + ",".join(members) + "}"


def _json(name: str, value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    except TypeError as error:
        raise NotJsonCell(name, str(error)) from error


def _plain(value: object) -> object:
    """Return what JSON has for a value of a table: a number, or a time as text."""
    match value:
        case Decimal():
            return _number(value)
        case date() | time():
            return value.isoformat()
        case _ if hasattr(value, "tolist"):
            # A number or an array of numpy, which half precision is read as.
            return value.tolist()
        case _:
            raise TypeError(f"it is of type {type(value).__name__}")


def _number(value: Decimal) -> int | float:
    """Return a decimal as a whole number, or as the double nearest to its text."""
    exponent = value.as_tuple().exponent
    return int(value) if exponent == 0 else float(value)
