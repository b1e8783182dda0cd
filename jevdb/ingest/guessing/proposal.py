"""A mapping proposed for a file, as TOML, with what speaks for each line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from jevdb.base.text import counted, cut, visible
from jevdb.ingest.guessing.fields import Field, left_over, might_be
from jevdb.ingest.guessing.sample import Seen
from jevdb.ingest.guessing.trying import TABLES, Guess, Reading
from jevdb.ingest.layouts.mapping import RUNS, Kind
from jevdb.warehouse.schema_words import TYPES

Read = Callable[[Path], list[dict[str, object]]]
"""Reads the file under a mapping; returns its first rows as they would be stored."""


class Proposal(NamedTuple):
    """The TOML of a mapping, what is said about it, and whether all of it is known."""

    toml: str
    words: list[str]
    is_sure: bool


def propose(
    path: Path,
    seen: Seen,
    fields: Sequence[Field],
    needed: Sequence[str],
    found: Guess,
    kind: Kind = RUNS,
) -> Proposal:
    """Return the mapping of the fields and of the options that were found."""
    missing = [name for name in needed if name not in {each.name for each in fields}]
    unsure = [each for each in fields if each.others]
    left = left_over(seen, fields, kind.canonical)
    ways = {name: might_be(seen, name, left) for name in missing}
    words = [*_container(path, seen), *_decided(fields, found)]
    words += [f"{name}: no key has a usual name for it" for name in missing]
    if left:
        words.append(f"left out: {', '.join(map(cut, left))}")
    if found.refusal is not None:
        words.append("as it stands it would be refused:")
        words += found.refusal.in_shell.splitlines()
    elif isinstance(found.result, list) and found.result:
        words.append(f"the first {len(found.result)}, as they would be stored:")
        words += [visible(json.dumps(r, ensure_ascii=False)) for r in found.result]
    is_sure = not (missing or unsure or found.refusal)
    return Proposal(toml_of(fields, ways, found), words, is_sure)


def _container(path: Path, seen: Seen) -> Iterator[str]:
    n = counted(len(seen.records), "record")
    yield f"{path.name}: {seen.container}, {n} looked at"
    yield from (note.partition(": ")[2] for note in seen.notes)
    for column in seen.columns.values():
        yield f"  {cut(column.name)}: {column.kinds}"


def _decided(fields: Sequence[Field], found: Guess) -> Iterator[str]:
    for each in fields:
        yield f"{each.name} = {each.path}: {each.evidence}"
        if each.others:
            listed = ", ".join(each.others)
            yield f"  which key is meant cannot be known: {listed} would do as well"
    for option, evidence in found.decisions:
        what = evidence.partition("; ")[0]
        yield f"{option.name} = {option.value}: {what}"
    if found.open:
        yield "how values are read cannot be known: see the lines that begin with #"


def toml_of(
    fields: Sequence[Field], missing: Mapping[str, Sequence[str]], found: Guess
) -> str:
    """Return the mapping; what cannot be known stands in lines of comment."""
    return "\n".join([*_fields(fields, missing), *_reading(found)]) + "\n"


def _fields(
    fields: Sequence[Field], missing: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    yield "[fields]"
    for each in fields:
        if each.name != "probabilities.*":
            yield f"{each.name} = {_text(each.path)}"
        for other in each.others:
            yield f"# {each.name} = {_text(other)}"
    for name, ways in missing.items():
        yield from [f"# {name} = {_text(way)}" for way in ways] or [f"# {name} = "]
    for each in fields:
        if each.name == "probabilities.*":
            yield ""
            yield "[fields.probabilities]"
            yield f'"*" = {_text(each.path)}'


def _reading(found: Guess) -> Iterator[str]:
    plain = {k: v for k, v in found.reading.items() if k not in TABLES}
    is_open = [each for each in found.open if each.name not in TABLES]
    if plain or is_open:
        yield ""
        yield "[read]"
        yield from (f"{name} = {_value(value)}" for name, value in plain.items())
        yield from (f"# {each.name} = {_value(each.value)}" for each in is_open)
    for name in TABLES:
        table = found.reading.get(name)
        open_ = [str(each.value) for each in found.open if each.name == name]
        if isinstance(table, Mapping) or open_:
            yield ""
            yield f"[{name}]"
        if isinstance(table, Mapping):
            yield from (f"{_text(k)} = {_text(str(v))}" for k, v in table.items())
        for pair in open_:
            key, _, value = pair.partition("=")
            words = TYPES if (name, key, value) == ("default", "type", "") else (value,)
            yield from (f"# {_text(key)} = {_text(word)}" for word in words)


def _value(value: object) -> str:
    return "true" if value is True else _text(str(value))


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def under(fields: Sequence[Field], read: Read) -> Callable[[Reading], object]:
    """Return what tries a reading: the mapping as a file, read as it would be."""

    def trial(reading: Reading) -> object:
        with TemporaryDirectory(prefix="jevdb-") as folder:
            path = Path(folder) / "guess.toml"
            toml = toml_of(fields, {}, Guess(reading))
            path.write_text(toml, encoding="utf-8")
            return read(path)

    return trial
