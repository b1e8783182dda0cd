"""The metrics of a candidate held against those of its baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jevdb.base.metrics import REASONS
from jevdb.base.metrics import decimals as registered_decimals
from jevdb.comparison.gates.harm import (
    CALIBRATION_NUMBERS,
    FAIL,
    PASS,
    Harm,
    gated_name,
    sign,
)
from jevdb.comparison.gates.looks import FIRST_LEVEL, Look
from jevdb.comparison.gates.margins import MetricGate, margin_words
from jevdb.comparison.gates.saying import IDENTICAL, said_of, short_name
from jevdb.comparison.gates.verdict import Check
from jevdb.scoring.calibration_error import StatedRow, difference_of, number_of
from jevdb.scoring.differences import Unknown
from jevdb.scoring.keys import Key
from jevdb.scoring.numbers import Value
from jevdb.scoring.report_text import rounded
from jevdb.scoring.terms import read_methods
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.base.metrics import Number
    from jevdb.comparison.gates.request import Request
    from jevdb.comparison.paired import Scores
    from jevdb.scoring.differences import Contrast

Stated = dict[tuple[str, str], list[StatedRow]]


def read_stated(connection: Connection, report_row: str) -> Stated:
    """Return what the rows of a selection state, by run and kind, in item order."""
    connection.execute(query("scoring/calibration_rows"), {"report_row": report_row})
    found: Stated = {}
    for each in map(StatedRow._make, connection.fetchall()):
        found.setdefault((each.run_id, each.kind), []).append(each)
    return found


@dataclass(frozen=True, slots=True)
class Holding:
    """Two runs, what is known of both, and at which level it is judged.

    ``level`` is that of one metric: the look's, shared out over the metrics.
    """

    request: Request
    scores: Scores
    look: Look | None
    level: float
    is_identical: bool
    stated: Stated
    bins: int

    @classmethod
    def read(
        cls,
        connection: Connection,
        request: Request,
        scores: Scores,
        look: Look | None,
    ) -> Holding:
        """Read what the metrics ask for; call it inside `paired`."""
        [report_row] = scores.report_rows
        level = FIRST_LEVEL if look is None else look.level
        is_asked = any(
            gate.number.metric in CALIBRATION_NUMBERS for gate in request.metrics
        )
        [method] = read_methods(connection)
        return cls(
            request=request,
            scores=scores,
            look=look,
            level=level / max(len(request.metrics), 1),
            is_identical=_is_identical(connection, request, report_row),
            stated=read_stated(connection, report_row) if is_asked else {},
            bins=method.bins,
        )

    def check(self, gate: MetricGate) -> Check:
        """Return what one metric says."""
        number, margin = gate.number, gate.margin
        base, candidate = self._value(self._base, number), self._value(self._id, number)
        details: dict[str, object] = {
            "metric": number.metric,
            "kind": number.kind,
            "baseline": base.value,
            "candidate": candidate.value,
            "margin": margin.words,
            "margin_words": margin_words(margin, number.metric),
            "require": self.request.require.value,
            "look": self.look and self.look.number,
            "level": self.level,
            "identical": self.is_identical,
        }
        name = f"{gated_name(number)} not worse by more than {margin.words}"
        if base.value is None or candidate.value is None:
            whose = "candidate" if candidate.value is None else "baseline"
            reason = candidate.reason or base.reason or "no_rows"
            message = f"the {whose} has no value: {REASONS[reason]}"
            said = f"{gated_name(number)}: {message}"
            return Check(name, FAIL, message, {**details, "reason": reason}, said)
        values = f"{_shown(candidate, number)} against {_shown(base, number)}"
        if self.is_identical:
            details |= {"difference": 0.0, "not_excluded": 0.0}
            return Check(name, PASS, f"{values}, {IDENTICAL}", details, IDENTICAL)
        harm = self._harm(gate, base.value, candidate.value)
        outcome = harm.outcome(self.request.require, self.level)
        said = said_of(
            *(short_name(gated_name(number)), margin, harm, outcome),
            *(self.request.require, self.look, self.level),
        )
        low, high = harm.interval or (None, None)
        tested = harm.tested
        details |= {
            "difference": harm.difference,
            "low": low,
            "high": high,
            "p_harm": harm.p_harm,
            "mde": tested and tested.mde,
            "items_needed": harm.items_needed,
            "not_excluded": harm.highest_drop,
            "reason": harm.reason,
        }
        message = f"{values}, difference {_difference(harm, number)}"
        return Check(name, outcome, message, details, said)

    @property
    def _base(self) -> str:
        assert self.request.baseline is not None
        return self.request.baseline.run_id

    @property
    def _id(self) -> str:
        return self.request.candidate.run_id

    def _key(self, number: Number) -> Key:
        [report_row] = self.scores.report_rows
        return Key(report_row, self.request.method_id, *number)

    def _value(self, run_id: str, number: Number) -> Value:
        if number.metric not in CALIBRATION_NUMBERS:
            return self.scores.value(run_id, self._key(number))
        rows = self._binned(run_id, number)
        said = [row for row in rows if row.stated is not None]
        value = number_of(number.metric, said, self.bins)
        reason = None
        if value is None:
            reason = "no_probabilities" if rows else "no_rows"
        return Value(value, len(said), len(rows), reason)

    def _binned(self, run_id: str, number: Number) -> list[StatedRow]:
        rows = self.stated.get((run_id, number.kind), [])
        return [row for row in rows if row.is_binned]

    def _harm(self, gate: MetricGate, base: float, candidate: float) -> Harm:
        number, margin = gate.number, gate.margin
        gap = candidate - base
        contrast = self._contrast(number, 1.0, gap)
        if not isinstance(contrast, Unknown):
            gap = contrast.point
        beyond = None
        allowed = margin.amount * (abs(base) if margin.is_relative else 1.0)
        if margin.is_relative and allowed > 0:
            # D - r abs(base) is a multiple of the baseline against the candidate.
            share = margin.amount * (1 if base > 0 else -1)
            weight = 1 - sign(number.metric) * share
            beyond = self._contrast(number, weight, candidate - weight * base)
        return Harm(number.metric, gap, contrast, allowed, beyond)

    def _contrast(self, number: Number, weight: float, gap: float) -> Contrast:
        """Return what is known of the candidate less *weight* times the baseline."""
        if number.metric in CALIBRATION_NUMBERS:
            return self._stated_difference(number, weight)
        key, evidence = self._key(number), self.scores.evidence
        if weight == 1:
            return evidence.difference(key, self._base, self._id, gap)
        return evidence.scaled(key, self._base, self._id, weight, gap)

    def _stated_difference(self, number: Number, weight: float) -> Contrast:
        said = [
            [row for row in self._binned(run_id, number) if row.stated is not None]
            for run_id in (self._base, self._id)
        ]
        first, second = ({row.item_id for row in rows} for rows in said)
        both = first & second
        sides = [[row for row in rows if row.item_id in both] for rows in said]
        cluster = self.request.cluster
        return difference_of(
            number.metric, sides[0], sides[1], self.bins, weight=weight, cluster=cluster
        )


def _is_identical(connection: Connection, request: Request, report_row: str) -> bool:
    """Return whether the candidate's scored rows are those of the baseline."""
    if request.baseline is None or not request.metrics:
        return False
    if request.baseline.run_id == request.candidate.run_id:
        return True
    rows = connection.execute(
        query("comparison/identical_rows"),
        {
            "base": request.baseline.run_id,
            "others": [request.candidate.run_id],
        },
    ).fetchall()
    return (request.candidate.run_id, report_row) in rows


def decimals(metric: str) -> int:
    """Return how many decimals a gated number is shown with."""
    return 6 if metric == "ce2" else _decimals(metric)


def _decimals(metric: str) -> int:
    return 4 if metric == "gap" else registered_decimals(metric)


def _shown(value: Value, number: Number) -> str:
    return rounded(value.value, decimals(number.metric))


def _difference(harm: Harm, number: Number) -> str:
    places = decimals(number.metric)
    said = f"{harm.difference:+z.{places}f}"
    if harm.interval is None:
        contrast = harm.contrast if isinstance(harm.contrast, Unknown) else harm.beyond
        assert isinstance(contrast, Unknown)
        return f"{said} ({contrast.words})"
    low, high = (f"{end:+z.{places}f}" for end in harm.interval)
    return f"{said} ({low} to {high})"
