"""Parameters that take one of a few words, and refuse any other before the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Literal, ParamSpec, TypeVar, get_args

from jevdb.base.errors import UsageError, require_word
from jevdb.base.wording import option
from jevdb.comparison.rules import IntervalRule
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.selection import Breakdown, Dimension
from jevdb.warehouse.schema_words import MODALITIES

COHORTS = ("shared", "shared-probability", "strict", "own")
DIMENSIONS: tuple[str, ...] = get_args(Dimension)
BREAKDOWNS: tuple[str, ...] = get_args(Breakdown)
KINDS = ("choice", "noul", "score", "pooled", "all")
"""Kinds of calibration error."""

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def closed(
    **words: Sequence[str],
) -> Callable[[Callable[Parameters, Returned]], Callable[Parameters, Returned]]:
    """Hold keyword parameters of a method to the words they take: one, several, None.

    A word that nothing knows would be a wrong answer where it changes what is shown.
    """

    def holding(
        method: Callable[Parameters, Returned],
    ) -> Callable[Parameters, Returned]:
        @wraps(method)
        def held(*args: Parameters.args, **given: Parameters.kwargs) -> Returned:
            for name, known in words.items():
                if given.get(name) is not None:
                    given[name] = _held(name, given[name], known)
            return method(*args, **given)

        return held

    return holding


def _held(name: str, value: object, known: Sequence[str]) -> object:
    if isinstance(value, str):
        require_word(name, value, known)
        return value
    if not isinstance(value, Iterable):
        raise UsageError(f"{option(name)} is a word, not {value!r}")
    listed = tuple(value)
    for each in listed:
        require_word(name, each, known)
    return listed


COMPARED = {"cohort": COHORTS, "modality": MODALITIES}
ClusterName = Literal["group", "family", "domain", "none"]
CLUSTERS = tuple(each.value for each in ClusterBy)
INTERVALS = tuple(each.value for each in IntervalRule)
