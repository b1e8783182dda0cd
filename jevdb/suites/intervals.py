"""How sure a suite's scores are: of each entrant alone, and of every pair.

Clusters of members are independent of each other; members of one cluster ask about the
same items, which are drawn together. Means have Satterthwaite's degrees of freedom;
what is no smooth function of the values is resampled (SUITES.md §4).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.comparison.all_pairs import Pairwise, pair_level
from jevdb.numerics.binomial import Bounds
from jevdb.numerics.estimates import NO_LIMITS, Estimate
from jevdb.numerics.pairwise import Spreads, squared_gaps, t_resolved
from jevdb.numerics.resampling import REPLICATES, resampled
from jevdb.numerics.student import MOST
from jevdb.numerics.variance import LEAST_FREEDOM
from jevdb.scoring.differences import Difference, Unknown, untested
from jevdb.suites.roster import REPORTED, Entrant
from jevdb.suites.rules import GRADIENTS, ruled
from jevdb.suites.statistics import Statistic, statistic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.suites.rows import Rows
    from jevdb.suites.scores import Member, Scores

    Doubles = NDArray[np.float64]
    Integers = NDArray[np.int64]

NEAR = 2.0
"""So many standard errors from a bound of the clip, and the value is resampled."""
LIMITED = ("borda", "win_rate")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Members that ask about the same items, and the items: units of sampling."""

    name: str
    members: Sequence[int]
    """Places among the members that count."""
    units: Sequence[Integers]
    """The unit of each item, by member."""
    n_units: int

    def summed(self, values: Sequence[Doubles]) -> Doubles:
        """Return what each unit adds, (n_runs, n_units), from that of the items."""
        total = np.zeros((len(values[0]), self.n_units))
        for units, mine in zip(self.units, values, strict=True):
            order = np.argsort(units, kind="stable")
            starts = np.flatnonzero(np.diff(units[order], prepend=-1))
            total[:, units[order][starts]] += np.add.reduceat(
                mine[:, order], starts, axis=1
            )
        return total


class Sure(NamedTuple):
    """What is known of an entrant's score alone: an interval, or why there is none."""

    interval: Bounds | None
    reason: str | None = None
    se: float | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The spread of the scores of the entrants that have rows of every value.

    ``gaps`` and ``spreads`` are of the differences, row minus column, in points of the
    suite's scale; ``alone`` those of the scores.
    """

    entrants: Sequence[Entrant]
    scores: Doubles
    alone: Sequence[Estimate | Unknown]
    spreads: Spreads
    is_resampled: bool
    limits: tuple[float, float]
    why: Unknown | None = None

    def sure(self, entrant: Entrant) -> Sure:
        """Return the interval of an entrant's score; other entrants have none."""
        if entrant not in self.entrants:
            return Sure(None, None)
        found = self.alone[self.entrants.index(entrant)]
        if isinstance(found, Unknown):
            return Sure(None, found.reason)
        return Sure(found.alone(self.limits), None, found.se)

    def difference(self, base: Entrant, other: Entrant) -> Difference | Unknown:
        """Return what is known of other minus base."""
        for each in (base, other):
            if each not in self.entrants:
                return Unknown("no_rows")
        row, column = self.entrants.index(other), self.entrants.index(base)
        return self._pair(row, column)

    def _pair(self, row: int, column: int) -> Difference | Unknown:
        if self.why is not None:
            return self.why
        variance = float(self.spreads.variances[row, column])
        if not variance > 0:
            return Unknown("no_variation")
        gap = float(self.scores[row] - self.scores[column])
        freedom = float(self.spreads.freedoms[row, column])
        return Difference(Estimate(gap, variance, freedom), 0)

    def pairwise(self, chosen: Sequence[Entrant]) -> Pairwise:
        """Return who of *chosen*, all of them with rows, is above whom."""
        level = pair_level(len(chosen))
        if self.why is not None:
            above = np.zeros((len(chosen), len(chosen)), dtype=np.bool_)
            return Pairwise(above, level, None, self.why)
        places = [self.entrants.index(entrant) for entrant in chosen]
        cut = np.ix_(places, places)
        values = self.scores[places]
        gaps = values[:, np.newaxis] - values
        spreads = Spreads(self.spreads.variances[cut], self.spreads.freedoms[cut])

        def exactly(row: int, column: int) -> bool:
            found = self._pair(places[row], places[column])
            return not isinstance(found, Unknown) and found.is_resolved(level)

        resolved = t_resolved(gaps, spreads, level, exactly)
        return Pairwise(resolved & (gaps > 0), level, spreads.variances)


def evidence(scores: Scores, rows: Rows | None, rule: str) -> Evidence:
    """Return the spread of what *rule* makes of the values.

    *rows* are null where nobody has any.
    """
    entrants = [
        entrant
        for entrant, values in scores.values.items()
        if scores.scores[entrant].by(rule) is not None
        and scores.scores[entrant].score is not None
        and all(value.origin != REPORTED for value in values)
    ]
    found = np.array([scores.scores[each].by(rule) or 0.0 for each in entrants])
    if rows is None or not entrants:
        return _none(entrants, found, Unknown("no_rows"))
    made = _statistics(scores, rows, entrants)
    if isinstance(made, Unknown):
        return _none(entrants, found, made)
    clusters = _clusters(scores.counted, rows, made)
    if rule in GRADIENTS:
        linear = _linear(scores, entrants, rule, made, clusters)
        if linear is not None:
            return _settled(entrants, found, linear, NO_LIMITS)
    replicates = _resampled(scores, entrants, rule, made, clusters)
    scale = float(scores.request.suite.document["scale"])
    limits = (0.0, scale) if rule in LIMITED else NO_LIMITS
    least = min(cluster.n_units for cluster in clusters) - 1
    return _from_replicates(entrants, found, replicates, least, limits)


def _none(entrants: Sequence[Entrant], scores: Doubles, why: Unknown) -> Evidence:
    nothing = np.zeros((len(entrants), len(entrants)))
    alone = [why] * len(entrants)
    spreads = Spreads(nothing, nothing)
    return Evidence(entrants, scores, alone, spreads, False, NO_LIMITS, why)


class Made(NamedTuple):
    """The statistic of a member for the entrants that have it, and their places."""

    statistic: Statistic
    places: Integers


def _statistics(
    scores: Scores, rows: Rows, entrants: Sequence[Entrant]
) -> list[Made] | Unknown:
    counted = scores.counted
    unanswered = str(scores.request.suite.document["unanswered"])
    found = []
    for member in counted:
        mine = {
            place: value.run_id
            for place, entrant in enumerate(entrants)
            for value in [scores.values[entrant][member.member - 1]]
            if value.run_id is not None and value.value is not None
        }
        run_ids = [str(run_id) for run_id in mine.values()]
        declared = [rows.unsupported[run_id] for run_id in run_ids]
        made = statistic(member, rows, run_ids, unanswered, declared)
        if made is None:
            return untested(member.metric, member.name)
        found.append(Made(made, np.array(list(mine), dtype=np.int64)))
    return found or Unknown("no_rows")


def _clusters(
    members: Sequence[Member], rows: Rows, made: Sequence[Made]
) -> list[Cluster]:
    grouped: dict[str, list[int]] = {}
    for place, member in enumerate(members):
        grouped.setdefault(member.cluster, []).append(place)
    found = []
    for name, places in grouped.items():
        known: dict[str, int] = {}
        units = [
            np.array(
                [
                    known.setdefault(item.unit, len(known))
                    for item in rows.items[members[place].member]
                ],
                dtype=np.int64,
            )
            for place in places
        ]
        found.append(Cluster(name, places, units, len(known)))
    return found


def _linear(
    scores: Scores,
    entrants: Sequence[Entrant],
    rule: str,
    made: Sequence[Made],
    clusters: Sequence[Cluster],
) -> tuple[Spreads, Sequence[Estimate | Unknown]] | None:
    """Return the spread of a weighted mean; None where a value is near its clip."""
    weights = GRADIENTS[rule](scores, entrants)
    count = len(entrants)
    variance, below = np.zeros((count, count)), np.zeros((count, count))
    own, own_below = np.zeros(count), np.zeros(count)
    for cluster in clusters:
        parts = []
        for place in cluster.members:
            statistic, places = made[place]
            influences = statistic.influences()
            if _is_near(statistic, influences):
                return None
            part = np.zeros((count, statistic.n_items))
            part[places] = weights[places, place][:, np.newaxis] * influences
            parts.append(part)
        n = cluster.n_units
        if n < 2:  # noqa: PLR2004
            why = Unknown("few_clusters", f"{cluster.name} has one")
            nothing = np.zeros((count, count))
            return Spreads(nothing, nothing), [why] * count
        summed = cluster.summed(parts)
        summed -= summed.mean(axis=1, keepdims=True)
        scale = n / (n - 1)
        each = scale * squared_gaps(summed)
        variance += each
        below += each * each / (n - 1)
        mine = scale * np.array([math.fsum(row) for row in (summed**2).tolist()])
        own += mine
        own_below += mine * mine / (n - 1)
    spreads = Spreads(variance, _freedoms(variance, below))
    freedoms = _freedoms(own, own_below)
    points = [scores.scores[each].by(rule) or 0.0 for each in entrants]
    return spreads, [
        _estimate(*each)
        for each in zip(points, own.tolist(), freedoms.tolist(), strict=True)
    ]


def _freedoms(variance: Doubles, below: Doubles) -> Doubles:
    freedom = np.full(variance.shape, float(MOST))
    np.divide(variance * variance, below, out=freedom, where=below > 0)
    return freedom


def _estimate(point: float, variance: float, freedom: float) -> Estimate | Unknown:
    if not variance > 0:
        return Unknown("no_variation")
    if freedom < LEAST_FREEDOM:
        return Unknown("few_clusters")
    return Estimate(point, variance, freedom)


def _is_near(statistic: Statistic, influences: Doubles) -> bool:
    """Whether a value is within two standard errors of a bound, or beyond it."""
    if not statistic.member.clip:
        return False
    bare = statistic.bare(*statistic.means())
    se = np.sqrt((influences**2).sum(axis=1))
    return bool(((bare - NEAR * se < 0) | (bare + NEAR * se > 1)).any())


def _settled(
    entrants: Sequence[Entrant],
    scores: Doubles,
    found: tuple[Spreads, Sequence[Estimate | Unknown]],
    limits: tuple[float, float],
) -> Evidence:
    spreads, alone = found
    why = next((each for each in alone if isinstance(each, Unknown)), None)
    every = why if why and why.reason == "few_clusters" else None
    return Evidence(entrants, scores, alone, spreads, False, limits, every)


def _resampled(
    scores: Scores,
    entrants: Sequence[Entrant],
    rule: str,
    made: Sequence[Made],
    clusters: Sequence[Cluster],
) -> Doubles:
    """Return the score of each entrant in each replicate, (n_entrants, replicates)."""
    values = np.full((len(made), len(entrants), REPLICATES), np.nan)
    for cluster in clusters:
        first = scores.counted[cluster.members[0]].member
        seed = seed_of(scores.request.suite.sha256, first)
        counts = resampled([0] * cluster.n_units, seed=seed)
        weights = np.ascontiguousarray(counts.T, dtype=np.float64)
        for place, units in zip(cluster.members, cluster.units, strict=True):
            statistic, places = made[place]
            values[place, places] = statistic.replicates(weights[units])
    return ruled(scores, entrants, rule, values)


def seed_of(sha256: str, member: int) -> int:
    """Return the seed of a cluster's draws, from the suite and its first member."""
    digest = hashlib.sha256(f"{sha256}:{member}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def _from_replicates(
    entrants: Sequence[Entrant],
    scores: Doubles,
    replicates: Doubles,
    freedom: int,
    limits: tuple[float, float],
) -> Evidence:
    """Return the spread of replicates: their variances, and Student's t."""
    drawn = np.where(np.isnan(replicates), np.nanmean(replicates), replicates)
    centred = drawn - drawn.mean(axis=1, keepdims=True)
    own = (centred**2).sum(axis=1) / (REPLICATES - 1)
    variances = squared_gaps(centred) / (REPLICATES - 1)
    freedoms = np.full(variances.shape, float(min(freedom, MOST)))
    alone = [
        _estimate(point, variance, freedom)
        for point, variance in zip(scores.tolist(), own.tolist(), strict=True)
    ]
    spreads = Spreads(variances, freedoms)
    found = _settled(entrants, scores, (spreads, alone), limits)
    return Evidence(
        *(found.entrants, found.scores, found.alone, found.spreads),
        *(True, limits, found.why),
    )
