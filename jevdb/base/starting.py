"""An interrupt (Ctrl-C) while a command still imports itself: said, and no traceback.

Once the command has begun, `jevdb.commands.boundary` says what an interrupt ended.
"""

from __future__ import annotations

import os
import signal
from types import FrameType

EXIT_CODE = 130
"""That of `jevdb.base.errors.Interrupted`, which is not imported yet."""


def end_on_interrupts() -> None:
    """End the process on an interrupt, unless the caller has them ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_interrupts() -> None:
    """Have interrupts raised again, as Python does; what begins now handles them."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def leave_interrupts() -> None:
    """Let an interrupt end what is left once all is said, and say nothing itself."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    os.write(2, b"\ninterrupted before it began\n")
    os._exit(EXIT_CODE)
