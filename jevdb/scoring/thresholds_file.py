"""Thresholds that people deploy, as a file: written by calibration, read by a gate."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import InputError, JevdbError, Problem, UsageError
from jevdb.base.text import counted
from jevdb.base.version import __version__
from jevdb.base.wording import option
from jevdb.numerics.promised import NOT_SHOWN, REPEATS, RISK, least_rows
from jevdb.scoring.thresholds import KINDS, ItemsTaken

if TYPE_CHECKING:
    from jevdb.scoring.thresholds import Thresholds

FORMAT = "jevdb-thresholds-1"
LARGEST = 1 << 20
"""A file of more bytes is none of ours."""


class Threshold(NamedTuple):
    """From a confidence of ``threshold`` on, at least ``promise`` are right."""

    kind: str
    threshold: float
    promise: float


class Promised(NamedTuple):
    """The thresholds of a file, and what they were found on."""

    source: str
    benchmark_id: str
    report_row: str
    taken: ItemsTaken
    thresholds: Sequence[Threshold]


ByKind = Sequence[tuple[str, "Thresholds"]]


def thresholds_file(
    found_on: Mapping[str, object],
    found: ByKind,
    *,
    asked_kinds: Sequence[str] | None,
) -> str:
    """Return the thresholds that keep their promise, as JSON.

    *asked_kinds* must all have one; unless given, kinds without one are left out.

    Raises
    ------
    JevdbError
        Too few rows to promise anything, or no threshold shown to keep the promise.
    """
    held = [(kind, bought) for kind, bought in found if bought.held is not None]
    lacking = without_threshold(found)
    if not held or (asked_kinds and lacking):
        reasons = "; ".join(lacking) or "no items of this kind"
        raise JevdbError(
            f"no threshold to write: {reasons}; add items, or promise less with "
            f"{option('target')}"
        )
    document = {
        "format": FORMAT,
        "jevdb_version": __version__,
        **found_on,
        "items": held[0][1].taken.value,
        "risk": RISK,
        "thresholds": [_threshold(kind, bought) for kind, bought in held],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def without_threshold(found: ByKind) -> list[str]:
    """Return the kinds that have no threshold, each with the reason."""
    return [f"{kind}: {_why(bought)}" for kind, bought in found if bought.held is None]


def _why(bought: Thresholds) -> str:
    if bought.reason == NOT_SHOWN:
        return f"{bought.target:g} is not shown with {counted(bought.n, 'row')}"
    if bought.reason == REPEATS:
        return "items were asked several times, and rows must be of different items"
    least = least_rows(bought.target)
    if least is None:
        return f"no number of rows can promise {bought.target:g}"
    rows = counted(bought.n, "row")
    return f"{rows} cannot promise {bought.target:g}, {least} are needed"


def _threshold(kind: str, bought: Thresholds) -> dict[str, object]:
    held = bought.held
    assert held is not None
    return {
        "kind": kind,
        "threshold": held.threshold,
        "promise": bought.target,
        "n": held.n,
        "n_right": held.n_right,
        "accuracy_low": held.accuracy_low,
        "coverage": bought.coverage,
        "n_rows": bought.n,
        "n_scope": bought.n_scope,
    }


def read_thresholds(path: Path) -> Promised:
    """Return the thresholds of a file.

    Raises
    ------
    UsageError
        There is no such file.
    InputError
        It is not what `jevdb calibration` writes; names the field.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot read: {error.strerror or error}") from error
    if len(data) > LARGEST:
        raise _refused(path, None, f"larger than {LARGEST} bytes")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _refused(path, None, f"no JSON: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _refused(path, "format", f"must be {FORMAT!r}")
    benchmark = _field(path, document, "benchmark_id", _is_text, "a text")
    row = _field(path, document, "report_row", _is_text, "a text")
    words = "all or ece"
    items = _field(path, document, "items", lambda value: value in [*ItemsTaken], words)
    listed = _field(path, document, "thresholds", _is_listed, "a list, not empty")
    assert isinstance(listed, list)
    found = [_one(path, place, each) for place, each in enumerate(listed)]
    return Promised(str(path), str(benchmark), str(row), ItemsTaken(str(items)), found)


def _one(path: Path, place: int, given: object) -> Threshold:
    where = f"thresholds[{place}]"
    if not isinstance(given, dict):
        raise _refused(path, where, "must be an object")
    kind = _field(
        *(path, given, "kind", lambda value: value in KINDS),
        *(", ".join(KINDS), where),
    )
    threshold = _field(
        path, given, "threshold", _is_share, "a number from 0 to 1", where
    )
    promise = _field(
        *(path, given, "promise", _is_promise),
        *("a number above 0 and below 1", where),
    )
    return Threshold(str(kind), float(str(threshold)), float(str(promise)))


def _field(
    path: Path,
    given: Mapping[str, object],
    name: str,
    fits: Callable[[object], bool],
    words: str,
    where: str = "",
) -> object:
    value = given.get(name)
    if name not in given or not fits(value):
        raise _refused(path, f"{where}.{name}".lstrip("."), f"must be {words}")
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _is_listed(value: object) -> bool:
    return isinstance(value, list) and bool(value)


def _is_share(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= 1


def _is_promise(value: object) -> bool:
    return _is_share(value) and value not in (0, 1)


def _refused(path: Path, field: str | None, message: str) -> InputError:
    remedy = "write the file with `jevdb calibration RUN --out FILE`"
    problem = Problem(str(path), None, field, f"{message}; {remedy}")
    return InputError([problem], is_of_records=False)
