"""The canonical form of DESIGN.md §9: what every other layout is turned into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jevdb.ingest.records import ItemRecord, PredictionRecord

if TYPE_CHECKING:
    from jevdb.ingest.decoding import Columns, Problems


class Predictions:
    """One prediction a record."""

    name = "canonical"
    record = PredictionRecord
    has_text_answers = False

    def recognises(self, first: Mapping[str, object]) -> bool:
        """Whether the record has the canonical key."""
        return "item_id" in first

    def to_canonical(
        self, columns: Columns, source: str, problems: Problems
    ) -> Columns:
        """Return the columns as they are."""
        return columns


class Items(Predictions):
    """One item with its gold a record."""

    record = ItemRecord  # type: ignore[assignment]
