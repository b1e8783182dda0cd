"""A warehouse as its file system sees it: sizes, room, the header, what was left."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from jevdb.warehouse.connecting import log_of
from jevdb.warehouse.files import leftovers

HEADER = 84
MAGIC = slice(8, 12)
STORAGE_VERSION = slice(12, 20)
WRITTEN_BY = slice(52, 84)


class Header(NamedTuple):
    """The start of a DuckDB file: its storage version, and the DuckDB that made it."""

    storage_version: int
    written_by: str


class OnDisk(NamedTuple):
    """A file and what is around it; sizes in bytes, ``size`` None if there is none."""

    path: Path
    size: int | None
    log_size: int | None
    free: int | None
    header: Header | None
    is_file: bool
    is_readable: bool
    is_writable: bool
    leftovers: tuple[Path, ...]


def look_at(path: Path) -> OnDisk:
    """Look at the file at *path*; nothing of it is changed, nothing raises.

    Call it only while this process has no connection to the file: closing a file gives
    up the locks that the process holds on it.
    """
    target = Path(os.path.realpath(path))
    is_file = target.is_file()
    return OnDisk(
        target,
        _size(target),
        _size(log_of(target)),
        _free(target.parent),
        _header(target) if is_file else None,
        is_file,
        _may(target, os.R_OK),
        _may(target, os.W_OK) and _may(target.parent, os.W_OK),
        leftovers(target),
    )


def _may(path: Path, mode: int) -> bool:
    return os.access(path, mode)


def _size(path: Path) -> int | None:
    with suppress(OSError):
        return path.stat().st_size
    return None


def _free(folder: Path) -> int | None:
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return None


def _header(path: Path) -> Header | None:
    """Return the header, None if the file does not begin as DuckDB's do."""
    with suppress(OSError), path.open("rb") as file:
        head = file.read(HEADER)
        if len(head) == HEADER and head[MAGIC] == b"DUCK":
            return Header(
                int.from_bytes(head[STORAGE_VERSION], "little"),
                head[WRITTEN_BY].rstrip(b"\0").decode("ascii", "backslashreplace"),
            )
    return None
