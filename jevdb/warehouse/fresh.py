"""A fresh warehouse for the length of one command: gone afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from jevdb.warehouse.blank import TABLES, tables_of
from jevdb.warehouse.database import transaction
from jevdb.warehouse.new_files import filling_blank, new_file
from jevdb.warehouse.upgrading import complete, upgrade


class Making:
    """A warehouse file that another thread is making meanwhile."""

    def __init__(self, path: Path):
        self._path = path
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._make)
        self._thread.start()

    def _make(self) -> None:
        try:
            make(self._path)
        except BaseException as error:
            self._error = error

    def finished(self) -> Path:
        """Wait until the file is whole, and return it."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._path


@contextmanager
def temporary() -> Iterator[Making]:
    """Give a fresh warehouse, being made; nothing of it is left after the block."""
    with TemporaryDirectory(prefix="jevdb-") as folder:
        making = Making(Path(folder) / "warehouse.duckdb")
        try:
            yield making
        finally:
            making._thread.join()


def make(path: Path) -> None:
    """Make a fresh warehouse where there is no file."""
    with filling_blank(path, path) as connection, transaction(connection):
        complete(connection)


def _write() -> None:
    with (
        TemporaryDirectory() as folder,
        new_file(Path(folder) / "new.duckdb") as connection,
    ):
        upgrade(connection)
        TABLES.write_text(tables_of(connection), encoding="utf-8")


if __name__ == "__main__":
    _write()
