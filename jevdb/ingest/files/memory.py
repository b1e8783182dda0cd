"""Rows from memory as the lines of a file: what reads files reads them too.

Dicts are what the lines of a JSON Lines file would be, tables what a Parquet file would
hold; so the same rows get the same checks, messages and digests, and are the same run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jevdb.base.errors import Problem, UsageError
from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.files.sources import Source
from jevdb.ingest.files.table_rows import Row, table_lines

if TYPE_CHECKING:
    import pandas as pd

NAME = "memory"
BATCH_ROWS = 20_000


@dataclass(slots=True)
class MemoryRows(Source):
    """Rows in batches; *is_table* where they are of a table, with typed columns.

    A row's line is its number from 1; the digest is that of its JSON lines.
    """

    given: Iterable[list[Any]] = ()
    is_table: bool = False

    def batches(self, problems: Problems) -> Iterator[LineBatch]:
        """Yield the rows as JSON lines; what JSON cannot hold is a problem."""
        first = 1
        for rows in self.given:
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
        return _table(_pandas_rows(given))
    if _is_of(given, "polars", "LazyFrame"):
        given = given.collect()  # type: ignore[attr-defined]
    if _is_of(given, "polars", "DataFrame"):
        given = given.to_arrow()  # type: ignore[attr-defined]
    if is_table(given):
        return _table(_arrow_rows(given))
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


def _table(batches: Iterable[list[Row]]) -> MemoryRows:
    return MemoryRows(Path(NAME), given=batches, is_table=True)


def _batched(rows: Iterable[object]) -> Iterator[list[object]]:
    rest = iter(rows)
    while batch := list(islice(rest, BATCH_ROWS)):
        yield batch


def _arrow_rows(given: Any) -> Iterator[list[Row]]:
    import pyarrow as pa

    if not hasattr(given, "__arrow_c_stream__"):
        given = pa.Table.from_batches([pa.record_batch(given)])
    for batch in pa.RecordBatchReader.from_stream(given):
        for start in range(0, batch.num_rows, BATCH_ROWS):
            yield batch.slice(start, BATCH_ROWS).to_pylist()


def _pandas_rows(frame: Any) -> Iterator[list[Row]]:
    """Yield the rows of a data frame; what is not available is no cell."""
    typed: pd.DataFrame = frame
    for start in range(0, len(typed), BATCH_ROWS):
        columns = {
            str(name): typed.iloc[start : start + BATCH_ROWS, place].tolist()
            for place, name in enumerate(typed.columns)
        }
        yield [
            {
                name: _native(value)
                for name, value in zip(columns, row, strict=True)
                if not _is_missing(value)
            }
            for row in zip(*columns.values(), strict=True)
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
