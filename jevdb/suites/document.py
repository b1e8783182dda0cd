"""A suite as its TOML file says it: every key checked, the defaults filled in.

    name = "our-suite"
    version = "1"
    aggregate = "areas"        # mean | areas | geometric | borda | win_rate | median

    [areas]                    # weights; absent: all alike; "sqrt": of the member count
    language = 1.0

    [[member]]
    benchmark = "our-questions"
    area = "language"
    metric = "accuracy"
    transform = "skill"        # (x - base) / (best - base)
    base = "uniform"

A suite never changes: a change is a new version.
"""

from __future__ import annotations

import difflib
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.metrics import BY_NAME
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.toml_files import Toml, read_toml
from jevdb.ingest.decode.records import canonical_json
from jevdb.ingest.results.table import published_number
from jevdb.warehouse.assets import file_or_shipped

RULES = ("mean", "areas", "geometric", "borda", "win_rate", "median")
"""How the values of the members become one score."""
BY_AREA = ("areas", "geometric")
MISSING = ("unranked", "zero", "skip")
UNANSWERED = ("wrong", "left_out", "coverage", "missing")
TRANSFORMS = ("none", "skill")
BASES = ("uniform", "best_fixed", "constant")
SQRT = "sqrt"
MOST_DIGITS = 15
ACCURACIES = ("accuracy", "soft_accuracy", "balanced_accuracy")
LOSSES = ("brier", "soft_brier", "rps")
"""The metrics that a constant answer has a value of, computed from the items."""

Faults = Iterator[tuple[str, str]]
Check = Callable[[object], str | None]


class Warehoused(NamedTuple):
    """What a warehouse has that a suite may name.

    ``rows`` are the report rows of each benchmark with items, ``items`` its items;
    ``published`` the benchmarks that results were published of. ``benchmark_ids`` are
    the ids of benchmarks by the other names that they have or had.
    """

    methods: frozenset[str]
    benchmarks: frozenset[str]
    published: frozenset[str]
    rows: Mapping[str, frozenset[str]]
    items: Mapping[str, frozenset[str]]
    benchmark_ids: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, repr=False)
class Suite(Tabular):
    """A suite: its document with every default filled in. Its rows are its members."""

    document: Mapping[str, Any]

    def rows(self) -> Rows:
        """Return a row per member, in the order of the file."""
        columns = tuple(MEMBER_CHECKS)
        listed = [[member[key] for key in columns] for member in self.members]
        return Rows(columns, listed)

    def heading(self) -> list[str]:
        """Return what is said of the whole suite."""
        whole = {k: v for k, v in self.document.items() if k != "member"}
        return [f"{self.id} {self.sha256}", canonical_json(whole)]

    @property
    def name(self) -> str:
        """Its name, without the version."""
        return str(self.document["name"])

    @property
    def version(self) -> str:
        """Its version, any text."""
        return str(self.document["version"])

    @property
    def id(self) -> str:
        """``name@version``."""
        return f"{self.name}@{self.version}"

    @property
    def method(self) -> str:
        """The scoring method of every member."""
        return str(self.document["method"])

    @property
    def members(self) -> Sequence[Mapping[str, Any]]:
        """The members, in the order of the file."""
        return list(self.document["member"])

    @property
    def rules(self) -> list[str]:
        """The rule that ranks, then those of further columns."""
        return [self.document["aggregate"], *self.document["also"]]

    @property
    def canonical(self) -> str:
        """The canonical JSON: sorted keys, members in the order of the file."""
        return canonical_json(self.document)

    @property
    def sha256(self) -> str:
        """SHA-256 (hex) of the canonical JSON."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()


def read_suite(path: Path, known: Warehoused) -> Suite:
    """Return the suite of a file, or of one that ships under this name.

    Raises
    ------
    InputError
        The file is no TOML, or no suite; every problem, with field and remedy.
    UnknownNameError
        It is a bare name, and neither a file nor one that ships.
    """
    path = file_or_shipped(path, "suites", "suite")
    given = read_toml(path, lambda toml: problems(_by_id(toml, known), known))
    return Suite(completed(_by_id(given, known)))


def _by_id(given: Toml, known: Warehoused) -> Toml:
    """Return a file with its benchmarks by their ids, which are never changed."""
    members = given.get("member")
    if not isinstance(members, list):
        return given
    return {**given, "member": [_with_id(member, known) for member in members]}


def _with_id(member: Any, known: Warehoused) -> Any:
    name = member.get("benchmark") if isinstance(member, dict) else None
    if not isinstance(name, str) or name not in known.benchmark_ids:
        return member
    return {**member, "benchmark": known.benchmark_ids[name]}


def completed(given: Toml) -> dict[str, Any]:
    """Return a sound document with its defaults filled in."""
    document = {**SUITE_DEFAULTS, **given}
    for name in ("tie", "scale"):
        document[name] = float(document[name])
    document["member"] = [_member(member) for member in given["member"]]
    counts = Counter(member["area"] for member in document["member"])
    counts.pop(None, None)
    weights = document["areas"] or dict.fromkeys(counts, 1.0)
    if weights == SQRT:
        weights = dict.fromkeys(counts, SQRT)
    document["areas"] = {
        area: math.sqrt(counts[area]) if weight == SQRT else float(weight)
        for area, weight in weights.items()
    }
    return document


def _member(given: Toml) -> dict[str, Any]:
    member = {**MEMBER_DEFAULTS, **given}
    number = published_number(member["metric"], member["kind"])
    member["metric"], member["kind"] = number
    member["cluster"] = member["cluster"] or member["benchmark"]
    if member["best"] is None:
        member["best"] = 1.0 if _is_higher_better(number.metric) else 0.0
    member["weight"], member["best"] = float(member["weight"]), float(member["best"])
    if _is_number(member["base"]):
        member["base"] = float(member["base"])
    return member


def _is_higher_better(metric: str) -> bool:
    return metric not in BY_NAME or BY_NAME[metric].is_higher_better


def problems(given: Toml, known: Warehoused | None) -> Faults:
    """Yield each field of a file that is wrong, and why.

    What it names is held to what a warehouse has, where that is *known*.
    """
    yield from _keys(given, SUITE_CHECKS, "a suite")
    yield from _checked(given, SUITE_CHECKS, ("name", "version", "member"))
    method = given.get("method", DEFAULT_METHOD)
    if known and isinstance(method, str) and method not in known.methods:
        yield "method", str(UnknownNameError("method", method, known.methods))
    members = given.get("member")
    if not isinstance(members, list):
        return
    sound = []
    for number, member in enumerate(members, 1):
        place = f"member[{number}]"
        if not isinstance(member, dict):
            yield place, "expected a table"
            continue
        found = list(_member_problems(member, known))
        yield from ((f"{place}.{field}", message) for field, message in found)
        if not found:
            sound.append((place, member))
    yield from _twice(sound)
    yield from _apart(sound)
    yield from _area_problems(given, [m for m in members if isinstance(m, dict)])


def _keys(given: Toml, checks: Mapping[str, Check], what: str) -> Faults:
    for key in sorted(given.keys() - checks.keys()):
        near = difflib.get_close_matches(key, list(checks), n=1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        yield key, f"no key of {what}{meant}"


def _checked(
    given: Toml, checks: Mapping[str, Check], required: Sequence[str]
) -> Faults:
    for key, check in checks.items():
        if key in given:
            if message := check(given[key]):
                yield key, message
        elif key in required:
            yield key, "missing"


def _member_problems(member: Toml, known: Warehoused | None) -> Faults:
    yield from _keys(member, MEMBER_CHECKS, "a member")
    yield from _checked(member, MEMBER_CHECKS, ("benchmark", "metric"))
    if known:
        yield from _benchmark_problems(member, known)
    metric, kind = member.get("metric"), member.get("kind")
    if not isinstance(metric, str) or not isinstance(kind, str | None):
        return
    try:
        number = published_number(metric, kind)
    except UnknownNameError as error:
        yield "metric", str(error)
    except UsageError as error:
        yield "kind", str(error)
    else:
        yield from _transform_problems(member, number.metric)


def _benchmark_problems(member: Toml, known: Warehoused) -> Faults:
    benchmark, row = member.get("benchmark"), member.get("row")
    if not isinstance(benchmark, str):
        return
    if benchmark not in known.benchmarks:
        yield (
            "benchmark",
            str(UnknownNameError("benchmark", benchmark, known.benchmarks)),
        )
    elif benchmark not in known.rows and benchmark not in known.published:
        yield (
            "benchmark",
            f"{benchmark} has no items: ingest its items, or its published results, "
            "first",
        )
    if benchmark not in known.rows:
        return
    if isinstance(row, str) and row not in known.rows[benchmark]:
        yield "row", str(UnknownNameError("report row", row, known.rows[benchmark]))
    excluded = member.get("exclude")
    listed = excluded if isinstance(excluded, list) else []
    strange = [item for item in listed if item not in known.items[benchmark]]
    if strange:
        yield "exclude", f"{benchmark} has no item {strange[0]!r}"
    elif known.items[benchmark] <= set(listed):
        yield "exclude", f"no item of {benchmark} is left"


def _transform_problems(member: Toml, metric: str) -> Faults:
    is_skill = member.get("transform", "none") == "skill"
    higher = _is_higher_better(metric)
    base, best = member.get("base"), member.get("best")
    if not is_skill:
        for key in ("base", "best"):
            if key in member:
                yield key, 'goes with transform = "skill" only'
        if not higher:
            yield (
                "transform",
                f"of {metric} lower is better, of a score higher: say "
                'transform = "skill" with the base that is worth 0',
            )
        return
    if base is None:
        yield "base", f"missing; a number, or {' or '.join(BASES)}"
    worst = 1.0 if higher else 0.0
    top = best if _is_number(best) else worst
    if _is_number(base) and _is_number(top) and ((top > base) != higher or top == base):  # type: ignore[operator]
        yield "base", f"{base} is not worse than best, {top}"
    allowed = {"constant": LOSSES, "uniform": ACCURACIES, "best_fixed": ACCURACIES}
    if base in allowed and metric not in allowed[str(base)]:
        names = ", ".join(allowed[str(base)])
        yield "base", f"{base} is known of {names}; of {metric} say a number"


def _twice(members: Sequence[tuple[str, Toml]]) -> Faults:
    first: dict[object, str] = {}
    for place, member in members:
        row = member.get("row")
        number = published_number(member["metric"], member.get("kind"))
        key = (member["benchmark"], row, number)
        if (other := first.setdefault(key, place)) != place:
            yield place, f"the same as {other}; take one out"


def _apart(members: Sequence[tuple[str, Toml]]) -> Faults:
    """Yield members of one benchmark that are said to be in different clusters."""
    first: dict[str, tuple[str, str]] = {}
    for place, member in members:
        benchmark = member["benchmark"]
        cluster = member.get("cluster") or benchmark
        other, named = first.setdefault(benchmark, (place, cluster))
        if named != cluster:
            yield (
                f"{place}.cluster",
                f"{cluster!r}, but {other} asks the same items of {benchmark} in "
                f"{named!r}; name one cluster",
            )


def _area_problems(given: Toml, members: Sequence[Toml]) -> Faults:
    areas, rule = given.get("areas"), given.get("aggregate", "mean")
    also = given.get("also")
    rules = [rule, *(also if isinstance(also, list) else [])]
    used = {member.get("area") for member in members}
    if any(each in BY_AREA for each in rules):
        for number, member in enumerate(members, 1):
            if "area" not in member:
                yield f"member[{number}].area", f"missing; {rule} is over areas"
    if not isinstance(areas, dict):
        return
    for area in areas:
        if area not in used:
            yield f"areas.{area}", "an area without members"
    for number, member in enumerate(members, 1):
        area = member.get("area")
        if isinstance(area, str) and area not in areas:
            known = ", ".join(areas)
            yield f"member[{number}].area", f"no area {area!r}; there are {known}"


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
    )


def _words(value: object) -> str | None:
    is_text = isinstance(value, str) and value.strip() and value.isprintable()
    return None if is_text else "expected a text of one line"


def _name(value: object) -> str | None:
    if message := _words(value):
        return message
    return (
        "expected a text without @ and spaces" if set("@ ") & set(str(value)) else None
    )


def _finite(value: object) -> str | None:
    return None if _is_number(value) else "expected a number"


def _positive(value: object) -> str | None:
    fits = _is_number(value) and value > 0  # type: ignore[operator]
    return None if fits else "expected a number above 0"


def _not_negative(value: object) -> str | None:
    fits = _is_number(value) and value >= 0  # type: ignore[operator]
    return None if fits else "expected a number of at least 0"


def _flag(value: object) -> str | None:
    return None if isinstance(value, bool) else "expected true or false"


def _digits(value: object) -> str | None:
    is_count = isinstance(value, int) and not isinstance(value, bool)
    fits = is_count and 0 <= value <= MOST_DIGITS  # type: ignore[operator]
    return None if fits else f"expected a whole number from 0 to {MOST_DIGITS}"


def _one_of(*words: str) -> Check:
    def check(value: object) -> str | None:
        return None if value in words else f"expected {' or '.join(words)}"

    return check


def _base(value: object) -> str | None:
    fits = _is_number(value) or value in BASES
    return None if fits else f"expected a number, or {' or '.join(BASES)}"


def _also(value: object) -> str | None:
    if not isinstance(value, list) or any(each not in RULES for each in value):
        return f"expected a list of {', '.join(RULES)}"
    return "a rule stands there twice" if len(set(value)) < len(value) else None


def _items(value: object) -> str | None:
    if not isinstance(value, list) or any(map(_words, value)):
        return "expected a list of item ids"
    return "an item stands there twice" if len(set(value)) < len(value) else None


def _weights(value: object) -> str | None:
    if value == SQRT:
        return None
    if not isinstance(value, dict) or not value:
        return f"expected a table with a weight for each area, or {SQRT!r}"
    wrong = [area for area, w in value.items() if w != SQRT and _positive(w)]
    return f"{wrong[0]}: expected a number above 0, or {SQRT!r}" if wrong else None


def _members(value: object) -> str | None:
    fits = isinstance(value, list) and value
    return None if fits else "expected a [[member]] for each benchmark"


SUITE_CHECKS: dict[str, Check] = {
    "name": _name,
    "version": _name,
    "method": _words,
    "aggregate": _one_of(*RULES),
    "missing": _one_of(*MISSING),
    "unanswered": _one_of(*UNANSWERED),
    "tie": _not_negative,
    "scale": _positive,
    "also": _also,
    "areas": _weights,
    "member": _members,
}
SUITE_DEFAULTS: Toml = {
    "method": DEFAULT_METHOD,
    "aggregate": "mean",
    "missing": "unranked",
    "unanswered": "wrong",
    "tie": 0.0,
    "scale": 100.0,
    "also": [],
    "areas": None,
}
MEMBER_CHECKS: dict[str, Check] = {
    "benchmark": _words,
    "area": _words,
    "row": _words,
    "metric": _words,
    "kind": _words,
    "weight": _positive,
    "transform": _one_of(*TRANSFORMS),
    "base": _base,
    "best": _finite,
    "clip": _flag,
    "round": _digits,
    "cluster": _words,
    "exclude": _items,
    "exclude_reason": _words,
}
MEMBER_DEFAULTS: Toml = {
    "area": None,
    "row": None,
    "kind": None,
    "weight": 1.0,
    "transform": "none",
    "base": None,
    "best": None,
    "clip": False,
    "round": 0,
    "cluster": None,
    "exclude": [],
    "exclude_reason": None,
}
