"""Layouts that are read record by record: one record, any number of canonical rows.

A canonical row is a mapping with the keys of DESIGN.md §9, and beside them ``facts``
(what the record says of the whole run) and ``is_correct`` (the file's own verdict).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET

from jevdb.errors import Problem, UsageError
from jevdb.ingest.decoding import Columns, LineBatch, Problems, key_bounds, keys_in
from jevdb.ingest.documents import Anything
from jevdb.ingest.paths import find, parse_path
from jevdb.ingest.records import ItemRecord, PredictionRecord
from jevdb.ingest.strict import Fault, convert_faults, diagnose

if TYPE_CHECKING:
    import pyarrow as pa

    from jevdb.ingest.decoding import Column

Fields = Mapping[str, object]
Row = dict[str, object]
T = TypeVar("T")

PREDICTION_FIELDS = (*PredictionRecord.__struct_fields__, "is_correct")
ITEM_FIELDS = ItemRecord.__struct_fields__


class WrongRecord(Exception):
    """What keeps a record from being read as its layout: the file's fault."""

    def __init__(self, *faults: Fault):
        self.faults = faults


def wrong(path: str, message: str) -> WrongRecord:
    """Return the error that says what is wrong at a JSON path."""
    return WrongRecord(Fault(path, message))


def typed(value: object, kind: type[T], path: str) -> T:
    """Return *value* as a *kind*, strictly: no number in a string, no null."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise WrongRecord(*convert_faults(value, kind, path)) from error


class Asked(NamedTuple):
    """How an item is answered."""

    type: str
    options: list[str]


class AskedItems:
    """The items of a benchmark by id, looked up only by layouts that need them."""

    def __init__(self, table: pa.Table | None = None):
        self._table = table

    def get(self, item_id: str) -> Asked | None:
        """Return how the item is answered; None if the benchmark has no such item."""
        return self._by_id.get(item_id)

    @cached_property
    def _by_id(self) -> dict[str, Asked]:
        if self._table is None:
            return {}
        names = ("item_id", "type", "options")
        rows = zip(*(self._table[name].to_pylist() for name in names), strict=True)
        return {item_id: Asked(kind, options) for item_id, kind, options in rows}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beside the files: the items, which records to take, and how."""

    items: AskedItems = field(default_factory=AskedItems)
    where: Mapping[str, str] = field(default_factory=dict)
    mapping: RecordLayout | None = None


class Context(NamedTuple):
    """What a layout may ask about a record, and where it counts what it leaves out.

    ``is_wanted`` says whether a record, or a part of one, is what ``--where`` takes.
    """

    items: AskedItems
    is_text: bool
    skipped: Counter[str]
    is_wanted: Callable[[Fields], bool]


class RecordLayout(ABC):
    """A layout whose records are looked at one by one.

    ``keys`` are the top-level keys it reads, ``row_fields`` the canonical keys of its
    rows, ``exclusive`` the facts of which a run may hold only one value. A layout of
    logs chooses among their parts itself.
    """

    name: ClassVar[str]
    keys: frozenset[str]
    row_fields: ClassVar[tuple[str, ...]]
    exclusive: ClassVar[tuple[str, ...]] = ()
    has_text_answers: ClassVar[bool] = False
    is_log: ClassVar[bool] = False

    @abstractmethod
    def recognises(self, first: Fields) -> bool:
        """Whether the first record of a file looks like this layout."""

    @abstractmethod
    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the canonical rows of a record; raises WrongRecord."""

    def unread_keys(self, record: Fields) -> set[str]:
        """Return the top-level keys that are left out."""
        return record.keys() - self.keys

    def unfound(self) -> list[Fault]:
        """Return what was asked of the files and stood in none of their records."""
        return []


class Gathered:
    """What the records of all files say together."""

    def __init__(self) -> None:
        self.facts: dict[str, set[str]] = {}
        self.skipped: Counter[str] = Counter()


class RecordDecoder:
    """Decodes the records of one file and turns them into canonical columns."""

    def __init__(
        self,
        layout: RecordLayout,
        source: str,
        problems: Problems,
        known: Known,
        gathered: Gathered,
        is_text: bool,
    ):
        self._layout = layout
        self._source = source
        self._problems = problems
        self._gathered = gathered
        self._context = Context(known.items, is_text, gathered.skipped, self._is_wanted)
        self._where = [(parse_path(path), text) for path, text in known.where.items()]
        self._decode = msgspec.json.Decoder(dict[str, object]).decode
        self.ignored: set[str] = set()

    def columns(self, batch: LineBatch) -> Columns:
        """Return the rows of the records without a fault; note the faults."""
        rows: list[Row] = []
        numbers: list[int] = []
        for line, number in zip(batch.lines, batch.numbers, strict=True):
            record = self._record(line, number)
            if record is None:
                continue
            if not (self._layout.is_log or self._is_wanted(record)):
                continue
            self.ignored |= self._layout.unread_keys(record)
            found = self._rows(record, number)
            rows += found
            numbers += [number] * len(found)
        return Columns(numbers, self._by_field(rows))

    def _record(self, line: bytes, number: int) -> dict[str, object] | None:
        record = None
        try:
            record = self._decode(line)
            if b"\\u0000" not in line and keys_in([record]) in key_bounds(line):
                return record
        except (msgspec.MsgspecError, RecursionError):
            if self._problems.is_full:
                self._fault(number, Fault(None, "not looked at"))
                return None
        faults = diagnose(line, Anything)
        for fault in faults:
            self._fault(number, fault)
        return None if faults else record

    def _is_wanted(self, record: Fields) -> bool:
        return all(
            as_text(find(record, path)) == wanted for path, wanted in self._where
        )

    def _rows(self, record: Fields, number: int) -> list[Row]:
        try:
            rows = list(self._layout.rows(record, self._context))
        except WrongRecord as error:
            for fault in error.faults:
                self._fault(number, fault)
            return []
        for row in rows:
            self._note_facts(row.pop("facts", {}), number)
        return rows

    def _note_facts(self, facts: object, number: int) -> None:
        assert isinstance(facts, dict)
        for name, value in facts.items():
            values = self._gathered.facts.setdefault(name, set())
            is_second = len(values) == 1 and value not in values
            if is_second and name in self._layout.exclusive:
                message = (
                    f"{name} {value!r} after {name} {min(values)!r}: each is a run of "
                    f"its own; take one with --where {name}={min(values)}"
                )
                self._fault(number, Fault(f"$.{name}", message))
            values.add(value)

    def _fault(self, number: int, fault: Fault) -> None:
        self._problems.add(Problem(self._source, number, fault.field, fault.message))

    def _by_field(self, rows: list[Row]) -> dict[str, Column | None]:
        fields: dict[str, Column | None] = {}
        for name in self._layout.row_fields:
            column = [row.get(name, UNSET) for row in rows]
            fields[name] = None if column.count(UNSET) == len(column) else column
        return fields


def as_text(value: object) -> str | None:
    """Return a JSON scalar as a person would type it; None for everything else."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case None:
            return "null"
        case _:
            return None


def require_records(known: Known, layout_name: str) -> None:
    """Refuse a selection of records in a layout that has one row per item."""
    if known.where:
        raise UsageError(
            f"--where does not go with the format {layout_name!r}: "
            "it holds one row an item"
        )
