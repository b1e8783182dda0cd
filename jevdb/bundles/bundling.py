"""Where bundles lie: in a folder, in a tar file, or on the standard streams."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from jevdb.base.errors import ConflictError, JevdbError
from jevdb.bundles.bundle import (
    CHUNK,
    MOST_BYTES,
    Manifest,
    is_tar,
    pack,
    unpack,
    write_bundle,
)
from jevdb.bundles.restoring import require_free, restore
from jevdb.warehouse.files import (
    STDOUT,
    as_private_as,
    clear_leftovers,
    put_new,
    sync,
)

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

TAR = ".tar"


def back_up(connection: Connection, bundle: Path, warehouse: Path) -> Manifest:
    """Write a warehouse as a bundle: whole, or nothing of that name is there.

    Whoever may not read the *warehouse* file may not read the bundle.

    Raises
    ------
    ConflictError
        A file, or a folder that is not empty, has the name.
    """
    if str(bundle) == STDOUT:
        with TemporaryDirectory(prefix="jevdb-") as passing:
            manifest = write_bundle(connection, Path(passing))
            sys.stdout.flush()
            pack(Path(passing), sys.stdout.buffer)
        return manifest
    target = Path(os.path.realpath(bundle))
    if target.is_file() or (target.is_dir() and any(target.iterdir())):
        raise _taken(bundle)
    with _beside(target) as place:
        folder = place / "bundle"
        folder.mkdir()
        manifest = write_bundle(connection, folder)
        try:
            if target.suffix == TAR:
                packed = _packed(folder, place / "bundle.tar")
                as_private_as(warehouse, packed)
                put_new(packed, target)
            else:
                for each in (folder, *folder.iterdir()):
                    as_private_as(warehouse, each)
                folder.rename(target)
                sync(target.parent)
        except (FileExistsError, NotADirectoryError) as error:
            raise _taken(bundle) from error
    return manifest


def _packed(folder: Path, packed: Path) -> Path:
    with packed.open("xb") as out:
        pack(folder, out)
    sync(packed)
    return packed


def restore_from(bundle: Path, path: Path) -> Manifest:
    """Make a new warehouse at *path* of a bundle, wherever that lies."""
    require_free(path)
    if bundle.is_dir():
        return restore(bundle, path)
    with _beside(path.resolve()) as place:
        packed = bundle
        if str(bundle) == STDOUT:
            packed = place / "stdin.tar"
            _copy_in(packed)
        elif not bundle.is_file():
            raise JevdbError(f"{bundle}: no such folder or file")
        folder = place / "bundle"
        folder.mkdir()
        unpack(packed, folder)
        return restore(folder, path)


def _copy_in(packed: Path) -> None:
    """Take a tar file from the standard input, as far as it may be one of a bundle."""
    left = MOST_BYTES
    with packed.open("xb") as out:
        while chunk := sys.stdin.buffer.read(CHUNK):
            if left == MOST_BYTES and not is_tar(chunk):
                raise JevdbError("standard input: not a bundle: no tar file")
            left -= len(chunk)
            if left < 0:
                raise JevdbError(
                    f"standard input: over {MOST_BYTES:,} bytes, which is the most "
                    "that a bundle has"
                )
            out.write(chunk)


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Give a folder on the disk of *target*, for as long as it takes."""
    if not target.parent.is_dir():
        raise JevdbError(f"{target.parent}: no such folder")
    clear_leftovers(target)
    prefix, parent = f".{target.name}.{os.getpid()}.", str(target.parent)
    with TemporaryDirectory(prefix=prefix, dir=parent) as place:
        yield Path(place)


def _taken(bundle: Path) -> ConflictError:
    return ConflictError(f"{bundle}: is there already; name a new folder or .tar file")
