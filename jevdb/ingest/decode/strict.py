"""What exactly is wrong with a JSON line: every fault, each with its JSON path.

Only lines that the fast decoder refused, or could not clear, come here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args, get_origin

import msgspec

from jevdb.base.encodings import OTHERS
from jevdb.base.errors import near_names
from jevdb.base.text import SHOWN_VALUE
from jevdb.base.wording import how
from jevdb.ingest.decode.near_fields import field_option, unknown_key

MAX_DIGITS = 4000
MAX_DEPTH = 100
MISSING = "missing"
KEY = "item_id"
MINUS_INFINITY = ("-inf", "-Infinity", "-infinity")
NOT_JSON = "is not JSON; use null"
HOLDS_NUL = "text holds a NUL character"
WORDS = {
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}


class Fault(NamedTuple):
    """One thing wrong with a record: a JSON path (None: the whole line), and what."""

    field: str | None
    message: str


class _Pairs(list[tuple[str, object]]):
    """An object as it stands in the text, repeated keys included."""


class _NotJson(str):
    """A token that JSON does not have: NaN, Infinity, or a number beyond doubles."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What stands in a tool's log and is no value: NaN, Infinity, text with NUL."""

    reason: str


def log_record(line: bytes) -> dict[str, object] | None:
    """Return a record of a log with `Unreadable` where it holds what is no value.

    None where the line has any other fault.
    """
    try:
        parsed = _parse(line)
        if not isinstance(parsed, _Pairs) or any(_other_faults(parsed)):
            return None
        return {key: _forgiven(inner) for key, inner in parsed}
    except RecursionError:
        return None


def _other_faults(parsed: object) -> Iterator[Fault]:
    return (
        fault
        for fault in _walk(parsed, "$")
        if not fault.message.endswith((NOT_JSON, HOLDS_NUL))
    )


def _forgiven(value: object) -> object:
    if isinstance(value, _Pairs):
        return {key: _forgiven(inner) for key, inner in value}
    if isinstance(value, list):
        return [_forgiven(inner) for inner in value]
    if isinstance(value, _NotJson):
        return Unreadable(f"{value!s} {NOT_JSON}")
    if isinstance(value, str) and "\0" in value:
        return Unreadable(HOLDS_NUL)
    return value


def diagnose(line: bytes, kind: type[msgspec.Struct]) -> list[Fault]:
    """Return everything that is wrong with *line* as a record of *kind*."""
    try:
        parsed = _parse(line)
        faults = [parsed] if isinstance(parsed, Fault) else list(_walk(parsed, "$"))
        if not faults:
            faults = list(_field_faults(_plain(parsed), kind))
    except RecursionError:
        return [Fault(None, "nested too deeply")]
    return faults or _decoder_fault(line, kind)


def _parse(line: bytes) -> object:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        return Fault(None, f"not UTF-8 at byte {error.start + 1}; say {OTHERS}")
    try:
        return json.loads(
            text,
            object_pairs_hook=_Pairs,
            parse_constant=_NotJson,
            parse_float=_finite,
            parse_int=_whole,
        )
    except json.JSONDecodeError as error:
        what = error.msg[:1].lower() + error.msg[1:]
        return Fault(None, f"not JSON: {what} at column {error.colno}")


def _finite(text: str) -> float | _NotJson:
    value = float(text)
    return value if math.isfinite(value) else _NotJson(text)


def _whole(text: str) -> int | _NotJson:
    return int(text) if len(text) <= MAX_DIGITS else _NotJson(f"{text[:20]}...")


def _walk(value: object, path: str, depth: int = 0) -> Iterator[Fault]:
    """Yield the faults that no declared type would catch."""
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(value, _Pairs):
        seen: set[str] = set()
        for key, inner in value:
            yield from _text_faults(key, path)
            if key in seen:
                yield Fault(member(path, key), "key given twice")
            seen.add(key)
            yield from _walk(inner, member(path, key), depth + 1)
    elif isinstance(value, _NotJson):
        is_number = value.lstrip("-")[:1].isdigit()
        reason = "is too large for a double" if is_number else NOT_JSON
        yield Fault(path, f"{value!s} {reason}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _walk(inner, f"{path}[{index}]", depth + 1)
    elif isinstance(value, str):
        yield from _text_faults(value, path)


def _text_faults(text: str, path: str) -> Iterator[Fault]:
    if "\0" in text:
        yield Fault(path, HOLDS_NUL)
    if any("\ud800" <= char <= "\udfff" for char in text):
        yield Fault(path, "text holds half of a surrogate pair")


def _plain(value: object) -> object:
    if isinstance(value, _Pairs):
        return {key: _plain(inner) for key, inner in value}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value


def _field_faults(record: object, kind: type[msgspec.Struct]) -> Iterator[Fault]:
    if not isinstance(record, dict):
        yield Fault(None, f"expected an object on the line, got {type_word(record)}")
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key, value in record.items():
        if key in fields:
            for fault in convert_faults(value, fields[key].type, member("$", key)):
                yield _with_pairs(fault, key, value) if KEY in fields else fault
        elif kind.__struct_config__.forbid_unknown_fields:
            yield Fault(member("$", key), _unknown_key(key, record, list(fields)))
    for name, field in fields.items():
        if field.required and name not in record:
            yield Fault(member("$", name), "missing")


def _with_pairs(fault: Fault, key: str, value: object) -> Fault:
    """Return a fault with the option that reads a list of labels and numbers."""
    if key != "probabilities" or not isinstance(value, list):
        return fault
    if not all(isinstance(each, dict) for each in value):
        return fault
    remedy = f"{field_option(key, key)} reads pairs of a label and its value"
    return Fault(fault.field, f"{fault.message}; {remedy}")


def _unknown_key(key: str, record: dict[str, object], fields: list[str]) -> str:
    if KEY not in fields:
        return f"unknown key; {near_names(key, fields)}"
    return unknown_key(key, record[key], record, fields)


def convert_faults(value: object, kind: object, path: str) -> Iterator[Fault]:
    """Yield what keeps *value* from being a *kind*, entry by entry where it can."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$")
        place = place.rstrip("`")
        if place.startswith("[...]") and isinstance(value, dict):
            for key, inner in value.items():
                yield from _entry_faults(key, inner, kind, path)
        elif message.startswith("Invalid enum value"):
            yield Fault(path + place, _choice_in_words(kind, value))
        else:
            given = _at(value, place)
            remedy = "" if given is value else _scale_remedy(path, given)
            yield Fault(path + place, _in_words(message, given) + remedy)


def _choice_in_words(kind: object, value: object) -> str:
    closed = next(
        each for each in (kind, *get_args(kind)) if get_origin(each) is Literal
    )
    *most, last = (repr(word) for word in get_args(closed))
    hint = "; an item without an answer has no row" if value == MISSING else ""
    return f"expected {', '.join(most)} or {last}, got {type_word(value)}{hint}"


def _entry_faults(key: str, inner: object, kind: object, path: str) -> Iterator[Fault]:
    for fault in convert_faults([inner], list[float], ""):
        yield Fault(member(path, key), fault.message)


def _scale_remedy(path: str, value: object) -> str:
    """Return the scale on which a text among numbers is one of a distribution."""
    if not isinstance(value, str) or path.endswith("step_probabilities"):
        return ""
    if value.endswith("%"):
        return f"; {how('scale', 'percent')} reads it"
    if value in MINUS_INFINITY:
        return f"; {how('scale', 'logprob')} reads it as 0"
    return ""


def _at(value: object, place: str) -> object:
    found = re.fullmatch(r"\[(\d+)\]", place)
    if found and isinstance(value, list):
        return value[int(found.group(1))]
    return value


def _in_words(message: str, value: object) -> str:
    expected = re.match(r"Expected `([^`]+)`, got `([^`]+)`", message)
    if not expected:
        return message[:1].lower() + message[1:].replace("`", "")
    kinds = [WORDS.get(word, word) for word in expected.group(1).split(" | ")]
    kinds = [word for word in kinds if word != WORDS["null"]] or kinds
    got = type_word(value)
    return f"expected {' or '.join(kinds)}, got {got}"


def type_word(value: object) -> str:
    """Return what a JSON value is, in words, with short text quoted."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case Unreadable() | str():
            return _text_word(value)
        case int() | float():
            return f"the number {value!r}"
        case list():
            return "a list"
        case _:
            return "an object"


def _text_word(value: str | Unreadable) -> str:
    if isinstance(value, Unreadable):
        return f"what is no value ({value.reason})"
    shown = value if len(value) <= SHOWN_VALUE else value[: SHOWN_VALUE - 3] + "..."
    return f"the string {json.dumps(shown, ensure_ascii=False)}"


def member(path: str, key: str) -> str:
    """Return the JSON path of *key* in the object at *path*."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key):
        return f"{path}.{key}"
    return f"{path}[{json.dumps(key, ensure_ascii=False)}]"


def _decoder_fault(line: bytes, kind: type[msgspec.Struct]) -> list[Fault]:
    """Return what the decoder itself says, where nothing above saw a fault."""
    try:
        msgspec.json.decode(line, type=kind)
    except msgspec.MsgspecError as error:
        message, _, place = str(error).partition(" - at `")
        return [Fault(place.rstrip("`") or None, f"not JSON: {message}")]
    return []
