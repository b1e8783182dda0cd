"""A record an option: the records of one item are one answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jevdb.base.errors import Problem
from jevdb.ingest.decode.decoding import Columns, Part, Problems
from jevdb.ingest.decode.rows import RecordLayout
from jevdb.ingest.layouts.mapped import Mapped

if TYPE_CHECKING:
    from jevdb.ingest.decode.record_fields import Column

    Row = dict[str, object]
    Key = tuple[str, object]
    """An item, and which of several answers to it."""


def noted(mapping: RecordLayout | None) -> list[str]:
    """Return what a mapping has to say of how values were read."""
    return mapping.notes() if isinstance(mapping, Mapped) else []


def gathered(
    parts: Iterable[Part], mapping: RecordLayout | None, problems: Problems
) -> Iterator[Part]:
    """Yield the parts as they are, or of a long layout one answer an item and file.

    The records of an item may lie apart: its answer stands where the first does.
    """
    if not (isinstance(mapping, Mapped) and mapping.is_long):
        yield from parts
        return
    answers: _Answers | None = None
    for part in parts:
        if answers is not None and answers.source != part.source:
            yield answers.part()
            answers = None
        answers = answers or _Answers(part, problems)
        answers.add(part.columns)
    if answers is not None:
        yield answers.part()


class _Answers:
    """The answers of one file, growing record by record."""

    def __init__(self, first: Part, problems: Problems):
        self.source = first.source
        self._first = first
        self._problems = problems
        self._rows: dict[Key, Row] = {}
        self._lines: dict[Key, int] = {}
        self._refused: set[Key] = set()

    def add(self, columns: Columns) -> None:
        """Take some more records."""
        names = [name for name, column in columns.fields.items() if column is not None]
        given = [column for column in columns.fields.values() if column is not None]
        for line, *values in zip(columns.numbers, *given, strict=True):
            row = dict(zip(names, values, strict=True))
            key = (str(row["item_id"]), row.get("repeat"))
            if key not in self._rows:
                self._rows[key] = row
                self._lines[key] = line
            elif fault := _joined(self._rows[key], row):
                self._refuse(key, line, *fault)

    def _refuse(self, key: Key, line: int, field: str, message: str) -> None:
        self._refused.add(key)
        text = f"item {key[0]!r}, begun in line {self._lines[key]}: {message}"
        self._problems.add(Problem(self.source, line, f"$.{field}", text))

    def part(self) -> Part:
        """Return the answers, those with a fault left out."""
        kept = {k: row for k, row in self._rows.items() if k not in self._refused}
        fields: dict[str, Column | None] = {}
        for name in self._first.columns.fields:
            column: Column = [row.get(name) for row in kept.values()]
            fields[name] = None if column.count(None) == len(column) else column
        numbers = [self._lines[key] for key in kept]
        return self._first._replace(columns=Columns(numbers, fields))


def _joined(before: Row, row: Row) -> tuple[str, str] | None:
    """Add a record to the answer it belongs to; return the field that contradicts."""
    for name in before.keys() | row.keys():
        if name != "probabilities" and before.get(name) != row.get(name):
            return name, "its records differ in this field; they are one answer"
    values, more = before.get("probabilities"), row.get("probabilities")
    if not (isinstance(values, dict) and isinstance(more, dict)):
        return "probabilities", "a record without a label and its probability"
    for label, value in more.items():
        if label in values:
            return "probabilities", f"the label {label!r} twice"
        values[label] = value
    return None
