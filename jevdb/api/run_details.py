"""What a user says of a run beside its rows, as the ingest takes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from jevdb.api.sources import AnyPath
from jevdb.ingest.layouts.mapped import Selection, mapping, selection
from jevdb.ingest.layouts.mapped_items import MappedItems
from jevdb.ingest.layouts.mapping import ITEMS
from jevdb.ingest.reading_options import ReadingOptions, reading_options
from jevdb.ingest.run_options import Model, described_model, read_model, read_time

Pairs: TypeAlias = Mapping[str, str | Iterable[str]] | Iterable[str] | None
"""Names with one value or several; or texts ``NAME=VALUE``."""


def described(
    name: str, revision: str | None, meta: AnyPath | Mapping[str, object] | None
) -> Model:
    """Return the model, described further by a mapping or a JSON file."""
    if isinstance(meta, Mapping):
        model = read_model(name, revision, None)
        return described_model(model.name, revision, meta, "model_meta")
    return read_model(name, revision, None if meta is None else Path(meta))


def selected(
    map_file: AnyPath | None,
    fields: Pairs,
    where: Pairs,
    form: str | None,
    reading: Mapping[str, object] | None = None,
) -> Selection:
    """Return which field lies where, which rows are taken, and how values are read."""
    path = None if map_file is None else Path(map_file)
    said = reading_options(reading or {})
    return selection(path, pairs(fields), pairs(where), form, said)


def mapped_items(
    map_file: AnyPath | None,
    fields: Pairs,
    form: str | None,
    reading: Mapping[str, object] | None,
) -> tuple[MappedItems | None, ReadingOptions]:
    """Return which field of an item lies where, and how values are read."""
    path = None if map_file is None else Path(map_file)
    given = mapping(path, pairs(fields), form, reading_options(reading or {}), ITEMS)
    if given.field_map is None:
        return None, given.reading
    return MappedItems(given.field_map, given.reading), given.reading


def moment(time: str | datetime | None) -> datetime | None:
    """Return a time as UTC; one without a zone is refused."""
    return read_time(time.isoformat() if isinstance(time, datetime) else time)


def pairs(given: Pairs) -> list[str]:
    """Return names with one value or several as texts ``NAME=VALUE``."""
    if not isinstance(given, Mapping):
        return list(given or ())
    return [
        f"{name}={each}"
        for name, value in given.items()
        for each in ([value] if isinstance(value, str) else value)
    ]
