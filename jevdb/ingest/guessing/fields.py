"""Which key of a file is which field: by a list of names, and by what it holds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from jevdb.ingest.decode.near_fields import KINDS, NAMES
from jevdb.ingest.guessing.sample import Column, Seen

LABEL_NAMES = ("label", "option", "choice", "candidate", "class")
PROBABILITY_NAMES = ("probability", "prob", "p", "score", "share")
VERDICT_NAMES = ("correct", "is_correct", "acc")
PARTS = ("p_", "prob_", "probability_")
NUMBERED = re.compile(r"^(option|choice|answer|opt)([_ ]?)(\d{1,2}|[A-Za-z])$")
NUMBER = re.compile(r"-?\d+([.,]\d+)?([eE][+-]?\d+)?%?")
TYPES = {"choice", "noul", "score", "multi_select"}


class Field(NamedTuple):
    """A field and the path it is read at; ``others`` might be meant as well."""

    name: str
    path: str
    evidence: str
    others: Sequence[str] = ()


def run_fields(seen: Seen, ids: Collection[str]) -> list[Field]:
    """Return the fields of answers; *ids* are those of the benchmark's items."""
    found = [*_one(seen, "item_id", ids)]
    taken = {each.path for each in found}
    distribution = list(_distribution(seen, found, taken))
    taken |= {each.path for each in distribution}
    answers = [] if _is_long(distribution) else _one(seen, "answer", (), taken)
    verdicts = [
        Field("correct", name, "the file's own verdict, true or false")
        for name in VERDICT_NAMES
        if name in seen.columns and _is_verdict(seen.columns[name])
    ]
    return [*found, *answers, *distribution, *verdicts[:1]]


def item_fields(seen: Seen) -> list[Field]:
    """Return the fields of items."""
    found = [*_one(seen, "item_id", ())]
    numbered = [name for name in seen.columns if NUMBERED.match(name)]
    if "options" not in seen.columns and len(numbered) > 1:
        match = NUMBERED.match(numbered[0])
        assert match is not None
        path = f"{match[1]}{match[2]}*"
        found.append(Field("options", path, f"{len(numbered)} columns by number"))
    else:
        found += _one(seen, "options", ())
    taken = {*numbered, *(each.path for each in found)}
    return [*found, *_one(seen, "gold", (), taken), *_type(seen)]


def left_over(seen: Seen, fields: Sequence[Field], read: Collection[str]) -> list[str]:
    """Return the keys that no field is read at; *read* are fields by their names."""
    stars = [each.path.split("*") for each in fields if "*" in each.path]
    taken = {*read, "meta", *(each.path for each in fields)}
    taken |= {other for each in fields for other in each.others}
    return [
        name
        for name in seen.columns
        if name not in taken
        and not any(name.startswith(a) and name.endswith(b) for a, b in stars)
    ]


def might_be(seen: Seen, name: str, keys: Sequence[str]) -> list[str]:
    """Return which of the keys hold what a field may hold."""
    return [key for key in keys if _holds(seen.columns[key], name, seen)]


def _type(seen: Seen) -> Iterable[Field]:
    column = seen.columns.get("type")
    if column is not None and set(map(str, column.values)) <= TYPES:
        yield Field("type", "type", "named as in the canonical form")


def _one(
    seen: Seen, name: str, ids: Collection[str], taken: Collection[str] = ()
) -> list[Field]:
    """Return the key of a field: its own name, else of the known ones the best."""
    if name in seen.columns:
        return [Field(name, name, "named as in the canonical form")]
    plain = {each.strip().lower(): each for each in seen.columns if each not in taken}
    named = [plain[each] for each in NAMES[name] if each in plain]
    fitting = [each for each in named if _holds(seen.columns[each], name, seen)]
    if ids:
        fitting.sort(key=lambda each: -_n_known(seen.columns[each], ids))
    if not fitting:
        return []
    first, *others = fitting
    evidence = "a usual name for it"
    if ids:
        n, of = _n_known(seen.columns[first], ids), len(seen.columns[first].values)
        evidence = f"{n} of {of} are items of the benchmark"
        others = [each for each in others if _n_known(seen.columns[each], ids) == n]
    return [Field(name, first, evidence, others)]


def _holds(column: Column, name: str, seen: Seen) -> bool:
    if not column.values:
        return False
    if seen.is_table and name == "probabilities":
        return all(
            isinstance(each, dict | list) or str(each).lstrip()[:1] in ("{", "[")
            for each in column.values
        )
    return all(isinstance(each, KINDS[name]) for each in column.values)


def _n_known(column: Column, ids: Collection[str]) -> int:
    return sum(str(each) in ids for each in column.values)


def _distribution(
    seen: Seen, ids: Sequence[Field], taken: Collection[str]
) -> Iterable[Field]:
    if "probabilities" in seen.columns:
        yield Field("probabilities", "probabilities", "named as in the canonical form")
        return
    for part in PARTS:
        columns = [name for name in seen.columns if name.startswith(part)]
        if columns == [f"{part}yes"]:
            yield Field("p_yes", columns[0], "a column of the probability of yes")
            return
        if len(columns) > 1 and all(_is_number(seen.columns[c]) for c in columns):
            evidence = f"{len(columns)} columns begin so"
            yield Field("probabilities.*", f"{part}*", evidence)
            return
    found = _one(seen, "probabilities", (), taken)
    if found and not _is_number(seen.columns[found[0].path]):
        yield from found
        return
    yield from _long(seen, ids, taken)


def _long(seen: Seen, ids: Sequence[Field], taken: Collection[str]) -> Iterable[Field]:
    """Yield the two columns of a layout that has a row for each option."""
    if not ids:
        return
    given = seen.columns[ids[0].path].values
    label = _first(seen, LABEL_NAMES, taken)
    probability = _first(seen, PROBABILITY_NAMES, taken)
    if len(set(map(str, given))) == len(given) or not (label and probability):
        return
    if _is_number(seen.columns[probability]):
        yield Field("label", label, "ids repeat: a row for each option")
        yield Field("probability", probability, "its number")


def _is_long(found: Sequence[Field]) -> bool:
    return any(each.name == "label" for each in found)


def _first(seen: Seen, names: Sequence[str], taken: Collection[str]) -> str | None:
    return next((n for n in names if n in seen.columns and n not in taken), None)


def _is_number(column: Column) -> bool:
    return bool(column.values) and all(
        (isinstance(each, int | float) and not isinstance(each, bool))
        or (isinstance(each, str) and NUMBER.fullmatch(each.strip()))
        for each in column.values
    )


def _is_verdict(column: Column) -> bool:
    known = {"true", "false", "0", "1", "0.0", "1.0"}
    return bool(column.values) and {str(e).lower() for e in column.values} <= known
