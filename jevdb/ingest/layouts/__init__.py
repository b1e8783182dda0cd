"""Layouts of prediction and item files: one module each, told apart by content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

from jevdb.base.errors import UnknownNameError

if TYPE_CHECKING:
    import msgspec

    from jevdb.ingest.decode.decoding import Columns, Problems
    from jevdb.ingest.decode.rows import RecordLayout

Fields = Mapping[str, object]


class ColumnLayout(Protocol):
    """A layout of typed records, each one canonical row, turned column by column."""

    name: str
    record: type[msgspec.Struct]
    has_text_answers: bool

    def recognises(self, first: Fields) -> bool:
        """Whether the first record of a file looks like this layout."""
        ...

    def to_canonical(
        self, columns: Columns, source: str, problems: Problems
    ) -> Columns:
        """Return the records as columns of the canonical form."""
        ...


AnyLayout: TypeAlias = "ColumnLayout | RecordLayout"


def choose(
    layouts: tuple[AnyLayout, ...], name: str | None, first: Fields
) -> AnyLayout:
    """Return the layout called *name*, or without one the first that recognises.

    The canonical layout is the last: what nobody recognises is held to it, so that its
    messages say what is missing.
    """
    if name is not None:
        for layout in layouts:
            if layout.name == name:
                return layout
        raise UnknownNameError("format", name, (layout.name for layout in layouts))
    return next((each for each in layouts if each.recognises(first)), layouts[-1])
