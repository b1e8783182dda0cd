"""What every command shares: the warehouse it works on, and how to reach it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

if TYPE_CHECKING:
    from jevdb.lake.target import Target
    from jevdb.warehouse.database import Connection

Result = TypeVar("Result")
LAKES = ("lake:", "ducklake:")


@dataclass(frozen=True, slots=True)
class Session:
    """The root options of a call: a warehouse file or a lake, and how long to wait."""

    db: str
    lock_timeout: float

    @property
    def path(self) -> Path:
        """The warehouse file; for a lake, this machine's mirror of it."""
        return self.lake.mirror if self.is_lake else Path(self.db)

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
        return self.lake.name if self.is_lake else self.db

    def reader(self) -> AbstractContextManager[Connection]:
        """Open the warehouse read-only; of a lake, its mirror, brought up to date."""
        from jevdb.warehouse.database import open_reader

        path = self.path
        if self.is_lake:
            from jevdb.lake import pull

            path = pull(self.lake, lock_timeout=self.lock_timeout, on_wait=say).path
        return open_reader(path, lock_timeout=self.lock_timeout, on_wait=say)

    def write(
        self, action: Callable[[Connection], Result], *, create: bool = False
    ) -> Result:
        """Do what stores into the warehouse, and return what it returns.

        With a lake it may be done several times, until what it stored stands there.
        """
        from jevdb.warehouse.database import open_writer

        if self.is_lake:
            from jevdb.lake import publish

            return publish(
                self.lake, action, lock_timeout=self.lock_timeout, on_wait=say
            )
        with open_writer(
            self.path, create=create, lock_timeout=self.lock_timeout, on_wait=say
        ) as connection:
            return action(connection)


def say(message: str) -> None:
    """Say something to the person: words go to stderr, data to stdout."""
    typer.echo(message, err=True)
