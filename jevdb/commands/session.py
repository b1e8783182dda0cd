"""What every command shares: the warehouse it works on, and how to reach it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from jevdb.warehouse.database import Connection


@dataclass(frozen=True, slots=True)
class Session:
    """The root options of a call."""

    db: Path
    lock_timeout: float

    def reader(self) -> AbstractContextManager[Connection]:
        """Open the warehouse read-only."""
        from jevdb.warehouse.database import open_reader

        return open_reader(self.db, lock_timeout=self.lock_timeout, on_wait=say)

    def writer(self, *, create: bool = False) -> AbstractContextManager[Connection]:
        """Open the warehouse for writing."""
        from jevdb.warehouse.database import open_writer

        return open_writer(
            self.db, create=create, lock_timeout=self.lock_timeout, on_wait=say
        )


def say(message: str) -> None:
    """Say something to the person: words go to stderr, data to stdout."""
    typer.echo(message, err=True)
