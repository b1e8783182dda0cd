"""A warehouse by its name: a file, or a lake with this machine's mirror of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from jevdb.base.errors import UsageError
from jevdb.base.secrets import is_address, redacted_address
from jevdb.base.wording import option

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.lake.target import Target
    from jevdb.warehouse.settings import Settings

Result = TypeVar("Result")
IN_MEMORY = ":memory:"
LAKES = ("lake:", "ducklake:")


@dataclass(frozen=True, slots=True)
class Store:
    """A warehouse file or a lake, how long to wait for it, and who is told."""

    db: str
    lock_timeout: float
    notify: Callable[[str], None]

    @property
    def path(self) -> Path:
        """The warehouse file; for a lake, this machine's mirror of it."""
        if self.is_lake:
            return self.lake.mirror
        self._require_file_name()
        return Path(self.db)

    @property
    def is_lake(self) -> bool:
        """Whether the warehouse is a lake, and not a file."""
        return self.db.startswith(LAKES)

    @property
    def lake(self) -> Target:
        """The lake that is meant."""
        from jevdb.lake.target import resolve

        return resolve(self.db)

    @property
    def name(self) -> str:
        """What to call the warehouse in words: no password is in it."""
        return self.lake.name if self.is_lake else redacted_address(self.db)

    def _require_file_name(self) -> None:
        """Refuse what can only be meant for something else than a file.

        Raises
        ------
        UsageError
            It is DuckDB's name for a database in memory, or an address.
        """
        if self.db.startswith(IN_MEMORY):
            raise UsageError(
                f"{self.db}: a warehouse in memory would be gone at once; name a file "
                f"with {option('path', shell='db')}"
            )
        if is_address(self.db) and not Path(self.db).exists():
            raise UsageError(
                f"{self.name}: neither a file nor a lake; a lake is lake:NAME or "
                "ducklake:postgres:CONNECTION"
            )

    def reader(
        self, *, outward: bool = False, settings: Settings | None = None
    ) -> AbstractContextManager[Connection]:
        """Open the warehouse read-only; of a lake, its mirror, brought up to date.

        See `open_reader`, also for what *outward* is for.
        """
        from jevdb.warehouse.database import open_reader
        from jevdb.warehouse.settings import SETTINGS

        path = self.path
        if self.is_lake:
            from jevdb.lake import pull

            path = pull(
                self.lake, lock_timeout=self.lock_timeout, on_wait=self.notify
            ).path
        return open_reader(
            path,
            lock_timeout=self.lock_timeout,
            on_wait=self.notify,
            settings=SETTINGS if settings is None else settings,
            outward=outward,
        )

    def write(
        self, action: Callable[[Connection], Result], *, create: bool = False
    ) -> Result:
        """Do what stores into the warehouse, and return what it returns.

        With a lake it may be done several times, until what it stored stands there.
        """
        from jevdb.warehouse.database import open_writer
        from jevdb.warehouse.interrupts import note_stored

        if self.is_lake:
            from jevdb.lake import publish

            result = publish(
                self.lake, action, lock_timeout=self.lock_timeout, on_wait=self.notify
            )
            note_stored()
            return result
        with open_writer(
            self.path,
            create=create,
            lock_timeout=self.lock_timeout,
            on_wait=self.notify,
            by_jevdb=True,
        ) as connection:
            result = action(connection)
            note_stored()
            return result
