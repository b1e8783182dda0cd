"""Any records of items, read by a mapping of fields to paths."""

from __future__ import annotations

from collections.abc import Iterator

from jevdb.base.errors import UsageError
from jevdb.ingest.decode.paths import has_star
from jevdb.ingest.decode.records import ItemType, Modality
from jevdb.ingest.decode.rows import (
    ITEM_FIELDS,
    Context,
    Fields,
    Row,
    as_text,
    typed,
    wrong,
)
from jevdb.ingest.layouts.mapped import FieldReader
from jevdb.ingest.layouts.mapped_scope import Scope
from jevdb.ingest.layouts.mapping import ITEMS, FieldMap
from jevdb.ingest.reading_options import ReadingOptions

WORDS: dict[str, object] = {
    "type": ItemType,
    "modality": Modality,
    **dict.fromkeys(("tier", "family", "domain", "positive"), str),
}
"""Fields that are words, and what they are held to."""
Distribution = dict[str, float] | list[float]


class MappedItems(FieldReader):
    """Items of any layout."""

    row_fields = ITEM_FIELDS
    kind = ITEMS

    def __init__(self, field_map: FieldMap, reading: ReadingOptions | None = None):
        super().__init__(field_map, reading)
        if field_map.each or field_map.statuses:
            raise UsageError("a mapping of items has neither each nor status")

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the item of a record."""
        self.refuse_unknown(record)
        scope = self.scope(record, "$", context)
        row: Row = {"item_id": self.item_id(scope)}
        for name, kind in WORDS.items():
            row[name] = self._word(scope, name, kind)
        if row["type"] is None:
            raise wrong(
                "$.type", "missing; a whole file may have one by --default type"
            )
        row["options"] = self._options(scope)
        row["gold"] = self._gold(scope)
        found = self.found(scope, "gold_distribution")
        if found is not None:
            row["gold_distribution"] = typed(found.value, Distribution, found.path)  # type: ignore[arg-type]
        row["values"] = self._values(scope)
        row["meta"] = self.meta(scope, record)
        yield {name: value for name, value in row.items() if value is not None}

    def _word(self, scope: Scope, name: str, kind: object) -> str | None:
        found = self.found(scope, name)
        if found is None or found.value == "":
            return None
        value = as_text(found.value) if kind is str else found.value
        return typed(value, kind, found.path)  # type: ignore[arg-type]

    def _options(self, scope: Scope) -> object:
        """Return a list, a text to be split, or columns in their order."""
        for path in self.paths("options"):
            if has_star(path):
                values = [found for _, found in scope.matches(path)]
                if values:
                    return [_label(each.value, each.path) for each in values]
            elif (found := scope.found((path,))) is not None:
                if isinstance(found.value, list):
                    return [_label(each, found.path) for each in found.value]
                return typed(found.value, str, found.path)
        default = self.found(scope, "options")
        return None if default is None else default.value

    def _values(self, scope: Scope) -> list[float] | None:
        """Return what the levels are worth: a list, or columns in their order."""
        for path in self.paths("values"):
            if has_star(path):
                cells = [found for _, found in scope.matches(path)]
                if cells:
                    return [typed(cell.value, float, cell.path) for cell in cells]
            elif (found := scope.found((path,))) is not None:
                return typed(found.value, list[float], found.path)
        return None

    def _gold(self, scope: Scope) -> object:
        found = self.found(scope, "gold")
        if found is None:
            raise wrong("$.gold", "missing")
        if isinstance(found.value, list):
            return [_label(each, found.path) for each in found.value]
        if isinstance(found.value, dict):
            return typed(found.value, str, found.path)
        return found.value


def _label(value: object, path: str) -> str:
    text = as_text(value)
    if text is None or value is None:
        raise wrong(path, "expected labels")
    return text
