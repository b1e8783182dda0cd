"""What an ingest did, in numbers that add up and in words."""

from __future__ import annotations

import html
from dataclasses import asdict, dataclass, field
from typing import Literal

from jevdb.base.text import counted
from jevdb.base.wording import for_shell
from jevdb.ingest.ignored import ignored_words

RunOutcome = Literal["stored", "already_there", "reinstated", "dry_run"]

REASONS = {
    "label_set": "probabilities over other labels than the item's",
    "range": "a probability outside [0, 1]",
    "sum": "probabilities that do not sum to 1 within 0.02",
    "answer": "an answer outside the item's options",
    "no_answer": "neither an answer nor probabilities",
    "reported": "the file itself calls the answer invalid",
}


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run's ingest.

    expected = ok + invalid + unsupported + error + missing, the items of the benchmark,
    each as often as it was asked (``repeats``);
    read = expected - missing + retries + duplicates + rejected, the rows of the files.
    ``is_withdrawn`` says that the run was there, and that reports leave it out.
    ``first_rows`` shows what a dry run would store.
    """

    run_id: str
    outcome: RunOutcome
    benchmark_id: str
    gold_revision: int
    model: str
    revision: str | None
    label: str | None
    expected: int
    read: int
    ok: int
    invalid: int
    unsupported: int
    error: int
    missing: int
    retries: int
    duplicates: int
    rejected: int
    renormalized: int
    mismatched: int
    disagreements: int
    rows_sha256: str
    reasons: dict[str, int] = field(default_factory=dict)
    reason_places: dict[str, list[str]] = field(default_factory=dict)
    disagreement_places: list[str] = field(default_factory=list)
    conversions: list[str] = field(default_factory=list)
    files: list[dict[str, str]] = field(default_factory=list)
    ignored_keys: list[str] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    superseded: str | None = None
    is_withdrawn: bool = False
    repeats: int = 1
    first_rows: list[dict[str, object]] | None = None

    def to_json(self) -> dict[str, object]:
        """Return the summary as a JSON object; only a dry run has first rows."""
        document = asdict(self)
        if self.first_rows is None:
            del document["first_rows"]
        return document

    def __str__(self) -> str:
        return run_in_words(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def run_name(summary: RunSummary) -> str:
    """Return ``model@revision#label``, without the parts that there are not."""
    revision = "" if summary.revision is None else f"@{summary.revision}"
    label = "" if summary.label is None else f"#{summary.label}"
    return f"{summary.model}{revision}{label}"


def run_in_words(summary: RunSummary) -> str:
    """Return what became of a run: its rows, which add up, and what is odd in them."""
    verb = {
        "stored": "stored",
        "already_there": "already there, nothing added",
        "reinstated": "reinstated, its rows were there already",
        "dry_run": "would be stored",
    }[summary.outcome]
    lines = [f"{run_name(summary)} on {summary.benchmark_id}: {verb}"]
    if summary.is_withdrawn:
        restored = f"`jevdb runs restore {summary.run_id[:12]}` brings it back"
        lines.append(f"the run is withdrawn, and stays so; {restored}")
    if summary.superseded:
        lines.append(f"supersedes run {summary.superseded[:12]}")
    counts = ("ok", "invalid", "unsupported", "error", "missing")
    parts = [f"{getattr(summary, name):,} {name}" for name in counts]
    lines.append(f"{_asked(summary)}: {', '.join(parts)}")
    extra = [
        f"{n:,} {word}"
        for n, word in (
            (summary.retries, "retry" if summary.retries == 1 else "retries"),
            (
                summary.duplicates,
                "duplicate" if summary.duplicates == 1 else "duplicates",
            ),
            (summary.rejected, "rejected"),
        )
        if n
    ]
    if extra:
        lines.append(
            f"{counted(summary.read, 'row', form=',')} read, of them {', '.join(extra)}"
        )
    if summary.rejected:
        lines.append(_refused(summary))
    lines += map(for_shell, [*summary.notes, *summary.conversions])
    lines += [_invalid(summary, why, n) for why, n in summary.reasons.items()]
    notes = (
        (summary.renormalized, "distribution", "distributions", "rescaled to sum to 1"),
        (
            *(summary.mismatched, "answer is", "answers are"),
            "not the top label of the distribution",
        ),
        (summary.disagreements, "row", "rows", _disagreements(summary)),
    )
    lines += [
        f"{counted(n, one, many, form=',')} {words}"
        for n, one, many, words in notes
        if n
    ]
    lines += [f"left out: {n:,} of {what}" for what, n in summary.skipped.items()]
    return "\n".join(lines + ignored_words(summary.ignored_keys))


def _asked(summary: RunSummary) -> str:
    """Return how many answers the run was asked for."""
    if summary.repeats == 1:
        return counted(summary.expected, "item", form=",")
    n_items = summary.expected // summary.repeats
    return (
        f"{counted(summary.expected, 'answer', form=',')} "
        f"({counted(n_items, 'item', form=',')} x{summary.repeats})"
    )


def _disagreements(summary: RunSummary) -> str:
    """Return what rows say of themselves, with the first three places."""
    listed = ", ".join(summary.disagreement_places)
    where = f" ({listed})" if listed else ""
    return f"whose own `correct` is not ours{where}"


def _invalid(summary: RunSummary, why: str, n: int) -> str:
    """Return why rows are invalid, with the first three places."""
    places = summary.reason_places.get(why, [])
    more = ", ..." if n > len(places) else ""
    where = f" ({', '.join(places)}{more})" if places else ""
    return f"invalid: {n:,} {REASONS[why]}{where}"


def _refused(summary: RunSummary) -> str:
    """Return where the refused lines are; a run that was there keeps its own only."""
    name = summary.run_id[:12]
    kept = {
        "stored": f"kept: see `jevdb runs rejects {name}`",
        "dry_run": "would be kept",
    }.get(summary.outcome, "not kept again")
    return f"{counted(summary.rejected, 'faulty line')} refused, {kept}"
