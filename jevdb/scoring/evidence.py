"""What the rows of some runs say of their numbers, and of the differences of these.

Read once, inside `jevdb.scoring.selection.selected`. Accuracies by exact tests; I and
means by their linearisation (`jevdb.numerics`); nothing where neither is valid.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jevdb.scoring.clusters import read_belonging
from jevdb.scoring.differences import (
    Alone,
    Contrast,
    Difference,
    Unknown,
    untested,
)
from jevdb.scoring.evidence_accuracy import Accuracies
from jevdb.scoring.evidence_index import Indices
from jevdb.scoring.evidence_means import Means
from jevdb.scoring.keys import terms_of
from jevdb.scoring.terms import read_terms

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.base.metrics import Number
    from jevdb.scoring.cluster_by import ClusterBy
    from jevdb.scoring.keys import Key


class Evidence(Accuracies, Indices, Means):
    """What is known of any number of some runs."""

    def difference(self, key: Key, base: str, other: str, gap: float) -> Contrast:
        """Return what is known of other minus base, which is *gap*."""
        if key.metric == "accuracy":
            return self.accuracies(key, base, other, gap)
        if key.metric == "intelligence":
            return self.indices(key, base, other, gap)
        if (mean := key.mean) is not None:
            return self.means(key, mean, base, other, gap)
        return untested(key.metric)

    def alone(self, key: Key, run_id: str, value: float) -> Alone:
        """Return the 95 % interval of one run's number, which is *value*."""
        if key.metric == "accuracy":
            return self.accuracy(key, run_id, value)
        if key.metric == "intelligence":
            return self.index(key, run_id, value)
        if (mean := key.mean) is not None:
            return self.mean(key, mean, run_id, value)
        return untested(key.metric)

    def asked_again(self, key: Key, run_ids: Sequence[str]) -> float | None:
        """Return the variance of a number if these very items were asked again.

        Of several runs, that of a difference; None where one asked its items once, and
        of numbers that are neither accuracy nor I.

        References
        ----------
        Miller (2024), arXiv:2411.00640. INFERENCE.md §3: `of_these_items`.
        """
        of_metric = {"accuracy": self.right_again, "intelligence": self.index_again}
        if key.metric not in of_metric:
            return None
        found = [of_metric[key.metric](key, run_id) for run_id in run_ids]
        known = [variance for variance in found if variance is not None]
        return math.fsum(known) if len(known) == len(found) else None

    def scaled(
        self, key: Key, base: str, other: str, weight: float, gap: float
    ) -> Difference | Unknown:
        """Return what is known of other minus *weight* times base, which is *gap*."""
        scale = np.array([[weight], [1.0]])
        if key.metric == "accuracy":
            return self.scaled_accuracies(key, base, other, scale, gap)
        if key.metric == "intelligence":
            return self.scaled_indices(key, base, other, scale, gap)
        if (mean := key.mean) is not None:
            return self.scaled_means(key, mean, base, other, scale)
        return untested(key.metric)


def read_evidence(
    connection: Connection,
    cluster: ClusterBy | None = None,
    numbers: Iterable[Number] | None = None,
) -> Evidence:
    """Return what the rows of the selected runs say; call it inside `selected`.

    *cluster* is what items that belong together share; unless it is given, their group
    where every item of the row has one. It is asked only about *numbers*, if these are
    given.
    """
    names = None if numbers is None else set().union(*map(terms_of, numbers))
    by_method = {
        method.method_id: (terms, method)
        for terms in read_terms(connection, names)
        for method in terms.methods
    }
    return Evidence(by_method, read_belonging(connection, cluster))
