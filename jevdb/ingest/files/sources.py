"""The bytes of an input file: opened, expanded by content, and digested on the way."""

from __future__ import annotations

import hashlib
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from jevdb.base.encodings import as_utf8
from jevdb.base.errors import InputError, Problem

CHUNK = 1 << 20
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
XZ = b"\xfd7zXZ\0"
XZ_MEMORY = 1 << 28
PARQUET = b"PAR1"
ZIP = b"PK\x03\x04"
STDIN = "stdin"
MOST_EXPANDED = 500
FREE_EXPANDED = 1 << 26
"""Beyond so many bytes a file may not expand more than so many times: rows of errors
that repeat each other compress 200 times, bombs 1,000 times and more."""
MOST_GIVEN = 1 << 36
"""No file expands to more bytes, however it does."""


class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(slots=True)
class Source:
    """One input file: its name without folders, and the SHA-256 of its bytes.

    ``number`` tells files of one name in several folders apart; ``encoding`` is what
    its text is said to be in, and ``notes`` what the file said of its form itself.
    """

    path: Path
    number: int = 1
    encoding: str | None = None
    notes: list[str] = field(default_factory=list)
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    @property
    def name(self) -> str:
        """What the file is called in messages and in the warehouse."""
        name = STDIN if self.is_stdin else self.path.name
        return name if self.number == 1 else f"{name} ({self.number})"

    @property
    def is_stdin(self) -> bool:
        """Whether it is read from standard input."""
        return str(self.path) == "-"

    @property
    def sha256(self) -> str:
        """Digest of the bytes read, as they lie on disk; whole after `chunks` ended."""
        return self._digest.hexdigest()

    def chunks(self) -> Iterator[bytes]:
        """Yield the expanded bytes; text as UTF-8 without a byte order mark.

        Raises
        ------
        InputError
            The file cannot be opened, its compression is damaged or cut short, or its
            text is not in the encoding that is said, or in none that is known.
        """
        pieces = self._expanded()
        first = next(pieces, b"")
        whole = chain([first], pieces)
        if first.startswith((PARQUET, ZIP)):
            yield from whole
        else:
            yield from as_utf8(self, whole)

    def _expanded(self) -> Iterator[bytes]:
        with ExitStack() as stack:
            try:
                stream = self._open(stack)
                while piece := stream.read(CHUNK):
                    yield piece
            except OSError as error:
                raise self.fault(error.strerror or str(error)) from error

    def _open(self, stack: ExitStack) -> _Reader:
        raw = sys.stdin.buffer if self.is_stdin else self.path.open("rb")
        if raw is not sys.stdin.buffer:
            stack.enter_context(raw)
        tee = _Digesting(raw, self._digest)
        codec = _codec_of(tee.head)
        return tee if codec is None else _Expanded(tee, self, codec)

    def fault(self, message: str) -> InputError:
        """Return the error that says what is wrong with the file as a whole."""
        problem = Problem(self.name, None, None, message)
        return InputError([problem], is_of_records=True)


class _Digesting:
    """A stream whose bytes all pass through a digest."""

    def __init__(self, raw: IO[bytes], digest: hashlib._Hash):
        self._raw = raw
        self._digest = digest
        self.head = self._pull(CHUNK)
        self._pending = self.head

    def _pull(self, size: int) -> bytes:
        data = self._raw.read(size)
        self._digest.update(data)
        return data

    def read(self, size: int, /) -> bytes:
        if self._pending:
            pending, self._pending = self._pending, b""
            return pending
        return self._pull(size)


class _Expanded:
    """The members of a compressed stream, each whole and held to its checksum."""

    def __init__(self, raw: _Digesting, source: Source, codec: _Codec):
        self._raw = raw
        self._source = source
        self._codec = codec
        self._member = codec.start()
        self._is_inside = False
        self._compressed = b""
        self._pending = b""
        self._taken = 0
        self._given = 0

    def read(self, size: int, /) -> bytes:
        """Return some expanded bytes; none at the end of the last member."""
        data = self._pending or self._next()
        self._pending = data[size:]
        return data[:size]

    def _next(self) -> bytes:
        while True:
            if not self._compressed:
                self._compressed = self._raw.read(CHUNK)
                self._taken += len(self._compressed)
            if not self._compressed:
                if self._is_inside:
                    raise self._source.fault(f"{self._codec.name} data is cut short")
                return b""
            if out := self._expand():
                self._given += len(out)
                self._refuse_bomb()
                return out

    def _refuse_bomb(self) -> None:
        if self._given > MOST_GIVEN:
            raise self._source.fault(
                f"{self._codec.name} data expands to over {MOST_GIVEN >> 30} GiB, the "
                "most that a file may hold; split it"
            )
        if self._given > max(FREE_EXPANDED, MOST_EXPANDED * self._taken):
            raise self._source.fault(
                f"{self._codec.name} data expands to over {FREE_EXPANDED >> 20} MiB "
                f"and over {MOST_EXPANDED} times its size"
            )

    def _expand(self) -> bytes:
        piece = self._compressed[: self._codec.step]
        self._compressed = self._compressed[self._codec.step :]
        try:
            out = self._member.decompress(piece)
        except self._codec.error as error:
            raise self._source.fault(
                f"{self._codec.name} data is damaged: {error}"
            ) from error
        self._is_inside = not self._member.eof
        if self._member.eof:
            # Members follow each other; zeros between them are padding.
            self._compressed = self._member.unused_data.lstrip(b"\0") + self._compressed
            self._member = self._codec.start()
        return out


class _Member(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class _Codec(NamedTuple):
    """A compression; ``step`` bytes at a time bound what one call can expand to."""

    name: str
    start: Callable[[], _Member]
    error: type[Exception]
    step: int


def _codec_of(head: bytes) -> _Codec | None:
    if head.startswith(GZIP):
        # Deflate expands at most 1,032 times.
        return _Codec("gzip", lambda: zlib.decompressobj(wbits=31), zlib.error, 1 << 16)
    if head.startswith(ZSTD):
        from jevdb.base.zstd import zstd

        # A block of four bytes can stand for 128 KiB.
        return _Codec("zstd", zstd.ZstdDecompressor, zstd.ZstdError, 1 << 12)
    if head.startswith(XZ):
        return _Codec("xz", _xz, lzma.LZMAError, 1 << 12)
    return None


def _xz() -> _Member:
    """Return what expands one stream; it may ask for no more memory than 256 MiB."""
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, XZ_MEMORY)
