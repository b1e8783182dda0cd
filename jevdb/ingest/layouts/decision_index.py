"""Result rows of the Decision Index kit, read by the map that ships with jevdb.

Their answers have System One's shape; what tells them apart is the run and catalog.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from jevdb.ingest.decode.rows import PREDICTION_FIELDS, Context, Fields, RecordLayout
from jevdb.warehouse.assets import asset_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jevdb.ingest.decode.rows import Row
    from jevdb.ingest.layouts.mapped import Mapped


class Answers(RecordLayout):
    """A request a record; without a response it is unsupported, or failed."""

    name = "decision-index"
    row_fields = PREDICTION_FIELDS

    def recognises(self, first: Fields) -> bool:
        """Whether the record is a request of the kit."""
        return {"run_id", "catalog_id"} <= first.keys()

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the rows of a record as the map reads them."""
        return self._mapped.rows(record, context)

    def unread_keys(self, record: Fields) -> set[str]:
        """Return the top-level keys that are left out."""
        return self._mapped.unread_keys(record)

    @cached_property
    def _mapped(self) -> Mapped:
        # A file is read only where a row is: help and other layouts need none.
        from jevdb.ingest.layouts.mapped import Mapped
        from jevdb.ingest.layouts.mapping import read_map

        return Mapped(read_map(asset_folder("seeds") / "maps" / "decision-index.toml"))
