"""What DuckDB writes of a warehouse beside it: no more readable than the warehouse.

DuckDB makes its log and what it sorts on disk by the umask alone.
"""

from __future__ import annotations

import functools
import operator
import os
import shutil
import stat
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import finalize

from jevdb.warehouse.sqlfiles import quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

EVERYBODY_READS = 0o044
RIGHTS = 0o066
"""The rights of the group and of others that a file may have."""
_spilling: Counter[str] = Counter()


class _Umask:
    """The umask of the process, and what is asked of it for a while."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: list[int] = []
        self._before = 0

    def ask(self, missing: int) -> None:
        """Take rights from what is made from now on."""
        with self._lock:
            if not self._asked:
                self._before = os.umask(0o777)
            self._asked.append(missing)
            self._set()

    def leave(self, missing: int) -> None:
        """Give them back."""
        with self._lock:
            self._asked.remove(missing)
            self._set()

    def _set(self) -> None:
        os.umask(functools.reduce(operator.or_, self._asked, self._before))


_umask = _Umask()


@contextmanager
def no_more_readable_than(path: Path) -> Iterator[None]:
    """Give what the process makes meanwhile no rights that nobody has on *path*.

    The umask is one for the whole process: with several such blocks at once, what is
    made has what all of them allow.
    """
    with _without(~stat.S_IMODE(path.stat().st_mode) & RIGHTS):
        yield


def for_this_user_alone() -> AbstractContextManager[None]:
    """Give what the process makes meanwhile to nobody else."""
    return _without(RIGHTS)


@contextmanager
def _without(missing: int) -> Iterator[None]:
    _umask.ask(missing)
    try:
        yield
    finally:
        _umask.leave(missing)


def spill_privately(connection: Connection) -> None:
    """Let a database sort on disk in a folder of this user's alone, while it is open.

    It is in the system's folder for temporary files (``TMPDIR``).
    """
    # It takes a while to import, and few files are private.
    from tempfile import mkdtemp

    asked = "select system.main.current_setting('temp_directory')"
    place = str(connection.execute(asked).fetchall()[0][0])
    # Connections of one process to a file share a database, and its folder.
    if place not in _spilling:
        place = mkdtemp(prefix="jevdb-")
        connection.execute(f"set global temp_directory = {quoted(place)}")
    _spilling[place] += 1
    finalize(connection, _left, place)


def _left(place: str) -> None:
    _spilling[place] -= 1
    if not _spilling[place]:
        del _spilling[place]
        shutil.rmtree(place, ignore_errors=True)


def is_private(path: Path) -> bool:
    """Whether there are users who may not read a file."""
    return path.stat().st_mode & EVERYBODY_READS != EVERYBODY_READS
