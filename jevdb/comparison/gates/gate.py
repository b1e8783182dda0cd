"""Is the candidate good enough: rows, metrics against a baseline, rules over items.

A metric fails only when its paired interval excludes "not worse by more than the
margin": a gate does not fail on noise. What cannot be judged fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.base.errors import UsageError
from jevdb.base.metrics import REASONS, decimals, sign, signed
from jevdb.base.text import counted
from jevdb.base.wording import option
from jevdb.comparison.bootstrap import Bootstrap, bootstrap
from jevdb.comparison.cohorts import Asked, read_candidates
from jevdb.comparison.cohorts import Rule as CohortRule
from jevdb.comparison.gates.gate_rules import Rule
from jevdb.comparison.gates.verdict import Check, Verdict
from jevdb.comparison.paired import Scores, one_row, paired
from jevdb.numerics.resampling import ROUNDING, Interval, percentile_intervals
from jevdb.scoring.evidence import Key
from jevdb.scoring.names import require_method
from jevdb.scoring.report_text import rounded
from jevdb.scoring.selection import Selection
from jevdb.scoring.terms import read_methods
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.base.metrics import Number
    from jevdb.scoring.runs import Run

Rows = Sequence[Mapping[str, object]]

FAULTY_ROWS = {
    "missing": "items without a row",
    "duplicate": "items answered more than once",
    "unscored": "rows that are not ok",
}
"""What is wrong with rows that a gate does not let through, unless it is allowed."""


class Margin(NamedTuple):
    """How much worse is still good enough, in the metric's unit or of the baseline."""

    amount: float
    is_relative: bool

    @property
    def words(self) -> str:
        """``1.0`` or ``2%``."""
        return f"{self.amount * 100:g}%" if self.is_relative else f"{self.amount:g}"


MARGIN = re.compile(r"(\d+\.?\d*|\.\d+)(%?)")


def parse_margin(text: str) -> Margin:
    """Return the margin that ``1.0`` or ``2%`` means."""
    match = MARGIN.fullmatch(text)
    if match is None:
        raise UsageError(
            f"{option('margin')} {text!r}: give a number from 0, as 1.0 or 2%"
        )
    amount, percent = float(match[1]), bool(match[2])
    return Margin(amount / 100 if percent else amount, percent)


class MetricGate(NamedTuple):
    """A number that may not be worse than the baseline's by more than the margin."""

    number: Number
    margin: Margin


class Request(NamedTuple):
    """What the candidate is held against."""

    candidate: Run
    baseline: Run | None
    metrics: Sequence[MetricGate]
    rules: Sequence[Rule]
    method_id: str
    report_row: str | None = None
    allowed: frozenset[str] = frozenset()


def judge(connection: Connection, request: Request) -> Verdict:
    """Return the verdict on the candidate, over every item of the report row.

    Raises
    ------
    UnknownNameError
        A method or report row that there is not.
    UsageError
        The baseline answered other items.
    """
    require_method(connection, request.method_id)
    runs = [run for run in (request.candidate, request.baseline) if run is not None]
    benchmark_id = request.candidate.benchmark_id
    read_candidates(connection, benchmark_id, runs, Asked(CohortRule.OWN))
    selection = Selection(
        run_ids=sorted({run.run_id for run in runs}), methods=[request.method_id]
    )
    metrics = dict.fromkeys(gate.number.metric for gate in request.metrics)
    chosen = one_row(request.report_row)
    with paired(connection, selection, chosen) as scores:
        drawn = bootstrap(connection, metrics=list(metrics), rows=chosen)
        [report_row] = scores.report_rows
        rows = _rows(connection, request, report_row)
        duplicates = connection.execute(
            "select n_duplicate from runs where run_id = $run_id",
            {"run_id": request.candidate.run_id},
        ).fetchall()[0][0]
    return Verdict(
        candidate=request.candidate,
        baseline=request.baseline,
        report_row=report_row,
        method_id=request.method_id,
        gold_revision=scores.gold_revision,
        resample_sha256=drawn.resample_sha256,
        checks=[
            *_row_checks(request, rows, duplicates),
            *(_metric_check(request, gate, scores, drawn) for gate in request.metrics),
            *(_rule_check(request, rule, rows) for rule in request.rules),
        ],
    )


def _rows(connection: Connection, request: Request, report_row: str) -> Rows:
    [method] = read_methods(connection)
    connection.execute(
        query("comparison/gate_rows"),
        {
            "run_id": request.candidate.run_id,
            "report_row": report_row,
            "probability_floor": method.probability_floor,
        },
    )
    names = [str(column[0]) for column in connection.description or ()]
    return [dict(zip(names, row, strict=True)) for row in connection.fetchall()]


def _row_checks(request: Request, rows: Rows, duplicates: int) -> Iterator[Check]:
    missing = [row for row in rows if row["status"] == "missing"]
    unscored = [row for row in rows if row["status"] not in ("ok", "missing")]
    counts = {
        "missing": len(missing),
        "duplicate": duplicates,
        "unscored": len(unscored),
    }
    for fault, words in FAULTY_ROWS.items():
        is_allowed = fault in request.allowed
        note = " (allowed)" if is_allowed and counts[fault] else ""
        yield Check(
            name=f"no {fault} rows",
            passed=is_allowed or counts[fault] == 0,
            message=f"{counts[fault]} {words}{note}",
            details={"n": counts[fault], "n_items": len(rows)},
        )


def _metric_check(
    request: Request, gate: MetricGate, scores: Scores, drawn: Bootstrap
) -> Check:
    assert request.baseline is not None
    [report_row] = scores.report_rows
    key = Key(report_row, request.method_id, *gate.number)
    base = scores.value(request.baseline.run_id, key)
    candidate = scores.value(request.candidate.run_id, key)
    details: dict[str, object] = {
        "metric": gate.number.metric,
        "kind": gate.number.kind,
        "baseline": base.value,
        "candidate": candidate.value,
        "margin": gate.margin.words,
    }
    name = f"{gate.number.name} not worse by more than {gate.margin.words}"
    if base.value is None or candidate.value is None:
        whose = "candidate" if candidate.value is None else "baseline"
        reason = REASONS[candidate.reason or base.reason or "no_rows"]
        return Check(name, False, f"the {whose} has no value: {reason}", details)
    gap = candidate.value - base.value
    difference, room = _intervals(request, gate, drawn, key)
    details |= {
        "difference": gap,
        "low": difference.low,
        "high": difference.high,
        "is_tie": difference.holds_zero,
    }
    metric, places = gate.number.metric, decimals(gate.number.metric)
    return Check(
        name=name,
        passed=room.high is not None and room.high >= -ROUNDING,
        message=(
            f"{rounded(candidate.value, places)} against "
            f"{rounded(base.value, places)}, difference {signed(gap, metric)} "
            f"({_end(difference.low, metric)} to {_end(difference.high, metric)})"
        ),
        details=details,
    )


def _intervals(
    request: Request, gate: MetricGate, drawn: Bootstrap, key: Key
) -> tuple[Interval, Interval]:
    """Return the intervals of the difference and of what the margin leaves of it."""
    assert request.baseline is not None
    base = drawn.of(key, request.baseline.run_id)
    gaps = drawn.of(key, request.candidate.run_id) - base
    scale = np.abs(base) if gate.margin.is_relative else 1.0
    room = sign(key.metric) * gaps + gate.margin.amount * scale
    difference, left = percentile_intervals(np.stack([gaps, room]))
    return difference, left


def _end(value: float | None, metric: str) -> str:
    return "none" if value is None else signed(value, metric)


def _rule_check(request: Request, rule: Rule, rows: Rows) -> Check:
    outcome = rule.judge(rows)
    is_whole = outcome.n_lacking == 0 or "unscored" in request.allowed
    value = "no value" if outcome.value is None else f"{outcome.value:.6g}"
    message = f"{value} over {counted(outcome.n, 'item')}"
    if outcome.n_lacking:
        message += f"; {outcome.n_lacking} without {rule.quantity}"
    if outcome.worst is not None:
        message += f"; worst item {outcome.worst}"
    return Check(
        name=rule.text,
        passed=outcome.is_met and is_whole,
        message=message,
        details={
            "rule": rule.text,
            "value": outcome.value,
            "n": outcome.n,
            "n_lacking": outcome.n_lacking,
            "worst_item": outcome.worst,
        },
    )
