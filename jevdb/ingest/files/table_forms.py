"""Which separator a table has, how its lines end, and whether it begins with an index.

A text that does not begin as JSON does is a table. Its separator is the one under which
the header has several fields and every row of the beginning as many as the header.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from jevdb.base.errors import InputError, Problem
from jevdb.base.text import cut
from jevdb.base.wording import option
from jevdb.ingest.files.sources import Source

DELIMITERS = (",", ";", "tab", "|")
WORDS = {",": "comma", ";": "semicolon", "tab": "tab", "|": "bar"}
CHARACTERS = {name: "\t" if name == "tab" else name for name in DELIMITERS}
SNIFFED_ROWS = 200
SNIFFED_BYTES = 1 << 20
MAX_CELL = 1 << 26
SHOWN = 10
INDEX_NAMES = ("", "Unnamed: 0", "__index_level_0__")
"""What pandas calls an index without a name in CSV, read back from it, and in Arrow."""


@dataclass(frozen=True, slots=True)
class FileForm:
    """What a user says of how files are written; what is None is seen from them."""

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None


class Head(NamedTuple):
    """The beginning of a text, and whether that is all of it."""

    text: bytes
    is_whole: bool

    @property
    def line_end(self) -> bytes:
        """CR, in texts that have no LF; else LF, before which a CR may stand."""
        is_cr = b"\n" not in self.text and b"\r" in self.text[:-1]
        return b"\r" if is_cr else b"\n"


class _Split(NamedTuple):
    """The beginning of a table under one delimiter; ``fits`` where its rows agree."""

    delimiter: str
    header: list[str]
    fits: bool


def is_table(first: bytes) -> bool:
    """Whether a text that begins so is a table: it does not begin as JSON does."""
    text = first.lstrip()
    return text != b"" and not text.startswith((b"{", b"["))


def read_head(chunks: Iterator[bytes]) -> Head:
    """Take so much off the chunks as it needs to see a table's form."""
    parts: list[bytes] = []
    size = lines = 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        lines += chunk.count(b"\n")
        if size >= SNIFFED_BYTES or lines > SNIFFED_ROWS:
            return Head(b"".join(parts), is_whole=False)
    return Head(b"".join(parts), is_whole=True)


def delimiter_of(source: Source, head: Head, said: str | None) -> str:
    """Return what separates the columns; a separator but the comma is noted.

    Raises
    ------
    InputError
        None gives the beginning columns, or several do.
    """
    if said is not None:
        return said
    seen = [_split(head, each) for each in DELIMITERS]
    several = [each for each in seen if len(each.header) > 1]
    fitting = [each for each in several if each.fits] or several
    if len(fitting) == 1:
        found = fitting[0].delimiter
        if found != ",":
            source.notes.append(f"{source.name}: columns by {WORDS[found]}")
        return found
    if not fitting and _is_one_column(seen[0]):
        return ","
    raise _no_delimiter(source, fitting or seen)


def _is_one_column(split: _Split) -> bool:
    return split.fits and len(split.header) == 1 and split.header[0].isidentifier()


def _split(head: Head, delimiter: str) -> _Split:
    csv.field_size_limit(MAX_CELL)
    lines = head.text.decode(errors="replace").split(head.line_end.decode())
    ended = (f"{line}{head.line_end.decode()}" for line in lines)
    rows = csv.reader(ended, delimiter=CHARACTERS[delimiter], strict=True)
    taken: list[list[str]] = []
    try:
        taken += islice((row for row in rows if row), SNIFFED_ROWS + 1)
    except csv.Error:
        return _Split(delimiter, taken[0] if taken else [], fits=False)
    if not head.is_whole and len(taken) <= SNIFFED_ROWS:
        taken = taken[:-1] or taken
    header = taken[0] if taken else []
    return _Split(delimiter, header, all(len(row) == len(header) for row in taken))


def _no_delimiter(source: Source, seen: Sequence[_Split]) -> InputError:
    under = "; ".join(
        f"by {WORDS[each.delimiter]}: {_columns(each.header)}" for each in seen
    )
    is_any = any(each.fits and len(each.header) > 1 for each in seen)
    fit = "several fit" if is_any else "none fits every row"
    message = (
        "it does not begin with { or [ as JSON does, and as a table it has columns by "
        f"no one character, {fit} ({under}); say it with {option('delimiter')} , or ; "
        "or tab or |"
    )
    return InputError([Problem(source.name, 1, None, message)])


def _columns(header: Sequence[str]) -> str:
    names = ", ".join(repr(cut(name)) for name in header[:SHOWN])
    more = f" and {len(header) - SHOWN} more" if len(header) > SHOWN else ""
    return f"{names}{more}"


def split_lines(
    source: Source, chunks: Iterable[bytes], end: bytes, longest: int
) -> Iterator[list[bytes]]:
    """Yield the physical lines of the chunks, without their ends."""
    rest: list[bytes] = []
    size = 0
    for chunk in chunks:
        lines = chunk.split(end)
        if len(lines) > 1:
            lines[0] = b"".join((*rest, lines[0]))
            rest, size = [], 0
            last = lines.pop()
            yield lines
        else:
            last = chunk
        rest.append(last)
        size += len(last)
        if size > longest:
            raise source.fault(f"a line is longer than {longest >> 20} MiB")
    last = b"".join(rest)
    if last:
        yield [last]


NOT_COUNTED = (
    "the first column counts the rows, as an index does, but not here; write the table "
    "without its index"
)


def index_note(source: str, name: str) -> str:
    """Say that a column only counts the rows."""
    called = f"the column {name!r}" if name else "the first column, without a name,"
    return f"{source}: {called} counts the rows; it is left out as an index"


def index_start(name: str, cells: Sequence[object]) -> int | None:
    """Return 0 or 1, from which the first cells of a column count, if it is an index.

    None where its name is one of a column's own, or its cells do not count.
    """
    if name not in INDEX_NAMES or not cells:
        return None
    for start in (0, 1):
        counted = range(start, start + len(cells))
        if all(str(cell) == str(n) for cell, n in zip(cells, counted, strict=True)):
            return start
    return None
