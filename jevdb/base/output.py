"""The one writer of rows: table, markdown, json, jsonl or csv on a text stream.

Every format shows the same plain values: numbers stay numbers, NaN and infinities are
null, lists are arrays, times are ISO 8601 in UTC with a Z, and a JSON column is JSON.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TextIO

from jevdb.base.aligning import aligned
from jevdb.base.stored_values import read_json
from jevdb.base.text import markdown_table, markdown_text, visible

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

FETCH_ROWS = 10_000
FILES = (
    "select path from system.main.duckdb_databases() "
    "where not internal and path is not null"
)

Row = Sequence[object]


class Format(StrEnum):
    """How rows are written."""

    TABLE = "table"
    MARKDOWN = "markdown"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class Rows:
    """Named columns and the rows under them; ``json_columns`` hold JSON text.

    ``source`` is the file that the rows were read of, where they wait for their reader.
    """

    columns: tuple[str, ...]
    rows: Iterable[Row]
    json_columns: frozenset[str] = frozenset()
    source: str | None = None

    def plain(self) -> Iterator[list[object]]:
        """Yield the rows in values that JSON knows."""
        for row in self.read():
            yield [plain(value) for value in row]

    def read(self) -> Iterator[Row]:
        """Yield the rows, what is JSON read as such.

        Raises
        ------
        UnfitValue
            A file holds JSON that cannot be read.
        """
        places = [i for i, name in enumerate(self.columns) if name in self.json_columns]
        if not places:
            yield from self.rows
            return
        for number, row in enumerate(self.rows, start=1):
            values = list(row)
            for i in places:
                if isinstance(text := row[i], str):
                    values[i] = read_json(text, self._place(i, number, row))
            yield values

    def _place(self, column: int, number: int, row: Row) -> str:
        """Return where a value stands in words; the first column names its row."""
        file = f"{self.source}: " if self.source else ""
        named = f", {self.columns[0]} {row[0]!r}" if column else ""
        return f"{file}{self.columns[column]} of row {number:,}{named}"

    def used(self) -> Rows:
        """Return the rows without the columns that are null in every row."""
        rows = list(self.rows)
        kept = [
            i
            for i in range(len(self.columns))
            if not rows or any(row[i] is not None for row in rows)
        ]
        return Rows(
            tuple(self.columns[i] for i in kept),
            [[row[i] for i in kept] for row in rows],
            self.json_columns,
            self.source,
        )


def fetched(connection: Connection) -> Rows:
    """Return the open result of *connection*, fetched as it is written.

    Of columns with one name the later ones get a number: JSON keys must differ.
    """
    columns: list[str] = []
    json_columns = set()
    for name, kind, *_ in connection.description or ():
        columns.append(_fresh(str(name), columns))
        if str(kind) == "JSON":
            json_columns.add(columns[-1])
    return Rows(tuple(columns), _batches(connection), frozenset(json_columns))


def collected(connection: Connection) -> Rows:
    """Return the open result of *connection*, fetched at once."""
    rows = fetched(connection)
    listed = list(rows.rows)
    source = _file_of(connection) if rows.json_columns else None
    return replace(rows, rows=listed, source=source)


def _file_of(connection: Connection) -> str | None:
    found = connection.execute(FILES).fetchall()
    return str(found[0][0]) if found else None


def _batches(connection: Connection) -> Iterator[Row]:
    while batch := connection.fetchmany(FETCH_ROWS):
        yield from batch


def _fresh(name: str, taken: Sequence[str]) -> str:
    number, fresh = 0, name
    while fresh in taken:
        number += 1
        fresh = f"{name}_{number}"
    return fresh


def plain(value: object) -> object:
    """Return *value* as null, boolean, number, text, list or object."""
    if value is None or isinstance(value, bool | int | str):
        return value
    return _PLAIN.get(type(value), str)(value)


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _decimal(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _utc(moment: datetime) -> str:
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.isoformat() + "Z"


def in_utc(value: Any) -> Any:
    """Return a stored time, which has no zone, as the UTC it is; all else as it is."""
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value


def _object(value: Mapping[object, object]) -> dict[str, object]:
    return {str(key): plain(item) for key, item in value.items()}


def _array(value: Iterable[object]) -> list[object]:
    return [plain(item) for item in value]


_PLAIN: dict[type, Callable[[Any], object]] = {
    float: _number,
    Decimal: _decimal,
    datetime: _utc,
    bytes: bytes.hex,
    dict: _object,
    list: _array,
    tuple: _array,
}


def write(rows: Rows, form: Format, out: TextIO) -> None:
    """Write *rows* to *out* in the format *form*."""
    {
        Format.TABLE: _write_table,
        Format.MARKDOWN: _write_markdown,
        Format.JSON: _write_json,
        Format.JSONL: _write_jsonl,
        Format.CSV: _write_csv,
    }[form](rows, out)


def _write_json(rows: Rows, out: TextIO) -> None:
    separator = "[\n"
    for line in _objects(rows):
        out.write(separator + line)
        separator = ",\n"
    out.write("[]\n" if separator == "[\n" else "\n]\n")


def _write_jsonl(rows: Rows, out: TextIO) -> None:
    for line in _objects(rows):
        out.write(line + "\n")


def _objects(rows: Rows) -> Iterator[str]:
    for row in rows.plain():
        yield to_json(dict(zip(rows.columns, row, strict=True)))


def to_json(value: object) -> str:
    """Return one line of JSON, keys in their own order."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _write_csv(rows: Rows, out: TextIO) -> None:
    """Write cells as they are, also those that a spreadsheet would take for formulas.

    Only a terminal, which control characters would repaint, is shown them as escapes.
    """
    shown = visible if out.isatty() else str
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(shown(name) for name in rows.columns)
    for row in rows.plain():
        writer.writerow(shown(_text(value)) for value in row)


def _text(value: object) -> str:
    """Return a cell as text: strings as they are, everything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else to_json(value)


def _write_table(rows: Rows, out: TextIO) -> None:
    cells, right = _cells(rows)
    for line in aligned([list(rows.columns), *cells], right):
        out.write(line + "\n")


def _write_markdown(rows: Rows, out: TextIO) -> None:
    cells, right = _cells(rows)
    escaped = [[markdown_text(cell) for cell in row] for row in cells]
    header = [markdown_text(name) for name in rows.columns]
    for line in markdown_table(header, escaped, right):
        out.write(line + "\n")


def _cells(rows: Rows) -> tuple[list[list[str]], list[bool]]:
    """Return every cell as text, and which columns hold only numbers."""
    values = list(rows.plain())
    right = [
        any(row[i] is not None for row in values)
        and all(row[i] is None or _is_number(row[i]) for row in values)
        for i in range(len(rows.columns))
    ]
    return [[_text(value) for value in row] for row in values], right


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
