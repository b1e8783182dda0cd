"""The metrics of SUITES.md §3, restated beside the oracle: from the document alone.

Exact rationals of the stored doubles, over the rows of one report row. No item of the
strategies has level values or a positive class: levels count evenly, F1 is of yes.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from oracle import (
    SINGLE,
    TYPES,
    Metrics,
    Row,
    Scope,
    Value,
    mean,
    members_of,
    one_hot,
    options_of,
)

Target = list[Fraction]
Told = tuple[Fraction | None, Fraction | None, Fraction]


def target(row: Row) -> Target:
    reference = row.item.get("reference")
    return one_hot(row) if reference is None else [*map(Fraction, reference)]


def target_mass(row: Row) -> Fraction:
    if row.status != "ok":
        return Fraction(0)
    if row.type == "multi_select":
        return Fraction(row.right)
    return Fraction(0) if row.top is None else target(row)[row.top]


def soft_accuracy(scope: Scope, kind: str) -> Value:
    rows = scope.rows if kind == "all" else scope.of(kind)
    if not rows:
        return Value(None, 0, 0, "no_rows")
    return Value(mean(map(target_mass, rows)), len(rows), len(rows), None)


# Classes.


def classes_of(rows: list[Row]) -> list[str] | None:
    """The options that all rows share, or None."""
    found = {
        tuple(options_of(row.item))
        if row.type == "score"
        else tuple(sorted(options_of(row.item)))
        for row in rows
    }
    return list(found.pop()) if len(found) == 1 else None


def mass(row: Row, label: str) -> Fraction:
    return target(row)[options_of(row.item).index(label)]


def said(row: Row) -> str | None:
    if row.status != "ok" or row.top is None:
        return None
    return options_of(row.item)[row.top]


def total(values: Iterable[Fraction]) -> Fraction:
    return sum(values, Fraction(0))


def recall_and_f1(rows: list[Row], label: str) -> Told:
    """Recall, F1 and conservative F1 of a class; None where there is none."""
    hit = total(mass(row, label) for row in rows if said(row) == label)
    of_class = total(mass(row, label) for row in rows)
    answered = total(mass(row, label) for row in rows if row.status == "ok")
    stated = total(sum(target(row), Fraction(0)) for row in rows if said(row) == label)
    failed = sum(row.status != "ok" for row in rows)
    both, charged = of_class + stated, answered + stated + failed
    return (
        hit / of_class if of_class else None,
        2 * hit / both if both else None,
        2 * hit / charged if charged else Fraction(0),
    )


def by_class(scope: Scope, kind: str, metric: str) -> Value:
    rows = members_of(scope, kind)
    if scope.is_unsupported(kind, rows):
        return Value(None, 0, len(rows), "unsupported_type")
    if not rows:
        return Value(None, 0, 0, "no_rows")
    classes = classes_of(rows)
    if classes is None:
        return Value(None, 0, len(rows), "no_common_options")
    found = {label: recall_and_f1(rows, label) for label in classes}
    if metric == "f1":
        return f1_of_yes(rows, found)
    place = {"balanced_accuracy": 0, "macro_f1": 1, "conservative_f1": 2}[metric]
    parts = [part for each in found.values() if (part := each[place]) is not None]
    if metric == "balanced_accuracy" and len(parts) < 2:
        return Value(None, 0, len(rows), "one_class")
    return Value(mean(parts), len(rows), len(rows), None)


def f1_of_yes(rows: list[Row], found: Mapping[str, Told]) -> Value:
    if any(row.type != "noul" for row in rows):
        return Value(None, 0, len(rows), "no_positive")
    value = found["yes"][1]
    if value is None:
        return Value(None, 0, len(rows), "no_rows")
    return Value(value, len(rows), len(rows), None)


# Losses, and skills.


def soft_brier(row: Row) -> Fraction:
    pairs = zip(row.stated, target(row), strict=True)
    return total((p - t) ** 2 for p, t in pairs)


def cumulated(values: Target) -> Target:
    return [total(values[: place + 1]) for place in range(len(values) - 1)]


def soft_rps(row: Row) -> Fraction:
    pairs = zip(cumulated(row.stated), cumulated(target(row)), strict=True)
    return total((p - t) ** 2 for p, t in pairs) / (row.k - 1)


def target_value(row: Row) -> Fraction:
    return total(t * level for level, t in enumerate(target(row))) / (row.k - 1)


def value_error(row: Row) -> Fraction:
    assert row.expected is not None
    return abs(Fraction(row.expected) / (row.k - 1) - target_value(row))


def has_distribution(row: Row) -> bool:
    return row.distribution is not None


def is_rated(row: Row) -> bool:
    return row.expected is not None


def loss(
    scope: Scope,
    kind: str,
    usable: Callable[[Row], bool],
    value: Callable[[Row], Fraction],
) -> Value:
    rows = members_of(scope, kind)
    return scope.averaged(kind, rows, usable, lambda used: mean(map(value, used)))


def spread(columns: Iterable[list[Fraction]]) -> Fraction:
    """The sum over columns of the mean squared distance from their mean."""
    return total(mean((x - mean(column)) ** 2 for x in column) for column in columns)


def skill(
    scope: Scope, kind: str, found: Value, constant: Callable[[list[Row]], Fraction]
) -> Value:
    """1 - loss / constant; the reasons of the items come before those of the run."""
    rows = members_of(scope, kind)
    if found.reason in ("unsupported_type", "no_rows"):
        return found
    base = constant(rows)
    if base == 0:
        return Value(None, 0, len(rows), "no_headroom")
    if found.value is None:
        return found
    return Value(1 - Fraction(found.value) / base, found.n, found.n_scope, None)


def brier_skill(scope: Scope, kind: str, found: Value) -> Value:
    rows = members_of(scope, kind)
    if found.reason in ("unsupported_type", "no_rows"):
        return found
    classes = classes_of(rows)
    if classes is None:
        return Value(None, 0, len(rows), "no_common_options")
    columns = [[mass(row, label) for row in rows] for label in classes]
    if sum(any(column) for column in columns) == 1:
        return Value(None, 0, len(rows), "one_class")
    return skill(scope, kind, found, lambda _: spread(columns))


def rps_skill(scope: Scope, found: Value) -> Value:
    rows = scope.of("score")
    if found.reason in ("unsupported_type", "no_rows"):
        return found
    if classes_of(rows) is None:
        return Value(None, 0, len(rows), "no_common_options")

    def constant(rows: list[Row]) -> Fraction:
        columns = [*zip(*(cumulated(target(row)) for row in rows), strict=True)]
        return spread(map(list, columns)) / (rows[0].k - 1)

    return skill(scope, "score", found, constant)


def mae_skill(scope: Scope, found: Value) -> Value:
    def constant(rows: list[Row]) -> Fraction:
        values = [target_value(row) for row in rows]
        middle = statistics.median(values)
        return mean(abs(value - middle) for value in values)

    return skill(scope, "score", found, constant)


def chance(rows: list[Row], policy: str) -> Value:
    if not rows:
        return Value(None, 0, 0, "no_rows")
    uniform = mean(Fraction(1, row.k) for row in rows)
    labels = {label for row in rows for label in options_of(row.item)}
    by_label = [
        mean(
            mass(row, label) if label in options_of(row.item) else Fraction(1, row.k)
            for row in rows
        )
        for label in labels
    ]
    by_place = [
        mean(
            target(row)[place] if place < row.k else Fraction(1, row.k) for row in rows
        )
        for place in range(max(row.k for row in rows))
    ]
    best = max(uniform, *by_label, *by_place)
    value = uniform if policy == "uniform" else best
    return Value(value, len(rows), len(rows), None)


def further(scope: Scope) -> Metrics:
    """Every metric of SUITES.md §3, by kind."""
    found: Metrics = {}
    for kind in ("all", *TYPES):
        found["soft_accuracy", kind] = soft_accuracy(scope, kind)
    for kind in ("all", *SINGLE):
        for metric in ("balanced_accuracy", "macro_f1", "conservative_f1", "f1"):
            found[metric, kind] = by_class(scope, kind, metric)
        soft = loss(scope, kind, has_distribution, soft_brier)
        found["soft_brier", kind] = soft
        found["brier_skill", kind] = brier_skill(scope, kind, soft)
    found["soft_rps", "score"] = loss(scope, "score", has_distribution, soft_rps)
    found["rps_skill", "score"] = rps_skill(scope, found["soft_rps", "score"])
    found["value_mae", "score"] = loss(scope, "score", is_rated, value_error)
    found["mae_skill", "score"] = mae_skill(scope, found["value_mae", "score"])
    for policy in ("uniform", "best_fixed"):
        found["chance", policy] = chance(scope.of(*SINGLE), policy)
        for kind in SINGLE:
            found["chance", f"{policy}_{kind}"] = chance(scope.of(kind), policy)
    return found
