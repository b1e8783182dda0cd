"""What an ingest did, in words for people; data goes elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from jevdb.ingest.items import ItemsSummary
from jevdb.ingest.run_store import run_name
from jevdb.ingest.summary import REASONS, RunSummary
from jevdb.text import counted

PATIENCE_S = 2.0
EVERY_S = 0.5


class Progress:
    """Rows read so far, on stderr: redrawn on a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._next = time.monotonic() + PATIENCE_S
        self._is_shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._is_shown and self._is_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, rows: int) -> None:
        """Say how many rows are read, at most twice a second."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (EVERY_S if self._is_terminal else 10 * EVERY_S)
        self._is_shown = True
        text = f"{rows:,} rows read"
        sys.stderr.write(f"\r{text}" if self._is_terminal else f"{text}\n")
        sys.stderr.flush()


def items_in_words(summary: ItemsSummary) -> str:
    """Return what became of some items."""
    lines = []
    if summary.is_created:
        near = ", ".join(repr(name) for name in summary.near_benchmarks)
        lines.append(
            f"created benchmark {summary.benchmark_id!r}, scored as {summary.scoring}"
            + (f" (there is also {near})" if near else "")
        )
    parts = [
        f"{n:,} {word}"
        for n, word in (
            (summary.new, "new"),
            (summary.changed, "with another gold"),
            (summary.same, "as before"),
        )
        if n
    ]
    revision = f"gold revision {summary.gold_revision}"
    if summary.outcome == "stored":
        lines.append(f"items: {', '.join(parts)}; {revision}")
    else:
        lines.append(f"items: already there, all {summary.same:,}; {revision}")
    return "\n".join(lines + _ignored(summary.ignored_keys))


def run_in_words(summary: RunSummary) -> str:
    """Return what became of a run: its rows, which add up, and what is odd in them."""
    verb = {
        "stored": "stored",
        "already_there": "already there, nothing added",
        "reinstated": "reinstated, its rows were there already",
        "dry_run": "would be stored",
    }[summary.outcome]
    lines = [f"{run_name(summary)} on {summary.benchmark_id}: {verb}"]
    if summary.superseded:
        lines.append(f"supersedes run {summary.superseded[:12]}")
    counts = ("ok", "invalid", "unsupported", "error", "missing")
    parts = [f"{getattr(summary, name):,} {name}" for name in counts]
    lines.append(f"{summary.expected:,} items: {', '.join(parts)}")
    extra = [
        f"{n:,} {word}"
        for n, word in (
            (summary.retries, "retries"),
            (summary.duplicates, "duplicates"),
            (summary.rejected, "rejected"),
        )
        if n
    ]
    if extra:
        lines.append(f"{summary.read:,} rows read, of them {', '.join(extra)}")
    if summary.rejected:
        lines.append(_refused(summary))
    lines += [f"invalid: {n:,} {REASONS[why]}" for why, n in summary.reasons.items()]
    notes = (
        (summary.renormalized, "distributions rescaled to sum to 1"),
        (summary.mismatched, "answers are not the top label of their distribution"),
        (summary.disagreements, "rows whose own `correct` is not ours"),
    )
    lines += [f"{n:,} {words}" for n, words in notes if n]
    lines += [f"left out: {n:,} of {what}" for what, n in summary.skipped.items()]
    return "\n".join(lines + _ignored(summary.ignored_keys))


def _refused(summary: RunSummary) -> str:
    """Return where the refused lines are; a run that was there keeps its own only."""
    name = summary.run_id[:12]
    kept = {
        "stored": f"kept: see `jevdb runs rejects {name}`",
        "dry_run": "would be kept",
    }.get(summary.outcome, "not kept again")
    return f"{counted(summary.rejected, 'faulty line')} refused, {kept}"


def _ignored(keys: list[str]) -> list[str]:
    return [f"keys without a meaning here: {', '.join(keys)}"] if keys else []
