"""Rows from memory as the lines of a file: what reads files reads them too.

Dicts are what the lines of a JSON Lines file would be, tables what a Parquet file would
hold; so the same rows get the same checks, messages and digests, and are the same run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jevdb.base.errors import Problem, UsageError
from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.files.sources import Source
from jevdb.ingest.files.table_rows import (
    Row,
    require_distinct,
    table_lines,
    without_index,
)

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

NAME = "memory"
BATCH_ROWS = 20_000


@dataclass(slots=True)
class MemoryRows(Source):
    """Rows in batches; *is_table* where they are of a table, with typed columns.

    A row's line is its number from 1; the digest is that of its JSON lines. A table's
    ``columns`` are their names.
    """

    given: Iterable[list[Any]] = ()
    is_table: bool = False
    columns: Sequence[str] | None = None

    def batches(
        self, problems: Problems, *, keeps_index: bool = False
    ) -> Iterator[LineBatch]:
        """Yield the rows as JSON lines; what JSON cannot hold is a problem.

        A column of a table that only counts the rows is left out, unless *keeps_index*.
        """
        first = 1
        given = self.given
        if self.is_table and not keeps_index:
            given = without_index(self, given, problems)
        for rows in given:
            if self.is_table:
                batch = table_lines(rows, first, self.name, problems)
            else:
                batch = self._json_lines(rows, first, problems)
            first += len(rows)
            for line in batch.lines:
                self._digest.update(line + b"\n")
            if batch.lines:
                yield batch

    def _json_lines(
        self, rows: list[object], first: int, problems: Problems
    ) -> LineBatch:
        lines, numbers = [], []
        for number, row in enumerate(rows, first):
            try:
                lines.append(_json_line(row))
                numbers.append(number)
            except (TypeError, ValueError, RecursionError) as error:
                message = f"no JSON can hold the row: {error}"
                problems.add(Problem(self.name, number, None, message, repr(row)))
        return LineBatch(lines, numbers)


def rows_in_memory(given: object) -> MemoryRows:
    """Return dicts, an Arrow table or reader, or a data frame as the rows of a source.

    Raises
    ------
    UsageError
        It is none of these.
    """
    if _is_of(given, "pandas", "DataFrame"):
        return _pandas_table(given)
    if _is_of(given, "polars", "LazyFrame"):
        given = given.collect()  # type: ignore[attr-defined]
    if _is_of(given, "polars", "DataFrame"):
        given = given.to_arrow()  # type: ignore[attr-defined]
    if is_table(given):
        return _arrow_table(given)
    if isinstance(given, Iterable) and not isinstance(given, str | bytes | dict):
        return MemoryRows(Path(NAME), given=_batched(given))
    raise UsageError(
        f"rows are paths, dicts, an Arrow table or reader, or a data frame, not "
        f"{type(given).__name__}"
    )


def is_table(given: object) -> bool:
    """Whether it is a table, rather than rows one after the other."""
    names = ("__arrow_c_stream__", "__arrow_c_array__")
    return (
        any(hasattr(given, name) for name in names)
        or _is_of(given, "pandas", "DataFrame")
        or _is_of(given, "polars", "DataFrame")
        or _is_of(given, "polars", "LazyFrame")
    )


def _is_of(given: object, module: str, name: str) -> bool:
    """Whether it is of a class of a library that need not be installed."""
    kinds = type(given).__mro__
    return any(
        kind.__name__ == name and kind.__module__.partition(".")[0] == module
        for kind in kinds
    )


def _table(names: Sequence[str], batches: Iterable[list[Row]]) -> MemoryRows:
    require_distinct(NAME, names)
    return MemoryRows(Path(NAME), given=batches, is_table=True, columns=names)


def _batched(rows: Iterable[object]) -> Iterator[list[object]]:
    rest = iter(rows)
    while batch := list(islice(rest, BATCH_ROWS)):
        yield batch


def _arrow_table(given: Any) -> MemoryRows:
    import pyarrow as pa

    if not hasattr(given, "__arrow_c_stream__"):
        given = pa.Table.from_batches([pa.record_batch(given)])
    reader = pa.RecordBatchReader.from_stream(given)
    return _table(reader.schema.names, _arrow_rows(reader))


def _arrow_rows(reader: pa.RecordBatchReader) -> Iterator[list[Row]]:
    for batch in reader:
        for start in range(0, batch.num_rows, BATCH_ROWS):
            yield batch.slice(start, BATCH_ROWS).to_pylist()


def _pandas_table(given: Any) -> MemoryRows:
    frame: pd.DataFrame = given
    names = [str(name) for name in frame.columns]
    index = [str(name) for name in frame.index.names if name is not None]
    if "item_id" in index and "item_id" not in names:
        raise UsageError(
            "the data frame has item_id as its index, which is not read; give "
            "frame.reset_index()"
        )
    return _table(names, _pandas_rows(frame, names))


def _pandas_rows(frame: pd.DataFrame, names: Sequence[str]) -> Iterator[list[Row]]:
    """Yield the rows of a data frame; what is not available is no cell."""
    for start in range(0, len(frame), BATCH_ROWS):
        some = frame.iloc[start : start + BATCH_ROWS]
        columns = [some.iloc[:, place].tolist() for place in range(len(names))]
        yield [
            {
                name: _native(value)
                for name, value in zip(names, row, strict=True)
                if not _is_missing(value)
            }
            for row in zip(*columns, strict=True)
        ]


def _is_missing(value: object) -> bool:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return True
    return type(value).__name__ in ("NAType", "NaTType")


def _native(value: Any) -> object:
    """Return numpy's scalars and arrays, at any depth, as Python's."""
    if isinstance(value, dict):
        return {key: _native(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_native(each) for each in value]
    return _native(value.tolist()) if _is_numpy(value) else value


def _is_numpy(value: Any) -> bool:
    return type(value).__module__ == "numpy" and hasattr(value, "tolist")


def _json_line(row: object) -> bytes:
    try:
        return json.dumps(row, ensure_ascii=False, default=_from_numpy).encode()
    except UnicodeEncodeError:
        # Half a surrogate pair: as an escape it gets as far as the check of texts.
        return json.dumps(row, default=_from_numpy).encode()


def _from_numpy(value: object) -> object:
    if _is_numpy(value):
        return value.tolist()  # type: ignore[attr-defined]
    raise TypeError(f"{type(value).__name__} is no JSON value")
