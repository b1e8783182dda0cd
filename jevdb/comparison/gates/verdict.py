"""A gate's verdict, and its forms: text, JSON, rows, JUnit XML, Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import quoteattr

from jevdb.base.aligning import aligned
from jevdb.base.output import Rows
from jevdb.base.tabular import Told
from jevdb.base.text import (
    counted,
    markdown_table,
    markdown_text,
    short_id,
    visible,
)
from jevdb.comparison.gates.harm import FAIL, INCONCLUSIVE, PASS, overall
from jevdb.comparison.gates.looks import Require
from jevdb.comparison.gates.saying import (
    IDENTICAL,
    look_notes,
    look_words,
    short_name,
)

if TYPE_CHECKING:
    from jevdb.comparison.gates.looks import Look
    from jevdb.scoring.runs import Run

DETAILS = (
    *("metric", "kind", "baseline", "candidate", "difference", "low", "high"),
    *("margin", "rule", "value", "n", "n_items", "n_lacking", "worst_item"),
    *("require", "look", "level", "p_harm", "mde", "items_needed", "not_excluded"),
    *("identical", "reason", "threshold", "promise", "n_right", "coverage"),
    "p_broken",
)
WORDS = {PASS: "pass", FAIL: "FAIL", INCONCLUSIVE: "unclear"}
MARKS = {
    PASS: "\N{WHITE HEAVY CHECK MARK}",
    FAIL: "\N{CROSS MARK}",
    INCONCLUSIVE: "\N{WHITE QUESTION MARK ORNAMENT}",
}
TITLES = {PASS: "passed", FAIL: "failed", INCONCLUSIVE: "inconclusive"}


class Check(NamedTuple):
    """One thing the gate looked at: the outcome, what was found, in words and numbers.

    ``said`` is its part of the gate's sentence; the name and message unless given.
    """

    name: str
    outcome: str
    message: str
    details: Mapping[str, object]
    said: str = ""

    @property
    def passed(self) -> bool:
        """Whether the outcome is pass."""
        return self.outcome == PASS

    @property
    def word(self) -> str:
        """``pass``, ``FAIL`` or ``unclear``."""
        return WORDS[self.outcome]


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Told):
    """Every check of a candidate, and what it was held against."""

    candidate: Run
    baseline: Run | None
    report_row: str
    method_id: str
    gold_revision: int
    require: Require
    look: Look | None
    level: float | None
    cluster: str
    checks: Sequence[Check]
    clusters: str = ""
    """What items are taken together: ``12 clusters by family``; empty for none."""

    @property
    def outcome(self) -> str:
        """Fail if any check fails, else inconclusive if any is, else pass."""
        return overall([check.outcome for check in self.checks])

    @property
    def passed(self) -> bool:
        """Whether the outcome is pass."""
        return self.outcome == PASS

    def sentences(self) -> list[str]:
        """Return what the gate says, in a line or two."""
        return sentences_of(self)

    @property
    def summary(self) -> str:
        """The verdict in one line."""
        outcome = self.outcome
        if outcome == PASS:
            return f"passed: all {counted(len(self.checks), 'check')}"
        found = [check.name for check in self.checks if check.outcome == outcome]
        return (
            f"{TITLES[outcome]}: {len(found)} of {counted(len(self.checks), 'check')}: "
            + "; ".join(found)
        )

    @property
    def subject(self) -> str:
        """What was judged, in one line."""
        against = f" against {_named(self.baseline)}" if self.baseline else ""
        clusters = f", {self.clusters}" if self.clusters and self.baseline else ""
        runs = [run for run in (self.candidate, self.baseline) if run is not None]
        if any(run.n_repeats > 1 for run in runs):
            clusters += f", asked {' against '.join(f'x{r.n_repeats}' for r in runs)}"
        return (
            f"{_named(self.candidate)}{against} on {self.candidate.benchmark} / "
            f"{self.report_row} ({self.method_id}, gold revision {self.gold_revision}"
            f"{clusters})"
        )

    def rows(self) -> Rows:
        """Return a row per check."""
        return verdict_rows(self)

    def text(self) -> str:
        """Return the verdict as people read it in a terminal or a log."""
        return verdict_text(self)

    def markdown(self) -> str:
        """Return the verdict as Markdown for a pull request."""
        return verdict_markdown(self)

    def to_junit(self) -> str:
        """Return the verdict as JUnit XML, a test case per check."""
        return verdict_junit(self)

    def to_json(self) -> dict[str, object]:
        """Return the verdict as one JSON object."""
        return verdict_json(self)


def _named(run: Run) -> str:
    return f"{run.name} ({short_id(run.run_id)})"


def verdict_text(verdict: Verdict) -> str:
    """Return the verdict as people read it in a terminal or a log."""
    rows = [[check.word, check.name, check.message] for check in verdict.checks]
    table = aligned(rows, [False] * 3)
    lines = [
        *map(visible, [*verdict.sentences(), verdict.subject]),
        *(*table, visible(verdict.summary)),
    ]
    return "".join(f"{line}\n" for line in lines)


def verdict_markdown(verdict: Verdict) -> str:
    """Return the verdict as Markdown for a pull request."""
    rows = [
        [
            MARKS[check.outcome],
            markdown_text(check.name),
            markdown_text(check.message),
        ]
        for check in verdict.checks
    ]
    lines = [
        f"### jevdb gate: {TITLES[verdict.outcome]}",
        "",
        *(line for said in verdict.sentences() for line in (markdown_text(said), "")),
        markdown_text(verdict.subject),
        "",
        *markdown_table(["", "check", "found"], rows, [False] * 3),
    ]
    return "".join(f"{line}\n" for line in lines)


def verdict_json(verdict: Verdict) -> dict[str, object]:
    """Return the verdict as one object."""
    return {
        "passed": verdict.passed,
        "outcome": verdict.outcome,
        "require": verdict.require.value,
        "look": verdict.look and verdict.look.number,
        "look_recorded": verdict.look and verdict.look.is_recorded,
        "level": verdict.level,
        "cluster": verdict.cluster,
        "sentences": verdict.sentences(),
        "candidate": _run_json(verdict.candidate),
        "baseline": _run_json(verdict.baseline) if verdict.baseline else None,
        "benchmark_id": verdict.candidate.benchmark_id,
        "report_row": verdict.report_row,
        "method_id": verdict.method_id,
        "gold_revision": verdict.gold_revision,
        "checks": [
            {
                "name": check.name,
                "passed": check.passed,
                "outcome": check.outcome,
                "message": check.message,
                **_told(check.details),
            }
            for check in verdict.checks
        ],
    }


def _told(details: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in details.items() if name in DETAILS}


def _run_json(run: Run) -> dict[str, object]:
    return {
        "run_id": run.run_id,
        "model": run.model,
        "revision": run.revision,
        "label": run.label,
    }


def verdict_rows(verdict: Verdict) -> Rows:
    """Return a row per check."""
    return Rows(
        ("name", "passed", "message", *DETAILS, "outcome"),
        [
            [
                *(check.name, check.passed, check.message),
                *(check.details.get(name) for name in DETAILS),
                check.outcome,
            ]
            for check in verdict.checks
        ],
    )


def verdict_junit(verdict: Verdict) -> str:
    """Return the verdict as JUnit XML: a test case per check, unclear ones skipped."""
    outcomes = [check.outcome for check in verdict.checks]
    counts = (
        f'tests="{len(outcomes)}" failures="{outcomes.count(FAIL)}" '
        f'skipped="{outcomes.count(INCONCLUSIVE)}"'
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {counts}>",
        f"  <testsuite name={_attribute(verdict.subject)} {counts}>",
    ]
    for check in verdict.checks:
        case = f'    <testcase classname="jevdb.gate" name={_attribute(check.name)}'
        if check.passed:
            lines.append(f"{case}/>")
        else:
            told = "failure" if check.outcome == FAIL else "skipped"
            message = check.message if check.outcome == FAIL else _sentence(check)
            inside = f"<{told} message={_attribute(message)}/>"
            lines.append(f"{case}>{inside}</testcase>")
    lines += ["  </testsuite>", "</testsuites>"]
    return "".join(f"{line}\n" for line in lines)


def _sentence(check: Check) -> str:
    return f"Inconclusive: {check.said or check.message}."


def _attribute(text: str) -> str:
    # Control characters, which XML cannot hold, are written as escapes.
    return quoteattr(visible(text))


def sentences_of(verdict: Verdict) -> list[str]:
    """Return the gate's sentence, and what is to be known of its error."""
    outcome = verdict.outcome
    mine = [check for check in verdict.checks if check.outcome == outcome]
    said = {FAIL: _failing, INCONCLUSIVE: _undecided, PASS: _passing}[outcome]
    return [said(verdict, mine), *look_notes(verdict.look)]


def _failing(verdict: Verdict, failed: Sequence[Check]) -> str:
    tested = [check for check in failed if "p_harm" in check.details]
    others = [check for check in failed if check not in tested]
    parts = [check.said for check in tested]
    look = verdict.look and look_words(verdict.look)
    if tested and look:
        parts.append(look)
    if len(failed) == 1:
        parts += [check.said or f"{check.name}: {check.message}" for check in others]
    else:
        parts += [check.name for check in others]
    return f"Fail: {'; '.join(parts)}."


def _undecided(verdict: Verdict, unclear: Sequence[Check]) -> str:
    parts = [check.said or f"{check.name}: {check.message}" for check in unclear]
    one = len(unclear) == 1 and verdict.require is Require.NON_INFERIOR
    if one:
        # The only number needs no name.
        start = parts[0].find("not shown to be within")
        parts = [parts[0][max(start, 0) :]]
    is_late = any(", but " in part for part in parts)
    advice = " Repeat it or add items." if is_late else ""
    return f"Inconclusive: {'; '.join(parts)}.{advice}"


def _passing(verdict: Verdict, passed: Sequence[Check]) -> str:
    held = [check for check in passed if "metric" in check.details]
    if not held:
        return f"Pass: all {counted(len(passed), 'check')}."
    if all(check.details["identical"] for check in held):
        return f"Pass: {IDENTICAL}."
    drops = ", ".join(
        check.said if len(held) == 1 else f"{check.said} ({short_name(_name(check))})"
        for check in held
        if check.details["not_excluded"] != 0
    )
    shown = "no evidence of harm"
    if verdict.require is Require.NON_INFERIOR:
        margins = dict.fromkeys(str(check.details["margin_words"]) for check in held)
        shown = f"shown to be within {', '.join(margins)}"
    if not drops:
        return f"Pass: {shown}. Every drop is excluded."
    return f"Pass: {shown}. Drops up to {drops} are not excluded."


def _name(check: Check) -> str:
    return check.name.split(" ", 1)[0]
