"""The approved baseline of a suite: the entrant whose runs are all approved.

A run is approved for its benchmark. An entrant of which every run that counts in a
suite is its benchmark's baseline is the baseline of the suite.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UsageError
from jevdb.base.output import to_json
from jevdb.base.wording import command, option
from jevdb.comparison.gates.baselines import read_baselines, require_current
from jevdb.scoring.run_events import set_baselines
from jevdb.scoring.runs import all_runs
from jevdb.suites.report import entrant_named
from jevdb.suites.scores import read_scores

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.gates.baselines import Baseline
    from jevdb.scoring.runs import Run
    from jevdb.suites.roster import Entrant, Request
    from jevdb.suites.scores import Scores, Value

APPROVING = command("set_suite_baseline", "baseline set ENTRANT --suite NAME")


class Approval(NamedTuple):
    """The approval of a suite's baseline: the last of those of its runs.

    ``number`` is its place in the ledger; ``looks`` is for how many candidates the
    error is shared out, null for ever.
    """

    number: int
    looks: int | None


def runs_of(scores: Scores, entrant: Entrant) -> list[str] | None:
    """Return the runs behind a score, by counted member; None where one is lacking."""
    values = _counted(scores, entrant)
    runs = [value.run_id for value in values if value.run_id is not None]
    return runs if runs and len(runs) == len(values) else None


def _counted(scores: Scores, entrant: Entrant) -> list[Value]:
    gone = {member.member for member in scores.left_out}
    return [value for value in scores.values[entrant] if value.member not in gone]


def approval_of(
    connection: Connection, scores: Scores, entrant: Entrant
) -> Approval | None:
    """Return the approval of an entrant as it stands now; None if a run has none."""
    return _approval(_approved(connection), scores, entrant)


def _approved(connection: Connection) -> dict[str, Baseline]:
    return {each.run_id: each for each in read_baselines(connection)}


def _approval(
    approved: Mapping[str, Baseline], scores: Scores, entrant: Entrant
) -> Approval | None:
    runs = set(runs_of(scores, entrant) or ())
    if not runs or not all(
        run in approved and approved[run].is_current for run in runs
    ):
        return None
    last = max((approved[run] for run in runs), key=lambda each: each.approval)
    return Approval(last.approval, last.looks)


def approved_entrant(connection: Connection, scores: Scores) -> Entrant:
    """Return the entrant that is the suite's baseline.

    Raises
    ------
    UsageError
        There is none.
    """
    approved = _approved(connection)
    for entrant in scores.scores:
        if _approval(approved, scores, entrant) is not None:
            return entrant
    raise UsageError(
        f"{scores.request.suite.id} has no approved baseline; name one with "
        f"{option('baseline')}, or approve one with {APPROVING}"
    )


def digest_of(connection: Connection, scores: Scores, entrant: Entrant) -> str:
    """Return what a candidate is known by: a digest of those of its runs' rows."""
    values = _counted(scores, entrant)
    rows: Mapping[str | None, str] = dict(
        connection.execute(
            "select run_id, rows_sha256 from runs "
            "where run_id in (select unnest($run_ids))",
            {"run_ids": [value.run_id for value in values]},
        ).fetchall()
    )
    known = [rows.get(value.run_id, value.result_sha256) for value in values]
    return hashlib.sha256(to_json(["candidate", *known]).encode()).hexdigest()


def approve_entrant(
    connection: Connection,
    request: Request,
    name: str,
    reason: str | None,
    looks: int | None = None,
) -> tuple[list[Run], bool]:
    """Make every run of an entrant the baseline of its benchmark, all or none.

    Returns the runs, and whether any was not yet; one that was, for as many *looks*, is
    left as it stands.

    Raises
    ------
    UnknownNameError
        Nobody takes part under the name.
    UsageError
        It has no run of a member, or one that is withdrawn or superseded.
    """
    scores = read_scores(connection, request)
    entrant = entrant_named(scores, name)
    run_ids = runs_of(scores, entrant)
    if run_ids is None:
        lacking = [
            member.name
            for member, value in zip(
                scores.members, scores.values[entrant], strict=True
            )
            if value.run_id is None and not value.is_left_out
        ]
        raise UsageError(
            f"{entrant.name} has no run on {lacking[0] if lacking else 'any member'}: "
            f"it cannot be the baseline of {request.suite.id}"
        )
    runs = [run for run in all_runs(connection) if run.run_id in set(run_ids)]
    for run in runs:
        require_current(run)
    known = {(each.run_id, each.looks) for each in read_baselines(connection)}
    new = [run for run in runs if (run.run_id, looks) not in known]
    if new:
        set_baselines(connection, new, reason, looks)
    return runs, bool(new)
