"""The registry of metrics as SQL: rows of values that fill a few views.

A view that has to know metrics has a placeholder where these rows stand. Each view has
no more of them than it needs: DuckDB reads them anew wherever a view is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from jevdb.base.metrics import BY_NAME, NUMBERS

PLACEHOLDER = re.compile(r"\$(metric_kinds|mean_kinds|ece_kinds)\b")


def with_metrics(text: str) -> str:
    """Return the text of a SQL file, the rows of the registry filled in."""
    return PLACEHOLDER.sub(lambda found: FILLED[found[1]](), text)


def _metric_kinds() -> str:
    """Return all that SQL wants to know of every number."""
    return _rows(
        (
            *(
                number.metric,
                number.kind,
                *number.scope,
                metric.row_term,
                metric.counted,
            ),
            *(metric.leaves_declared, metric.right_types, metric.averaged_word),
        )
        for number in NUMBERS
        for metric in (BY_NAME[number.metric],)
    )


def _mean_kinds() -> str:
    """Return what the view ``means`` is of."""
    return _rows(
        (number.metric, number.kind, *number.scope[:2], metric.tally, metric.counted)
        for number in NUMBERS
        for metric in (BY_NAME[number.metric],)
        if metric.is_from_means
    )


def _ece_kinds() -> str:
    """Return the subset and basis of each kind of ECE."""
    kinds = BY_NAME["ece"].kinds.items()
    return _rows((kind, scope.subset, scope.basis) for kind, scope in kinds)


FILLED: dict[str, Callable[[], str]] = {
    "metric_kinds": _metric_kinds,
    "mean_kinds": _mean_kinds,
    "ece_kinds": _ece_kinds,
}


def _rows(rows: Iterable[Iterable[object]]) -> str:
    return ",\n    ".join(f"({', '.join(map(_literal, row))})" for row in rows)


def _literal(value: object) -> str:
    """Return a word, a flag or words; the registry's words have no quotes."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return f"'{value}'"
