"""How far an ingest is: rows read so far, on stderr; data goes elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from jevdb.base.text import counted

PATIENCE_S = 2.0
EVERY_S = 0.5


class Progress:
    """Rows read so far, on stderr: redrawn on a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._next = time.monotonic() + PATIENCE_S
        self._is_shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._is_shown and self._is_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, rows: int) -> None:
        """Say how many rows are read, at most twice a second."""
        self.say(f"{counted(rows, 'row', form=',')} read")

    def say(self, text: str) -> None:
        """Say how far it is, at most twice a second."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (EVERY_S if self._is_terminal else 10 * EVERY_S)
        self._is_shown = True
        sys.stderr.write(f"\r{text}" if self._is_terminal else f"{text}\n")
        sys.stderr.flush()
