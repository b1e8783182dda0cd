"""A distribution under a mapping, in each of the ways in which people write one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from jevdb.base.wording import how
from jevdb.ingest.converting.scales import from_logarithm
from jevdb.ingest.decode.paths import STAR, Path
from jevdb.ingest.decode.rows import Asked, as_text, typed, wrong
from jevdb.ingest.decode.strict import MINUS_INFINITY, member
from jevdb.ingest.layouts.mapped_scope import Found, Scope
from jevdb.ingest.layouts.mapping import FieldMap
from jevdb.ingest.reading_options import ReadingOptions

LABEL_KEYS = ("value", "label", "option", "name", "key", "token", "text")
LOG_KEY = "logprob"
PROBABILITY_KEYS = ("probability", "prob", "p", "score", LOG_KEY)
PLACE = re.compile(r"0|[1-9][0-9]{0,8}")

Distribution = dict[str, float] | list[float]
Loose = float | str
"""What a value may be where a scale was said: a cell that ends in %, "-inf"."""


def distribution(
    field_map: FieldMap, scope: Scope, asked: Asked | None
) -> Distribution | None:
    """Return the probabilities of a row in the canonical form; None without any."""
    paths = field_map.paths
    kind = _number_kind(scope.reading)
    if table := field_map.tables.get("probabilities"):
        return dict(_columns(table, scope, kind)) or None
    if label := scope.found(paths.get("label", ())):
        return _one_option(label, scope, paths, kind)
    # Beside probabilities, P(yes) is what items of yes or no are answered with.
    is_noul = asked is None or asked.type == "noul" or "probabilities" not in paths
    p_yes = scope.typed(paths.get("p_yes", ()), kind) if is_noul else None
    if p_yes is not None:
        return {"yes": p_yes}
    if found := scope.found(paths.get("probabilities_by_index", ())):
        return _by_index(found, asked)
    found = scope.found(paths.get("probabilities", ()))
    labels = scope.found(paths.get("labels", ()))
    return None if found is None else _by_label(found, labels, asked, scope.reading)


def has_logarithms(field_map: FieldMap, scope: Scope) -> bool:
    """Whether the probabilities are pairs whose key says that they are logarithms."""
    found = scope.found(field_map.paths.get("probabilities", ()))
    entries = found.value if found else None
    first = entries[0] if isinstance(entries, list) and entries else None
    return isinstance(first, dict) and _key(first, PROBABILITY_KEYS, "") == LOG_KEY


def _number_kind(reading: ReadingOptions) -> type[float]:
    """Return what a value is held to; conversions look closer where a scale is said."""
    return Loose if reading.changes("scale") else float  # type: ignore[return-value]


def _columns(
    table: Mapping[str, Path], scope: Scope, kind: type[float]
) -> Iterator[tuple[str, float]]:
    """Yield the labels that have a column or key of their own, with their values."""
    for name, path in table.items():
        if name == STAR:
            for label, found in scope.matches(path):
                yield label, scope.held(found, kind)
        elif (p := scope.typed((path,), kind)) is not None:
            yield name, p


def _one_option(
    label: Found, scope: Scope, paths: Mapping[str, tuple[Path, ...]], kind: type[float]
) -> Distribution:
    """Return the one option of a record of the long layout."""
    text = as_text(label.value)
    if text is None:
        raise wrong(label.path, "no label")
    value = scope.typed(paths.get("probability", ()), kind)
    if value is None:
        raise wrong(label.path, f"no probability beside the label {text!r}")
    return {text: value}


def _by_label(
    found: Found, labels: Found | None, asked: Asked | None, reading: ReadingOptions
) -> Distribution | None:
    kind = _number_kind(reading)
    if isinstance(found.value, dict):
        # A struct's null, and an empty cell, is a key that is not there.
        value = {key: p for key, p in found.value.items() if p is not None}
        given = typed(value, dict[str, kind], found.path)  # type: ignore[valid-type]
        if asked is not None and reading.answer_style is None:
            _refuse_mixture(given, asked, found.path)
        return given
    entries = typed(found.value, list[object], found.path)
    if any(isinstance(entry, dict) for entry in entries):
        return dict(_pairs(entries, found.path, reading))
    return _parallel(found, labels, kind)


def _refuse_mixture(given: Mapping[str, float], asked: Asked, path: str) -> None:
    """Refuse keys of which some are options and others places of options."""
    labels = given.keys() & set(asked.options)
    places = {key for key in given.keys() - labels if _is_place(key)}
    if labels and places:
        index, label = min(places), min(labels)
        message = f"keys by index ({index!r}) among keys by label ({label!r})"
        raise wrong(path, message)


def _by_index(found: Found, asked: Asked | None) -> Distribution:
    if isinstance(found.value, list):
        return typed(found.value, list[float], found.path)
    given = typed(found.value, dict[str, float], found.path)
    for key in given:
        if not _is_place(key):
            at = member(found.path, key)
            raise wrong(at, "not the index of an option; the mapping says by index")
    if asked is None or asked.type == "score":
        return given
    count = len(asked.options)
    return {
        asked.options[int(key)] if int(key) < count else key: p
        for key, p in given.items()
    }


def _parallel(
    found: Found, labels: Found | None, kind: type[float]
) -> Distribution | None:
    """Return values in option order, or beside the labels of another list."""
    entry = kind if kind is float else kind | None
    values = typed(found.value, list[entry], found.path)  # type: ignore[valid-type]
    if not values:
        return None
    if labels is None:
        return values
    names = typed(labels.value, list[str], labels.path)
    if len(names) != len(values):
        raise wrong(found.path, f"{len(values)} values beside {len(names)} labels")
    if len(set(names)) < len(names):
        raise wrong(labels.path, "a label twice")
    return dict(zip(names, values, strict=True))


def _pairs(
    entries: list[object], path: str, reading: ReadingOptions
) -> Iterator[tuple[str, float]]:
    seen = set()
    for place, entry in enumerate(entries):
        at = f"{path}[{place}]"
        if not isinstance(entry, dict):
            raise wrong(at, "a number among objects; expected one kind of entry")
        label_key = _key(entry, LABEL_KEYS, at)
        text = as_text(entry[label_key])
        if text is None or text in seen:
            what = "no label" if text is None else f"a second probability of {text!r}"
            raise wrong(member(at, label_key), what)
        seen.add(text)
        p_key = _key(entry, PROBABILITY_KEYS, at)
        if p_key == LOG_KEY:
            yield text, _of_logarithm(entry[p_key], member(at, p_key), reading)
        else:
            kind = _number_kind(reading)
            yield text, typed(entry[p_key], kind, member(at, p_key))


def _of_logarithm(value: object, path: str, reading: ReadingOptions) -> float:
    """Return the probability of a pair whose key says that it is a logarithm."""
    if reading.scale not in (None, "logprob"):
        raise wrong(
            path,
            f"the key says that the value is a natural logarithm, "
            f"{how('scale', reading.scale)} says otherwise; leave it out",
        )
    if value in MINUS_INFINITY:
        return 0.0
    number = typed(value, float, path)
    return from_logarithm(number) if reading.scale is None else number


def _key(entry: Mapping[str, object], names: tuple[str, ...], path: str) -> str:
    found = next((name for name in names if name in entry), None)
    if found is None:
        raise wrong(path, f"has none of {', '.join(names)}")
    return found


def _is_place(key: str) -> bool:
    return PLACE.fullmatch(key) is not None
