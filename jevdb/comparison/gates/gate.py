"""Is the candidate good enough: rows, metrics against a baseline, rules over items.

A metric fails only on evidence that it is worse by more than the margin: a gate does
not fail on noise. What ordinary evidence says is never waved through either: it is
inconclusive. What has no value fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jevdb.base.errors import UsageError
from jevdb.base.text import counted
from jevdb.base.wording import option
from jevdb.comparison.cohorts import Asked, read_candidates
from jevdb.comparison.cohorts import Rule as CohortRule
from jevdb.comparison.gates.gate_rules import Rule
from jevdb.comparison.gates.harm import FAIL, PASS, gated_name
from jevdb.comparison.gates.holding import Holding
from jevdb.comparison.gates.looks import Look, Require, numbered
from jevdb.comparison.gates.promises import promise_checks
from jevdb.comparison.gates.verdict import Check, Verdict
from jevdb.comparison.paired import one_row, paired
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.names import require_method
from jevdb.scoring.selection import Selection
from jevdb.scoring.terms import read_methods
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.gates.request import Request

Rows = Sequence[Mapping[str, object]]

FAULTY_ROWS = {
    "missing": ("item without a row", "items without a row"),
    "duplicate": ("item answered more than once", "items answered more than once"),
    "unscored": ("row that is not ok", "rows that are not ok"),
}
"""What is wrong with rows that a gate does not let through, unless it is allowed."""


def judge(
    connection: Connection, request: Request, number: int | None = None
) -> Verdict:
    """Return the verdict on the candidate, over every item of the report row.

    *number* is that of the look, where it stands already.

    Raises
    ------
    UnknownNameError
        A method or report row that there is not.
    UsageError
        The baseline answered other items; non-inferior without a margin.
    """
    require_method(connection, request.method_id)
    _require_margins(request)
    runs = [run for run in (request.candidate, request.baseline) if run is not None]
    benchmark_id = request.candidate.benchmark_id
    read_candidates(connection, benchmark_id, runs, Asked(CohortRule.OWN))
    selection = Selection(
        run_ids=sorted({run.run_id for run in runs}), methods=[request.method_id]
    )
    chosen = one_row(request.report_row)
    with paired(connection, selection, chosen, request.cluster) as scores:
        [report_row] = scores.report_rows
        look = _look(connection, request, report_row)
        if look is not None and number is not None:
            look = look._replace(number=number, is_recorded=True)
        holding = Holding.read(connection, request, scores, look)
        rows = _rows(connection, request, report_row)
        promises = list(promise_checks(connection, request, scores))
        clusters = scores.evidence.clusters(report_row)
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
        require=request.require,
        look=look,
        level=holding.level if look else None,
        cluster=clusters.by.value if clusters else ClusterBy.NONE.value,
        clusters=clusters.words if clusters else "",
        checks=[
            *_row_checks(request, rows, duplicates),
            *(holding.check(gate) for gate in request.metrics),
            *promises,
            *(_rule_check(request, rule, rows) for rule in request.rules),
        ],
    )


def _require_margins(request: Request) -> None:
    if request.require is not Require.NON_INFERIOR:
        return
    for gate in request.metrics:
        if gate.margin.amount == 0:
            raise UsageError(
                f"{option('require')} non-inferior needs a {option('margin')} above 0 "
                f"for {gated_name(gate.number)}: nothing can be shown to be not worse "
                "at all"
            )


def _look(connection: Connection, request: Request, report_row: str) -> Look | None:
    """Return which look this is; None where nothing is held against a baseline."""
    if not request.metrics:
        return None
    approval = request.approval
    look = Look(
        number=1,
        is_recorded=False,
        approval=approval and approval.approval,
        looks=approval and approval.looks,
        run_id=request.candidate.run_id,
        report_row=report_row,
        method_id=request.method_id,
        require=request.require,
        metrics=[gated_name(gate.number) for gate in request.metrics],
    )
    return numbered(connection, look)


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
    for fault, (one, many) in FAULTY_ROWS.items():
        is_allowed = fault in request.allowed
        note = " (allowed)" if is_allowed and counts[fault] else ""
        yield Check(
            name=f"no {fault} rows",
            outcome=PASS if is_allowed or counts[fault] == 0 else FAIL,
            message=f"{counted(counts[fault], one, many)}{note}",
            details={"n": counts[fault], "n_items": len(rows)},
        )


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
        outcome=PASS if outcome.is_met and is_whole else FAIL,
        message=message,
        details={
            "rule": rule.text,
            "value": outcome.value,
            "n": outcome.n,
            "n_lacking": outcome.n_lacking,
            "worst_item": outcome.worst,
        },
    )
