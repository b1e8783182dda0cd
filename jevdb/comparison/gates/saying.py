"""What a metric says in a gate's sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.comparison.gates.harm import FAIL, PASS
from jevdb.comparison.gates.looks import Require
from jevdb.comparison.gates.margins import margin_words
from jevdb.comparison.saying import (
    SUITE_SCORE,
    about,
    interval_words,
    is_said_in_points,
    p_words,
    points,
)
from jevdb.scoring.differences import Unknown

if TYPE_CHECKING:
    from jevdb.comparison.gates.harm import Harm
    from jevdb.comparison.gates.looks import Look
    from jevdb.comparison.gates.margins import Margin

IDENTICAL = "the candidate's answers are identical"
SHORT = {"intelligence": "I", "calibration": "C"}


def said_of(
    name: str,
    margin: Margin,
    harm: Harm,
    outcome: str,
    require: Require,
    look: Look | None,
    level: float,
) -> str:
    """Return what the number of this name says, as a part of the gate's sentence."""
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
        more = (
            f"; about {about(needed)} item{'' if needed == 1 else 's'} needed"
            if needed is not None
            else ""
        )
        within = margin_words(margin, harm.metric)
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
    if harm.metric in ("accuracy", SUITE_SCORE):
        return f"{points(harm.difference, harm.metric)} points"
    if is_said_in_points(harm.metric):
        return points(harm.difference, harm.metric)
    return f"{harm.difference:+z.4f}"


def _ends(harm: Harm) -> str:
    assert harm.interval is not None
    if is_said_in_points(harm.metric):
        return interval_words(harm.interval, harm.metric)
    return f"{harm.interval.low:+z.4f} to {harm.interval.high:+z.4f}"


def _amount(drop: float, metric: str) -> str:
    if is_said_in_points(metric):
        return f"{points(drop, metric).lstrip('+')} points"
    return f"{drop:.4f}"


def look_words(look: Look) -> str | None:
    """Return which look of an approved baseline it is; nothing to say of another."""
    return None if look.approval is None else f"look {look.number} of this baseline"


def look_notes(look: Look | None) -> list[str]:
    """Return what is to be known of a gate's error, where it is not as it should be."""
    if look is None:
        return []
    if look.approval is None:
        return ["The baseline is not approved: error 2.5 % per gate."]
    return (
        [] if look.is_recorded else [f"Look not recorded: it counts as {look.number}."]
    )
