"""What every command shares: the warehouse it works on, and how to reach it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from jevdb.api.store import Store
from jevdb.base.secrets import redacted
from jevdb.base.wording import for_shell

if TYPE_CHECKING:
    from jevdb.api.warehouse import Warehouse


def say(message: str) -> None:
    """Say something to the person: words go to stderr, data to stdout.

    A password in a name that they typed is not repeated.

    Where nobody reads them any more (``2>&1 | head -1``), the work goes on unsaid.
    """
    with suppress(BrokenPipeError):
        typer.echo(redacted(for_shell(message)), err=True)


@dataclass(frozen=True, slots=True)
class Session(Store):
    """The root options of a call: a warehouse file or a lake, and how long to wait."""

    notify: Callable[[str], None] = say

    def reading(self) -> Warehouse:
        """Return the warehouse for reading; its methods open it."""
        return self._warehouse(read_only=True)

    def storing(self) -> Warehouse:
        """Return the warehouse for storing; its methods open it."""
        return self._warehouse(read_only=False)

    def _warehouse(self, *, read_only: bool) -> Warehouse:
        from jevdb.api.warehouse import Warehouse

        return Warehouse(
            self.db,
            read_only=read_only,
            lock_timeout=self.lock_timeout,
            notify=self.notify,
        )
