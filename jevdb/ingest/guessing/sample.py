"""The beginning of a file, as often as it takes to try how it is to be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec

from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.decode.strict import log_record
from jevdb.ingest.files.containers import Container, open_container
from jevdb.ingest.files.memory import MemoryRows
from jevdb.ingest.files.sources import Source
from jevdb.ingest.files.table_forms import FileForm

MOST_RECORDS = 2000
WORDS = {
    str: "text",
    bool: "true or false",
    int: "number",
    float: "number",
    list: "list",
    dict: "object",
    type(None): "null",
}


class Column(NamedTuple):
    """A key or column: the values that are not null, in their order."""

    name: str
    values: list[object]

    @property
    def kinds(self) -> str:
        """What its values are, in words."""
        return (
            " or ".join(sorted({WORDS[type(each)] for each in self.values})) or "null"
        )


@dataclass(slots=True)
class Sample(MemoryRows):
    """The first records of a file; it is opened anew whenever it is read."""

    form: FileForm = field(default_factory=FileForm)

    @property
    def name(self) -> str:
        """What the file is called in messages."""
        return self.path.name

    def batches(
        self, problems: Problems, *, keeps_index: bool = False
    ) -> Iterator[LineBatch]:
        """Yield the lines of the first records."""
        container = _opened(self.path, self.form, problems, keeps_index)
        left = MOST_RECORDS
        for batch in container.batches:
            texts = batch.texts and batch.texts[:left]
            yield LineBatch(batch.lines[:left], batch.numbers[:left], texts)
            left -= len(batch.lines)
            if left <= 0:
                return


class Seen(NamedTuple):
    """What a file's beginning shows: its container in words, its keys, its records."""

    container: str
    notes: Sequence[str]
    columns: Mapping[str, Column]
    records: list[dict[str, object]]
    is_table: bool


def sample_of(path: Path, form: FileForm) -> Sample:
    """Return the beginning of a file, to be read as often as it takes."""
    container = _opened(path, form, Problems(), keeps_index=True)
    return Sample(
        path, is_table=container.is_text, columns=container.columns, form=form
    )


def look_at(path: Path, form: FileForm) -> Seen:
    """Return what the first records of a file show."""
    source = Source(path)
    problems = Problems()
    container = open_container(source, problems, form, keeps_index=True)
    records = list(_records(container))
    columns = {name: Column(name, []) for name in container.columns or ()}
    for record in records:
        for name, value in record.items():
            column = columns.setdefault(name, Column(name, []))
            if value is not None:
                column.values.append(value)
    what = "JSON records" if container.columns is None else "a table"
    return Seen(what, source.notes, columns, records, container.columns is not None)


def _opened(
    path: Path, form: FileForm, problems: Problems, keeps_index: bool
) -> Container:
    return open_container(Source(path), problems, form, keeps_index=keeps_index)


def _records(container: Container) -> Iterator[dict[str, object]]:
    n = 0
    for batch in container.batches:
        for line in batch.lines:
            if n >= MOST_RECORDS:
                return
            n += 1
            try:
                yield msgspec.json.decode(line, type=dict[str, object])
            except (msgspec.MsgspecError, RecursionError):
                yield log_record(line) or {}
