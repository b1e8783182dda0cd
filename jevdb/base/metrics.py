"""Every metric there is: its kinds, which way it is better, what it is called."""

from __future__ import annotations

from typing import NamedTuple

from jevdb.base.errors import UnknownNameError, UsageError

TYPES = ("choice", "noul", "score")
INDICES = ("intelligence", "calibration")
METRICS = {
    "accuracy": ("all", *TYPES, "multi_select"),
    "ece": ("all", *TYPES, "pooled"),
    "tvd": ("all",),
    "rps": ("score",),
    "brier": ("all", *TYPES),
    "nll": ("all", *TYPES),
    "ordinal_mae": ("score",),
    "coverage": ("all",),
    "multi_select_f1": ("multi_select",),
}
"""Every metric and kind of a document, whether a row has a value for it or not."""

KINDS: dict[str, tuple[str, ...]] = {
    **{index: ("all", *TYPES) for index in INDICES},
    **METRICS,
}
"""The kinds each metric has a value for, in the order of the documents."""

SHORT = {"i": "intelligence", "c": "calibration", "f1": "multi_select_f1"}
MAIN_KIND = {"ece": "pooled"}
"""What a metric without a kind means, where that is not ``all``."""


HIGHER_IS_BETTER = {
    "accuracy": True,
    "intelligence": True,
    "calibration": True,
    "coverage": True,
    "multi_select_f1": True,
    "ece": False,
    "tvd": False,
    "rps": False,
    "brier": False,
    "nll": False,
    "ordinal_mae": False,
}
HUNDREDS = ("intelligence", "calibration")
"""Metrics on the scale of 0 to 100, shown with two decimals; the others have four."""


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


def sign(metric: str) -> float:
    """Return 1 where higher is better, -1 where lower is."""
    return 1.0 if HIGHER_IS_BETTER[metric] else -1.0


def signed(value: float, metric: str) -> str:
    """Return a difference as it is shown: always with a sign, never minus zero."""
    return f"{value:+z.{decimals(metric)}f}"


def decimals(metric: str) -> int:
    """Return how many decimals a metric is shown with (SCORING.md §7)."""
    return 2 if metric in HUNDREDS else 4
