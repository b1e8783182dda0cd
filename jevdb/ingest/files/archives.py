"""Inspect AI's `.eval` logs: a ZIP of samples, deflated or Zstandard.

Each sample becomes a record of its own, in the shape of Inspect's JSON log:
``{"eval": ..., "samples": [sample]}``. Its line is its number in the archive.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import IO, Protocol
from zipfile import BadZipFile, ZipFile, ZipInfo

from jevdb.ingest.decode.decoding import LineBatch
from jevdb.ingest.files.sources import ZIP, Source

ZSTD_METHOD = 93
ENCRYPTED = 1
LOCAL_HEADER = 30
MAX_MEMBER = 1 << 26
MAX_EXPANDED = 1 << 32
IN_MEMORY = 1 << 26
BATCH_BYTES = 1 << 24
HEADERS = ("header.json", "_journal/start.json")
STARTED = "started"


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def open_archive(source: Source, chunks: Iterable[bytes]) -> Iterator[LineBatch]:
    """Yield the samples of the log, each with its number from 1.

    Raises
    ------
    InputError
        Not a whole ZIP, not a log, a member that is damaged, or one that expands to
        more than 64 MiB, or all of them to more than 4 GiB.
    """
    with ExitStack() as stack:
        whole = stack.enter_context(SpooledTemporaryFile(max_size=IN_MEMORY))
        for chunk in chunks:
            whole.write(chunk)
        try:
            archive = stack.enter_context(ZipFile(whole))
            yield from _batches(_Log(source, archive, whole))
        except (BadZipFile, EOFError, zlib.error) as error:
            raise source.fault(f"ZIP data is damaged: {error}") from error


class _Log:
    """An archive, and how much of it has been expanded."""

    def __init__(self, source: Source, archive: ZipFile, whole: IO[bytes]):
        self.source = source
        self._archive = archive
        self._whole = whole
        # A name given twice stands for the later member.
        self.members = {info.filename: info for info in archive.infolist()}
        self._expanded = 0

    def read(self, name: str) -> bytes:
        """Return a member expanded, whole and held to its checksum."""
        info = self.members[name]
        if info.flag_bits & ENCRYPTED:
            raise self.source.fault(f"{name}: encrypted")
        data = (
            self._zstd(info) if info.compress_type == ZSTD_METHOD else self._zip(info)
        )
        self._expanded += len(data)
        if len(data) > MAX_MEMBER:
            raise self.source.fault(f"{name}: expands to over {MAX_MEMBER >> 20} MiB")
        if self._expanded > MAX_EXPANDED:
            raise self.source.fault(
                f"the archive expands to over {MAX_EXPANDED >> 30} GiB"
            )
        return data

    def _zip(self, info: ZipInfo) -> bytes:
        try:
            with self._archive.open(info) as member:
                return _bounded(member)
        except NotImplementedError as error:
            raise self.source.fault(f"{info.filename}: {error}") from error

    def _zstd(self, info: ZipInfo) -> bytes:
        """Expand what `zipfile` cannot before Python 3.14."""
        import zstandard

        self._whole.seek(info.header_offset)
        header = self._whole.read(LOCAL_HEADER)
        if len(header) < LOCAL_HEADER or not header.startswith(ZIP):
            raise BadZipFile(f"no member {info.filename} where the directory says")
        names = header[26:30]
        skipped = int.from_bytes(names[:2], "little") + int.from_bytes(
            names[2:], "little"
        )
        self._whole.seek(skipped, 1)
        packed = self._whole.read(min(info.compress_size, MAX_MEMBER))
        try:
            with zstandard.ZstdDecompressor().stream_reader(packed) as member:
                data = _bounded(member)
        except zstandard.ZstdError as error:
            raise BadZipFile(f"{info.filename}: {error}") from error
        if len(data) <= MAX_MEMBER and (
            len(data) != info.file_size or zlib.crc32(data) != info.CRC
        ):
            raise BadZipFile(f"bad checksum of {info.filename}")
        return data


def _bounded(member: _Readable) -> bytes:
    """Return what the member holds, or one byte more than is allowed."""
    parts, size = [], 0
    while size <= MAX_MEMBER and (part := member.read(MAX_MEMBER + 1 - size)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _batches(log: _Log) -> Iterator[LineBatch]:
    header = next((name for name in HEADERS if name in log.members), None)
    samples = [
        name
        for name in log.members
        if name.startswith("samples/") and name.endswith(".json")
    ]
    if header is None:
        raise log.source.fault(
            "a ZIP archive that is no Inspect log: it has no header.json"
        )
    if not samples:
        raise log.source.fault("an Inspect log without samples")
    start = _described(log, header) + b',"samples":['
    lines, first, size = [], 1, 0
    for number, name in enumerate(samples, 1):
        lines.append(start + log.read(name) + b"]}")
        size += len(lines[-1])
        if size > BATCH_BYTES or number == len(samples):
            yield LineBatch(lines, range(first, number + 1))
            lines, first, size = [], number + 1, 0


def _described(log: _Log, name: str) -> bytes:
    """Return the beginning of a log with what is used of what it says of the run.

    A log that has only the header of its start was never finished.
    """
    try:
        header = json.loads(log.read(name))
        described = {key: header["eval"].get(key) for key in ("task", "model")}
        config = header["eval"].get("config") or {}
        status = header.get("status") if name == HEADERS[0] else STARTED
        whole = {
            **({} if status is None else {"status": status}),
            "eval": {**described, "config": {"limit": config.get("limit")}},
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise log.source.fault(f"{name}: not the header of an Inspect log") from error
    return json.dumps(whole).encode().removesuffix(b"}")
