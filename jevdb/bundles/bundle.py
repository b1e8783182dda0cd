"""Bundles: a warehouse as Parquet files, one a table, and a manifest with digests.

The same rows give the same bytes, on any machine with the same versions of jevdb and
DuckDB: every table is in the order of its key, and nothing says when or where.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from jevdb.base.errors import JevdbError
from jevdb.base.text import counted
from jevdb.base.wording import command
from jevdb.warehouse.database import transaction
from jevdb.warehouse.files import sync
from jevdb.warehouse.sqlfiles import quoted

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

MANIFEST = "manifest.json"
FORMAT = "jevdb-bundle-1"
PARQUET = ".parquet"
MAX_MANIFEST = 1 << 20
MOST_BYTES = 1 << 40
"""The most that the files of a bundle may have together: a tebibyte."""
MOST_ROWS = 4_000_000_000
"""The most rows that the tables of a bundle may have together."""
CHUNK = 1 << 20
PLAIN_NAME = re.compile(r"[a-z][a-z_]*")
COPY_OPTIONS = "format parquet, compression zstd, row_group_size 122880"


class TableFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a bundle: its file, and what is in it."""

    file: str
    rows: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bundle holds; ``bundle_sha256`` is the digest of all the rest of it."""

    bundle_sha256: str
    duckdb_version: str
    format: str
    jevdb_version: str
    schema_revision: str
    tables: dict[str, TableFile]

    @property
    def rows(self) -> int:
        """Rows of all tables together."""
        return sum(table.rows for table in self.tables.values())

    def to_bytes(self) -> bytes:
        """Return the one text that stands for this manifest."""
        text = json.dumps(msgspec.to_builtins(self), indent=2, sort_keys=True)
        return f"{text}\n".encode()

    def sealed(self) -> Manifest:
        """Return the manifest with the digest of what it says."""
        blank = msgspec.structs.replace(self, bundle_sha256="")
        digest = hashlib.sha256(blank.to_bytes()).hexdigest()
        return msgspec.structs.replace(self, bundle_sha256=digest)


def write_bundle(connection: Connection, folder: Path) -> Manifest:
    """Write every table of the warehouse into *folder*, which is there and empty."""
    from jevdb.base.version import __version__
    from jevdb.warehouse.schema import key_of, stored_tables

    with transaction(connection):
        tables = {
            name: _write_table(connection, name, key_of(table), folder)
            for name, table in sorted(stored_tables().items())
        }
        found = connection.execute(
            "select version_num, library_version from alembic_version, pragma_version()"
        ).fetchall()
    revision, engine = found[0]
    manifest = Manifest("", engine, FORMAT, __version__, revision, tables).sealed()
    (folder / MANIFEST).write_bytes(manifest.to_bytes())
    for path in (*folder.iterdir(), folder):
        sync(path)
    return manifest


def own_tables(connection: Connection) -> set[str]:
    """Return the tables of jevdb that there are; a user's own are left out."""
    from jevdb.warehouse.schema import stored_tables

    found = connection.execute(
        "select table_name from duckdb_tables() where schema_name = 'main'"
    ).fetchall()
    return {str(name) for (name,) in found} & stored_tables().keys()


def _write_table(
    connection: Connection, table: str, keys: list[str], folder: Path
) -> TableFile:
    path = folder / f"{table}.parquet"
    connection.execute(
        f"copy (select * from {table} order by {', '.join(keys)}) "
        f"to {quoted(str(path))} ({COPY_OPTIONS})"
    ).fetchall()
    rows = connection.execute(f"select count(*) from {table}").fetchall()[0][0]
    return TableFile(path.name, rows, sha256_of(path))


def sha256_of(path: Path) -> str:
    """Return the digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Read a bundle's manifest and hold every file of the bundle to it.

    Raises
    ------
    JevdbError
        There is no manifest, it is not the text that stands for what it says, a file is
        missing, or a digest is not that of the bytes there.
    """
    manifest = _read(folder / MANIFEST)
    for held in manifest.tables.values():
        path = folder / held.file
        if not path.is_file():
            raise JevdbError(f"{held.file}: missing from the bundle")
        if sha256_of(path) != held.sha256:
            raise JevdbError(
                f"{held.file}: its bytes are not those that were written (SHA-256); "
                "take another copy of the bundle"
            )
    return manifest


def _read(path: Path) -> Manifest:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_MANIFEST)
    except FileNotFoundError as error:
        raise JevdbError(
            f"{path}: missing; a bundle is what {command('backup', 'backup')} wrote"
        ) from error
    return _decoded(path.name, data)


def _decoded(name: str, data: bytes) -> Manifest:
    """Return what a manifest says, which is just the text that stands for it."""
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise JevdbError(f"{name}: not a bundle's manifest: {error}") from error
    if manifest.format != FORMAT:
        raise JevdbError(
            f"{name}: the format {manifest.format!r} is not {FORMAT!r}; upgrade jevdb"
        )
    if manifest.sealed().to_bytes() != data:
        raise JevdbError(
            f"{name}: its bytes are not those that were written; take another copy of "
            "the bundle"
        )
    for table, held in manifest.tables.items():
        if not PLAIN_NAME.fullmatch(table) or held.file != f"{table}.parquet":
            raise JevdbError(f"{name}: {table!r} in {held.file!r}: no table's file")
    if not 0 <= manifest.rows <= MOST_ROWS:
        raise JevdbError(
            f"{name}: {counted(manifest.rows, 'row', form=',')}; a bundle has at most "
            f"{MOST_ROWS:,}"
        )
    return manifest


def pack(folder: Path, out: IO[bytes]) -> None:
    """Write a bundle's folder as a tar file: the same bundle, the same bytes."""
    names = sorted(path.name for path in folder.iterdir())
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = (folder / name).stat().st_size
            with (folder / name).open("rb") as file:
                archive.addfile(member, file)


def unpack(packed: Path, folder: Path) -> None:
    """Take a bundle out of its tar file, which must be just what `pack` wrote.

    Nothing is written before every member was held to the manifest.

    Raises
    ------
    JevdbError
        It is not, to the last byte.
    """
    try:
        with tarfile.open(packed, mode="r:") as archive:
            members = _members(archive, packed)
            _hold_to_manifest(archive, members)
            for name, member in members.items():
                with (folder / name).open("xb") as out:
                    shutil.copyfileobj(_data(archive, member), out, CHUNK)
    except (tarfile.TarError, EOFError, ValueError, LookupError) as error:
        # Python's reader of sparse members, for one, trusts their maps.
        raise JevdbError(f"{packed.name}: not a bundle: {error}") from error
    digest = _Digest()
    pack(folder, digest)  # type: ignore[arg-type]
    if digest.sha256.hexdigest() != sha256_of(packed):
        raise _not_as_written(packed.name)


def is_tar(head: bytes) -> bool:
    """Whether bytes are those that a tar file begins with."""
    return head[257:262] == b"ustar"


def _members(archive: tarfile.TarFile, packed: Path) -> dict[str, tarfile.TarInfo]:
    """Return the members by name, from their headers alone: plain files of a bundle."""
    members: dict[str, tarfile.TarInfo] = {}
    total = 0
    for member in archive:
        name = member.name
        is_named = name == MANIFEST or (
            name.endswith(PARQUET) and PLAIN_NAME.fullmatch(name.removesuffix(PARQUET))
        )
        # A sparse member, or one with a size said twice, is larger than its bytes.
        is_plain = member.type == tarfile.REGTYPE and not member.issparse()
        if not is_named or not is_plain or name in members or member.size < 0:
            raise JevdbError(f"{packed.name}: {name!r}: no file of a bundle")
        total += member.size
        if total > MOST_BYTES:
            raise JevdbError(
                f"{packed.name}: its files are over {MOST_BYTES:,} bytes, which is the "
                "most that a bundle has"
            )
        if total > packed.stat().st_size:
            raise JevdbError(f"{packed.name}: {name!r}: larger than the file it is in")
        members[name] = member
    return members


def _hold_to_manifest(
    archive: tarfile.TarFile, members: Mapping[str, tarfile.TarInfo]
) -> None:
    if MANIFEST not in members:
        raise JevdbError(
            f"{MANIFEST}: missing; a bundle is what {command('backup', 'backup')} wrote"
        )
    file = _data(archive, members[MANIFEST])
    manifest = _decoded(MANIFEST, file.read(MAX_MANIFEST))
    named = {held.file: held.sha256 for held in manifest.tables.values()}
    if differing := sorted(members.keys() ^ {MANIFEST, *named}):
        raise JevdbError(f"{differing[0]}: missing, or not in the {MANIFEST}")
    for name, sha256 in named.items():
        found = hashlib.sha256()
        data = _data(archive, members[name])
        while chunk := data.read(CHUNK):
            found.update(chunk)
        if found.hexdigest() != sha256:
            raise _not_as_written(name)


def _data(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(member)
    if file is None:
        raise JevdbError(f"{member.name!r}: no file of a bundle")
    return file


def _not_as_written(name: str) -> JevdbError:
    return JevdbError(
        f"{name}: its bytes are not those that were written; take another copy of the "
        "bundle"
    )


class _Digest:
    """A stream that only digests."""

    def __init__(self) -> None:
        self.sha256 = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.sha256.update(data)
        return len(data)
