"""Item files read and checked, before a warehouse is opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jevdb.base.errors import InputError, JevdbError, Problem
from jevdb.ingest.decode.decoding import Problems, tuned
from jevdb.ingest.items.rules import ItemRow, item_row
from jevdb.ingest.reading import Input, Part, Reader, SourceFile


class Place(NamedTuple):
    """A line of a file."""

    source: str
    line: int


class ReadItems(NamedTuple):
    """The items of some files, each once, with the place of its line."""

    rows: dict[str, ItemRow]
    places: dict[str, Place]
    n_read: int
    files: list[SourceFile]
    ignored_keys: list[str]


def read_items(paths: Sequence[Input], layout: str | None = None) -> ReadItems:
    """Read item files; every fault of every line is one problem.

    Raises
    ------
    InputError
        Something is wrong with a file; carries every problem.
    JevdbError
        There is no item in the files.
    """
    from jevdb.ingest.layouts.registry import ITEMS

    problems = Problems()
    reader = Reader(paths, ITEMS, layout, problems)
    rows: dict[str, ItemRow] = {}
    places: dict[str, Place] = {}
    n_read = 0
    with tuned():
        for part in reader:
            for place, row in _rows(part, problems):
                n_read += 1
                if rows.setdefault(row.item_id, row) == row:
                    places.setdefault(row.item_id, place)
                else:
                    problems.add(_contradiction(place, row, places[row.item_id]))
    if problems.total:
        raise InputError(problems.listed, problems.total)
    if not rows:
        names = ", ".join(file.name for file in reader.files)
        raise JevdbError(f"{names}: no items in the file")
    return ReadItems(rows, places, n_read, reader.files, sorted(reader.ignored))


def _rows(part: Part, problems: Problems) -> Iterator[tuple[Place, ItemRow]]:
    names = [name for name, column in part.columns.fields.items() if column is not None]
    columns = [column for column in part.columns.fields.values() if column is not None]
    for number, *values in zip(part.columns.numbers, *columns, strict=True):
        given = dict(zip(names, values, strict=True))
        found = item_row(given, part.has_text_answers)
        if isinstance(found, ItemRow):
            yield Place(part.source, number), found
        else:
            for fault in found:
                problems.add(Problem(part.source, number, fault.field, fault.message))


def _contradiction(place: Place, row: ItemRow, first: Place) -> Problem:
    at = f"line {first.line}"
    if first.source != place.source:
        at = f"{first.source} {at}"
    return Problem(
        place.source,
        place.line,
        "$.item_id",
        f"item {row.item_id!r} stands otherwise in {at}; keep one",
    )
