"""What a comparison says first, in a line or two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jevdb.base.text import counted
from jevdb.comparison.rules import IntervalRule
from jevdb.comparison.saying import (
    about,
    in_points,
    interval_words,
    is_in_points,
    joined,
    p_words,
    points,
)
from jevdb.scoring.differences import Discordance

if TYPE_CHECKING:
    from jevdb.comparison.compare_request import Request
    from jevdb.comparison.compared_line import Line


def sentences(request: Request, headline: Sequence[Line]) -> Iterator[str]:
    """Yield what the lines of a headline say: one sentence, or one a number."""
    if not headline:
        return
    if len(request.others) > 1:
        yield from _several(request, headline)
        return
    first, *rest = headline
    parts = [_first(request, first)]
    if first.verdict != "identical":
        parts += [_second(line, first) for line in rest]
    yield " ".join(parts)


def _first(request: Request, line: Line) -> str:
    label, other = _label(line), request.others[0].name
    if line.verdict is None:
        return f"No result: {label} has no value ({line.why})."
    if line.verdict == "identical":
        n = counted(line.other_value.n, "item")
        return f"Identical: the same answers to all {n}."
    found = f"{label} {_measured(line)}"
    if line.verdict == "equivalent":
        within = counted(request.equivalent_within or 0, "point", form="g")
        return f"Equivalent within {within}: {found}."
    if line.verdict == "not_resolved":
        return f"Not resolved: {found}{_p(line)}.{_seen(line)}"
    return f"{other} is {line.verdict}: {found}{_p(line)}."


def _second(line: Line, first: Line) -> str:
    label = _label(line)
    name = label[0].upper() + label[1:]
    if line.verdict is None:
        return f"{name}: no value ({line.why})."
    if line.interval is None:
        return f"{name}: not resolved ({line.why})."
    if line.verdict_reason == "gated":
        return (
            f"{name}: {_measured(line)}, not counted: {_label(first)} is not resolved."
        )
    if line.verdict == "not_resolved":
        seen = ""
        if line.tested is not None:
            seen = f"; this benchmark can see {_size(line, line.tested.mde)}"
        found = interval_words(line.interval, _metric(line))
        return f"{name}: not resolved ({found}){seen}."
    if line.verdict == "equivalent":
        return f"{name}: equivalent, {_measured(line)}."
    return f"{name}: {line.verdict}, {_measured(line)}{_p(line)}."


def _measured(line: Line) -> str:
    metric = _metric(line)
    assert line.difference is not None
    size = points(line.difference, metric)
    unit = "" if is_in_points(metric) or line.verdict == "equivalent" else " points"
    if line.interval is None:
        return f"{size}{unit} ({line.why})"
    return f"{size}{unit} ({interval_words(line.interval, metric)})"


def _p(line: Line) -> str:
    if line.p_value is None:
        return ""
    exact = "exact " if isinstance(line.contrast, Discordance) else ""
    return f", {exact}p {p_words(line.p_value)}"


def _seen(line: Line) -> str:
    if line.tested is None or line.interval is None:
        return ""
    n = line.tested.n
    items = f"{n:,} {'item' if n == 1 else 'items'}"
    if _metric(line) == "accuracy" and line.tested.mde >= 1:
        return f" {items} cannot see any difference."
    seen = f" {items} can see {_size(line, line.tested.mde)}"
    needed = line.items_needed
    if needed is None or line.difference is None or needed <= n:
        return f"{seen}."
    size = _size(line, abs(line.difference))
    return f"{seen}; about {about(needed)} would see {size}."


def _size(line: Line, value: float) -> str:
    return f"{in_points(value, _metric(line)):.1f}"


def _metric(line: Line) -> str:
    return line.key.metric


def _label(line: Line) -> str:
    return "I" if line.key.metric == "intelligence" else line.key.metric


def _several(request: Request, headline: Sequence[Line]) -> Iterator[str]:
    """Yield, number by number, which of several runs are better, worse, neither."""
    count = len(request.others)
    first = headline[0]
    by_number: dict[str, list[Line]] = {}
    for line in headline:
        by_number.setdefault(_label(line), []).append(line)
    share = 100 * (1 - first.level)
    together = f"at {share:.6g} % each so that all {count} hold together"
    if request.rule is IntervalRule.BOOTSTRAP:
        together = "each for itself"
    for label, lines in by_number.items():
        start = f"Against {request.base.name}, {together}: "
        if label != _label(first):
            start = f"{label[0].upper()}{label[1:]}: "
        yield start + "; ".join(_verdict_lists(lines)) + "."


def _verdict_lists(lines: Sequence[Line]) -> Iterator[str]:
    names: dict[str, list[str]] = {"better": [], "worse": [], "not_resolved": []}
    for line in lines:
        names.setdefault(line.verdict or "without a value", []).append(line.other.name)
    for verdict, runs in names.items():
        yield f"{verdict.replace('_', ' ')}: {joined(runs)}"
