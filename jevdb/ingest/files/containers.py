"""Files as batches of JSON records: JSON Lines as they are, others row by row.

What a file is, is seen from its first bytes. A cell of CSV is text and is never guessed
at; CSV and Parquet rows then pass the same strict decoder as JSON Lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.arrow import start_threads
from jevdb.base.wording import how
from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.files.csv_rows import CsvForm, open_csv
from jevdb.ingest.files.json_documents import is_document, open_document
from jevdb.ingest.files.memory import MemoryRows
from jevdb.ingest.files.sources import PARQUET, ZIP, Source
from jevdb.ingest.files.table_forms import (
    FileForm,
    delimiter_of,
    is_table,
    read_head,
    split_lines,
)
from jevdb.ingest.files.table_rows import require_distinct, table_lines, without_index

if TYPE_CHECKING:
    import pyarrow.parquet as pq

BATCH_ROWS = 20_000
MAX_LINE = 1 << 26


class Container(NamedTuple):
    """The records of a file; ``is_text`` where labels and levels are bare text.

    ``columns`` are the names of a table's columns.
    """

    batches: Iterator[LineBatch]
    is_text: bool
    columns: Sequence[str] | None = None


def open_container(
    source: Source,
    problems: Problems,
    form: FileForm | None = None,
    *,
    keeps_index: bool = False,
) -> Container:
    """Return the records of *source*; faults of single rows go to *problems*.

    A text that does not begin as JSON is a table. A table's first column that only
    counts the rows is left out, unless *keeps_index*.
    """
    form = form or FileForm()
    container = _opened(source, problems, form, keeps_index)
    if container.columns is None:
        for name in ("delimiter", "decimal"):
            if value := getattr(form, name):
                said = how(name, value)
                source.notes.append(f"{said}: {source.name} is no table of text")
    return container


def _opened(
    source: Source, problems: Problems, form: FileForm, keeps_index: bool
) -> Container:
    if isinstance(source, MemoryRows):
        batches = source.batches(problems, keeps_index=keeps_index)
        return Container(batches, source.is_table, source.columns)
    source.encoding = form.encoding
    chunks = source.chunks()
    first = next(chunks, b"")
    whole = chain([first], chunks)
    if first.startswith(PARQUET):
        return _parquet(source, whole, problems, keeps_index)
    if first.startswith(ZIP):
        from jevdb.ingest.files.archives import open_archive

        return Container(open_archive(source, whole), False)
    if is_table(first):
        return _table(source, whole, problems, CsvForm(form, keeps_index))
    if b"\n" not in first and b"\r" in first[:-1]:
        # Nothing but white space outside of texts, and none of it inside.
        first = first.replace(b"\r", b"\n")
        whole = chain([first], (chunk.replace(b"\r", b"\n") for chunk in chunks))
    if is_document(first):
        return Container(open_document(source, whole), False)
    return Container(_json_lines(source, whole), False)


def _table(
    source: Source, chunks: Iterator[bytes], problems: Problems, form: CsvForm
) -> Container:
    head = read_head(chunks)
    delimiter = delimiter_of(source, head, form.said.delimiter)
    whole = chain([head.text], chunks)
    lines = split_lines(source, whole, head.line_end, MAX_LINE)
    found = form._replace(delimiter=delimiter, line_end=head.line_end.decode())
    columns, batches = open_csv(source, lines, found, problems)
    return Container(batches, True, columns)


def _json_lines(source: Source, chunks: Iterable[bytes]) -> Iterator[LineBatch]:
    start = 1
    for lines in split_lines(source, chunks, b"\n", MAX_LINE):
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
    source: Source, chunks: Iterable[bytes], problems: Problems, keeps_index: bool
) -> Container:
    import pyarrow as pa
    import pyarrow.parquet as pq

    start_threads()
    try:
        table = pq.ParquetFile(pa.BufferReader(b"".join(chunks)))
        names = table.schema_arrow.names
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise source.fault(f"not a whole Parquet file: {_reason(error)}") from error
    require_distinct(source.name, names)
    batches = _parquet_lines(source, table, problems, keeps_index)
    return Container(batches, True, names)


def _parquet_lines(
    source: Source, table: pq.ParquetFile, problems: Problems, keeps_index: bool
) -> Iterator[LineBatch]:
    import pyarrow as pa

    try:
        first = 1
        rows = (batch.to_pylist() for batch in table.iter_batches(BATCH_ROWS))
        for batch in rows if keeps_index else without_index(source, rows, problems):
            yield table_lines(batch, first, source.name, problems)
            first += len(batch)
    except (pa.ArrowException, UnicodeDecodeError, ValueError) as error:
        raise source.fault(f"not a whole Parquet file: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0]
