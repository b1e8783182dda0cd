"""Layouts that are read record by record: one record, any number of canonical rows.

A canonical row is a mapping with the keys of DESIGN.md §9, and beside them ``facts``
(what the record says of the whole run), ``is_correct`` (the file's own verdict) and
``target`` (its own gold: labels).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

import msgspec

from jevdb.ingest.decode.records import ItemRecord, PredictionRecord
from jevdb.ingest.decode.strict import Fault, Unreadable, convert_faults
from jevdb.ingest.reading_options import ReadingOptions

if TYPE_CHECKING:
    from jevdb.ingest.benchmark import Benchmark

Fields = Mapping[str, object]
Row = dict[str, object]
T = TypeVar("T")
LEVEL = re.compile(r"\d{1,15}(\.\d{1,15})?", re.ASCII)

PREDICTION_FIELDS = (*PredictionRecord.__struct_fields__, "is_correct", "target")
ITEM_FIELDS = ItemRecord.__struct_fields__


class WrongRecord(Exception):
    """What keeps a record from being read as its layout: the file's fault."""

    def __init__(self, *faults: Fault):
        self.faults = faults


def wrong(path: str, message: str) -> WrongRecord:
    """Return the error that says what is wrong at a JSON path."""
    return WrongRecord(Fault(path, message))


def known(value: object, path: str) -> object:
    """Return *value* as it is; what no JSON value stands for is refused."""
    if isinstance(value, Unreadable):
        raise wrong(path, value.reason)
    return value


def typed(value: object, kind: type[T], path: str) -> T:
    """Return *value* as a *kind*, strictly: no number in a string, no null."""
    known(value, path)
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

    def __init__(self, benchmark: Benchmark | None = None):
        self._benchmark = benchmark

    def get(self, item_id: str) -> Asked | None:
        """Return how the item is answered; None if the benchmark has no such item."""
        return self._by_id.get(item_id)

    @cached_property
    def _by_id(self) -> dict[str, Asked]:
        if self._benchmark is None:
            return {}
        shapes = {
            each["shape"]: Asked(each["type"], each["options"])
            for each in self._benchmark.shapes.to_pylist()
        }
        items = self._benchmark.items
        ids, numbers = (items[name].to_pylist() for name in ("item_id", "shape"))
        return dict(zip(ids, map(shapes.__getitem__, numbers), strict=True))


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beside the files: the items, which records to take, and how."""

    items: AskedItems = field(default_factory=AskedItems)
    where: Mapping[str, str] = field(default_factory=dict)
    mapping: RecordLayout | None = None
    reading: ReadingOptions = field(default_factory=ReadingOptions)


class Context(NamedTuple):
    """What a layout may ask about a record, and where it counts what it leaves out.

    ``is_wanted`` says whether a record, or a part of one, is what ``--where`` takes;
    ``allow`` holds the words of what is taken though a guard says no.
    """

    items: AskedItems
    is_text: bool
    skipped: Counter[str]
    is_wanted: Callable[[Fields], bool]
    allow: Container[str] = ()


def text_answer(text: str, asked: Asked | None) -> Row:
    """Return a model's own words as the answer its item wants.

    Words where a level is asked are the model's fault: an answer, and unusable.
    """
    if asked is None or asked.type != "score":
        return {"answer": text}
    if LEVEL.fullmatch(text):
        return {"answer": float(text)}
    return {"status": "invalid", "error": "the answer is not a level"}


class RecordLayout(ABC):
    """A layout whose records are looked at one by one.

    ``keys`` are the top-level keys it reads, ``row_fields`` the canonical keys of its
    rows, ``exclusive`` the facts of which a run may hold only one value. A layout of
    logs chooses among their parts itself.
    """

    name: str
    keys: frozenset[str]
    row_fields: ClassVar[tuple[str, ...]]
    exclusive: ClassVar[tuple[str, ...]] = ()
    has_text_answers: bool = False
    is_log: ClassVar[bool] = False
    is_bare: bool = False
    """Whether it is the canonical form, with what options of reading add to it."""

    @abstractmethod
    def recognises(self, first: Fields) -> bool:
        """Whether the first record of a file looks like this layout."""

    @abstractmethod
    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the canonical rows of a record; raises WrongRecord."""

    def replaces(self, record: Fields) -> str | None:
        """Return the key of which only the last record counts; None: all count."""
        return None

    def unread_keys(self, record: Fields) -> set[str]:
        """Return the top-level keys that are left out."""
        return record.keys() - self.keys

    def note_keys(self, record: Fields) -> None:  # noqa: B027 (nothing is missed)
        """Note what stands in a record that is refused."""

    def unfound(self) -> list[Fault]:
        """Return what was asked of the files and stood in none of their records."""
        return []


class Gathered:
    """What the records of all files say together."""

    def __init__(self) -> None:
        self.facts: dict[str, set[str]] = {}
        self.skipped: Counter[str] = Counter()
        self._written: dict[str, list[tuple[str, int]]] = {}

    def note_written(self, key: str, source: str, line: int) -> None:
        """Note a record of a key of which only the last record counts."""
        self._written.setdefault(key, []).append((source, line))

    def replaced(self, refused: Container[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return the lines of records that a later one, not refused, replaces."""
        standing = (
            [place for place in places if place not in refused]
            for places in self._written.values()
        )
        return [place for places in standing for place in places[:-1]]


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
