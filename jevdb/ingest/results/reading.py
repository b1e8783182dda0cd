"""Published results and model descriptions out of files and trees of files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from jevdb.base.errors import InputError, JevdbError, Problem
from jevdb.ingest.files.documents import Document, as_object, as_record, read_document
from jevdb.ingest.results.checks import contradictions
from jevdb.ingest.results.records import ModelBlock, Result
from jevdb.ingest.run_options import Model, described_model

META_FILE = "model_meta.json"
DESCRIBING_KEYS = frozenset(
    ("adapter", "probability_source", "model_type", "open_weights", "parameter_count")
)


class PublishedResult(NamedTuple):
    """A result file that adds up; *extra* holds the keys no layout declares."""

    source: str
    sha256: str
    result: Result
    model: Model
    submitted_at: datetime | None
    extra: dict[str, object]


class DescribedModel(NamedTuple):
    """A model_meta.json, which describes a model and reports nothing."""

    source: str
    sha256: str
    model: Model


class Published(NamedTuple):
    """What some files publish, in the order of the files; other JSON is skipped."""

    results: list[PublishedResult]
    models: list[DescribedModel]
    skipped: list[str]


class _Given(NamedTuple):
    """A file to read: what messages call it, and whether it was named itself."""

    path: Path
    name: str
    is_named: bool


def read_published(paths: Sequence[Path]) -> Published:
    """Read result and model files; every fault of every file is one problem.

    A folder stands for the JSON files in it, at any depth; the model_meta.json beside a
    named result is read with it.

    Raises
    ------
    InputError
        Something is wrong with a file; carries every problem.
    JevdbError
        There is neither a result nor a model in the files.
    """
    found = Published([], [], [])
    problems: list[Problem] = []
    for given in _files(paths):
        try:
            _read(given, found)
        except InputError as error:
            problems += error.raised
    if problems:
        raise InputError(problems)
    if not found.results and not found.models:
        listed = ", ".join(str(path) for path in paths)
        raise JevdbError(f"{listed}: no result file and no {META_FILE}")
    return found


def _files(paths: Sequence[Path]) -> Iterator[_Given]:
    seen: set[Path] = set()
    for given in _listed(paths):
        place = given.path.resolve()
        if place not in seen:
            seen.add(place)
            yield given


def _listed(paths: Sequence[Path]) -> Iterator[_Given]:
    for path in paths:
        if path.is_dir():
            for inside in sorted(path.rglob("*.json")):
                if inside.is_file():
                    yield _Given(inside, str(inside.relative_to(path)), False)
            continue
        yield _Given(path, path.name, True)
        beside = path.with_name(META_FILE)
        if path.name != META_FILE and beside.is_file():
            yield _Given(beside, META_FILE, True)


def _read(given: _Given, found: Published) -> None:
    document = read_document(given.path, given.name)
    content = as_object(document)
    if "views" in content or "requested_rows" in content:
        found.results.append(_result(given, document, content))
    elif {"name", "revision"} <= content.keys() and DESCRIBING_KEYS & content.keys():
        block = as_record(document, ModelBlock, given.name)
        model = described_model(block.name, block.revision, content, given.name)
        found.models.append(DescribedModel(given.name, document.sha256, model))
    elif given.is_named:
        message = f"neither a Decision Bench result nor a {META_FILE}"
        raise InputError([Problem(given.name, None, None, message)])
    else:
        found.skipped.append(given.name)


def _result(
    given: _Given, document: Document, content: Mapping[str, object]
) -> PublishedResult:
    result = as_record(document, Result, given.name)
    problems = [
        Problem(given.name, None, fault.field, fault.message)
        for fault in contradictions(result)
    ]
    submitted_at = _time(result, given.name, problems)
    if problems:
        raise InputError(problems)
    block = content["model"]
    assert isinstance(block, dict)
    declared = {field.encode_name for field in msgspec.structs.fields(Result)}
    return PublishedResult(
        given.name,
        document.sha256,
        result,
        described_model(result.model.name, result.model.revision, block, given.name),
        submitted_at,
        {key: value for key, value in content.items() if key not in declared},
    )


def _time(result: Result, source: str, problems: list[Problem]) -> datetime | None:
    """Return when the result was submitted, as UTC without a zone."""
    if not isinstance(result.submitted_at, str):
        return None
    try:
        given = datetime.fromisoformat(result.submitted_at)
    except ValueError:
        message = f"{result.submitted_at!r} is not an ISO 8601 time"
    else:
        if given.tzinfo is not None:
            return given.astimezone(UTC).replace(tzinfo=None)
        message = f"{result.submitted_at!r} has no time zone"
    problems.append(Problem(source, None, "$.submitted_at", message))
    return None
