"""CSV as batches of JSON records: every cell is text, every row has its line."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple, Protocol

from jevdb.base.encodings import OTHERS
from jevdb.base.errors import InputError, Problem
from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.files.cells import WrongCell, csv_token, json_line
from jevdb.ingest.files.sources import Source
from jevdb.ingest.files.table_forms import (
    CHARACTERS,
    INDEX_NAMES,
    MAX_CELL,
    NOT_COUNTED,
    SNIFFED_ROWS,
    FileForm,
    index_note,
    index_start,
)
from jevdb.ingest.files.table_rows import require_distinct

BATCH_ROWS = 20_000


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


class CsvForm(NamedTuple):
    """How a table is written: what the user says of it, and what was seen."""

    said: FileForm
    keeps_index: bool
    delimiter: str = ","
    line_end: str = "\n"


class CsvTable(NamedTuple):
    """The names of the columns and the rows below them."""

    columns: list[str]
    batches: Iterator[LineBatch]


def open_csv(
    source: Source, lines: Iterable[list[bytes]], form: CsvForm, problems: Problems
) -> CsvTable:
    """Return the rows below the header, whose lines come in lists.

    Raises
    ------
    InputError
        The header cannot be read, or names a column twice.
    """
    csv.field_size_limit(MAX_CELL)
    taken: list[str] = []
    rows = csv.reader(
        _text_lines(lines, taken, form.line_end),
        delimiter=CHARACTERS[form.delimiter],
        strict=True,
    )
    header = _header(source, rows, taken)
    require_distinct(source.name, header)
    numbered = _numbered(source, rows, taken, problems)
    if not form.keeps_index:
        numbered = _without_index(source, header, numbered, problems)
    batches = _batches(_csv_lines(source, header, numbered, problems, form))
    return CsvTable(header, batches)


def _batches(records: Iterator[tuple[bytes, _CsvRow]]) -> Iterator[LineBatch]:
    while batch := list(islice(records, BATCH_ROWS)):
        texts = [row.text.encode() for _, row in batch]
        yield LineBatch(
            [line for line, _ in batch], [row.number for _, row in batch], texts
        )


def _without_index(
    source: Source, header: list[str], rows: Iterator[_CsvRow], problems: Problems
) -> Iterator[_CsvRow]:
    """Yield the rows with an empty first cell where that column counts them only.

    A row at which it stops counting is a problem. Rows that are none are gaps in it.
    """
    first = list(islice(rows, SNIFFED_ROWS)) if header[0] in INDEX_NAMES else []
    whole = chain(first, rows)
    start = index_start(header[0], [row.cells[0] for row in first])
    if start is None:
        yield from whole
        return
    source.notes.append(index_note(source.name, header[0]))
    last = start - 1
    for row in whole:
        cell = row.cells[0]
        if cell.isdecimal() and cell.isascii() and int(cell) > last:
            last = int(cell)
            yield row._replace(cells=["", *row.cells[1:]])
        else:
            problems.add(Problem(source.name, row.number, None, NOT_COUNTED, row.text))


def _header(source: Source, rows: CsvRows, taken: list[str]) -> list[str]:
    """Return the names of the columns; without them no row can be read."""
    faults = Problems()
    first = next(_numbered(source, rows, taken, faults), None)
    if first is None or faults.total:
        raise InputError(faults.listed)
    return first.cells


def _text_lines(
    lines: Iterable[list[bytes]], taken: list[str], end: str
) -> Iterator[str]:
    """Yield the lines and note each as *taken*; bytes that are no UTF-8 are escaped."""
    for some in lines:
        for line in some:
            text = line.decode(errors="surrogateescape")
            taken.append(text)
            yield text + end


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
            message = f"not UTF-8 at byte {byte}; say {OTHERS}"
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
    form: CsvForm,
) -> Iterator[tuple[bytes, _CsvRow]]:
    decimal = form.said.decimal or "point"
    for row in rows:
        if len(row.cells) != len(header):
            message = f"{len(row.cells)} cells where the header has {len(header)}"
            problems.add(Problem(source.name, row.number, None, message, row.text))
            continue
        cells = {k: cell for k, cell in zip(header, row.cells, strict=True) if cell}
        try:
            tokens = {k: csv_token(k, cell, decimal) for k, cell in cells.items()}
            yield json_line(tokens), row
        except WrongCell as error:
            field = f"$.{error.name}"
            problems.add(Problem(source.name, row.number, field, str(error), row.text))
