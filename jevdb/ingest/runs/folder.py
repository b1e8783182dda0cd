"""A Decision Bench run folder: its raw.jsonl, once the manifest vouches for it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from jevdb.base.errors import InputError, Problem, UsageError
from jevdb.ingest.decode.records import canonical_json
from jevdb.ingest.decode.strict import member
from jevdb.ingest.files.documents import as_object, as_record, read_document

RAW, SUMMARY, MANIFEST = "raw.jsonl", "summary.json", "manifest.json"
AGGREGATES = frozenset({"metrics"})
UNVERIFIED = f"no {MANIFEST} in the folder: the hashes of its files are not verified"


class Manifest(msgspec.Struct):
    """The digests of a run folder's files, by their path in the folder."""

    files: dict[str, str]


class RunFiles(NamedTuple):
    """The files to read, and what a folder says about the run beside its rows."""

    paths: list[Path]
    settings: dict[str, str]
    requested_model: str | None
    notes: list[str]


def run_files(paths: Sequence[Path]) -> RunFiles:
    """Return the files that *paths* mean; a folder stands for its raw.jsonl.

    Raises
    ------
    InputError
        A folder without raw.jsonl, or whose files are not those of its manifest.
    UsageError
        Several folders: each is a run of its own.
    """
    folders = [path for path in paths if path.is_dir()]
    if not folders:
        return RunFiles(list(paths), {}, None, [])
    if len(folders) > 1:
        raise UsageError("each run folder is a run of its own; give one at a time")
    folder = folders[0]
    if not (folder / RAW).is_file():
        raise InputError([Problem(folder.name, None, None, f"no {RAW} in the folder")])
    notes = _verify(folder)
    summary = _summary(folder)
    model = summary.get("model")
    return RunFiles(
        [path / RAW if path == folder else path for path in paths],
        dict(_settings(summary)),
        model if isinstance(model, str) else None,
        notes,
    )


def _verify(folder: Path) -> list[str]:
    """Hold every file of the manifest to its digest; return what could not be."""
    if not (folder / MANIFEST).is_file():
        return [UNVERIFIED]
    manifest = as_record(read_document(folder / MANIFEST), Manifest, MANIFEST)
    problems = list(_mismatches(folder, manifest.files))
    if RAW not in manifest.files:
        problems.append(Problem(MANIFEST, None, "$.files", f"no hash of {RAW}"))
    if problems:
        raise InputError(problems)
    return []


def _mismatches(folder: Path, files: Mapping[str, str]) -> Iterator[Problem]:
    for name, stated in files.items():
        field = member("$.files", name)
        place = PurePosixPath(name)
        if place.is_absolute() or ".." in place.parts:
            yield Problem(MANIFEST, None, field, "not a path inside the folder")
        elif not (folder / place).is_file():
            yield Problem(MANIFEST, None, field, "no such file in the folder")
        elif (found := _sha256(folder / place)) != stated.lower():
            message = f"the file's SHA-256 is {found}, the manifest has {stated}"
            yield Problem(MANIFEST, None, field, message)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _summary(folder: Path) -> dict[str, object]:
    if not (folder / SUMMARY).is_file():
        return {}
    return as_object(read_document(folder / SUMMARY))


def _settings(summary: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield what the run was set to, as text; its aggregates are not settings."""
    for key, value in summary.items():
        if value is not None and key not in AGGREGATES:
            yield key, value if isinstance(value, str) else canonical_json(value)
