"""The paired bootstrap within blocks: one resample shared by every run and metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jevdb.base.errors import UsageError
from jevdb.base.wording import option
from jevdb.comparison.replicates import METRICS, TALLIES_OF, Scene
from jevdb.comparison.tallying import tally
from jevdb.numerics.resampling import (
    Interval,
    percentile_intervals,
    resample_digest,
    resampled,
)
from jevdb.scoring.keys import Key
from jevdb.scoring.terms import Items, Terms, read_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.base.connection import Connection
    from jevdb.numerics.resampling import Counts

    Doubles = NDArray[np.float64]

RUNS_AT_ONCE = 16
"""Runs whose tallies are held at a time: enough for the matrix product to be busy."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """The replicates of every run: ``values[key]`` has the shape (n_runs, replicates).

    NaN is a replicate without a value. ``resample_sha256`` is the digest of the weights
    that every run shares.
    """

    run_ids: Sequence[str]
    items: Items
    report_rows: Sequence[str]
    resample_sha256: str
    values: dict[Key, Doubles]

    def of(self, key: Key, run_id: str) -> Doubles:
        """Return a number's replicates, shape (replicates,)."""
        replicates: Doubles = self.values[key][self.run_ids.index(run_id)]
        return replicates

    def interval(self, key: Key, run_id: str) -> Interval | None:
        """Return the interval of a number; null where the row has no such number."""
        if key not in self.values:
            return None
        return percentile_intervals(self.of(key, run_id)[np.newaxis])[0]

    def difference(self, key: Key, base: str, other: str) -> Interval | None:
        """Return the interval of other minus base, replicate by replicate."""
        if key not in self.values:
            return None
        gap = self.of(key, other) - self.of(key, base)
        return percentile_intervals(gap[np.newaxis])[0]


def bootstrap(
    connection: Connection,
    *,
    metrics: Iterable[str] = METRICS,
    rows: Callable[[Items], Sequence[str]] | None = None,
) -> Bootstrap:
    """Return the replicates of the selected runs; call it inside `selected`.

    *rows* chooses the report rows; all, unless it is given.

    Raises
    ------
    UsageError
        A metric that is no sum over items has no replicates.
    """
    metrics = list(metrics)
    if unknown := [metric for metric in metrics if metric not in METRICS]:
        raise UsageError(
            f"{unknown[0]} is not resampled; leave out {option('interval')}, or choose "
            "another metric"
        )
    listed = read_terms(connection)
    items = listed[0].items
    weights = resampled(items.blocks)
    report_rows = rows(items) if rows else items.report_rows
    values: dict[Key, Doubles] = {}
    for terms in listed:
        values |= replicated(terms, weights, metrics, report_rows)
    return Bootstrap(
        run_ids=listed[0].run_ids,
        items=items,
        report_rows=report_rows,
        resample_sha256=resample_digest(weights),
        values=values,
    )


def replicated(
    terms: Terms, weights: Counts, metrics: Sequence[str], report_rows: Sequence[str]
) -> dict[Key, Doubles]:
    """Return every number of the terms' runs under each row of weights.

    Parameters
    ----------
    terms : Terms
    weights : ndarray of int64, shape (replicates, n_items)
    metrics, report_rows : sequence of str

    Returns
    -------
    dict of Key to ndarray of float64, shape (n_runs, replicates)
        NaN where the SQL has null.
    """
    parts: dict[Key, list[Doubles]] = {}
    for start in range(0, len(terms.run_ids), RUNS_AT_ONCE):
        runs = slice(start, start + RUNS_AT_ONCE)
        for key, value in _numbers(terms, weights, runs, metrics, report_rows):
            parts.setdefault(key, []).append(value)
    return {key: np.concatenate(found) for key, found in parts.items()}


def _numbers(
    terms: Terms,
    weights: Counts,
    runs: slice,
    metrics: Sequence[str],
    report_rows: Sequence[str],
) -> Iterator[tuple[Key, Doubles]]:
    names = dict.fromkeys(name for metric in metrics for name in TALLIES_OF[metric])
    tallies = tally(terms, weights, runs, names)
    unsupported = terms.unsupported[runs]
    shape = (len(unsupported), len(weights))
    for report_row in report_rows:
        for method in terms.methods:
            scene = Scene(tallies, report_row, method, unsupported, shape)
            for metric in metrics:
                for kind, value in scene.metric(metric).items():
                    yield Key(report_row, method.method_id, metric, kind), value
