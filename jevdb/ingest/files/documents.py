"""A file that is one JSON object: read whole, and held to its fields."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from jevdb.base.errors import InputError, Problem
from jevdb.ingest.decode.strict import Fault, diagnose
from jevdb.ingest.files.sources import Source

MAX_SIZE = 1 << 26

Record = TypeVar("Record", bound=msgspec.Struct)


class Document(NamedTuple):
    """The text of a file and the digest of its bytes."""

    text: bytes
    sha256: str


class Anything(msgspec.Struct):
    """An object with any keys."""


def read_document(path: Path, called: str | None = None) -> Document:
    """Read the file; *called* is its name in messages.

    Raises
    ------
    InputError
        It cannot be read, is longer than 64 MiB, is not strict JSON, or no object.
    """
    source = Source(path)
    name = called or source.name
    parts: list[bytes] = []
    size = 0
    try:
        for chunk in source.chunks():
            parts.append(chunk)
            size += len(chunk)
            if size > MAX_SIZE:
                raise source.fault(f"longer than {MAX_SIZE >> 20} MiB")
    except InputError as error:
        raise InputError([replace(p, source=name) for p in error.raised]) from error
    text = b"".join(parts)
    _raise(name, text, Anything)
    return Document(text, source.sha256)


def as_record(document: Document, kind: type[Record], name: str) -> Record:
    """Return the document as a *kind*; every field that does not fit is a problem."""
    _raise(name, document.text, kind)
    return msgspec.json.decode(document.text, type=kind)


def as_object(document: Document) -> dict[str, object]:
    """Return the document as a plain object."""
    return msgspec.json.decode(document.text, type=dict[str, object])


def _raise(name: str, text: bytes, kind: type[msgspec.Struct]) -> None:
    faults = diagnose(text, kind)
    if faults:
        line = _broken_line(text)
        raise InputError([_problem(name, line, fault) for fault in faults])


def _problem(name: str, line: int | None, fault: Fault) -> Problem:
    return Problem(name, line, fault.field, fault.message)


def _broken_line(text: bytes) -> int | None:
    """Return the line at which the text stops being JSON, if it does."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.lineno
    except (ValueError, RecursionError):
        pass
    return None
