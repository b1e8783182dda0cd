"""Who answered what, and how a run's files are to be taken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from jevdb.base.errors import InputError, Problem, UsageError
from jevdb.base.wording import option
from jevdb.ingest.decode.strict import convert_faults, diagnose
from jevdb.ingest.files.sources import Source
from jevdb.ingest.names import check_name
from jevdb.ingest.reading_options import ReadingOptions

if TYPE_CHECKING:
    from jevdb.ingest.decode.rows import RecordLayout

DuplicatePolicy = Literal["error", "first", "last"]
ON_DUPLICATE: tuple[DuplicatePolicy, ...] = get_args(DuplicatePolicy)


@dataclass(frozen=True, slots=True)
class Model:
    """A model as it is described: what is not known is None."""

    name: str
    revision: str | None = None
    provider: str | None = None
    open_weights: bool | None = None
    parameters: int | None = None
    requested_name: str | None = None
    resolved_name: str | None = None
    meta: Mapping[str, object] = field(default_factory=dict)

    def requested(self, name: str | None) -> Model:
        """Return the model as asked for under *name*, unless it has such a name."""
        if name is None or self.requested_name is not None:
            return self
        return replace(self, requested_name=name)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Everything about a run that its files do not say; started_at is UTC."""

    benchmark_id: str
    model: Model
    label: str | None = None
    layout: str | None = None
    started_at: datetime | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    on_duplicate: DuplicatePolicy = "error"
    unsupported: tuple[str, ...] = ()
    keep_rejects: bool = False
    allow_invalid: bool = False
    is_private: bool = False
    supersede: bool = False
    where: Mapping[str, str] = field(default_factory=dict)
    mapping: RecordLayout | None = None
    reading: ReadingOptions = field(default_factory=ReadingOptions)

    def allows(self, word: str) -> bool:
        """Whether the guard of that word is overruled."""
        is_invalid = word == "invalid" and self.allow_invalid
        return is_invalid or word in self.reading.allow


DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
"""A day without a time."""
DESCRIBED = {
    "provider": str,
    "open_weights": bool,
    "parameters": int,
    "requested_name": str,
    "resolved_name": str,
}


def read_time(text: str | None) -> datetime | None:
    """Return a time as UTC without a zone; a date is its midnight UTC.

    A time without Z or an offset is refused: nobody knows which moment it is.
    """
    if text is None:
        return None
    if DATE.fullmatch(text):
        text = f"{text}T00:00Z"
    try:
        given = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{option('started')} {text!r} is not an ISO 8601 time"
        ) from error
    if given.tzinfo is None:
        raise UsageError(
            f"{option('started')} {text!r} has no time zone; end it with Z or +hh:mm"
        )
    return given.astimezone(UTC).replace(tzinfo=None)


def read_settings(
    pairs: list[str], given_as: str = option("settings", shell="setting")
) -> dict[str, str]:
    """Return what ``K=V`` options say; each key once."""
    settings: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise UsageError(f"{given_as} {pair!r} is not of the form K=V")
        if key in settings:
            raise UsageError(f"{given_as} {key} is given twice")
        settings[key] = value
    return settings


def read_model(name: str, revision: str | None, path: Path | None) -> Model:
    """Return the model of the options, described further by a JSON file."""
    check_name(name, "model")
    if revision is not None:
        check_name(revision, "revision")
    if path is None:
        return Model(name, revision)
    return described_model(name, revision, _read_object(path), path.name)


def described_model(
    name: str, revision: str | None, description: Mapping[str, object], source: str
) -> Model:
    """Return the model that a JSON object of the file *source* describes.

    Decision Bench's ``model_meta.json`` is such an object: its ``parameter_count`` is
    parameters; its name and revision are kept in meta where they are other ones.
    """
    given = dict(description)
    if "parameters" not in given and "parameter_count" in given:
        given["parameters"] = given.pop("parameter_count")
    for key, own in (("name", name), ("revision", revision)):
        if given.get(key) == own:
            given.pop(key, None)
    described = {key: given.pop(key) for key in DESCRIBED if given.get(key) is not None}
    faults = [
        Problem(source, None, fault.field, fault.message)
        for key, value in described.items()
        for fault in convert_faults(value, DESCRIBED[key], f"$.{key}")
    ]
    if faults:
        raise InputError(faults)
    rest = {key: value for key, value in given.items() if value is not None}
    return Model(name, revision, meta=rest, **described)  # type: ignore[arg-type]


class _Anything(msgspec.Struct):
    """An object with any keys."""


def _read_object(path: Path) -> dict[str, object]:
    source = Source(path)
    text = b"".join(source.chunks())
    faults = diagnose(text, _Anything)
    if faults:
        raise InputError(
            [Problem(source.name, None, fault.field, fault.message) for fault in faults]
        )
    return msgspec.json.decode(text, type=dict[str, object])
