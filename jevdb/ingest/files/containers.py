"""Files as batches of JSON records: JSON Lines as they are, others row by row.

What a file is, is seen from its first bytes. A cell of CSV is text and is never guessed
at; CSV and Parquet rows then pass the same strict decoder as JSON Lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.files.archives import ZIP, open_archive
from jevdb.ingest.files.csv_rows import open_csv
from jevdb.ingest.files.json_documents import is_document, open_document
from jevdb.ingest.files.memory import MemoryRows
from jevdb.ingest.files.sources import Source
from jevdb.ingest.files.table_rows import table_lines

PARQUET = b"PAR1"
BATCH_ROWS = 20_000
MAX_LINE = 1 << 26
KEY_COLUMN = "item_id"
ANY_COLUMN = ""


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
    if isinstance(source, MemoryRows):
        return Container(source.batches(problems), source.is_table)
    chunks = source.chunks()
    first = next(chunks, b"")
    whole = chain([first], chunks)
    if first.startswith(PARQUET):
        return Container(_parquet(source, whole, problems), True)
    if first.startswith(ZIP):
        return Container(open_archive(source, whole), False)
    if _is_csv(first, csv_column):
        return Container(open_csv(source, _split(source, whole), problems), True)
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


def _parquet(
    source: Source, chunks: Iterable[bytes], problems: Problems
) -> Iterator[LineBatch]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(pa.BufferReader(b"".join(chunks)))
        batches = table.iter_batches(BATCH_ROWS)
        first = 1
        for batch in batches:
            yield table_lines(batch.to_pylist(), first, source.name, problems)
            first += batch.num_rows
    except (pa.ArrowException, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise source.fault(f"not a whole Parquet file: {reason}") from error
