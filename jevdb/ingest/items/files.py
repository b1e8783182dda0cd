"""Item files read and checked, before a warehouse is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from jevdb.base.errors import InputError, JevdbError, Problem, UsageError
from jevdb.base.wording import option
from jevdb.ingest.converting.converter import check_labels
from jevdb.ingest.converting.items import ItemConverter
from jevdb.ingest.decode.decoding import Part, Problems, tuned
from jevdb.ingest.decode.rows import Known
from jevdb.ingest.decode.strict import Fault
from jevdb.ingest.guards.ids import about_float_id
from jevdb.ingest.items.rules import ItemRow, item_row
from jevdb.ingest.items.unsaid import Unsaid
from jevdb.ingest.layouts.mapped_items import MappedItems
from jevdb.ingest.reading import Input, Reader, SourceFile
from jevdb.ingest.reading_options import ReadingOptions

FREE_FORMS = ("canonical", "mapped")
"""Layouts that people write as they like; a tool's says itself what it means."""


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
    conversions: list[str]
    notes: list[str]


def read_items(
    paths: Sequence[Input],
    layout: str | None = None,
    reading: ReadingOptions | None = None,
    mapping: MappedItems | None = None,
) -> ReadItems:
    """Read item files; every fault of every line is one problem.

    Raises
    ------
    InputError
        Something is wrong with a file; carries every problem.
    UsageError
        An option of reading that goes with runs, or an alias to no item's option.
    JevdbError
        There is no item in the files.
    """
    from jevdb.ingest.layouts.registry import ITEMS, LOOSE_ITEMS

    said = reading or ReadingOptions()
    if said.partial:
        raise UsageError(f"{option('partial')} goes with runs")
    converter = ItemConverter(said) if said.converts or said.tier else None
    problems = Problems()
    known = Known(mapping=mapping, reading=said)
    layouts = LOOSE_ITEMS if said.converts else ITEMS
    reader = Reader(paths, layouts, layout, problems, known)
    rows: dict[str, ItemRow] = {}
    places: dict[str, Place] = {}
    n_read = 0
    unsaid = Unsaid(said)
    with tuned():
        for part in reader:
            is_free = reader.layouts[part.source] in FREE_FORMS
            asked = unsaid if is_free else None
            for place, row in _rows(part, problems, converter, asked):
                n_read += 1
                if rows.setdefault(row.item_id, row) == row:
                    places.setdefault(row.item_id, place)
                else:
                    problems.add(_contradiction(place, row, places[row.item_id]))
    unsaid.add_to(problems)
    if converter and not problems.total:
        check_labels(said, converter.labels, "the files")
    if problems.total:
        listed = [about_float_id(each) for each in problems.listed]
        raise InputError(listed, problems.total, problems.uncounted)
    if not rows:
        names = ", ".join(file.name for file in reader.files)
        raise JevdbError(f"{names}: no items in the file")
    words = converter.counted().in_words(said) if converter else []
    ignored = sorted(reader.ignored)
    return ReadItems(
        rows,
        places,
        n_read,
        reader.files,
        ignored,
        [*words, *level_words(rows)],
        reader.notes,
    )


def level_words(rows: Mapping[str, ItemRow]) -> list[str]:
    """Return that the lowest and highest levels never occur, if so."""
    golds = [
        (row.label_index, len(row.options) - 1)
        for row in rows.values()
        if row.type == "score" and row.label_index is not None
    ]
    if not golds or any(level in (0, last) for level, last in golds):
        return []
    low, high = (pick(level for level, _ in golds) for pick in (min, max))
    last = max(last for _, last in golds)
    return [f"levels read from 0: gold is {low} to {high} of 0 to {last}"]


def _rows(
    part: Part,
    problems: Problems,
    converter: ItemConverter | None,
    unsaid: Unsaid | None,
) -> Iterator[tuple[Place, ItemRow]]:
    names = [name for name, column in part.columns.fields.items() if column is not None]
    columns = [column for column in part.columns.fields.values() if column is not None]
    for number, *values in zip(part.columns.numbers, *columns, strict=True):
        given = dict(zip(names, values, strict=True))
        is_text = part.has_text_answers
        if unsaid:
            unsaid.note(given, is_text, part.source, number)
            if fault := unsaid.order_fault(given):
                problems.add(Problem(part.source, number, fault.field, fault.message))
                continue
        if converter:
            converted = converter.item(given, (part.source, number), is_text)
            if isinstance(converted, Fault):
                field, message = converted
                problems.add(Problem(part.source, number, field, message))
                continue
            given = converted
        found = item_row(given, is_text)
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
