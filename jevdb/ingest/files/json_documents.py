"""JSON that is not one record a line: a list of records, or one over several lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice

from jevdb.base.encodings import OTHERS
from jevdb.base.errors import InputError, Problem
from jevdb.ingest.decode.decoding import LineBatch
from jevdb.ingest.files.sources import Source

MAX_DOCUMENT = 1 << 29
BATCH_RECORDS = 1000
SPACE = " \t\r\n"


def is_document(first: bytes) -> bool:
    """Whether a file that begins so is one JSON document.

    A list of objects is; so is an object whose first line ends where JSON cannot.
    """
    text = first.lstrip()
    if text.startswith(b"["):
        return text[1:].lstrip()[:1] in (b"{", b"]")
    line, _, rest = text.partition(b"\n")
    is_open = text.startswith(b"{") and line.rstrip().endswith((b"{", b"[", b",", b":"))
    follows = rest.lstrip()[:1]
    return is_open and follows != b"" and (line.rstrip(), follows) != (b"{", b"{")


def open_document(source: Source, chunks: Iterable[bytes]) -> Iterator[LineBatch]:
    """Yield the records of the document, each with the line it starts on."""
    records = _records(source, _text(source, chunks))
    while batch := list(islice(records, BATCH_RECORDS)):
        yield LineBatch([text for text, _ in batch], [line for _, line in batch])


def _text(source: Source, chunks: Iterable[bytes]) -> str:
    parts, size = [], 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size > MAX_DOCUMENT:
            raise source.fault(
                f"a JSON document over {MAX_DOCUMENT >> 20} MiB; write JSON Lines"
            )
    data = b"".join(parts)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8 at byte {error.start}; say {OTHERS}"
        raise InputError([Problem(source.name, line, None, message)]) from error


def _records(source: Source, text: str) -> Iterator[tuple[bytes, int]]:
    """Yield the text and first line of the one object, or of each in the list."""
    scan = json.JSONDecoder().raw_decode
    start = _skip(text, 0)
    is_list = text[start] == "["
    position = _skip(text, start + 1) if is_list else start
    line, counted = 1, 0
    while not (is_list and text[position : position + 1] == "]"):
        line, counted = line + text.count("\n", counted, position), position
        try:
            _, end = scan(text, position)
        except json.JSONDecodeError as error:
            raise _fault(source, text, error.pos, error.msg) from error
        except RecursionError as error:
            problem = Problem(source.name, line, None, "nested too deeply")
            raise InputError([problem]) from error
        yield text[position:end].encode(), line
        position = _skip(text, end)
        if not is_list:
            break
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
        elif text[position : position + 1] != "]":
            raise _fault(source, text, position, "expecting ',' delimiter")
    if is_list:
        position = _skip(text, position + 1)
    if position < len(text):
        raise _fault(source, text, position, "extra data")


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in SPACE:
        position += 1
    return position


def _fault(source: Source, text: str, position: int, what: str) -> InputError:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    message = f"not JSON: {what[:1].lower()}{what[1:]} at column {column}"
    return InputError([Problem(source.name, line, None, message)])
