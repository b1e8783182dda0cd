"""What an ingest of published results did, in words for people."""

from __future__ import annotations

from collections.abc import Sequence

from jevdb.ingest.results.outcomes import Outcome

VERBS = {
    "stored": "stored as reported",
    "already_there": "already there, nothing added",
    "superseded_before": "already there, superseded by another result since; nothing "
    "added (--supersede makes it stand again)",
    "reinstated": "stands again, its numbers were there already",
    "described": "model described",
    "differs": "model not described anew: the result's own model block stands",
}


def outcomes_in_words(outcomes: Sequence[Outcome], skipped: Sequence[str]) -> str:
    """Return a line for each file, and one for what is no result."""
    lines = [_line(outcome) for outcome in outcomes]
    if skipped:
        lines.append(f"no results in: {', '.join(skipped)}")
    return "\n".join(lines)


def _line(outcome: Outcome) -> str:
    tags = "".join(f" [{tag}]" for tag in outcome.tags)
    revision = "" if outcome.revision is None else f"@{outcome.revision}"
    text = f"{outcome.model}{revision}{tags}: {VERBS[outcome.outcome]}"
    if outcome.outcome in ("stored", "reinstated") and not outcome.note:
        text += f"; I {_shown(outcome.intelligence)}"
        if outcome.intelligence_supported != outcome.intelligence:
            text += f", over its ok rows {_shown(outcome.intelligence_supported)}"
    if outcome.superseded:
        text += f"; supersedes {outcome.superseded[:12]}"
    return f"{text} ({outcome.note})" if outcome.note else text


def _shown(value: float | None) -> str:
    return "N/A" if value is None else f"{value:.2f}"
