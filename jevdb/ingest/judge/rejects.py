"""Refused lines, kept beside the run whose other lines are good.

A line is kept once, with everything that is wrong with it. Its text is found again in
what was set aside while reading: which lines are refused is partly known at the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from jevdb.base.arrow import register
from jevdb.base.errors import Problem
from jevdb.base.wording import for_shell
from jevdb.ingest.decode.decoding import LineBatch
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

IN_MEMORY = 1 << 26
MAX_TEXT = 1 << 20

Place = tuple[str, int]


class Reject(NamedTuple):
    """A refused line: the JSON path of its first fault, all its faults, its text."""

    source_file: str
    line: int
    field: str | None
    reason: str
    text: str | None


class _Kept(NamedTuple):
    """Where the texts of a batch of lines lie in the spool."""

    source: str
    numbers: Sequence[int]
    start: int
    size: int


class LineTexts:
    """The text of every line read, compressed in a temporary file."""

    def __init__(self) -> None:
        from jevdb.base.zstd import zstd

        self._zstd = zstd
        self._spool = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._batches: list[_Kept] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._spool.close()

    def note(self, source: str, batch: LineBatch) -> None:
        """Set a batch's lines aside, as they stand in the file."""
        packed = self._zstd.compress(
            msgspec.msgpack.encode(batch.texts or batch.lines), level=1
        )
        start = self._spool.tell()
        self._spool.write(packed)
        self._batches.append(_Kept(source, batch.numbers, start, len(packed)))

    def find(self, wanted: Iterable[Place]) -> dict[Place, str]:
        """Return the texts of the wanted lines, as far as they were set aside."""
        lines = defaultdict(set)
        for source, line in wanted:
            lines[source].add(line)
        found = {}
        for kept in self._batches:
            if lines[kept.source].isdisjoint(kept.numbers):
                continue
            self._spool.seek(kept.start)
            packed = self._zstd.decompress(self._spool.read(kept.size))
            texts = msgspec.msgpack.decode(packed, type=list[bytes])
            for number, text in zip(kept.numbers, texts, strict=True):
                if number in lines[kept.source]:
                    found[kept.source, number] = _shown(text)
        return found


def _shown(text: bytes) -> str:
    """Return a line as text: what is no UTF-8, and NUL, as escapes."""
    shown = text.rstrip(b"\r").decode(errors="backslashreplace")
    return shown.replace("\0", "\\x00")[:MAX_TEXT]


def rejects_of(problems: Sequence[Problem], texts: LineTexts) -> list[Reject]:
    """Return one reject for each line with problems, in the order they are given."""
    by_line = by_place(problems)
    found = texts.find(by_line)
    return [
        Reject(source, line, faults[0].field, _reasons(faults), _text(faults, found))
        for (source, line), faults in by_line.items()
    ]


def by_place(problems: Iterable[Problem]) -> dict[Place, list[Problem]]:
    """Return the problems that a line has, line by line."""
    by_line: dict[Place, list[Problem]] = defaultdict(list)
    for problem in problems:
        if problem.line is not None:
            by_line[problem.source, problem.line].append(problem)
    return by_line


def _reasons(faults: Sequence[Problem]) -> str:
    first, *others = faults
    rest = (": ".join(filter(None, (each.field, each.message))) for each in others)
    return for_shell("; ".join((first.message, *rest)))


def _text(faults: Sequence[Problem], found: Mapping[Place, str]) -> str | None:
    own = next((each.text for each in faults if each.text is not None), None)
    if own is not None:
        return _shown(own.encode(errors="surrogateescape"))
    return found.get((faults[0].source, faults[0].line or 0))


def store_rejects(connection: Connection, rejects: Sequence[Reject], seq: int) -> None:
    """Store the rejects under the ingest numbered *seq*."""
    import pyarrow as pa

    columns = zip(*rejects, strict=True)
    names = zip(Reject._fields, columns, strict=True)
    register(connection, "refused", pa.table({name: list(of) for name, of in names}))
    connection.execute(query("ingest/rejects"), {"seq": seq}).fetchall()
    connection.unregister("refused")
