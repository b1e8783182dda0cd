"""A distribution under a mapping, in each of the ways in which people write one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from jevdb.ingest.decode.rows import Asked, as_text, typed, wrong
from jevdb.ingest.decode.strict import member
from jevdb.ingest.layouts.mapped_scope import Found, Scope
from jevdb.ingest.layouts.mapping import FieldMap

LABEL_KEYS = ("value", "label", "option", "name", "key")
PROBABILITY_KEYS = ("probability", "prob", "p")
PLACE = re.compile(r"0|[1-9][0-9]{0,8}")

Distribution = dict[str, float] | list[float]


def distribution(
    field_map: FieldMap, scope: Scope, asked: Asked | None
) -> Distribution | None:
    """Return the probabilities of a row in the canonical form; None without any."""
    paths = field_map.paths
    if table := field_map.tables.get("probabilities"):
        columns = {name: scope.typed((path,), float) for name, path in table.items()}
        return {name: p for name, p in columns.items() if p is not None} or None
    p_yes = scope.typed(paths.get("p_yes", ()), float)
    if p_yes is not None:
        return {"yes": p_yes}
    if found := scope.found(paths.get("probabilities_by_index", ())):
        return _by_index(found, asked)
    found = scope.found(paths.get("probabilities", ()))
    labels = scope.found(paths.get("labels", ()))
    return None if found is None else _by_label(found, labels, asked)


def _by_label(
    found: Found, labels: Found | None, asked: Asked | None
) -> Distribution | None:
    if isinstance(found.value, dict):
        given = typed(found.value, dict[str, float], found.path)
        if asked is not None:
            _refuse_mixture(given, asked, found.path)
        return given
    entries = typed(found.value, list[object], found.path)
    if any(isinstance(entry, dict) for entry in entries):
        return dict(_pairs(entries, found.path))
    return _parallel(found, labels)


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


def _parallel(found: Found, labels: Found | None) -> Distribution | None:
    """Return values in option order, or beside the labels of another list."""
    values = typed(found.value, list[float], found.path)
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


def _pairs(entries: list[object], path: str) -> Iterator[tuple[str, float]]:
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
        yield text, typed(entry[p_key], float, member(at, p_key))


def _key(entry: Mapping[str, object], names: tuple[str, ...], path: str) -> str:
    found = next((name for name in names if name in entry), None)
    if found is None:
        raise wrong(path, f"has none of {', '.join(names)}")
    return found


def _is_place(key: str) -> bool:
    return PLACE.fullmatch(key) is not None
