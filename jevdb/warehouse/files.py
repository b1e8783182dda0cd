"""Writing files whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path

from jevdb.base.errors import JevdbError

STDOUT = "-"


def write_whole(path: Path, data: bytes) -> None:
    """Write *data* to *path*, or to stdout if it is ``-``; never half a file."""
    if str(path) == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise JevdbError(f"{path}: cannot write: {error.strerror or error}") from error


def _replace(path: Path, data: bytes) -> None:
    if path.exists() and not path.is_file():
        # A pipe or a device has no half; a directory raises.
        path.write_bytes(data)
        return
    clear_leftovers(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def put_new(built: Path, path: Path) -> None:
    """Give the file *built* the name *path*, if no file has it yet.

    Raises
    ------
    FileExistsError
        There is a file of that name; it stays as it is.
    """
    try:
        os.link(built, path)
    except FileExistsError:
        raise
    except OSError as error:
        # Not every file system has hard links.
        if path.exists():
            raise FileExistsError(path) from error
        built.rename(path)
    else:
        built.unlink()
    sync(path.parent)


def as_private_as(source: Path, made: Path) -> None:
    """Take from a file or folder the rights that nobody has on what it is made of.

    Who may read a folder may enter it.
    """
    allowed = stat.S_IMODE(source.stat().st_mode)
    if made.is_dir():
        allowed |= (allowed & 0o444) >> 2
    made.chmod(stat.S_IMODE(made.stat().st_mode) & allowed)


def shared_as(folder: Path, made: Path) -> None:
    """Give what was made in a folder the folder's group, and that group's rights.

    What somebody's umask takes from the group, a folder that people share gives back.
    Nothing is given to another group, and nothing to what another user made.
    """
    shared, own = folder.stat(), made.stat()
    given = shared.st_mode & (stat.S_IRWXG | stat.S_ISGID)
    if not made.is_dir():
        given &= stat.S_IRGRP | stat.S_IWGRP
    with suppress(OSError):
        if own.st_gid != shared.st_gid:
            os.chown(made, -1, shared.st_gid)
        if own.st_mode | given != own.st_mode:
            made.chmod(stat.S_IMODE(own.st_mode | given))


def leftovers(path: Path) -> tuple[Path, ...]:
    """Return what stands beside *path* that a process did not live to remove."""
    made = re.compile(rf"\.{re.escape(path.name)}\.(\d+|compacting)(\.\w+)?")
    found = []
    with suppress(OSError):
        for other in path.parent.iterdir():
            match = made.fullmatch(other.name)
            if match and not (match[1].isdigit() and _is_alive(int(match[1]))):
                found.append(other)
    return tuple(sorted(found))


def clear_leftovers(path: Path) -> None:
    """Remove what processes that are gone left beside *path*, half written."""
    for each in leftovers(path):
        # What is compacting now has the file's lock, and is no leftover.
        if not each.name.removesuffix(".wal").endswith(".compacting"):
            with suppress(OSError):
                shutil.rmtree(each) if each.is_dir() else each.unlink()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def sync(path: Path) -> None:
    """Have the disk hold a file, or the names in a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
