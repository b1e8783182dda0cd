"""A gate's verdict, and its forms: text, JSON, rows, JUnit XML, Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import quoteattr

from jevdb.base.output import Rows
from jevdb.base.tabular import Told
from jevdb.base.text import (
    aligned,
    counted,
    markdown_table,
    markdown_text,
    short_id,
    visible,
)

if TYPE_CHECKING:
    from jevdb.scoring.runs import Run

DETAILS = (
    *("metric", "kind", "baseline", "candidate", "difference", "low", "high"),
    *("is_tie", "margin", "rule", "value", "n", "n_items", "n_lacking", "worst_item"),
)


class Check(NamedTuple):
    """One thing the gate looked at: whether it passed, what was found, in numbers."""

    name: str
    passed: bool
    message: str
    details: Mapping[str, object]

    @property
    def word(self) -> str:
        """``pass`` or ``FAIL``."""
        return "pass" if self.passed else "FAIL"


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Told):
    """Every check of a candidate, and what it was held against."""

    candidate: Run
    baseline: Run | None
    report_row: str
    method_id: str
    gold_revision: int
    resample_sha256: str
    checks: Sequence[Check]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    @property
    def summary(self) -> str:
        """The verdict in one line."""
        failed = [check.name for check in self.checks if not check.passed]
        if not failed:
            return f"passed: all {counted(len(self.checks), 'check')}"
        return (
            f"failed: {len(failed)} of {counted(len(self.checks), 'check')}: "
            + "; ".join(failed)
        )

    @property
    def subject(self) -> str:
        """What was judged, in one line."""
        against = f" against {_named(self.baseline)}" if self.baseline else ""
        return (
            f"{_named(self.candidate)}{against} on {self.candidate.benchmark_id} / "
            f"{self.report_row} ({self.method_id}, gold revision {self.gold_revision})"
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
    lines = [verdict.subject, *aligned(rows, [False] * 3), verdict.summary]
    return "".join(f"{visible(line)}\n" for line in lines)


def verdict_markdown(verdict: Verdict) -> str:
    """Return the verdict as Markdown for a pull request."""
    rows = [
        [
            "\N{WHITE HEAVY CHECK MARK}" if check.passed else "\N{CROSS MARK}",
            markdown_text(check.name),
            markdown_text(check.message),
        ]
        for check in verdict.checks
    ]
    title = "passed" if verdict.passed else "failed"
    lines = [
        f"### jevdb gate: {title}",
        "",
        markdown_text(verdict.subject),
        "",
        *markdown_table(["", "check", "found"], rows, [False] * 3),
    ]
    return "".join(f"{line}\n" for line in lines)


def verdict_json(verdict: Verdict) -> dict[str, object]:
    """Return the verdict as one object."""
    return {
        "passed": verdict.passed,
        "candidate": _run_json(verdict.candidate),
        "baseline": _run_json(verdict.baseline) if verdict.baseline else None,
        "benchmark_id": verdict.candidate.benchmark_id,
        "report_row": verdict.report_row,
        "method_id": verdict.method_id,
        "gold_revision": verdict.gold_revision,
        "resample_sha256": verdict.resample_sha256,
        "checks": [
            {
                "name": check.name,
                "passed": check.passed,
                "message": check.message,
                **check.details,
            }
            for check in verdict.checks
        ],
    }


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
        ("name", "passed", "message", *DETAILS),
        [
            [
                *(check.name, check.passed, check.message),
                *(check.details.get(name) for name in DETAILS),
            ]
            for check in verdict.checks
        ],
    )


def verdict_junit(verdict: Verdict) -> str:
    """Return the verdict as JUnit XML: a test case per check."""
    n_failed = sum(not check.passed for check in verdict.checks)
    counts = f'tests="{len(verdict.checks)}" failures="{n_failed}"'
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
            failure = f"<failure message={_attribute(check.message)}/>"
            lines.append(f"{case}>{failure}</testcase>")
    lines += ["  </testsuite>", "</testsuites>"]
    return "".join(f"{line}\n" for line in lines)


def _attribute(text: str) -> str:
    # Control characters, which XML cannot hold, are written as escapes.
    return quoteattr(visible(text))
