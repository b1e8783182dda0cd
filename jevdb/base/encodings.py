"""Text of any encoding as UTF-8: by its byte order mark, or as the user says."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import Protocol

from jevdb.base.errors import InputError, Problem, UsageError, near_names
from jevdb.base.wording import how, option

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks; that of UTF-32 begins as that of UTF-16 does."""
UTF8 = "utf-8"
SEEN = 1 << 12
COMMON = (
    *("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "ascii"),
    *("cp1252", "latin-1", "iso-8859-15", "mac-roman", "cp1250", "cp1251", "cp437"),
    *("shift-jis", "euc-jp", "euc-kr", "big5", "gbk", "gb18030", "koi8-r"),
)
"""Encodings that a mistyped name may have meant."""
OTHERS = f"{how('encoding', 'cp1252')} or latin-1"
"""What text that is no UTF-8 mostly is in."""


class Text(Protocol):
    """A file as far as its encoding goes."""

    encoding: str | None
    notes: list[str]

    @property
    def name(self) -> str:
        """What the file is called in messages."""
        ...

    def fault(self, message: str) -> InputError:
        """Return the error that says what is wrong with the file as a whole."""
        ...


def known_encoding(name: str) -> str:
    """Return the name that Python has for a text encoding.

    Raises
    ------
    UsageError
        There is none of that name, or it is none of text.
    """
    try:
        found = codecs.lookup(name)
        # Python refuses a codec of bytes, as base64 is, only where there are some.
        "a".encode(found.name)
    except (LookupError, ValueError) as error:
        near = near_names(name, COMMON)
        raise UsageError(
            f"{option('encoding')} {name!r} is no text encoding; {near}"
        ) from error
    return found.name


def as_utf8(text: Text, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the chunks of a text as UTF-8 without a byte order mark.

    Raises
    ------
    InputError
        The mark and what is said contradict each other, a byte does not fit the
        encoding, or it is UTF-16 that nothing says to be so.
    """
    pieces = iter(chunks)
    first = next(pieces, b"")
    while 0 < len(first) < len(MARKS[1][0]) and (more := next(pieces, b"")):
        first += more
    mark, marked = next(
        (each for each in MARKS if first.startswith(each[0])), (b"", "")
    )
    said = known_encoding(text.encoding) if text.encoding else None
    if marked and said and not _agree(said, marked):
        raise text.fault(
            f"begins with the byte order mark of {marked.upper()}, and "
            f"{option('encoding')} says {said}; leave that out"
        )
    name = marked or said or UTF8
    if name == UTF8:
        if not said:
            _refuse_unmarked(text, first)
        yield from _unmarked(first.removeprefix(mark), pieces)
        return
    if marked:
        text.notes.append(f"{text.name}: {marked.upper()}, as its byte order mark says")
    yield from _decoded(text, name, _unmarked(first.removeprefix(mark), pieces))


def _agree(said: str, marked: str) -> bool:
    plain = {said, said.removesuffix("-sig")}
    return not plain.isdisjoint(
        (marked, marked.removesuffix("-le").removesuffix("-be"))
    )


def _unmarked(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _refuse_unmarked(text: Text, first: bytes) -> None:
    """Refuse what has a zero at every other byte: text in UTF-16 without a mark."""
    seen = first[:SEEN]
    even, odd = seen[::2].count(0), seen[1::2].count(0)
    half = len(seen) // 2
    if half and max(even, odd) * 2 > half and min(even, odd) * 2 <= half:
        likely, other = ("le", "be") if odd > even else ("be", "le")
        raise text.fault(
            "not UTF-8: every other byte is a zero, as in UTF-16 without a mark; say "
            f"{how('encoding', f'utf-16-{likely}')} or utf-16-{other}, or save it "
            "as UTF-8"
        )


def _decoded(text: Text, name: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(name)()
    lines = 1
    try:
        for chunk in chunks:
            piece = decoder.decode(chunk)
            lines += piece.count("\n")
            if piece:
                yield _encoded(piece)
        if piece := decoder.decode(b"", True):
            yield _encoded(piece)
    except UnicodeError as error:
        lines += _whole_lines(error, name)
        message = (
            f"not {name.upper()}: {_reason(error)}; say another {option('encoding')}"
        )
        raise InputError([Problem(text.name, lines, None, message)]) from error


def _encoded(piece: str) -> bytes:
    # Half of a surrogate pair becomes bytes that are no UTF-8: a fault of its line.
    return piece.encode(errors="surrogatepass")


def _whole_lines(error: UnicodeError, name: str) -> int:
    """Count the line ends of the chunk before the byte that does not fit."""
    if not isinstance(error, UnicodeDecodeError):
        return 0
    return error.object[: error.start].decode(name, errors="ignore").count("\n")


def _reason(error: UnicodeError) -> str:
    if not isinstance(error, UnicodeDecodeError):
        return str(error)
    byte = error.object[error.start]
    return f"the byte 0x{byte:02x} does not fit"
