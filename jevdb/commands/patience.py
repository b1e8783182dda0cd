"""A sign of life on a terminal from whatever takes longer than two seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_S = 2.0
EVERY_S = 0.5
CLEARED = "\r\x1b[K"


@contextmanager
def patience(doing: str) -> Iterator[None]:
    """Say what is being done, and for how long, until the block ends.

    Nothing is said within two seconds, or where nobody looks: stderr is no terminal.
    """
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    telling = threading.Thread(target=_tell, args=(doing, done), daemon=True)
    telling.start()
    try:
        yield
    finally:
        done.set()
        telling.join()


def _tell(doing: str, done: threading.Event) -> None:
    began = time.monotonic()
    is_told = False
    pause = PATIENCE_S
    while not done.wait(pause):
        sys.stderr.write(f"\r{doing} ... {time.monotonic() - began:.0f} s")
        sys.stderr.flush()
        is_told, pause = True, EVERY_S
    if is_told:
        sys.stderr.write(CLEARED)
        sys.stderr.flush()
