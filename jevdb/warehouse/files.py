"""Writing files whole or not at all."""

from __future__ import annotations

import os
import sys
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


def sync(path: Path) -> None:
    """Have the disk hold a file, or the names in a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
