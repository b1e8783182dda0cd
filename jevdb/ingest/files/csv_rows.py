"""CSV as batches of JSON records: every cell is text, every row has its line."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple, Protocol

from jevdb.base.errors import InputError, Problem
from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.files.cells import NotJsonCell, csv_token, json_line
from jevdb.ingest.files.sources import Source

BATCH_ROWS = 20_000
MAX_CELL = 1 << 26


class CsvRows(Protocol):
    """What `csv.reader` returns."""

    @property
    def line_num(self) -> int:
        """Physical lines read so far."""
        ...

    def __next__(self) -> list[str]:
        """Return the next row."""
        ...

    def __iter__(self) -> Iterator[list[str]]:
        """Return itself."""
        ...


class _CsvRow(NamedTuple):
    """A row, the physical line it starts on, and how it stands in the file."""

    cells: list[str]
    number: int
    text: str


def open_csv(
    source: Source, lines: Iterable[list[bytes]], problems: Problems
) -> Iterator[LineBatch]:
    """Yield the rows below the header, whose lines come in lists."""
    csv.field_size_limit(MAX_CELL)
    taken: list[str] = []
    rows = csv.reader(_text_lines(lines, taken), strict=True)
    header = _header(source, rows, taken)
    numbered = _numbered(source, rows, taken, problems)
    if twice := sorted({name for name in header if header.count(name) > 1}):
        raise InputError(
            [Problem(source.name, 1, name, "column given twice") for name in twice]
        )
    records = _csv_lines(source, header, numbered, problems)
    while batch := list(islice(records, BATCH_ROWS)):
        texts = [row.text.encode() for _, row in batch]
        yield LineBatch(
            [line for line, _ in batch], [row.number for _, row in batch], texts
        )


def _header(source: Source, rows: CsvRows, taken: list[str]) -> list[str]:
    """Return the names of the columns; without them no row can be read."""
    faults = Problems()
    first = next(_numbered(source, rows, taken, faults), None)
    if first is None or faults.total:
        raise InputError(faults.listed)
    return first.cells


def _text_lines(lines: Iterable[list[bytes]], taken: list[str]) -> Iterator[str]:
    """Yield the lines and note each as *taken*; bytes that are no UTF-8 are escaped."""
    for some in lines:
        for line in some:
            text = line.decode(errors="surrogateescape")
            taken.append(text)
            yield text + "\n"


def _numbered(
    source: Source, rows: CsvRows, taken: list[str], problems: Problems
) -> Iterator[_CsvRow]:
    """Yield each row with the physical line it starts on; note those that are none."""
    while True:
        number = rows.line_num + 1
        taken.clear()
        try:
            row = next(rows, None)
        except csv.Error as error:
            message, text = f"not CSV: {error}", "\n".join(taken)
            problems.add(Problem(source.name, number, None, message, text))
            continue
        if row is None:
            return
        text = "\n".join(taken)
        if fault := _utf8_fault(text):
            line, byte = fault
            message = f"not UTF-8 at byte {byte}"
            problems.add(Problem(source.name, number + line, None, message, text))
        elif row:
            yield _CsvRow(row, number, text)


def _utf8_fault(text: str) -> tuple[int, int] | None:
    """Return the line, from 0, and the byte in it, from 1, that is no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        before = text[: error.start].encode()
        return before.count(b"\n"), len(before) - before.rfind(b"\n")
    return None


def _csv_lines(
    source: Source,
    header: list[str],
    rows: Iterable[_CsvRow],
    problems: Problems,
) -> Iterator[tuple[bytes, _CsvRow]]:
    for row in rows:
        if len(row.cells) != len(header):
            message = f"{len(row.cells)} cells where the header has {len(header)}"
            problems.add(Problem(source.name, row.number, None, message, row.text))
            continue
        cells = {k: cell for k, cell in zip(header, row.cells, strict=True) if cell}
        try:
            yield json_line({k: csv_token(k, v) for k, v in cells.items()}), row
        except NotJsonCell as error:
            field = f"$.{error.name}"
            problems.add(Problem(source.name, row.number, field, str(error), row.text))
