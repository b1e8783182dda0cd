"""What a user says about a layout of their own: which field lies where.

``--map FILE.toml`` or ``--field NAME=PATH``; docs/formats.md has the names.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from jevdb.base.errors import InputError, Problem, UsageError, near_names
from jevdb.base.wording import option
from jevdb.ingest.decode.paths import Path, parse_path
from jevdb.ingest.decode.strict import Fault
from jevdb.ingest.files.sources import Source

FIELDS = (
    *("item_id", "answer", "answer_index", "labels", "status", "error"),
    *("probabilities", "probabilities_by_index", "p_yes", "step_probabilities"),
    *("latency_s", "latency_ms", "input_tokens", "output_tokens", "cost_usd"),
    *("requested_name", "resolved_name"),
)
TABLES = ("probabilities", "meta")
SECTIONS = ("each", "fields", "status", "where")
STATUSES = ("ok", "invalid", "unsupported", "error")
ONE_OF = (
    ("probabilities", "probabilities_by_index", "p_yes"),
    ("answer", "answer_index"),
    ("latency_s", "latency_ms"),
)
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
    ``each`` leads to the members of a record that are a row each.
    """

    paths: Mapping[str, tuple[Path, ...]]
    tables: Mapping[str, Mapping[str, Path]]
    id_template: str
    statuses: Mapping[str, str]
    where: Mapping[str, str]
    each: Path | None

    def all_paths(self) -> Iterator[Path]:
        """Yield every path of the mapping."""
        for paths in self.paths.values():
            yield from paths
        for table in self.tables.values():
            yield from table.values()
        if self.each:
            yield self.each


def read_map(path: FilePath) -> FieldMap:
    """Return the mapping of a TOML file.

    Raises
    ------
    InputError
        It is not TOML, or not a mapping.
    """
    source = Source(path)
    data = b"".join(source.chunks())
    try:
        given = tomllib.loads(data.decode())
        return _field_map(given)
    except _BadMap as error:
        field, message = error.fault
        raise InputError([Problem(source.name, None, field, message)]) from error
    except UnicodeDecodeError as error:
        raise source.fault("not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at line ")
        line = int(place.split(",")[0]) if place else None
        problem = Problem(source.name, line, None, f"not TOML: {message}")
        raise InputError([problem]) from error


FIELD = option("fields", shell="field")


def map_of_options(pairs: Sequence[str]) -> FieldMap:
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
        return _field_map({"fields": fields})
    except _BadMap as error:
        field, message = error.fault
        name = str(field).removeprefix("fields.")
        raise UsageError(f"{FIELD} {name}: {message}") from error


def _field_map(given: Mapping[str, object]) -> FieldMap:
    for key in sorted(given.keys() - set(SECTIONS)):
        raise _BadMap(key, f"unknown key; {near_names(key, SECTIONS)}")
    fields = _table(given, "fields")
    paths, tables = {}, {}
    for name, value in fields.items():
        place = f"fields.{name}"
        if isinstance(value, dict) and name in TABLES:
            tables[name] = {
                label: _path(path, f"{place}.{label}") for label, path in value.items()
            }
        elif name not in FIELDS:
            known = near_names(name, {*FIELDS, *TABLES})
            raise _BadMap(place, f"unknown field; {known}")
        elif name != "item_id":
            listed = value if isinstance(value, list) else [value]
            paths[name] = tuple(_path(path, place) for path in listed)
    for names in ONE_OF:
        if len(found := [name for name in names if name in fields]) > 1:
            raise _BadMap(f"fields.{found[1]}", f"does not go with {found[0]}")
    template, paths["item_id"] = _item_id(fields.get("item_id"))
    statuses = _texts(given, "status")
    for word, status in statuses.items():
        if status not in STATUSES:
            known = near_names(status, STATUSES)
            raise _BadMap(f"status.{word}", f"unknown status {status!r}; {known}")
    each = _path(given["each"], "each") if "each" in given else None
    where = _texts(given, "where")
    return FieldMap(paths, tables, template, statuses, where, each)


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
        if not isinstance(value, str):
            raise _BadMap(f"{name}.{key}", "expected a string")
        texts[key] = value
    return texts
