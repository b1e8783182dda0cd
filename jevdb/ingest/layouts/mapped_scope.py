"""One row's record under a mapping: values at paths, and where they lie."""

from __future__ import annotations

import json
import re
from typing import NamedTuple, TypeVar

from msgspec import UNSET

from jevdb.base.wording import how
from jevdb.ingest.decode.paths import Path, find, json_path, matches
from jevdb.ingest.decode.rows import Fields, typed, wrong
from jevdb.ingest.decode.strict import diagnose, type_word
from jevdb.ingest.files.cells import number_fault, number_text
from jevdb.ingest.files.documents import Anything
from jevdb.ingest.reading_options import ReadingOptions

T = TypeVar("T")

KEY, VALUE = "@key", "@value"
COMMA_NUMBER = re.compile(r"-?\d+,\d+([eE][+-]?\d+)?", re.ASCII)
"""A number with a decimal comma."""


class Found(NamedTuple):
    """A value that is not null, and its JSON path."""

    value: object
    path: str


class Scope:
    """The record of a row: where paths begin, and which of them led somewhere.

    Where the file is text (CSV), numbers, lists and objects are read from text.
    """

    def __init__(
        self,
        record: Fields,
        root: str,
        seen: set[Path],
        is_text: bool,
        reading: ReadingOptions | None = None,
    ):
        self._record = record
        self._root = root
        self._seen = seen
        self._is_text = is_text
        self.reading = reading or ReadingOptions()

    def found(self, paths: tuple[Path, ...]) -> Found | None:
        """Return the first value at one of the paths; null counts as none."""
        found = None
        for path in paths:
            value = find(self._record, path)
            if value is not UNSET:
                self._seen.add(path)
            if found is None and value is not UNSET and value is not None:
                found = Found(self._from_cell(value, path), self.place(path))
        return found

    def typed(self, paths: tuple[Path, ...], kind: type[T]) -> T | None:
        """Return the first value at one of the paths, held to its type."""
        found = self.found(paths) if paths else None
        if found is None:
            return None
        return typed(self._number(found, kind), kind, found.path)

    def matches(self, path: Path) -> list[tuple[str, Found]]:
        """Return what the ``*`` of a path stands for and the values; null is none."""
        found = matches(self._record, path)
        if found:
            self._seen.add(path)
        return [
            (star, Found(self._from_cell(value, path), self.place(path)))
            for star, value in found
            if value is not None and value != ""
        ]

    def raw(self, path: Path) -> object:
        """Return what lies at a path just as it is; None for nothing."""
        value = find(self._record, path)
        if value is UNSET:
            return None
        self._seen.add(path)
        return value

    def held(self, found: Found, kind: type[T]) -> T:
        """Return a value held to its type; in text a number is read from it."""
        return typed(self._number(found, kind), kind, found.path)

    def _number(self, found: Found, kind: object) -> object:
        """Return the number that a text is, where the file is text and one is asked."""
        value = found.value
        if not isinstance(value, str) or kind is str:
            return value
        decimal = self.reading.decimal or "point"
        if self._is_text or (decimal == "comma" and "," in value):
            number = number_text(value, decimal)
            if number is not None:
                return json.loads(number)
            fault = number_fault(value, decimal)
            if fault and kind is not object:
                raise wrong(found.path, fault)
        if kind is float and value.endswith("%"):
            remedy = how("scale", "percent")
            message = f"expected a number, got {type_word(value)}; {remedy} reads it"
            raise wrong(found.path, message)
        return value

    def place(self, path: Path) -> str:
        """Return the JSON path in the file."""
        if path.steps[0] == VALUE:
            return json_path(path.steps[1:], self._root)
        return json_path(path.steps)

    def _from_cell(self, value: object, path: Path) -> object:
        is_json = isinstance(value, str) and value.startswith(("{", "["))
        if not (self._is_text and is_json):
            return value
        line = b'{"":' + str(value).encode() + b"}"
        for fault in diagnose(line, Anything):
            raise wrong(self.place(path), f"the cell: {fault.message}")
        return json.loads(str(value))
