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
from typing import IO

from jevdb.base.zstd import zipfile, zstd
from jevdb.ingest.decode.decoding import LineBatch
from jevdb.ingest.files.sources import Source

ENCRYPTED = 1
MAX_MEMBER = 1 << 26
MAX_EXPANDED = 1 << 32
IN_MEMORY = 1 << 26
BATCH_BYTES = 1 << 24
HEADERS = ("header.json", "_journal/start.json")
STARTED = "started"


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
            archive = stack.enter_context(zipfile.ZipFile(whole))
            yield from _batches(_Log(source, archive))
        except (zipfile.BadZipFile, EOFError, zlib.error, zstd.ZstdError) as error:
            raise source.fault(f"ZIP data is damaged: {error}") from error


class _Log:
    """An archive, and how much of it has been expanded."""

    def __init__(self, source: Source, archive: zipfile.ZipFile):
        self.source = source
        self._archive = archive
        # A name given twice stands for the later member.
        self.members = {info.filename: info for info in archive.infolist()}
        self._expanded = 0

    def read(self, name: str) -> bytes:
        """Return a member expanded, whole and held to its checksum."""
        info = self.members[name]
        if info.flag_bits & ENCRYPTED:
            raise self.source.fault(f"{name}: encrypted")
        try:
            with self._archive.open(info) as member:
                data = _bounded(member)
        except NotImplementedError as error:
            raise self.source.fault(f"{name}: {error}") from error
        self._expanded += len(data)
        if len(data) > MAX_MEMBER:
            raise self.source.fault(f"{name}: expands to over {MAX_MEMBER >> 20} MiB")
        if self._expanded > MAX_EXPANDED:
            raise self.source.fault(
                f"the archive expands to over {MAX_EXPANDED >> 30} GiB"
            )
        return data


def _bounded(member: IO[bytes]) -> bytes:
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
