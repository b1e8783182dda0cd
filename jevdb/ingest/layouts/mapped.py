"""Any records, read by a mapping of fields to paths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import ClassVar, NamedTuple, TypeVar

from jevdb.base.errors import UsageError, near_names
from jevdb.base.wording import option
from jevdb.ingest.decode.paths import Path, parse_path
from jevdb.ingest.decode.records import Count, Level, canonical_json
from jevdb.ingest.decode.rows import (
    PREDICTION_FIELDS,
    Asked,
    Context,
    Fields,
    RecordLayout,
    Row,
    as_text,
    typed,
    wrong,
)
from jevdb.ingest.decode.strict import Fault, member, type_word
from jevdb.ingest.facts import NAMES
from jevdb.ingest.layouts.mapped_distributions import distribution
from jevdb.ingest.layouts.mapped_scope import KEY, VALUE, Found, Scope
from jevdb.ingest.layouts.mapping import (
    PART,
    STATUSES,
    FieldMap,
    map_of_options,
    read_map,
)
from jevdb.ingest.run_options import read_settings

T = TypeVar("T")

Answer = str | Level | float | bool | list[str]
MS = 1000


class Mapped(RecordLayout):
    """Records of any layout."""

    name: ClassVar[str] = "mapped"
    row_fields = PREDICTION_FIELDS
    has_text_answers = True

    def __init__(self, field_map: FieldMap):
        self._map = field_map
        self._seen: set[Path] = set()
        where = [parse_path(path) for path in field_map.where]
        used = [*field_map.all_paths(), *where]
        heads = {str(path.steps[0]) for path in used}
        self.keys = frozenset(heads | {path.text for path in used})

    def recognises(self, first: Fields) -> bool:
        """Whether by itself: never, a mapping is given."""
        return False

    def unfound(self) -> list[Fault]:
        """Return the paths that led nowhere in all records."""
        return [
            Fault(
                path.text,
                "no record has anything there; mend the path, or end it with ? if "
                "records may lack it",
            )
            for path in dict.fromkeys(self._map.all_paths())
            if path not in self._seen and not path.is_optional
        ]

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the row of a record, or one for each of its members."""
        for scope in self._scopes(record, context):
            yield self._row(scope, context)

    def _scopes(self, record: Fields, context: Context) -> Iterator[Scope]:
        each = self._map.each
        if each is None:
            yield Scope(record, "$", self._seen, context.is_text)
            return
        whole = Scope(record, "$", self._seen, context.is_text)
        members = whole.found((each,))
        if members is None:
            return
        given, path = members
        if isinstance(given, dict):
            listed = [(key, value, member(path, key)) for key, value in given.items()]
        else:
            values = enumerate(typed(given, list[object], path))
            listed = [(str(n), value, f"{path}[{n}]") for n, value in values]
        for key, value, at in listed:
            inner = {**record, KEY: key, VALUE: value}
            yield Scope(inner, at, self._seen, context.is_text)

    def _row(self, scope: Scope, context: Context) -> Row:
        item_id = self._item_id(scope)
        asked = context.items.get(item_id)
        row: Row = {"item_id": item_id}
        given = distribution(self._map, scope, asked)
        answer = self._answer(scope, asked)
        values = {
            "answer": answer,
            "probabilities": given,
            "step_probabilities": self._typed(scope, "step_probabilities", list[float]),
            **self._costs(scope),
            "error": self._error(scope),
            "meta": self._meta(scope),
        }
        row |= {name: value for name, value in values.items() if value is not None}
        row["status"] = self._status(scope)
        row["facts"] = self._names(scope)
        if (
            row["status"] is None
            and "error" in row
            and answer is None
            and given is None
        ):
            row["status"] = "error"
        return row

    def _found(self, scope: Scope, name: str) -> Found | None:
        return scope.found(self._map.paths.get(name, ()))

    def _item_id(self, scope: Scope) -> str:
        texts = []
        for path in self._map.paths["item_id"]:
            found = scope.found((path,))
            text = None if found is None else as_text(found.value)
            if found is None or text is None:
                raise wrong(scope.place(path), "missing; it names the item")
            texts.append(text)
        parts = iter(texts)
        return PART.sub(lambda _: next(parts), self._map.id_template)

    def _answer(self, scope: Scope, asked: Asked | None) -> object:
        found = self._found(scope, "answer")
        if found:
            return _fitting(found, asked)
        place = self._typed(scope, "answer_index", int)
        if place is None or place < 0:
            return None
        if asked is not None and asked.type == "score":
            return place
        labels = self._found(scope, "labels")
        listed = asked.options if asked else []
        if labels:
            listed = typed(labels.value, list[str], labels.path)
        if place >= len(listed):
            at = scope.place(self._map.paths["answer_index"][0])
            raise wrong(at, f"{place} is the place of none of {len(listed)} labels")
        return listed[place]

    def _status(self, scope: Scope) -> str | None:
        found = self._found(scope, "status")
        if found is None:
            return None
        word = as_text(found.value)
        status = self._map.statuses.get(word, word) if word is not None else None
        if status not in STATUSES:
            known = near_names(str(word), {*self._map.statuses, *STATUSES})
            message = f"unknown status, {type_word(found.value)}; {known}"
            raise wrong(found.path, f"{message}; [status] in the map translates it")
        return status

    def _costs(self, scope: Scope) -> Row:
        milliseconds = self._typed(scope, "latency_ms", float)
        seconds = self._typed(scope, "latency_s", float)
        if milliseconds is not None:
            seconds = milliseconds / MS
        return {
            "latency_s": seconds,
            "cost_usd": self._typed(scope, "cost_usd", float),
            "input_tokens": self._typed(scope, "input_tokens", Count),
            "output_tokens": self._typed(scope, "output_tokens", Count),
        }

    def _typed(self, scope: Scope, name: str, kind: type[T]) -> T | None:
        return scope.typed(self._map.paths.get(name, ()), kind)

    def _names(self, scope: Scope) -> dict[str, str]:
        """Return the model as it was asked for and as it was resolved."""
        names = {name: self._typed(scope, name, str) for name in NAMES}
        return {name: text for name, text in names.items() if text}

    def _error(self, scope: Scope) -> str | None:
        found = self._found(scope, "error")
        if found is None or found.value in ("", False):
            return None
        return (
            found.value if isinstance(found.value, str) else canonical_json(found.value)
        )

    def _meta(self, scope: Scope) -> dict[str, object] | None:
        table = self._map.tables.get("meta", {})
        found = {name: scope.found((path,)) for name, path in table.items()}
        return {name: each.value for name, each in found.items() if each} or None


def _fitting(found: Found, asked: Asked | None) -> object:
    """Return an answer as its item wants it: choices are named, never numbered."""
    value, path = found
    if asked is not None and asked.type == "choice" and not isinstance(value, str):
        text = as_text(value)
        return typed(value, str, path) if text is None else text
    return typed(value, Answer, path)  # type: ignore[arg-type]


class Selection(NamedTuple):
    """Which records of a run's files are taken, and how, as options say it."""

    where: dict[str, str]
    mapping: Mapped | None


def selection(
    map_file: FilePath | None, fields: list[str], where: list[str], form: str | None
) -> Selection:
    """Return what ``--map``, ``--field`` and ``--where`` say together.

    Raises
    ------
    UsageError
        Options that do not go together, or are not what they should be.
    InputError
        The file is no mapping.
    """
    wanted = read_settings(where, option("where"))
    for path in wanted:
        try:
            parse_path(path)
        except ValueError as error:
            raise UsageError(f"{option('where')}: {error}") from error
    if not (map_file or fields):
        return Selection(wanted, None)
    fields_given = option("fields", shell="field")
    if map_file and fields:
        raise UsageError(
            f"{option('map')} and {fields_given} do not go together; put all into the "
            "file"
        )
    if form:
        raise UsageError(
            f"{option('format')} does not go with {option('map')} or {fields_given}: "
            "they are one"
        )
    field_map = read_map(map_file) if map_file else map_of_options(fields)
    return Selection({**field_map.where, **wanted}, Mapped(field_map))
