"""Which number is meant: I, C, a metric, or a metric of one type (``ece_choice``)."""

from __future__ import annotations

from typing import NamedTuple

from jevdb.errors import UnknownNameError, UsageError
from jevdb.reports.export import INDICES, METRICS, TYPES

KINDS: dict[str, tuple[str, ...]] = {
    **{index: ("all", *TYPES) for index in INDICES},
    **METRICS,
}
"""The kinds each metric has a value for, in the order of the documents."""

SHORT = {"i": "intelligence", "c": "calibration", "f1": "multi_select_f1"}
MAIN_KIND = {"ece": "pooled"}
"""What a metric without a kind means, where that is not ``all``."""


class Number(NamedTuple):
    """A number of a report: its metric and kind, as the metric views have them."""

    metric: str
    kind: str

    @property
    def name(self) -> str:
        """``accuracy``, ``ece_choice``: the metric, and its kind if there are more."""
        if len(KINDS[self.metric]) == 1 or self.kind == "all":
            return self.metric
        return f"{self.metric}_{self.kind}"


def number_named(text: str, kind: str | None = None) -> Number:
    """Return the number that a metric's name means, with or without a *kind*.

    Raises
    ------
    UnknownNameError
        No metric has this name.
    UsageError
        The metric has no such kind, or the name holds another one.
    """
    word = text.lower()
    metric = SHORT.get(word, word)
    if metric in KINDS:
        return Number(metric, _kind(metric, kind))
    for known, kinds in KINDS.items():
        inside = metric.removeprefix(f"{known}_")
        if inside != metric and inside in kinds:
            if kind not in (None, inside):
                raise UsageError(f"{text!r} is of kind {inside!r}, not {kind!r}")
            return Number(known, inside)
    raise UnknownNameError("metric", text, ("I", "C", *KINDS))


def _kind(metric: str, kind: str | None) -> str:
    kinds = KINDS[metric]
    if kind is None:
        return MAIN_KIND.get(metric, kinds[0])
    if kind not in kinds:
        raise UsageError(f"{metric} has no kind {kind!r}; it has {', '.join(kinds)}")
    return kind
