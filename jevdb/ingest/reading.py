"""Files read as columns of the canonical form, whatever their container and layout."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from jevdb.base.errors import InputError, Problem, UsageError
from jevdb.base.text import cut
from jevdb.base.wording import option
from jevdb.ingest.decode.decoding import Columns, Decoder, LineBatch, Part, Problems
from jevdb.ingest.decode.near_fields import field_option, table_remedy
from jevdb.ingest.decode.rows import Gathered, Known, RecordLayout
from jevdb.ingest.decode.strict import KEY, log_record
from jevdb.ingest.files.containers import open_container
from jevdb.ingest.files.sources import Source
from jevdb.ingest.files.table_forms import FileForm
from jevdb.ingest.judge.rejects import LineTexts
from jevdb.ingest.layouts import AnyLayout, ColumnLayout, choose
from jevdb.ingest.record_decoder import RecordDecoder, require_records

COLUMNS_SHOWN = 20

Input: TypeAlias = Path | Source
"""A file, or rows in memory."""


class SourceFile(NamedTuple):
    """A file as it is remembered: its name without folders, and its SHA-256."""

    name: str
    sha256: str


class Reader:
    """Reads files one after the other, noting what they are and what is wrong."""

    def __init__(
        self,
        paths: Sequence[Input],
        layouts: tuple[AnyLayout, ...],
        layout_name: str | None,
        problems: Problems,
        known: Known | None = None,
        texts: LineTexts | None = None,
    ):
        self._sources = _numbered(paths)
        if sum(source.is_stdin for source in self._sources) > 1:
            raise UsageError("standard input (-) can be read once only")
        self._layouts = layouts
        self._layout_name = layout_name
        self._problems = problems
        self._known = known or Known()
        self._texts = texts
        self.gathered = Gathered()
        self.ignored: set[str] = set()
        self.layouts: dict[str, str] = {}

    @property
    def notes(self) -> list[str]:
        """What the files said of their form themselves, and was gone by."""
        return [note for source in self._sources for note in source.notes]

    @property
    def files(self) -> list[SourceFile]:
        """The files in the order given; digests are whole once all is read."""
        return [SourceFile(source.name, source.sha256) for source in self._sources]

    def place(self, source: str) -> int:
        """Return which file in the order given is called *source*."""
        return [each.name for each in self._sources].index(source)

    def records(self, wanted: Collection[tuple[str, int]]) -> list[dict[str, object]]:
        """Return the records of some lines as they stand, from files read once more.

        What cannot be read again, or is no object, is left out.
        """
        found = []
        for source in self._sources:
            lines = {line for name, line in wanted if name == source.name}
            if not lines or source.is_stdin or type(source) is not Source:
                continue
            again = replace(source, notes=[], _digest=hashlib.sha256())
            for batch in open_container(again, Problems(), self._form).batches:
                for text, line in zip(batch.lines, batch.numbers, strict=True):
                    if line in lines:
                        found.append(_first_record(LineBatch([text], [line])))
        return found

    @property
    def _form(self) -> FileForm:
        said = self._known.reading
        return FileForm(said.delimiter, said.decimal, said.encoding)

    def __iter__(self) -> Iterator[Part]:
        for source in self._sources:
            yield from self._parts(source)
        if self._known.mapping:
            for fault in self._known.mapping.unfound():
                name = self._sources[0].name
                self._problems.add(Problem(name, None, fault.field, fault.message))

    def _parts(self, source: Source) -> Iterator[Part]:
        mapping = self._known.mapping
        has_fields = mapping is not None and not mapping.is_bare
        container = open_container(
            source, self._problems, self._form, keeps_index=has_fields
        )
        first = next(container.batches, None)
        if first is None:
            return
        layout = self._layout(first)
        self.layouts[source.name] = layout.name
        if not isinstance(layout, RecordLayout) and container.columns is not None:
            _require_key(source, container.columns, layout)
        is_text = container.is_text or layout.has_text_answers
        decoder = self._decoder(layout, source.name, container.is_text)
        for batch in chain([first], container.batches):
            if self._texts:
                self._texts.note(source.name, batch)
            columns = decoder.columns(batch)
            if columns.numbers:
                yield Part(source.name, columns, is_text)
        self.ignored |= decoder.ignored

    def _layout(self, first: LineBatch) -> AnyLayout:
        """Return the mapping; one that names no field reads the canonical form only."""
        mapping = self._known.mapping
        if mapping and not mapping.is_bare:
            return mapping
        layout = choose(self._layouts, self._layout_name, _first_record(first))
        if mapping and layout.name != mapping.name:
            raise UsageError(
                f"{option('meta')} and {option('default')} go with the canonical form "
                f"or a mapping, not with the format {layout.name!r}"
            )
        return mapping or layout

    def _decoder(
        self, layout: AnyLayout, source: str, is_text: bool
    ) -> RecordDecoder | _ColumnDecoder:
        if isinstance(layout, RecordLayout):
            return RecordDecoder(
                layout, source, self._problems, self._known, self.gathered, is_text
            )
        require_records(self._known, layout.name)
        return _ColumnDecoder(layout, source, self._problems)


class _ColumnDecoder:
    """Decodes the lines of one file as the typed records of its layout."""

    def __init__(self, layout: ColumnLayout, source: str, problems: Problems):
        self._layout = layout
        self._source = source
        self._problems = problems
        self._decoder = Decoder(layout.record, source, problems)

    @property
    def ignored(self) -> set[str]:
        """Keys without a meaning here."""
        return self._decoder.ignored

    def columns(self, batch: LineBatch) -> Columns:
        """Return the lines without a fault in the canonical form."""
        columns = self._decoder.columns(batch)
        if not columns.numbers:
            return columns
        return self._layout.to_canonical(columns, self._source, self._problems)


def _numbered(paths: Sequence[Input]) -> list[Source]:
    """Return the files as sources; of files with one name the later get a number."""
    met: Counter[str] = Counter()
    sources = []
    for path in paths:
        if isinstance(path, Source):
            sources.append(path)
            continue
        met[path.name] += 1
        sources.append(Source(path, met[path.name]))
    return sources


def _require_key(source: Source, columns: Sequence[str], layout: ColumnLayout) -> None:
    """Refuse a table without the column of ids, once and not for each of its rows."""
    names = [each.encode_name for each in msgspec.structs.fields(layout.record)]
    if KEY not in names or KEY in columns:
        return
    listed = ", ".join(repr(cut(name)) for name in columns[:COLUMNS_SHOWN])
    more = len(columns) - COLUMNS_SHOWN
    remedy = table_remedy(columns, names) or field_option(KEY, "COLUMN")
    raise InputError(
        [
            Problem(
                source.name,
                1,
                f"$.{KEY}",
                f"a table without this column; its columns are {listed}"
                f"{f' and {more} more' if more > 0 else ''}; read it with {remedy}",
            )
        ]
    )


def layout_of(path: Path, layouts: tuple[AnyLayout, ...]) -> AnyLayout:
    """Return the layout that a file's first record is of."""
    container = open_container(Source(path), Problems())
    first = next(container.batches, None)
    return choose(layouts, None, _first_record(first) if first else {})


def _first_record(batch: LineBatch) -> dict[str, object]:
    """Return the first record that can be read at all, to tell layouts apart by."""
    for line in batch.lines[:100]:
        try:
            return msgspec.json.decode(line, type=dict[str, object])
        except (msgspec.MsgspecError, RecursionError):
            if found := log_record(line):
                return found
    return {}
