"""Files read as columns of the canonical form, whatever their container and layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec

from jevdb.errors import UsageError
from jevdb.formats import Layout, choose
from jevdb.ingest.containers import open_container
from jevdb.ingest.decoding import Columns, Decoder, LineBatch, Problems
from jevdb.ingest.sources import STDIN, Source


class SourceFile(NamedTuple):
    """A file as it is remembered: its name without folders, and its SHA-256."""

    name: str
    sha256: str


class Part(NamedTuple):
    """Some records of one file in the canonical form."""

    source: str
    columns: Columns
    has_text_answers: bool


class Reader:
    """Reads files one after the other, noting what they are and what is wrong."""

    def __init__(
        self,
        paths: Sequence[Path],
        layouts: tuple[Layout, ...],
        layout_name: str | None,
        problems: Problems,
    ):
        self._sources = [Source(path) for path in paths]
        if [source.name for source in self._sources].count(STDIN) > 1:
            raise UsageError("standard input (-) can be read once only")
        self._layouts = layouts
        self._layout_name = layout_name
        self._problems = problems
        self.ignored: set[str] = set()
        self.layouts: dict[str, str] = {}

    @property
    def files(self) -> list[SourceFile]:
        """The files in the order given; digests are whole once all is read."""
        return [SourceFile(source.name, source.sha256) for source in self._sources]

    def place(self, source: str) -> int:
        """Return which file in the order given is called *source*."""
        return [each.name for each in self._sources].index(source)

    def __iter__(self) -> Iterator[Part]:
        for source in self._sources:
            yield from self._parts(source)

    def _parts(self, source: Source) -> Iterator[Part]:
        container = open_container(source, self._problems)
        first = next(container.batches, None)
        if first is None:
            return
        layout = choose(self._layouts, self._layout_name, _first_record(first))
        self.layouts[source.name] = layout.name
        decoder = Decoder(layout.record, source.name, self._problems)
        is_text = container.is_text or layout.has_text_answers
        for batch in chain([first], container.batches):
            columns = decoder.columns(batch)
            if columns.numbers:
                canonical = layout.to_canonical(columns, source.name, self._problems)
                yield Part(source.name, canonical, is_text)
        self.ignored |= decoder.ignored


def _first_record(batch: LineBatch) -> dict[str, object]:
    """Return the first record that can be read at all, to tell layouts apart by."""
    for line in batch.lines[:100]:
        try:
            return msgspec.json.decode(line, type=dict[str, object])
        except (msgspec.MsgspecError, RecursionError):
            continue
    return {}
