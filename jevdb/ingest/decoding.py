"""Lines of JSON to columns of typed values, strictly and without a loop in Python.

The typed decoder refuses everything but two things: keys given twice, and NUL in text.
Both are found by counting. A colon follows every key, so a batch of lines has at least
as many colons as keys; where the decoded records hold as many keys as there are colons,
no key was given twice. Only lines for which the count does not come out are looked at
more closely.
"""

from __future__ import annotations

import gc
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, cast, get_args

import msgspec
from msgspec import UNSET

from jevdb.errors import Problem
from jevdb.ingest.strict import MAX_DEPTH, Fault, diagnose

DIAGNOSED = 1000
SPACES = (b" :", b"\t:", b"\r:", b"\n:")

Column = list[object]


class LineBatch(NamedTuple):
    """Some JSON records of a file, each with the physical line it starts on.

    ``texts`` are what stands in the file, where that is not the JSON itself.
    """

    lines: list[bytes]
    numbers: Sequence[int]
    texts: list[bytes] | None = None


class Columns(NamedTuple):
    """The same records by field; a field that no record gives is None."""

    numbers: Sequence[int]
    fields: dict[str, Column | None]


class Problems:
    """The problems of an ingest: the first *limit* in full, the others counted.

    Without a limit every line is looked at: the refused ones are kept.
    """

    def __init__(self, limit: int | None = DIAGNOSED) -> None:
        self._limit = limit
        self.listed: list[Problem] = []
        self.total = 0

    @property
    def keeps_all(self) -> bool:
        """Whether each faulty line is to be found, and the others loaded."""
        return self._limit is None

    @property
    def is_full(self) -> bool:
        """Whether further problems are only counted."""
        return self._limit is not None and len(self.listed) >= self._limit

    def add(self, problem: Problem) -> None:
        """Note one more problem."""
        self.total += 1
        if not self.is_full:
            self.listed.append(problem)


class Decoder:
    """Decodes the lines of one file as records of one kind."""

    def __init__(self, kind: type[msgspec.Struct], source: str, problems: Problems):
        self._kind = kind
        self._source = source
        self._problems = problems
        self._decode = msgspec.json.Decoder(kind).decode
        fields = msgspec.structs.fields(kind)
        self._getters = {field.name: attrgetter(field.name) for field in fields}
        self._given: set[str] = set()
        self._known = frozenset(field.encode_name for field in fields)
        self._flat = frozenset(
            field.name for field in fields if dict[str, float] in get_args(field.type)
        )
        self.ignored: set[str] = set()

    def columns(self, batch: LineBatch) -> Columns:
        """Return the records of the lines without a fault; note the faults."""
        joined = b"\n".join(batch.lines)
        if b"\\u0000" not in joined:
            try:
                records = list(map(self._decode, batch.lines))
                colons = joined.count(b":")
                # Where the fields given so far account for every colon, no other is.
                fields = self._of_names(records, self._given)
                if self._keys(fields) != colons:
                    fields = self._by_field(records)
                if self._keys(fields) == colons:
                    return Columns(batch.numbers, fields)
            except (msgspec.MsgspecError, RecursionError):
                pass
        return self._one_by_one(batch)

    def _of_names(
        self, records: Sequence[object], names: Container[str]
    ) -> dict[str, Column | None]:
        return {
            name: list(map(get, records)) if name in names else None
            for name, get in self._getters.items()
        }

    def _by_field(self, records: Sequence[object]) -> dict[str, Column | None]:
        """Return the columns that any record gives, and remember which they are."""
        fields = self._of_names(records, self._getters)
        for name, column in fields.items():
            if column and column.count(UNSET) < len(column):
                self._given.add(name)
            else:
                fields[name] = None
        return fields

    def _keys(self, fields: dict[str, Column | None]) -> int:
        """Count the keys the columns stand for: their own, and those inside values."""
        total = 0
        for name, column in fields.items():
            if column is None:
                continue
            total += len(column) - column.count(UNSET)
            kinds = set(map(type, column))
            if kinds == {dict} and name in self._flat:
                total += sum(map(len, cast("list[dict[str, float]]", column)))
            elif dict in kinds or list in kinds:
                total += keys_in(column)
        return total

    def _one_by_one(self, batch: LineBatch) -> Columns:
        records, numbers = [], []
        for line, number in zip(batch.lines, batch.numbers, strict=True):
            faults = self._faults(line)
            for fault in faults:
                self._problems.add(
                    Problem(self._source, number, fault.field, fault.message)
                )
            if not faults:
                records.append(self._decode(line))
                numbers.append(number)
        return Columns(numbers, self._by_field(records))

    def _faults(self, line: bytes) -> list[Fault]:
        try:
            self._decode(line)
            whole = msgspec.json.decode(line, type=dict[str, object])
            self.ignored.update(whole.keys() - self._known)
            if b"\\u0000" not in line and keys_in([whole]) in key_bounds(line):
                return []
        except (msgspec.MsgspecError, RecursionError):
            if self._problems.is_full:
                return [Fault(None, "not looked at")]
        return diagnose(line, self._kind)


def key_bounds(line: bytes) -> Iterator[int]:
    """Yield two counts that are each at least the number of keys in the text.

    Every key is followed by a colon, at once or after white space.
    """
    yield line.count(b":")
    yield line.count(b'":') + sum(map(line.count, SPACES))


def keys_in(values: Iterable[object]) -> int:
    """Count the keys of all objects among *values*, and inside them at any depth.

    Raises
    ------
    RecursionError
        Something is nested deeper than `MAX_DEPTH`.
    """
    keys = 0
    level = [value for value in values if isinstance(value, dict | list)]
    for _ in range(MAX_DEPTH):
        if not level:
            return keys
        keys += sum(len(value) for value in level if isinstance(value, dict))
        members = chain.from_iterable(
            value.values() if isinstance(value, dict) else value for value in level
        )
        level = [value for value in members if isinstance(value, dict | list)]
    raise RecursionError


@contextmanager
def paused_gc() -> Iterator[None]:
    """Keep the cycle collector from walking millions of fresh records."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
