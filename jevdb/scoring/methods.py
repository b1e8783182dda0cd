"""Scoring methods that a user adds: a TOML file, every parameter named and checked.

    method_id = "acme-2026"
    document = "ACME scoring note 3"
    noul_low = 0.1
    noul_high = 0.9
    noul_chance_corrected = true
    choice_weight = 1
    noul_weight = 1
    score_weight = 1
    bins = 15
    probability_floor = 1e-15
    tie_rule = "lexicographic"
    failed_rating = "largest_error"
    noul_half = "no"                    # may be left out, as the next
    failed_distribution = "left_out"

    [tier_weights]            # all four tiers, or leave the table out: none are weighed
    easy = 0.1
    standard = 0.2
    judge = 0.3
    hard = 0.4

A method never changes: a file with the id of a stored method must say the same.
"""

from __future__ import annotations

import difflib
import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.documents import Json, objects
from jevdb.base.errors import ConflictError
from jevdb.base.metrics import TYPES
from jevdb.base.output import to_json
from jevdb.base.toml_files import read_toml
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import record
from jevdb.warehouse.schema_words import (
    FAILED_DISTRIBUTIONS,
    FAILED_RATINGS,
    NOUL_HALVES,
    TIE_RULES,
    TIERS,
)
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

MOST_BINS = 100
LEAST_WEIGHT, MOST_WEIGHT = 0.001, 4
"""Weighted points are added exactly below 1,024; a component can lose over 200."""


class Method(NamedTuple):
    """A scoring method, as its row has it, and its tier weights (none or all four)."""

    method_id: str
    document: str
    noul_low: float
    noul_high: float
    noul_chance_corrected: bool
    choice_weight: float
    noul_weight: float
    score_weight: float
    bins: int
    probability_floor: float
    tie_rule: str
    failed_rating: str
    noul_half: str
    failed_distribution: str
    tier_weights: Mapping[str, float]


def add_method(connection: Connection, path: Path) -> tuple[Method, bool]:
    """Store the method of a file; return it and whether it was not there already.

    Raises
    ------
    InputError
        The file is no TOML, or a key is missing, unknown or out of its range.
    ConflictError
        The warehouse has another method under this id.
    """
    method = read_method(path)
    with transaction(connection):
        known = connection.execute("select method_id from methods").fetchall()
        if (method.method_id,) in known:
            _require_same(connection, method)
            return method, False
        content = to_json(method._asdict())
        digest = hashlib.sha256(content.encode()).hexdigest()
        seq = record(connection, "method", digest)
        _insert(connection, method, seq)
    return method, True


def _require_same(connection: Connection, method: Method) -> None:
    stored = method_json(connection, method.method_id)
    weights = stored.pop("type_weights")
    assert isinstance(weights, dict)
    stored |= {f"{kind}_weight": weight for kind, weight in weights.items()}
    stored["tier_weights"] = stored["tier_weights"] or {}
    differing = [
        name for name, value in method._asdict().items() if stored[name] != value
    ]
    if differing:
        raise ConflictError(
            f"method {method.method_id!r} is stored with another "
            f"{', '.join(differing)}; a method never changes: choose another method_id"
        )


def _insert(connection: Connection, method: Method, seq: int) -> None:
    parameters = {**method._asdict(), "ingest": seq}
    weights = parameters.pop("tier_weights")
    connection.execute(query("scoring/methods_insert"), parameters).fetchall()
    for tier, weight in weights.items():
        connection.execute(
            query("scoring/tier_weights_insert"),
            {
                "method": method.method_id,
                "tier_name": tier,
                "tier_weight": weight,
                "ingest": seq,
            },
        ).fetchall()


def read_method(path: Path) -> Method:
    """Return the method of a file, or every problem of the file."""
    given = {**DEFAULTS, **read_toml(path, _problems)}
    numbers = {
        name: float(given[name]) for name, check in CHECKS.items() if check in NUMBERS
    }
    weights = {tier: float(given["tier_weights"][tier]) for tier in _tiers(given)}
    return Method(**{**given, **numbers, "tier_weights": weights})


def _tiers(given: Mapping[str, object]) -> tuple[str, ...]:
    return TIERS if "tier_weights" in given else ()


def _problems(given: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield each field that is wrong, and why."""
    for key in sorted(given.keys() - CHECKS.keys() - {"tier_weights"}):
        near = difflib.get_close_matches(key, [*CHECKS, "tier_weights"], n=1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        yield key, f"no parameter of a method{meant}"
    for key, check in CHECKS.items():
        if key not in given and key not in DEFAULTS:
            yield key, "missing; a method says every parameter"
        elif key not in given:
            continue
        elif message := check(given[key]):
            yield key, message
    low, high = given.get("noul_low"), given.get("noul_high")
    if _is_number(low) and _is_number(high) and low > high:  # type: ignore[operator]
        yield "noul_low", f"{low} is above noul_high {high}"
    if "tier_weights" in given:
        yield from _tier_problems(given["tier_weights"])


def _tier_problems(weights: object) -> Iterator[tuple[str, str]]:
    if not isinstance(weights, dict):
        yield "tier_weights", "expected a table with a weight for each tier"
        return
    for tier in sorted(weights.keys() - set(TIERS)):
        yield f"tier_weights.{tier}", f"no tier; the tiers are {', '.join(TIERS)}"
    for tier in TIERS:
        if tier not in weights:
            yield f"tier_weights.{tier}", "missing; weigh all tiers, or none"
        elif message := _weight(weights[tier]):
            yield f"tier_weights.{tier}", message


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
    )


def _words(value: object) -> str | None:
    is_text = isinstance(value, str) and value.strip() and value.isprintable()
    return None if is_text else "expected a text of one line"


def _between(value: object, low: float, high: float) -> bool:
    return _is_number(value) and low <= value <= high  # type: ignore[operator]


def _probability(value: object) -> str | None:
    return None if _between(value, 0, 1) else "expected a number in [0, 1]"


def _weight(value: object) -> str | None:
    if _between(value, LEAST_WEIGHT, MOST_WEIGHT):
        return None
    return f"expected a number from {LEAST_WEIGHT} to {MOST_WEIGHT}; only ratios matter"


def _flag(value: object) -> str | None:
    return None if isinstance(value, bool) else "expected true or false"


def _bins(value: object) -> str | None:
    is_count = isinstance(value, int) and not isinstance(value, bool)
    inside = is_count and _between(value, 1, MOST_BINS)
    return None if inside else f"expected a whole number from 1 to {MOST_BINS}"


def _floor(value: object) -> str | None:
    inside = _between(value, 0, 1) and value not in (0, 1)
    return None if inside else "expected a number above 0 and below 1"


def _one_of(*words: str) -> Callable[[object], str | None]:
    def check(value: object) -> str | None:
        return None if value in words else f"expected {' or '.join(words)}"

    return check


Check = Callable[[object], str | None]
CHECKS: dict[str, Check] = {
    "method_id": _words,
    "document": _words,
    "noul_low": _probability,
    "noul_high": _probability,
    "noul_chance_corrected": _flag,
    "choice_weight": _weight,
    "noul_weight": _weight,
    "score_weight": _weight,
    "bins": _bins,
    "probability_floor": _floor,
    "tie_rule": _one_of(*TIE_RULES),
    "failed_rating": _one_of(*FAILED_RATINGS),
    "noul_half": _one_of(*NOUL_HALVES),
    "failed_distribution": _one_of(*FAILED_DISTRIBUTIONS),
}
"""Every parameter, and what says why a value does not fit."""

DEFAULTS = {"noul_half": "no", "failed_distribution": "left_out"}
"""Parameters that came later: what was done before, so older files still say it."""

NUMBERS = (_probability, _weight, _floor)


def method_json(connection: Connection, method_id: str) -> Json:
    """Return every parameter of a method."""
    methods = objects(connection, query("scoring/methods_listed"))
    method = next(row for row in methods if row["method_id"] == method_id)
    method["type_weights"] = {name: method.pop(f"{name}_weight") for name in TYPES}
    return method
