"""The history of a metric in words, and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from jevdb.base.output import Rows
from jevdb.base.text import short_id
from jevdb.plots.asking import (
    no_value,
    number_words,
)
from jevdb.plots.history_numbers import History

if TYPE_CHECKING:
    from jevdb.comparison.history import Line
    from jevdb.scoring.runs import Run


def started(run: Run) -> datetime:
    """Return when a run started, or was ingested."""
    return run.started_at or run.ingested_at


def moment(run: Run) -> str:
    """Return the day a run started, or was ingested."""
    return started(run).date().isoformat()


def short_name(run: Run) -> str:
    """Return what tells the run from others of its model."""
    name = run.name.removeprefix(run.model)
    return name or short_id(run.run_id)


def note(line: Line) -> str:
    """Return what is out of the ordinary about a run, and why it has no value."""
    notes = list(line.run.marks)
    if line.now.value is None:
        notes.append(no_value(line.now.reason))
    return "; ".join(notes)


def facts_of(found: History) -> Iterator[str]:
    """Yield a line per method and run, then what changed between runs."""
    for method, lines in found.lines.items():
        for place, line in enumerate(lines):
            value = number_words(
                line.now.value,
                line.now.reason,
                found.intervals[method][line.run.run_id],
                found.number.metric,
            )
            marks = "".join(f", {mark}" for mark in line.run.marks)
            yield (
                f"{place + 1}. {moment(line.run)} {line.run.name}, {method}: {value}, "
                f"n {line.now.n}{marks}."
            )
    for change in found.changes:
        yield f"Before run {change.before + 1}: {change.words}."


TABLE = (
    *("run_id", "run", "benchmark_id", "report_row", "method_id", "metric", "kind"),
    *("started_at", "ingested_at", "state", "gold_revision_then", "value_then"),
    *("gold_revision", "value", "low", "high", "n", "change", "note"),
)


def table_of(found: History) -> Rows:
    """Return a row per method and run, full precision."""
    rows = []
    for method, lines in found.lines.items():
        for line in lines:
            run, now, then = line.run, line.now, line.then or line.now
            ends = found.intervals[method][run.run_id]
            rows.append(
                [
                    *(short_id(run.run_id), run.name, run.benchmark_id),
                    *(line.report_row, method, *found.number),
                    *(run.started_at, run.ingested_at, ", ".join(run.marks) or None),
                    *(then.gold_revision, then.value, now.gold_revision, now.value),
                    *(ends and ends.low, ends and ends.high, now.n, line.change),
                    None if now.value is not None else no_value(now.reason),
                ]
            )
    return Rows(TABLE, rows)
