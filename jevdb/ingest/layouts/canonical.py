"""The canonical form of DESIGN.md §9: what every other layout is turned into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from jevdb.ingest.decode.records import (
    ItemRecord,
    LooseItemRecord,
    LoosePredictionRecord,
    PredictionRecord,
)

if TYPE_CHECKING:
    from jevdb.ingest.decode.decoding import Columns, Problems


class _Canonical:
    """Records that say what they say in the canonical form already."""

    name = "canonical"
    has_text_answers = False

    def recognises(self, first: Mapping[str, object]) -> bool:
        """Whether the record has the canonical key."""
        return "item_id" in first

    def to_canonical(
        self, columns: Columns, source: str, problems: Problems
    ) -> Columns:
        """Return the columns as they are, ids that are integers as text."""
        ids = columns.fields["item_id"] or []
        if int not in set(map(type, ids)):
            return columns
        texts: list[object] = [str(e) if type(e) is int else e for e in ids]
        return columns._replace(fields={**columns.fields, "item_id": texts})


class Predictions(_Canonical):
    """One prediction a record."""

    record: type[msgspec.Struct] = PredictionRecord


class LoosePredictions(_Canonical):
    """One prediction a record, of values that conversions are to look at."""

    record: type[msgspec.Struct] = LoosePredictionRecord


class LooseItems(_Canonical):
    """One item with its gold a record, of values that conversions are to look at."""

    record: type[msgspec.Struct] = LooseItemRecord


class Items(_Canonical):
    """One item with its gold a record."""

    record: type[msgspec.Struct] = ItemRecord
