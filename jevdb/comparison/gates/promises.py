"""A later run held to the thresholds that an earlier one was found to keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.comparison.gates.harm import FAIL, INCONCLUSIVE, PASS
from jevdb.comparison.gates.holding import read_stated
from jevdb.comparison.gates.looks import FIRST_LEVEL, Require
from jevdb.comparison.gates.verdict import Check
from jevdb.numerics.binomial import at_least, at_most
from jevdb.numerics.promised import RISK
from jevdb.scoring.thresholds import ItemsTaken

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.gates.request import Request
    from jevdb.comparison.paired import Scores
    from jevdb.scoring.calibration_error import StatedRow
    from jevdb.scoring.thresholds_file import Promised, Threshold


def promise_checks(
    connection: Connection, request: Request, scores: Scores
) -> Iterator[Check]:
    """Yield a check per threshold of the file; call it inside `paired`.

    Raises
    ------
    UsageError, UnknownNameError
        The file is of another benchmark, or of a report row that there is not.
    """
    promised = request.promised
    if promised is None:
        return
    benchmark, rows = request.candidate.benchmark_id, scores.evidence.report_rows
    if promised.benchmark_id != benchmark:
        raise UsageError(
            f"{promised.source}: benchmark_id: {promised.benchmark_id}, but the "
            f"candidate answered {benchmark}; find thresholds on that with `jevdb "
            "calibration`"
        )
    if promised.report_row not in rows:
        raise UnknownNameError("report row", promised.report_row, rows)
    stated = read_stated(connection, promised.report_row)
    for threshold in promised.thresholds:
        mine = stated.get((request.candidate.run_id, threshold.kind), [])
        yield _check(request.require, promised, threshold, mine)


def _check(
    require: Require,
    promised: Promised,
    threshold: Threshold,
    rows: list[StatedRow],
) -> Check:
    taken = [row for row in rows if row.is_binned or promised.taken is ItemsTaken.ALL]
    accepted = [
        row
        for row in taken
        if row.confidence is not None and row.confidence >= threshold.threshold
    ]
    n, right = len(accepted), sum(row.is_right for row in accepted)
    p_broken = at_most(right, n, threshold.promise) if n else None
    goal = f"{100 * threshold.promise:g} %"
    message = f"{right} of {n} right (coverage {n / max(len(taken), 1):.2f})"
    said = f"{threshold.kind}: {right} of {n} right where {goal} were promised"
    if p_broken is not None:
        said += f", p {p_broken:.3g}"
    return Check(
        name=f"{threshold.kind}: from confidence {threshold.threshold:g} at least "
        f"{goal} right",
        outcome=_outcome(require, right, n, threshold.promise),
        message=message if n else "no answer is as confident",
        details={
            "kind": threshold.kind,
            "threshold": threshold.threshold,
            "promise": threshold.promise,
            "value": right / n if n else None,
            "n": n,
            "n_right": right,
            "n_items": len(taken),
            "coverage": n / len(taken) if taken else None,
            "p_broken": p_broken,
            "level": FIRST_LEVEL,
            "reason": None if n else "no_rows",
        },
        said=said if n else f"{threshold.kind}: no answer is as confident",
    )


def _outcome(require: Require, right: int, n: int, promise: float) -> str:
    """Return fail on evidence that the promise is broken; see `Require`."""
    if n == 0:
        return INCONCLUSIVE
    if at_most(right, n, promise) <= FIRST_LEVEL:
        return FAIL
    if require is Require.NON_INFERIOR and at_least(right, n, promise) > RISK:
        return INCONCLUSIVE
    return PASS
