"""Any records, read by a mapping of fields to paths."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import ClassVar, NamedTuple, TypeVar

from msgspec import UNSET

from jevdb.base.errors import UsageError, near_names
from jevdb.base.text import counted
from jevdb.base.wording import how, option
from jevdb.ingest.converting.ids import IdFault, whole_id
from jevdb.ingest.decode.near_fields import field_option, unknown_key
from jevdb.ingest.decode.paths import (
    STAR,
    Path,
    find,
    has_star,
    matches,
    parse_path,
)
from jevdb.ingest.decode.records import Count, Level, canonical_json
from jevdb.ingest.decode.rows import (
    PREDICTION_FIELDS,
    Asked,
    Context,
    Fields,
    RecordLayout,
    Row,
    WrongRecord,
    as_text,
    typed,
    wrong,
)
from jevdb.ingest.decode.strict import Fault, member, type_word
from jevdb.ingest.facts import NAMES
from jevdb.ingest.files.cells import JSON_NUMBER
from jevdb.ingest.layouts.mapped_distributions import distribution, has_logarithms
from jevdb.ingest.layouts.mapped_scope import KEY, VALUE, Found, Scope
from jevdb.ingest.layouts.mapping import (
    PART,
    RUNS,
    STATUSES,
    FieldMap,
    Kind,
    map_of_options,
    read_map,
)
from jevdb.ingest.reading_options import ReadingOptions, together
from jevdb.ingest.run_options import read_settings

T = TypeVar("T")

Answer = str | Level | float | bool | list[str]
MS = 1000
NUMBERS = ("latency_ms", "latency_s", "cost_usd", "input_tokens", "output_tokens")
VERDICTS = {
    **dict.fromkeys(("true", "1", "1.0"), True),
    **dict.fromkeys(("false", "0", "0.0"), False),
}


class FieldReader(RecordLayout):
    """What records of predictions and of items have alike under a mapping.

    One without a field of its own (`FieldMap.is_bare`) reads the canonical form with
    what options of reading add; it takes the place of that layout alone.
    """

    kind: ClassVar[Kind]

    def __init__(self, field_map: FieldMap, reading: ReadingOptions | None = None):
        self._map = field_map
        self._reading = reading or field_map.reading
        self._seen: set[Path] = set()
        self.is_bare = field_map.is_bare
        # In the canonical form a text is text; elsewhere digits are numbers.
        self.has_text_answers = not field_map.is_bare
        self.name = "canonical" if field_map.is_bare else "mapped"
        where = [parse_path(path) for path in field_map.where]
        self._unless = {parse_path(path): of for path, of in field_map.unless.items()}
        used = [*field_map.all_paths(), *where, *self._unless]
        heads = {str(path.steps[0]) for path in used}
        self._kept = [name for name in self._reading.meta if name != STAR]
        self.keys = frozenset(
            {*heads, *(path.text for path in used), *self._kept, "meta"}
        )
        self._stars = [path for path in used if has_star(path)]
        self._check_defaults()
        self._defaults = {
            name: _default(name, text) for name, text in self._reading.default.items()
        }

    def _check_defaults(self) -> None:
        known = {*self.kind.fields}
        for name in self._reading.default:
            if name not in known:
                raise UsageError(
                    f"{option('default')} {name}: unknown field; "
                    f"{near_names(name, known)}"
                )

    def recognises(self, first: Fields) -> bool:
        """Whether by itself: never, a mapping is given."""
        return False

    def unread_keys(self, record: Fields) -> set[str]:
        """Return the top-level keys that are left out."""
        if self.is_left_out(record):
            return set()
        if STAR in self._reading.meta:
            return set()
        unread = record.keys() - self.keys
        for path in self._stars:
            unread -= {key for key in unread if matches({key: 0}, path)}
        return unread

    def unfound(self) -> list[Fault]:
        """Return the paths that led nowhere in all records."""
        nowhere = [
            Fault(
                path.text,
                "no record has anything there; mend the path, or end it with ? if "
                "records may lack it",
            )
            for path in dict.fromkeys(self._map.all_paths())
            if path not in self._seen and not path.is_optional
        ]
        lacking = [
            Fault(name, f"no record has this key; {how('meta', name)} keeps nothing")
            for name in self._kept
            if _key_path(name) not in self._seen
        ]
        return nowhere + lacking

    def note_keys(self, record: Fields) -> None:
        """Note what is there of a record that is refused before all of it is read.

        The paths of an ``each`` begin in its members: none of them is missed then.
        """
        paths = [*self._map.all_paths(), *map(_key_path, self._kept)]
        self._seen.update(
            path
            for path in paths
            if self._map.each is not None
            or find(record, path) is not UNSET
            or (has_star(path) and matches(record, path))
        )

    def is_left_out(self, record: Fields) -> bool:
        """Whether the record is one of those that ``[unless]`` names."""
        return bool(self._unless) and all(
            as_text(find(record, path)) == text for path, text in self._unless.items()
        )

    def refuse_unknown(self, record: Fields) -> None:
        """Refuse keys that the canonical form does not have."""
        unknown = self.unread_keys(record) if self.is_bare else set()
        if unknown:
            raise WrongRecord(
                *(
                    Fault(
                        member("$", key),
                        unknown_key(key, record[key], record, sorted(self.keys)),
                    )
                    for key in record
                    if key in unknown
                )
            )

    def scope(self, record: Fields, root: str, context: Context) -> Scope:
        """Return where the paths of a row begin."""
        return Scope(record, root, self._seen, context.is_text, self._reading)

    def found(self, scope: Scope, name: str) -> Found | None:
        """Return a field's value, or what it is by default."""
        found = scope.found(self._map.paths.get(name, ()))
        if found is None and name in self._defaults:
            return Found(self._defaults[name], f"--default {name}")
        return found

    def paths(self, name: str) -> tuple[Path, ...]:
        """Return the paths of a field."""
        return self._map.paths.get(name, ())

    def item_id(self, scope: Scope) -> str:
        """Return the id of the item that a record is about."""
        texts = []
        for path in self._map.paths["item_id"]:
            found = scope.found((path,))
            text = None if found is None else as_text(found.value)
            if found is None or text is None:
                raise wrong(scope.place(path), "missing; it names the item")
            texts.append(text)
        parts = iter(texts)
        return PART.sub(lambda _: next(parts), self._map.id_template)

    def meta(self, scope: Scope, record: Fields) -> dict[str, object] | None:
        """Return what a record keeps beside its fields."""
        table = self._map.tables.get("meta", {})
        found = {name: scope.found((path,)) for name, path in table.items()}
        kept: dict[str, object] = {}
        given = record.get("meta") if "meta" not in self._kept else None
        if isinstance(given, dict):
            kept |= given
        elif given is not None and self.is_bare:
            typed(given, dict[str, object], "$.meta")
        kept |= {name: each.value for name, each in found.items() if each}
        names = list(self._kept)
        if STAR in self._reading.meta:
            known = self.keys
            names += [
                key
                for key in record
                if key not in known
                and not any(matches({key: 0}, p) for p in self._stars)
            ]
        for name in names:
            value = scope.raw(_key_path(name))
            if value is None:
                continue
            if name in kept and kept[name] != value:
                raise wrong(
                    member("$", name),
                    f"meta has another value of that name; "
                    f"{field_option('meta.OTHER', name)} keeps it under another",
                )
            kept[name] = value
        return kept or None


def _default(name: str, text: str) -> object:
    """Return what a field is by default: of one that holds numbers, the number."""
    is_number = name in NUMBERS and JSON_NUMBER.fullmatch(text)
    return json.loads(text) if is_number else text


def _key_path(name: str) -> Path:
    return Path(name, (name,), True)


class Mapped(FieldReader):
    """Predictions of any layout."""

    row_fields = PREDICTION_FIELDS
    kind = RUNS

    def __init__(self, field_map: FieldMap, reading: ReadingOptions | None = None):
        super().__init__(field_map, reading)
        self.is_long = "label" in field_map.paths
        self._n_logarithms = 0

    def notes(self) -> list[str]:
        """Return what the records say of their own values, in words."""
        if not self._n_logarithms or self._reading.scale is not None:
            return []
        rows = counted(self._n_logarithms, "row")
        return [f"{rows} of pairs read as natural logarithms: their key is logprob"]

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the row of a record, or one for each of its members."""
        self.refuse_unknown(record)
        if self.is_left_out(record):
            named = ", ".join(f"{path}={of}" for path, of in self._map.unless.items())
            context.skipped[f"records with {named}"] += 1
            return
        for scope in self._scopes(record, context):
            yield self._row(scope, record, context)

    def _plain_id(self, item_id: str) -> str:
        """Return the id as it will be read, to look up its item by."""
        if not self._reading.changes("ids"):
            return item_id
        try:
            return whole_id(item_id)
        except IdFault:
            return item_id

    def _scopes(self, record: Fields, context: Context) -> Iterator[Scope]:
        each = self._map.each
        whole = self.scope(record, "$", context)
        if each is None:
            yield whole
            return
        members = whole.found((each,))
        if members is None or not members.value:
            if each.is_optional:
                # What has no members is still an answer: unsupported, or failed.
                yield self.scope({**record, KEY: "", VALUE: None}, "$", context)
            else:
                context.skipped[f"records without {each.text}"] += 1
            return
        given, path = members
        if isinstance(given, dict):
            listed = [(key, value, member(path, key)) for key, value in given.items()]
        else:
            values = enumerate(typed(given, list[object], path))
            listed = [(str(n), value, f"{path}[{n}]") for n, value in values]
        for key, value, at in listed:
            inner = {**record, KEY: key, VALUE: value}
            yield self.scope(inner, at, context)

    def _row(self, scope: Scope, record: Fields, context: Context) -> Row:
        item_id = self.item_id(scope)
        asked = context.items.get(self._plain_id(item_id))
        row: Row = {"item_id": item_id}
        given = distribution(self._map, scope, asked)
        if has_logarithms(self._map, scope):
            self._n_logarithms += 1
        answer = self._answer(scope, asked)
        values = {
            "repeat": self._repeat(scope),
            "answer": answer,
            "is_correct": self._verdict(scope),
            "target": self._target(scope),
            "probabilities": given,
            "step_probabilities": self._typed(scope, "step_probabilities", list[float]),
            **self._costs(scope),
            "error": self._error(scope),
            "meta": self.meta(scope, record),
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

    def _repeat(self, scope: Scope) -> str | int | None:
        """Return what tells the repeats of an item apart: a name, or a whole number."""
        found = self.found(scope, "repeat")
        if found is None:
            return None
        value = found.value
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return typed(value, str | int, found.path)  # type: ignore[arg-type]

    def _verdict(self, scope: Scope) -> bool | None:
        """Return the record's own verdict: true or false, 1 or 0."""
        found = self.found(scope, "correct")
        if found is None or found.value == "":
            return None
        word = str(as_text(found.value)).lower()
        if word not in VERDICTS:
            message = f"expected true or false, 1 or 0, got {type_word(found.value)}"
            raise wrong(found.path, message)
        return VERDICTS[word]

    def _target(self, scope: Scope) -> list[str] | None:
        """Return the record's own gold as labels."""
        found = self.found(scope, "target")
        if found is None:
            return None
        listed = found.value if isinstance(found.value, list) else [found.value]
        texts = [as_text(each) for each in listed]
        if None in texts:
            raise wrong(found.path, f"expected a label, got {type_word(found.value)}")
        return [str(text) for text in texts]

    def _answer(self, scope: Scope, asked: Asked | None) -> object:
        found = self.found(scope, "answer")
        if found:
            return _fitting(found, asked, self._reading)
        place = self._typed(scope, "answer_index", int)
        if place is None or place < 0:
            return None
        if asked is not None and asked.type == "score":
            return place
        labels = self.found(scope, "labels")
        listed = asked.options if asked else []
        if labels:
            listed = typed(labels.value, list[str], labels.path)
        if place >= len(listed):
            at = scope.place(self._map.paths["answer_index"][0])
            raise wrong(at, f"{place} is the place of none of {len(listed)} labels")
        return listed[place]

    def _status(self, scope: Scope) -> str | None:
        found = self.found(scope, "status")
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
        found = self.found(scope, name)
        return None if found is None else scope.held(found, kind)

    def _names(self, scope: Scope) -> dict[str, str]:
        """Return the model as it was asked for and as it was resolved."""
        names = {name: self._typed(scope, name, str) for name in NAMES}
        return {name: text for name, text in names.items() if text}

    def _error(self, scope: Scope) -> str | None:
        found = self.found(scope, "error")
        if found is None or found.value in ("", False):
            return None
        return (
            found.value if isinstance(found.value, str) else canonical_json(found.value)
        )


def _fitting(found: Found, asked: Asked | None, reading: ReadingOptions) -> object:
    """Return an answer as its item wants it: choices are named, never numbered.

    Where options of reading look at answers, a list may hold numbers too.
    """
    value, path = found
    if isinstance(value, list) and reading.converts:
        return typed(value, list[str | Level | float | bool], path)
    is_choice = asked is not None and asked.type == "choice"
    if is_choice and not isinstance(value, str) and not reading.converts:
        text = as_text(value)
        return typed(value, str, path) if text is None else text
    return typed(value, Answer, path)  # type: ignore[arg-type]


class Selection(NamedTuple):
    """Which records of a run's files are taken, and how, as options say it."""

    where: dict[str, str]
    mapping: Mapped | None
    reading: ReadingOptions


class Mapping(NamedTuple):
    """A mapping of fields, if there is one, and how values are read."""

    field_map: FieldMap | None
    reading: ReadingOptions


def mapping(
    map_file: FilePath | None,
    fields: list[str],
    form: str | None,
    reading: ReadingOptions,
    kind: Kind,
) -> Mapping:
    """Return what ``--map`` or ``--field`` and the options of reading say together.

    Raises
    ------
    UsageError
        Options that do not go together, or are not what they should be.
    InputError
        The file is no mapping.
    """
    fields_given = option("fields", shell="field")
    if map_file and fields:
        raise UsageError(
            f"{option('map')} and {fields_given} do not go together; put all into the "
            "file"
        )
    if form and (map_file or fields):
        raise UsageError(
            f"{option('format')} does not go with {option('map')} or {fields_given}: "
            "they are one"
        )
    field_map = None
    if map_file or fields:
        field_map = (
            read_map(map_file, kind) if map_file else map_of_options(fields, kind)
        )
        reading = together(reading, field_map.reading)
    elif reading.meta or reading.default:
        field_map = map_of_options([], kind)
    return Mapping(field_map, reading)


def selection(
    map_file: FilePath | None,
    fields: list[str],
    where: list[str],
    form: str | None,
    reading: ReadingOptions | None = None,
) -> Selection:
    """Return what ``--map``, ``--field``, ``--where`` and reading say together.

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
    given = mapping(map_file, fields, form, reading or ReadingOptions(), RUNS)
    if given.reading.tier:
        raise UsageError(f"{option('tier')} goes with items")
    if given.field_map is None:
        return Selection(wanted, None, given.reading)
    where_all = {**given.field_map.where, **wanted}
    return Selection(where_all, Mapped(given.field_map, given.reading), given.reading)
