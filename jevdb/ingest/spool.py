"""Judged rows: in memory while they are few, else in a temporary file."""

from __future__ import annotations

import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.dataset

    Rows: TypeAlias = pa.Table | pyarrow.dataset.Dataset

MOST_IN_MEMORY = 2_000_000
# DuckDB reads some sixteen chunks of a file ahead.
CHUNK_ROWS = 20_000


class Spool:
    """Rows that grow by tables of one schema and are then read any number of times."""

    def __init__(self) -> None:
        self._tables: list[pa.Table] = []
        self._file: Path | None = None
        self._writer: pa.ipc.RecordBatchFileWriter | None = None
        self.n_rows = 0

    def add(self, rows: pa.Table) -> None:
        """Take some more rows."""
        self._tables.append(rows)
        self.n_rows += rows.num_rows
        if self.n_rows > MOST_IN_MEMORY:
            writer = self._writer or self._open(rows.schema)
            for table in self._tables:
                writer.write_table(table, CHUNK_ROWS)
            self._tables = []

    def rows(self) -> Rows:
        """Return all rows; those in a file last as long as the spool."""
        import pyarrow as pa

        if self._file is None:
            return pa.concat_tables(self._tables)
        import pyarrow.dataset

        if self._writer:
            self._writer.close()
            self._writer = None
        return pyarrow.dataset.dataset(self._file, format="ipc")

    def _open(self, schema: pa.Schema) -> pa.ipc.RecordBatchFileWriter:
        import pyarrow as pa

        folder = Path(mkdtemp(prefix="jevdb-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._file = folder / "rows.arrow"
        self._writer = pa.ipc.new_file(self._file, schema)
        return self._writer
