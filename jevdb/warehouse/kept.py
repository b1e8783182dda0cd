"""What jevdb keeps for this user on this machine, and can make anew at any time."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from jevdb.warehouse.cache import cache_folder

FOLDER = "known"
OTHERS_WRITE = 0o022
OTHERS_READ = 0o044


def kept(name: str) -> bytes | None:
    """Return what is kept, if nobody but this user can have written it."""
    folder = _folder()
    try:
        found = folder.stat()
        if found.st_uid != os.geteuid() or found.st_mode & OTHERS_WRITE:
            return None
        return (folder / name).read_bytes()
    except OSError:
        return None


def is_readable_by_others(name: str) -> bool:
    """Whether others than this user may read what is kept."""
    folder = _folder()
    try:
        modes = folder.stat().st_mode, (folder / name).stat().st_mode
    except OSError:
        return False
    return all(mode & OTHERS_READ for mode in modes)


def keep(name: str, data: bytes) -> None:
    """Keep what was found out; where there is no room for it, it is found out again."""
    folder = _folder()
    passing = folder / f".{name}.{os.getpid()}.{threading.get_ident()}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            passing.write_bytes(data)
            passing.replace(folder / name)
        finally:
            passing.unlink(missing_ok=True)


def _folder() -> Path:
    return cache_folder() / FOLDER
