"""Decoded records taken apart by field, and the keys counted that they stand for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Literal, TypeAlias, Union, cast, get_args, get_origin

import msgspec
from msgspec import UnsetType

from jevdb.ingest.decode.strict import MAX_DEPTH

SPACES = (b" :", b"\t:", b"\r:", b"\n:")
KEYLESS = {str, int, float, bool, NoneType, UnsetType, Literal, Annotated}
FLAT = (dict[str, float], dict[str, float | str])
KEYLESS_LISTS = (list[str], list[float])

Column = list[object]
Fields: TypeAlias = dict[str, Column | None]
"""Records by field; None where no record gives the field.

In a column an absent value is None, like null."""


class RecordFields:
    """Some fields of a kind of record."""

    def __init__(self, fields: Iterable[msgspec.structs.FieldInfo]):
        kinds = {field.name: alternatives(field.type) for field in fields}
        self._getters = {name: attrgetter(name) for name in kinds}
        self._flat = {n for n, kind in kinds.items() if any(f in kind for f in FLAT)}
        self._deep = [n for n, kind in kinds.items() if any(map(_may_hold_keys, kind))]

    def columns(self, records: Sequence[object]) -> dict[str, Column]:
        """Return the records by field."""
        return {name: list(map(get, records)) for name, get in self._getters.items()}

    def inner_keys(self, fields: Mapping[str, Column | None]) -> int:
        """Count the keys inside the values; a struct's keys are not counted."""
        total = 0
        for name in self._deep:
            column = fields.get(name) or []
            kinds = set(map(type, column))
            if kinds == {dict} and name in self._flat:
                total += sum(map(len, cast("list[dict[str, float]]", column)))
            elif dict in kinds or list in kinds:
                total += keys_in(column)
        return total


class AlikeRecords:
    """Records that all give the same fields, no more and no fewer.

    None has to be searched for what is absent, and they are small.
    """

    def __init__(self, kind: type[msgspec.Struct], names: Collection[str]):
        given = [each for each in msgspec.structs.fields(kind) if each.name in names]
        record = msgspec.defstruct(
            kind.__name__,
            [(each.name, _present(each.type)) for each in given],
            forbid_unknown_fields=True,
            gc=False,
        )
        self._decode = msgspec.json.Decoder(record).decode
        self._fields = RecordFields(given)
        self._n_given = len(given)
        self._blank: Fields = dict.fromkeys(kind.__struct_fields__)

    def columns(self, lines: Sequence[bytes], colons: int) -> Fields:
        """Return the records by field; nothing where a colon is not that of a key.

        Raises
        ------
        msgspec.MsgspecError
            A line is no such record.
        RecursionError
            A line is nested too deeply.
        """
        found = self._fields.columns(list(map(self._decode, lines)))
        keys = self._n_given * len(lines) + self._fields.inner_keys(found)
        return {**self._blank, **found} if keys == colons else {}


def alternatives(kind: object) -> tuple[object, ...]:
    """Return the members of a union; of any other type, itself."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _may_hold_keys(kind: object) -> bool:
    return (get_origin(kind) or kind) not in KEYLESS and kind not in KEYLESS_LISTS


def _present(kind: object) -> object:
    """Return the type of a field that is given."""
    others = tuple(each for each in alternatives(kind) if each is not UnsetType)
    return Union[others]  # noqa: UP007 (its members are known at run time only)


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
