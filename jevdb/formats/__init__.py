"""Layouts of prediction and item files: one module each, told apart by content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from jevdb.errors import UnknownNameError
from jevdb.formats import canonical, decision_bench, jevbench

if TYPE_CHECKING:
    import msgspec

    from jevdb.ingest.decoding import Columns, Problems

Fields = Mapping[str, object]


class Layout(Protocol):
    """A layout of JSON records, and how it says what the canonical form says."""

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


PREDICTIONS: tuple[Layout, ...] = (
    jevbench.Runner(),
    decision_bench.Answers(),
    canonical.Predictions(),
)
ITEMS: tuple[Layout, ...] = (
    jevbench.Items(),
    decision_bench.Items(),
    canonical.Items(),
)
RESUMED = frozenset({decision_bench.Answers.name})
"""Layouts that resume by appending: the last line of an item is its answer."""


def choose(layouts: tuple[Layout, ...], name: str | None, first: Fields) -> Layout:
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
