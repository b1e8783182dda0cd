"""What an interrupt (Ctrl-C) may do while a file is open: end its query, no more.

Python raises an interrupt wherever it is. Inside of DuckDB that leaves a query which
never ends: its database is never closed, the file stays locked for everybody, and the
next connection of this process to it waits for ever. So while a file is open here, an
interrupt is noted and the running query is asked to end; what raises it is the end of
the block, when the file is closed and it is known whether something was stored.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any
from weakref import ref

import duckdb

from jevdb.base.errors import Interrupted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

INSISTED = 3
"""From this interrupt on it is raised where it comes, whatever that leaves behind."""

_Handler = Callable[[int, FrameType | None], Any] | int | None


class _State:
    """What the main thread is at: only there Python raises interrupts."""

    def __init__(self) -> None:
        self.depth = 0
        self.noted = 0
        self.is_storing = False
        self.is_committing = False
        self.has_stored = False
        self.previous: _Handler = None


_state = _State()
_open: set[ref[Connection]] = set()


class interrupts_held:
    """Hold interrupts until the block ends, and raise them then.

    It is a class because no interrupt can come between its two ends and the block, as
    it can with a generator. In other threads, and where the caller has interrupts
    ignored or end the process, it does nothing.

    Parameters
    ----------
    storing : bool
        Whether the block stores: `Interrupted` then says if it did.

    Raises
    ------
    Interrupted
        There was an interrupt; every connection opened in the block is closed.
    """

    def __init__(self, *, storing: bool = False):
        self._storing = storing
        self._is_ours = False

    def __enter__(self) -> None:
        """Hold them from now on."""
        if not _is_main_thread():
            return
        if _state.depth == 0:
            if not callable(signal.getsignal(signal.SIGINT)):
                return
            _state.noted = 0
            _state.is_storing = _state.has_stored = False
            _state.previous = signal.signal(signal.SIGINT, _note)
        _state.depth += 1
        _state.is_storing |= self._storing
        self._is_ours = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Raise what was held, at the end of the outermost block."""
        if not self._is_ours:
            return
        _state.depth -= 1
        if _state.depth == 0:
            signal.signal(signal.SIGINT, _state.previous)
            if _state.noted:
                _deliver()


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _note(number: int, frame: FrameType | None) -> None:
    _state.noted += 1
    if not _state.is_committing:
        interrupt_queries()
    if _state.noted >= INSISTED:
        raise Interrupted(None)


def _deliver() -> None:
    """Do what an interrupt does where none is held."""
    if _state.previous is signal.default_int_handler:
        raise Interrupted(_state.has_stored if _state.is_storing else None)
    if callable(_state.previous):
        _state.previous(signal.SIGINT, None)


def follow(connection: Connection) -> None:
    """Let an interrupt end the queries of a connection."""
    _open.add(ref(connection, _open.discard))


def interrupt_queries() -> None:
    """Ask the running query of every connection to end; one that rests goes on."""
    for each in tuple(_open):
        connection = each()
        if connection is not None:
            # It may be closed.
            with suppress(duckdb.Error):
                connection.interrupt()


def raise_if_interrupted() -> None:
    """Raise an interrupt that is held, where that leaves nothing behind."""
    if _is_main_thread() and _state.depth and _state.noted:
        raise Interrupted(_state.has_stored if _state.is_storing else None)


@contextmanager
def committing() -> Iterator[None]:
    """Let a commit come to its end, so that it is known to which."""
    if not _is_main_thread():
        yield
        return
    _state.is_committing = True
    try:
        yield
    finally:
        _state.is_committing = False


def is_storing() -> bool:
    """Whether the main thread is in a block that stores."""
    return _state.depth > 0 and _state.is_storing


def note_stored() -> None:
    """Remember that what the block was to store stands."""
    if _is_main_thread():
        _state.has_stored = True
