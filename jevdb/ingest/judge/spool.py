"""Judged rows: in memory while they are few, else in temporary files."""

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
# What is read of a file stays in memory until all of it is read, a few files ahead.
FILE_ROWS = 100_000
CHUNK_ROWS = 20_000


class Spool:
    """Rows that grow by tables of one schema and are then read any number of times."""

    def __init__(self) -> None:
        self._tables: list[pa.Table] = []
        self._folder: Path | None = None
        self._n_files = 0
        self.n_rows = 0

    def add(self, rows: pa.Table) -> None:
        """Take some more rows."""
        self._tables.append(rows)
        self.n_rows += rows.num_rows
        if self.n_rows > MOST_IN_MEMORY:
            for table in self._tables:
                for start in range(0, table.num_rows, FILE_ROWS):
                    self._write(table.slice(start, FILE_ROWS))
            self._tables = []

    def rows(self) -> Rows:
        """Return all rows; those in files last as long as the spool."""
        import pyarrow as pa

        if self._folder is None:
            return pa.concat_tables(self._tables)
        import pyarrow.dataset

        return pyarrow.dataset.dataset(self._folder, format="ipc")

    def _write(self, rows: pa.Table) -> None:
        import pyarrow as pa

        if self._folder is None:
            self._folder = Path(mkdtemp(prefix="jevdb-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._n_files += 1
        path = self._folder / f"{self._n_files:08d}.arrow"
        with pa.ipc.new_file(path, rows.schema) as writer:
            writer.write_table(rows, CHUNK_ROWS)
