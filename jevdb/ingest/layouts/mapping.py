"""What a user says about a layout of their own: which field lies where.

``--map FILE.toml``, ``--map NAME`` (one that ships) or ``--field NAME=PATH``;
docs/formats.md has the names.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import NamedTuple

from jevdb.base.errors import InputError, Problem, UsageError, near_names
from jevdb.base.wording import option
from jevdb.ingest.decode.paths import STAR, Path, has_star, parse_path
from jevdb.ingest.decode.rows import as_text
from jevdb.ingest.decode.strict import Fault
from jevdb.ingest.files.sources import Source
from jevdb.ingest.reading_options import ReadingOptions, reading_options
from jevdb.warehouse.assets import file_or_shipped

FIELDS = (
    *("item_id", "repeat", "answer", "answer_index", "labels", "status", "error"),
    *("probabilities", "probabilities_by_index", "p_yes", "step_probabilities"),
    *("label", "probability", "correct", "target"),
    *("latency_s", "latency_ms", "input_tokens", "output_tokens", "cost_usd"),
    *("requested_name", "resolved_name"),
)
ITEM_FIELDS = (
    *("item_id", "type", "options", "gold", "gold_distribution"),
    *("values", "positive"),
    *("tier", "family", "domain", "modality"),
)
TABLES = ("probabilities", "meta")
ITEM_TABLES = ("meta",)
CANONICAL = (
    *("repeat", "status", "answer", "probabilities", "step_probabilities", "error"),
    *("latency_s", "input_tokens", "output_tokens", "cost_usd"),
)
"""Fields of a prediction that are read under their own name where none is said."""
READ_TABLES = ("alias", "tier", "default")
SECTIONS = ("each", "fields", "status", "where", "unless", "read", *READ_TABLES)
STATUSES = ("ok", "invalid", "unsupported", "error")
ONE_OF = (
    ("probabilities", "probabilities_by_index", "label"),
    ("probabilities_by_index", "p_yes", "label"),
    ("answer", "answer_index"),
    ("latency_s", "latency_ms"),
)
"""Fields of which a mapping names one."""
ALIKE = (("probabilities", "probabilities_by_index", "p_yes", "label"), *ONE_OF[2:])
"""Fields of which the canonical name is not read where another is named."""
PART = re.compile(r"\{([^{}]*)\}")


class _BadMap(Exception):
    """Something wrong with a mapping itself."""

    def __init__(self, field: str, message: str):
        self.fault = Fault(field, message)


@dataclass(frozen=True, slots=True)
class FieldMap:
    """Where the fields of a prediction lie in a record.

    ``paths`` has the paths of a field, of which the first with a value counts;
    ``tables`` a path for each label (probabilities) or name (meta). ``id_template`` is
    the item's id with paths in braces. ``statuses`` translate the file's own words.
    ``where`` says which records are taken, ``unless`` which of them are left out.
    ``each`` leads to the members of a record that are a row each. ``reading`` is what
    the file of the mapping says of values. ``is_bare``: no field was named; records
    are in the canonical form, whose unknown keys are faults.
    """

    paths: Mapping[str, tuple[Path, ...]]
    tables: Mapping[str, Mapping[str, Path]]
    id_template: str
    statuses: Mapping[str, str]
    where: Mapping[str, str]
    unless: Mapping[str, str]
    each: Path | None
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    is_bare: bool = False

    def all_paths(self) -> Iterator[Path]:
        """Yield every path of the mapping."""
        for paths in self.paths.values():
            yield from paths
        for table in self.tables.values():
            yield from table.values()
        if self.each:
            yield self.each


class Kind(NamedTuple):
    """What a mapping may name: the fields of predictions, or of items."""

    fields: tuple[str, ...]
    tables: tuple[str, ...]
    canonical: tuple[str, ...]


RUNS = Kind(FIELDS, TABLES, CANONICAL)
ITEMS = Kind(ITEM_FIELDS, ITEM_TABLES, ITEM_FIELDS[1:])


def read_map(path: FilePath, kind: Kind = RUNS) -> FieldMap:
    """Return the mapping of a TOML file, or of one that ships under this name.

    Raises
    ------
    InputError
        It is not TOML, or not a mapping.
    UnknownNameError
        It is a bare name, and neither a file nor one that ships.
    """
    source = Source(file_or_shipped(FilePath(path), "maps", "mapping"))
    data = b"".join(source.chunks())
    try:
        given = tomllib.loads(data.decode())
        return _field_map(given, kind)
    except _BadMap as error:
        field, message = error.fault
        raise InputError([Problem(source.name, None, field, message)]) from error
    except UsageError as error:
        problem = Problem(source.name, None, "read", str(error))
        raise InputError([problem]) from error
    except UnicodeDecodeError as error:
        raise source.fault("not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at line ")
        line = int(place.split(",")[0]) if place else None
        problem = Problem(source.name, line, None, f"not TOML: {message}")
        raise InputError([problem]) from error


FIELD = option("fields", shell="field")


def map_of_options(pairs: Sequence[str], kind: Kind = RUNS) -> FieldMap:
    """Return the mapping that ``NAME=PATH`` options say; repeats are alternatives."""
    fields: dict[str, object] = {}
    for pair in pairs:
        name, equals, path = pair.partition("=")
        if not equals:
            raise UsageError(f"{FIELD} {pair!r} is not of the form NAME=PATH")
        table, dot, label = name.partition(".")
        if dot:
            inner = fields.setdefault(table, {})
            if isinstance(inner, dict):
                inner[label] = path
                continue
            raise UsageError(f"{FIELD} {table} is given with and without a label")
        known = fields.setdefault(name, [])
        if not isinstance(known, list):
            raise UsageError(f"{FIELD} {name} is given with and without a label")
        known.append(path)
    try:
        return _field_map({"fields": fields}, kind)
    except _BadMap as error:
        field, message = error.fault
        name = str(field).removeprefix("fields.")
        raise UsageError(f"{FIELD} {name}: {message}") from error


def _field_map(given: Mapping[str, object], kind: Kind) -> FieldMap:
    for key in sorted(given.keys() - set(SECTIONS)):
        raise _BadMap(key, f"unknown key; {near_names(key, SECTIONS)}")
    fields = _table(given, "fields")
    paths, tables = {}, {}
    for name, value in fields.items():
        place = f"fields.{name}"
        if isinstance(value, dict) and name in kind.tables:
            tables[name] = {
                label: _one_path(path, f"{place}.{label}", label == STAR)
                for label, path in value.items()
            }
        elif name not in kind.fields:
            known = near_names(name, {*kind.fields, *kind.tables})
            raise _BadMap(place, f"unknown field; {known}")
        elif name != "item_id":
            listed = value if isinstance(value, list) else [value]
            paths[name] = tuple(
                _one_path(path, place, name == "options") for path in listed
            )
    for names in ONE_OF:
        if len(found := [name for name in names if name in fields]) > 1:
            raise _BadMap(f"fields.{found[1]}", f"does not go with {found[0]}")
    if ("label" in fields) != ("probability" in fields):
        lone = "label" if "label" in fields else "probability"
        raise _BadMap(f"fields.{lone}", "label and probability go together")
    template, paths["item_id"] = _item_id(fields.get("item_id", "item_id"))
    if "each" not in given:
        paths = {**_canonical_paths(fields, kind), **paths}
    statuses = _texts(given, "status")
    for word, status in statuses.items():
        if status not in STATUSES:
            known = near_names(status, STATUSES)
            raise _BadMap(f"status.{word}", f"unknown status {status!r}; {known}")
    each = _path(given["each"], "each") if "each" in given else None
    where = _where(given, paths["repeat"] if "repeat" in fields else ())
    unless = _texts(given, "unless")
    reading = _reading(given)
    is_bare = not fields and each is None
    return FieldMap(
        paths, tables, template, statuses, where, unless, each, reading, is_bare
    )


def _where(given: Mapping[str, object], repeat: tuple[Path, ...]) -> dict[str, str]:
    """Return which records are taken: of several repeats that are told apart, all."""
    named = {path.text for path in repeat}
    where = _texts(given, "where")
    return {path: text for path, text in where.items() if path not in named}


def _canonical_paths(
    fields: Mapping[str, object], kind: Kind
) -> dict[str, tuple[Path, ...]]:
    """Return the canonical names of fields that nothing else was said of."""
    said = set(fields)
    for names in ALIKE:
        if said & set(names):
            said |= set(names)
    return {
        name: (Path(name, (name,), True),)
        for name in kind.canonical
        if name not in said
    }


def _reading(given: Mapping[str, object]) -> ReadingOptions:
    """Return what ``[read]``, ``[alias]``, ``[tier]`` and ``[default]`` say."""
    said = _table(given, "read")
    for name in READ_TABLES:
        if name in given:
            if name in said:
                raise _BadMap(name, "stands in [read] too; say it once")
            said = {**said, name: _texts(given, name)}
    return reading_options(said)


def _item_id(given: object) -> tuple[str, tuple[Path, ...]]:
    """Return the template of the id and its paths; a bare path is a template too."""
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    if given is None:
        raise _BadMap("fields.item_id", "missing; which item does a row answer?")
    if not isinstance(given, str):
        raise _BadMap("fields.item_id", "expected one path, or text with {path} in it")
    template = given if PART.search(given) else f"{{{given}}}"
    paths = tuple(_path(part, "fields.item_id") for part in PART.findall(template))
    return template, paths


def _one_path(given: object, place: str, may_have_star: bool) -> Path:
    """Return a path; a ``*`` needs a field that takes many values."""
    path = _path(given, place)
    if has_star(path) and not may_have_star:
        raise _BadMap(
            place, f"{path.text!r} has a *, which goes with probabilities.* and options"
        )
    if place.endswith(f".{STAR}") and not has_star(path):
        raise _BadMap(place, f"{path.text!r} has no * to stand for the label")
    return path


def _path(given: object, place: str) -> Path:
    if not isinstance(given, str):
        raise _BadMap(place, "expected a path as a string")
    try:
        return parse_path(given)
    except ValueError as error:
        raise _BadMap(place, str(error)) from error


def _table(given: Mapping[str, object], name: str) -> dict[str, object]:
    table = given.get(name, {})
    if not isinstance(table, dict):
        raise _BadMap(name, "expected a table")
    return table


def _texts(given: Mapping[str, object], name: str) -> dict[str, str]:
    texts = {}
    for key, value in _table(given, name).items():
        is_default = name == "default" and isinstance(value, int | float)
        text = as_text(value) if is_default else value
        if not isinstance(text, str):
            raise _BadMap(f"{name}.{key}", "expected a string")
        texts[key] = text
    return texts
