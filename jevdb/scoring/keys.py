"""Which number of a run: where it stands, and what it averages."""

from __future__ import annotations

from typing import NamedTuple

from jevdb.base.metrics import BY_NAME, Number


class Key(NamedTuple):
    """Which number of a run: where it stands in ``report_metrics``."""

    report_row: str
    method_id: str
    metric: str
    kind: str

    @property
    def mean(self) -> Mean | None:
        """What the number averages; None for what is no mean over rows."""
        return mean_of(Number(self.metric, self.kind))


class Mean(NamedTuple):
    """What a metric averages: a term over the rows that count.

    ``counts`` is the term that says which do (None: all); ``limits`` its range; a loss
    has a long tail, so that one run's interval is on the scale of the logarithm.
    """

    term: str
    counts: str | None
    subset: str
    type: str
    limits: tuple[float, float]
    is_loss: bool


def mean_of(number: Number) -> Mean | None:
    """Return what a number averages; None for what is no mean over rows."""
    metric = BY_NAME[number.metric]
    if metric.tally is None:
        return None
    return Mean(
        term=metric.tally,
        counts=None if metric.counted == "items" else f"n_{metric.counted}",
        subset=str(number.scope.subset),
        type=number.scope.type,
        limits=metric.bounds,
        is_loss=not metric.is_higher_better,
    )


def terms_of(number: Number) -> set[str]:
    """Return the terms that say what is known of a number; the right rows always."""
    found = {"n_right"}
    if number.metric == "intelligence":
        found |= {"n_clear", "chance", "scaled_rating_error", "chance_rating_error"}
    elif (mean := mean_of(number)) is not None:
        found |= {mean.term, mean.counts or mean.term}
    return found
