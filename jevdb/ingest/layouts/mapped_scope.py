"""One row's record under a mapping: values at paths, and where they lie."""

from __future__ import annotations

import json
from typing import NamedTuple, TypeVar

from msgspec import UNSET

from jevdb.ingest.decode.paths import Path, find, json_path
from jevdb.ingest.decode.rows import Fields, typed, wrong
from jevdb.ingest.decode.strict import diagnose
from jevdb.ingest.files.cells import JSON_NUMBER
from jevdb.ingest.files.documents import Anything

T = TypeVar("T")

KEY, VALUE = "@key", "@value"


class Found(NamedTuple):
    """A value that is not null, and its JSON path."""

    value: object
    path: str


class Scope:
    """The record of a row: where paths begin, and which of them led somewhere.

    Where the file is text (CSV), numbers, lists and objects are read from text.
    """

    def __init__(self, record: Fields, root: str, seen: set[Path], is_text: bool):
        self._record = record
        self._root = root
        self._seen = seen
        self._is_text = is_text

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
        value = found.value
        is_number = isinstance(value, str) and JSON_NUMBER.fullmatch(value)
        if self._is_text and is_number and kind is not str:
            value = json.loads(str(value))
        return typed(value, kind, found.path)

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
