"""A candidate held to a baseline by the score of a suite."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jevdb.base.errors import UsageError
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import counted
from jevdb.base.wording import option
from jevdb.comparison.gates.harm import FAIL, INCONCLUSIVE, PASS, Harm
from jevdb.comparison.gates.looks import Look, Require, numbered
from jevdb.comparison.gates.margins import Margin, margin_words
from jevdb.comparison.gates.saying import IDENTICAL, look_notes, look_words, said_of
from jevdb.comparison.saying import SUITE_SCORE, interval_words, points
from jevdb.scoring.differences import Unknown
from jevdb.suites.approvals import (
    approval_of,
    approved_entrant,
    digest_of,
    runs_of,
)
from jevdb.suites.intervals import evidence
from jevdb.suites.leaderboard import Made
from jevdb.suites.report import SuiteComparison, compare, entrant_named
from jevdb.suites.rows import read_rows
from jevdb.suites.scores import scored
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.suites.roster import Entrant, Request
    from jevdb.suites.scores import Scores

TITLES = {PASS: "passed", FAIL: "failed", INCONCLUSIVE: "inconclusive"}


@dataclass(frozen=True, slots=True, repr=False)
class SuiteVerdict(Tabular):
    """Whether a candidate is good enough: its score against the baseline's.

    ``margin`` is in points. Not worse: it fails on evidence that it is worse by more
    than the margin. Non-inferior: it passes on evidence that it is not. ``level`` is
    the one-sided error of the look; ``harm`` is null where one has no score.
    """

    comparison: SuiteComparison
    require: Require
    margin: float
    harm: Harm | None
    look: Look
    is_identical: bool

    @property
    def level(self) -> float:
        """The one-sided error that this look may make."""
        return self.look.level

    @property
    def outcome(self) -> str:
        """``pass``, ``fail`` or ``inconclusive``."""
        if self.is_identical:
            return PASS
        if self.harm is None:
            return FAIL
        if self.harm.reason is not None and self.harm.difference == 0:
            # Every item adds as much to the one as to the other.
            return PASS if self.require is Require.NOT_WORSE else INCONCLUSIVE
        return self.harm.outcome(self.require, self.level)

    @property
    def passed(self) -> bool:
        """Whether the outcome is pass."""
        return self.outcome == PASS

    @property
    def reason(self) -> str | None:
        """Why nothing is tested."""
        if self.is_identical:
            return "identical_rows"
        return "no_score" if self.harm is None else self.harm.reason

    def rows(self) -> Rows:
        """Return the one row of the verdict."""
        found, suite = self.comparison, self.comparison.scores.request.suite
        harm = None if self.is_identical else self.harm
        tested = harm and harm.tested
        low, high = (harm and harm.interval) or (None, None)
        return Rows(
            (
                *("suite", "version", "baseline", "candidate", "require", "margin"),
                *("difference", "low", "high", "p_value", "reason", "outcome"),
                *("passed", "look", "look_recorded", "level", "p_harm", "mde"),
                *("not_excluded", "identical"),
            ),
            [
                [
                    *(suite.name, suite.version, found.base.name, found.other.name),
                    *(self.require.value, self.margin, found.gap, low, high),
                    *(tested and tested.p_value, self.reason, self.outcome),
                    *(self.passed, self.look.number, self.look.is_recorded),
                    *(self.level, harm and harm.p_harm, tested and tested.mde),
                    0.0 if self.is_identical else harm and harm.highest_drop,
                    self.is_identical,
                ]
            ],
        )

    def people_rows(self) -> Rows:
        """Return the verdict as people read it, rounded."""
        found = self.comparison
        harm = None if self.is_identical else self.harm
        interval, tested = harm and harm.interval, harm and harm.tested
        seen = tested and f"{tested.mde:.1f}"
        return Rows(
            ("candidate", "baseline", "difference", "95 % interval", "can see", "look"),
            [
                [
                    *(found.other.name, found.base.name),
                    None if found.gap is None else points(found.gap, SUITE_SCORE),
                    interval and interval_words(interval, SUITE_SCORE),
                    *(seen, self.look.number),
                ]
            ],
        ).used()

    def to_json(self) -> dict[str, object]:
        """Return the verdict as one object."""
        [row] = self.to_dicts()
        return {**row, "sentences": self.sentences()}

    def sentences(self) -> list[str]:
        """Return what the gate says, in a line or two."""
        return [self._sentence(), *look_notes(self.look)]

    def _sentence(self) -> str:
        if self.is_identical:
            return f"Pass: {IDENTICAL}."
        found = self.comparison
        if self.harm is None:
            scores = found.scores.scores
            sides = (found.base, found.other)
            lacking = [each.name for each in sides if scores[each].score is None]
            return f"Fail: no score of {' and '.join(lacking)}."
        if self.harm.reason is not None and self.passed:
            return "Pass: every item adds the same to both scores."
        return self._said(self.harm)

    def _said(self, harm: Harm) -> str:
        """Return what the evidence says, as any gate says it."""
        margin, outcome = Margin(self.margin, False), self.outcome
        said = said_of(
            SUITE_SCORE, margin, harm, outcome, self.require, self.look, self.level
        )
        if outcome == FAIL:
            look = look_words(self.look)
            return f"Fail: {said}{f'; {look}' if look else ''}."
        if outcome == INCONCLUSIVE:
            advice = " Repeat it or add items." if ", but " in said else ""
            return f"Inconclusive: {said}.{advice}"
        shown = "no evidence of harm"
        if self.require is Require.NON_INFERIOR:
            shown = f"shown to be within {margin_words(margin, SUITE_SCORE)}"
        if harm.highest_drop == 0:
            return f"Pass: {shown}. Every drop is excluded."
        return f"Pass: {shown}. Drops up to {said} are not excluded."

    def heading(self) -> list[str]:
        """Return the verdict in a line or two, and what was compared."""
        suite = self.comparison.scores.request.suite
        return [*self.sentences(), f"by the score of {suite.id}, in points"]

    @property
    def summary(self) -> str:
        """What was asked, and the outcome."""
        margin = counted(self.margin, "point", form="g")
        return f"{TITLES[self.outcome]}: {self.require.value} by {margin}"


def gate(
    connection: Connection,
    request: Request,
    candidate: str,
    baseline: str | None,
    margin: float,
    require: Require,
    number: int | None = None,
) -> SuiteVerdict:
    """Return whether a candidate is good enough.

    Without a *baseline* it is held to the approved one; *number* is that of the look,
    where it stands already.

    Raises
    ------
    UnknownNameError
        Nobody takes part under a name.
    UsageError
        The margin is below 0, or 0 where non-inferiority is to be shown; no baseline.
    """
    if not 0 <= margin < math.inf:
        raise UsageError(f"{option('margin')} is a number of points of at least 0")
    if require is Require.NON_INFERIOR and margin == 0:
        raise UsageError(
            f"{option('require')} non-inferior needs a {option('margin')} above 0: "
            "nothing can be shown to be not worse at all"
        )
    rule = str(request.suite.document["aggregate"])
    with scored(connection, request) as scores:
        rows = read_rows(connection, scores) if scores.roster.run_ids else None
        other = entrant_named(scores, candidate)
        base = (
            approved_entrant(connection, scores)
            if baseline is None
            else entrant_named(scores, baseline)
        )
        is_identical = _is_identical(connection, scores, base, other)
        look = _look(connection, scores, base, other, require)
    if number is not None:
        look = look._replace(number=number, is_recorded=True)
    found = compare(Made(scores, evidence(scores, rows, rule)), base.name, other.name)
    return SuiteVerdict(
        *(found, require, margin, _harm(found, margin), look, is_identical)
    )


def _harm(found: SuiteComparison, margin: float) -> Harm | None:
    if found.gap is None:
        return None
    difference = found.difference
    gap = found.gap if isinstance(difference, Unknown) else difference.point
    return Harm(SUITE_SCORE, gap, difference, margin)


def _is_identical(
    connection: Connection, scores: Scores, base: Entrant, other: Entrant
) -> bool:
    """Return whether the runs of both have the same answers, member by member."""
    mine, theirs = runs_of(scores, base), runs_of(scores, other)
    if mine is None or theirs is None or len(mine) != len(theirs):
        return False
    found = connection.execute(
        query("suites/identical_runs"), {"bases": mine, "others": theirs}
    ).fetchall()
    return set(zip(mine, theirs, strict=True)) <= set(found)


def _look(
    connection: Connection,
    scores: Scores,
    base: Entrant,
    other: Entrant,
    require: Require,
) -> Look:
    """Return which look this is; one that no approval counts is the first."""
    suite = scores.request.suite
    approval = approval_of(connection, scores, base)
    look = Look(
        number=1,
        is_recorded=False,
        approval=approval and approval.number,
        looks=approval and approval.looks,
        run_id=digest_of(connection, scores, other),
        report_row=f"suite:{suite.id}",
        method_id=suite.method,
        require=require,
        metrics=[str(suite.document["aggregate"])],
    )
    return numbered(connection, look)
