"""Lines of JSON to columns of typed values, strictly and without a loop in Python.

The typed decoder refuses everything but two things: keys given twice, and NUL in text.
Both are found by counting. A colon follows every key, so a batch of lines has at least
as many colons as keys; where the decoded records hold as many keys as there are colons,
no key was given twice. Only lines for which the count does not come out are looked at
more closely.

Most files give the same keys on every line. Once a batch did, the next is decoded as
records of just these keys, all required; a batch that is no such is decoded in the
general way.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from jevdb.base.errors import FaultKind, Problem, kind_of
from jevdb.ingest.decode.record_fields import (
    AlikeRecords,
    Column,
    Fields,
    RecordFields,
    key_bounds,
    keys_in,
)
from jevdb.ingest.decode.strict import Fault, diagnose

DIAGNOSED = 10_000
SHORT_TURN_S = 1e-4


class LineBatch(NamedTuple):
    """Some JSON records of a file, each with the physical line it starts on.

    ``texts`` are what stands in the file, where that is not the JSON itself.
    """

    lines: list[bytes]
    numbers: Sequence[int]
    texts: list[bytes] | None = None


class Columns(NamedTuple):
    """The same records by field."""

    numbers: Sequence[int]
    fields: Fields


class Part(NamedTuple):
    """Some records of one file in the canonical form."""

    source: str
    columns: Columns
    has_text_answers: bool


class Problems:
    """The problems of an ingest: the first *limit* in full, the others counted.

    Without a limit every line is looked at: the refused ones are kept.
    """

    def __init__(self, limit: int | None = DIAGNOSED) -> None:
        self._limit = limit
        self.listed: list[Problem] = []
        self.uncounted: Counter[FaultKind] = Counter()
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
        elif len(self.uncounted) < DIAGNOSED:
            self.uncounted[kind_of(problem)] += 1


class Decoder:
    """Decodes the lines of one file as records of one kind."""

    def __init__(self, kind: type[msgspec.Struct], source: str, problems: Problems):
        self._kind = kind
        self._source = source
        self._problems = problems
        self._decode = msgspec.json.Decoder(kind).decode
        fields = msgspec.structs.fields(kind)
        self._fields = RecordFields(fields)
        self._alike: AlikeRecords | None = None
        self._known = frozenset(field.encode_name for field in fields)
        self.ignored: set[str] = set()

    def columns(self, batch: LineBatch) -> Columns:
        """Return the records of the lines without a fault; note the faults."""
        joined = b"\n".join(batch.lines)
        if b"\\" not in joined or b"\\u0000" not in joined:
            colons = joined.count(b":")
            fields = self._as_before(batch, colons) or self._in_general(batch, colons)
            if fields:
                return Columns(batch.numbers, fields)
        return self._one_by_one(batch)

    def _as_before(self, batch: LineBatch, colons: int) -> Fields:
        if self._alike is None:
            return {}
        try:
            return self._alike.columns(batch.lines, colons)
        except (msgspec.MsgspecError, RecursionError):
            self._alike = None
            return {}

    def _in_general(self, batch: LineBatch, colons: int) -> Fields:
        """Return the records by field; nothing where one may have a fault."""
        try:
            columns = self._fields.columns(list(map(self._decode, batch.lines)))
            absent = {name: column.count(UNSET) for name, column in columns.items()}
            keys = len(columns) * len(batch.lines) - sum(absent.values())
            if keys + self._fields.inner_keys(columns) != colons:
                return {}
        except (msgspec.MsgspecError, RecursionError):
            return {}
        given = [name for name, n in absent.items() if n < len(batch.lines)]
        if not any(map(absent.__getitem__, given)):
            self._alike = AlikeRecords(self._kind, given)
        return _given(columns)

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
        return Columns(numbers, _given(self._fields.columns(records)))

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


def _given(columns: Mapping[str, Column]) -> Fields:
    """Return the columns with None for what is absent."""
    fields: Fields = {}
    for name, column in columns.items():
        absent = column.count(UNSET)
        if absent == len(column):
            fields[name] = None
        elif absent:
            fields[name] = [None if value is UNSET else value for value in column]
        else:
            fields[name] = column
    return fields


@contextmanager
def tuned() -> Iterator[None]:
    """Set Python up for millions of fresh records, decoded beside another thread.

    The cycle collector does not walk them. The judging thread needs Python for moments,
    but a hundred times a group: it is not kept waiting the usual 5 ms for each.
    """
    was_enabled, turn = gc.isenabled(), sys.getswitchinterval()
    gc.disable()
    sys.setswitchinterval(SHORT_TURN_S)
    try:
        yield
    finally:
        sys.setswitchinterval(turn)
        if was_enabled:
            gc.enable()
