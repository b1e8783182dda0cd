"""What a gate says: a true line or two before any table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jevdb.base.text import counted
from jevdb.comparison.gates.harm import FAIL, INCONCLUSIVE, PASS, gated_name
from jevdb.comparison.gates.looks import Require
from jevdb.comparison.gates.margins import IN_POINTS, margin_words
from jevdb.comparison.saying import about, interval_words, p_words, points
from jevdb.scoring.differences import Unknown

if TYPE_CHECKING:
    from jevdb.comparison.gates.harm import Harm
    from jevdb.comparison.gates.looks import Look
    from jevdb.comparison.gates.margins import MetricGate
    from jevdb.comparison.gates.verdict import Check, Verdict

IDENTICAL = "the candidate's answers are identical"
SHORT = {"intelligence": "I", "calibration": "C"}
NO_EVIDENCE = "no evidence of harm"


def said_of(
    gate: MetricGate,
    harm: Harm,
    outcome: str,
    require: Require,
    look: Look | None,
    level: float,
) -> str:
    """Return what a metric says, as a part of the gate's sentence."""
    name = short_name(gated_name(gate.number))
    if harm.reason is not None:
        return f"{name}: {_no_interval(harm)}"
    assert harm.p_harm is not None and harm.interval is not None
    change = f"{name} {_change(harm)}"
    if outcome == PASS:
        assert harm.highest_drop is not None
        return f"{_amount(harm.highest_drop, harm.metric)}"
    if outcome == FAIL:
        return f"{change} ({_ends(harm)}), p {_p(harm.p_harm)}"
    if require is Require.NON_INFERIOR:
        needed = harm.items_needed
        more = f"; about {about(needed)} items needed" if needed is not None else ""
        within = margin_words(gate.margin, harm.metric)
        return f"{name} not shown to be within {within}{more}"
    return f"{change}, p {_p(harm.p_harm)}, but {_limit(look, level)}"


def _limit(look: Look | None, level: float) -> str:
    limit = f"(limit {level:.2g})"
    if look is None or look.number == 1:
        return f"the metrics share the error {limit}"
    return f"this is look {look.number} {limit}"


def _no_interval(harm: Harm) -> str:
    contrast = harm.contrast if isinstance(harm.contrast, Unknown) else harm.beyond
    assert isinstance(contrast, Unknown)
    return contrast.words


def _p(p_value: float) -> str:
    return p_words(p_value)


def short_name(name: str) -> str:
    """Return a number's name as people say it: I for intelligence."""
    metric, _, kind = name.partition("_")
    return f"{SHORT[metric]}{'_' if kind else ''}{kind}" if metric in SHORT else name


def _change(harm: Harm) -> str:
    if harm.metric == "accuracy":
        return f"{points(harm.difference, harm.metric)} points"
    if harm.metric in IN_POINTS:
        return points(harm.difference, harm.metric)
    return f"{harm.difference:+z.4f}"


def _ends(harm: Harm) -> str:
    assert harm.interval is not None
    if harm.metric in IN_POINTS:
        return interval_words(harm.interval, harm.metric)
    return f"{harm.interval.low:+z.4f} to {harm.interval.high:+z.4f}"


def _amount(drop: float, metric: str) -> str:
    if metric in IN_POINTS:
        return f"{points(drop, metric).lstrip('+')} points"
    return f"{drop:.4f}"


def sentences_of(verdict: Verdict) -> list[str]:
    """Return the gate's sentence, and what is to be known of its error."""
    outcome = verdict.outcome
    mine = [check for check in verdict.checks if check.outcome == outcome]
    said = {FAIL: _failing, INCONCLUSIVE: _undecided, PASS: _passing}[outcome]
    return [said(verdict, mine), *_notes(verdict)]


def _failing(verdict: Verdict, failed: Sequence[Check]) -> str:
    tested = [check for check in failed if "p_harm" in check.details]
    others = [check for check in failed if check not in tested]
    parts = [check.said for check in tested]
    look = verdict.look
    if tested and look is not None and look.approval is not None:
        parts.append(f"look {look.number} of this baseline")
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
    )
    shown = NO_EVIDENCE
    if verdict.require is Require.NON_INFERIOR:
        margins = dict.fromkeys(str(check.details["margin_words"]) for check in held)
        shown = f"shown to be within {', '.join(margins)}"
    return f"Pass: {shown}. Drops up to {drops} are not excluded."


def _name(check: Check) -> str:
    return check.name.split(" ", 1)[0]


def _notes(verdict: Verdict) -> list[str]:
    look = verdict.look
    if look is None:
        return []
    if look.approval is None:
        return ["The baseline is not approved: error 2.5 % per gate."]
    return (
        [] if look.is_recorded else [f"Look not recorded: it counts as {look.number}."]
    )
