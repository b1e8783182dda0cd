"""Files as batches of JSON records: JSON Lines as they are, others row by row.

What a file is, is seen from its first bytes. A cell of CSV is text and is never guessed
at; CSV and Parquet rows then pass the same strict decoder as JSON Lines.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple, Protocol

import msgspec

from jevdb.errors import InputError, Problem
from jevdb.ingest.archives import ZIP, open_archive
from jevdb.ingest.decoding import LineBatch, Problems
from jevdb.ingest.json_documents import is_document, open_document
from jevdb.ingest.sources import Source

PARQUET = b"PAR1"
BATCH_ROWS = 20_000
MAX_LINE = 1 << 26
KEY_COLUMN = "item_id"
ANY_COLUMN = ""

NUMBER_CELLS = {"latency_s", "input_tokens", "output_tokens", "cost_usd"}
COUNT_CELLS = {"input_tokens", "output_tokens"}
JSON_CELLS = {
    *("probabilities", "step_probabilities", "gold_distribution"),
    *("options", "meta"),
}
LABEL_CELLS = {"answer", "gold"}
JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")


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


class Container(NamedTuple):
    """The records of a file; ``is_text`` where labels and levels are bare text."""

    batches: Iterator[LineBatch]
    is_text: bool


def open_container(
    source: Source, problems: Problems, csv_column: str = KEY_COLUMN
) -> Container:
    """Return the records of *source*; faults of single rows go to *problems*.

    A text that does not begin as JSON is CSV if its header names *csv_column*.
    """
    chunks = source.chunks()
    first = next(chunks, b"")
    whole = chain([first], chunks)
    if first.startswith(PARQUET):
        return Container(_parquet(source, whole, problems), True)
    if first.startswith(ZIP):
        return Container(open_archive(source, whole), False)
    if _is_csv(first, csv_column):
        return Container(_csv(source, whole, problems), True)
    if is_document(first):
        return Container(open_document(source, whole), False)
    return Container(_json_lines(source, whole), False)


def _is_csv(first: bytes, column: str) -> bool:
    header = first.lstrip()[:4096].split(b"\n", 1)[0]
    is_text = header != b"" and not header.startswith((b"{", b"["))
    return is_text and column.encode() in header


def _split(source: Source, chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield the physical lines of the chunks, without their ends."""
    rest: list[bytes] = []
    size = 0
    for chunk in chunks:
        lines = chunk.split(b"\n")
        if len(lines) > 1:
            lines[0] = b"".join((*rest, lines[0]))
            rest, size = [], 0
            last = lines.pop()
            yield lines
        else:
            last = chunk
        rest.append(last)
        size += len(last)
        if size > MAX_LINE:
            raise source.fault(f"a line is longer than {MAX_LINE >> 20} MiB")
    last = b"".join(rest)
    if last:
        yield [last]


def _json_lines(source: Source, chunks: Iterable[bytes]) -> Iterator[LineBatch]:
    start = 1
    for lines in _split(source, chunks):
        numbers: Sequence[int] = range(start, start + len(lines))
        start += len(lines)
        if all(map(bytes.strip, lines)):
            yield LineBatch(lines, numbers)
            continue
        filled = [
            (line, n) for line, n in zip(lines, numbers, strict=True) if line.strip()
        ]
        if filled:
            yield LineBatch([line for line, _ in filled], [n for _, n in filled])


def _csv(
    source: Source, chunks: Iterable[bytes], problems: Problems
) -> Iterator[LineBatch]:
    csv.field_size_limit(MAX_LINE)
    taken: list[str] = []
    rows = csv.reader(_text_lines(source, chunks, taken), strict=True)
    header = _header(source, rows, taken)
    numbered = _numbered(source, rows, taken, problems)
    if twice := sorted({name for name in header if header.count(name) > 1}):
        raise InputError(
            [Problem(source.name, 1, name, "column given twice") for name in twice]
        )
    lines = _csv_lines(source, header, numbered, problems)
    while batch := list(islice(lines, BATCH_ROWS)):
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


def _text_lines(
    source: Source, chunks: Iterable[bytes], taken: list[str]
) -> Iterator[str]:
    """Yield the lines and note each as *taken*; bytes that are no UTF-8 are escaped."""
    for lines in _split(source, chunks):
        for line in lines:
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
            yield _json_line({k: _csv_token(k, v) for k, v in cells.items()}), row
        except _NotJsonCell as error:
            field = f"$.{error.name}"
            problems.add(Problem(source.name, row.number, field, str(error), row.text))


def _json_line(tokens: dict[str, str]) -> bytes:
    members = (f"{json.dumps(name)}:{token}" for name, token in tokens.items())
    return ("{" + ",".join(members) + "}").encode()


class _NotJsonCell(Exception):
    def __init__(self, name: str, message: str):
        self.name = name
        super().__init__(f"the cell is not JSON: {message}")


def _csv_token(name: str, cell: str) -> str:
    """Return the JSON a cell stands for; text where nothing else is declared."""
    if name in NUMBER_CELLS and JSON_NUMBER.fullmatch(cell):
        return cell
    return _text_token(name, cell)


def _text_token(name: str, cell: str) -> str:
    if name in JSON_CELLS:
        return _checked_json(name, cell)
    if name in LABEL_CELLS and cell.startswith("["):
        try:
            return _checked_json(name, cell)
        except _NotJsonCell:
            return _string(cell)
    return _string(cell)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _checked_json(name: str, cell: str) -> str:
    try:
        msgspec.json.decode(cell)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise _NotJsonCell(name, str(error)) from error
    return cell


def _parquet(
    source: Source, chunks: Iterable[bytes], problems: Problems
) -> Iterator[LineBatch]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(pa.BufferReader(b"".join(chunks)))
        batches = table.iter_batches(BATCH_ROWS)
        number = 0
        for batch in batches:
            lines, numbers = [], []
            for row in batch.to_pylist():
                number += 1
                try:
                    lines.append(_json_line(_parquet_tokens(row)))
                    numbers.append(number)
                except _NotJsonCell as error:
                    field = f"$.{error.name}"
                    text = json.dumps(row, ensure_ascii=False, default=str)
                    problems.add(Problem(source.name, number, field, str(error), text))
            yield LineBatch(lines, numbers)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise source.fault(f"not a whole Parquet file: {reason}") from error


def _parquet_tokens(row: dict[str, object]) -> dict[str, str]:
    given = {name: value for name, value in row.items() if value is not None}
    return {name: _parquet_token(name, value) for name, value in given.items()}


def _parquet_token(name: str, value: object) -> str:
    if isinstance(value, str):
        return _text_token(name, value)
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
        f"{_string(str(key))}:{json.dumps(value, ensure_ascii=False, default=str)}"
        for key, value in pairs
        if value is not None
    )
    return "{" + ",".join(members) + "}"
