"""The gold revisions of a benchmark, and what each did to the runs: rows and text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from jevdb.base.aligning import aligned
from jevdb.base.output import Rows
from jevdb.base.tabular import Told
from jevdb.base.text import counted, short_id, visible
from jevdb.scoring.report_lines import Line
from jevdb.scoring.report_text import rounded

EFFECTS = ("n", "accuracy", "intelligence", "calibration")
SHOWN = (("I", "intelligence", 2), ("C", "calibration", 2), ("Accuracy", "accuracy", 4))


class Revision(NamedTuple):
    """A gold revision: when and why, and how many items it added or changed."""

    gold_revision: int
    revised_at: datetime
    reason: str | None
    n_items: int
    n_added: int
    n_gold_changed: int
    n_reference_changed: int
    n_reference_added: int


class Effect(NamedTuple):
    """A run in one report row, by the gold before a revision and by the revision."""

    revision: Revision
    before: Line | None
    after: Line


@dataclass(frozen=True, slots=True, repr=False)
class Revisions(Told):
    """What each gold revision of a benchmark changed, and did to the runs."""

    benchmark_id: str
    revisions: Sequence[Revision]
    effects: Sequence[Effect]

    def rows(self) -> Rows:
        """Return a row per revision, run and report row."""
        return revision_rows(self.revisions, self.effects)

    def text(self) -> str:
        """Return the revisions and their effects as text."""
        return revisions_text(self.benchmark_id, self.revisions, self.effects)


def revisions_text(
    benchmark_id: str, found: Sequence[Revision], done: Sequence[Effect]
) -> str:
    """Return the revisions, each with a table of the runs before and after it."""
    parts = [f"Gold revisions of {visible(benchmark_id)}"]
    for revision in found:
        mine = [effect for effect in done if effect.revision == revision]
        parts.append("\n".join([_title(revision), *_table(mine)]))
    return "\n\n".join(parts) + "\n"


def _title(revision: Revision) -> str:
    changes = [
        f"{counted(count, noun)} {word}"
        for count, noun, word in (
            (revision.n_added, "item", "added"),
            (revision.n_gold_changed, "gold", "changed"),
            (revision.n_reference_changed, "reference", "added or changed"),
        )
        if count
    ]
    when = f"{revision.revised_at:%Y-%m-%d %H:%M:%S}"
    reason = f": {visible(revision.reason)}" if revision.reason else ""
    return (
        f"{revision.gold_revision}  {when} UTC{reason}\n"
        f"   {', '.join(changes) or 'nothing changed'}; "
        f"{counted(revision.n_items, 'item')} in all"
    )


def _table(effects: Sequence[Effect]) -> list[str]:
    if not effects:
        return []
    head = ["  run", "", "row", *(name for name, _, _ in SHOWN)]
    rows = [
        [
            f"  {effect.after.run.name}",
            short_id(effect.after.run.run_id),
            effect.after.report_row,
            *(_change(effect, name, decimals) for _, name, decimals in SHOWN),
        ]
        for effect in effects
    ]
    return aligned([head, *rows], [False] * 3 + [True] * len(SHOWN))


def _change(effect: Effect, name: str, decimals: int) -> str:
    before = number(effect.before, name) if effect.before else None
    after = number(effect.after, name)
    shown = rounded(after, decimals)
    if before == after:
        return f"{shown} as before"
    return f"{rounded(before, decimals)} -> {shown}"


def revision_rows(found: Sequence[Revision], done: Sequence[Effect]) -> Rows:
    """Return a row per revision, run and report row; the first revision has no run."""
    columns = [*Revision._fields, "run_id", "model", "revision", "label"]
    columns += ["report_row", "method_id"]
    for name in EFFECTS:
        columns += [f"{name}_before", f"{name}_after"]
    rows: list[list[object]] = []
    for revision in found:
        mine = [effect for effect in done if effect.revision == revision]
        rows += [_row(effect) for effect in mine]
        if not mine:
            rows.append([*revision, *[None] * (len(columns) - len(revision))])
    return Rows(tuple(columns), rows)


def _row(effect: Effect) -> list[object]:
    run, line = effect.after.run, effect.after
    row: list[object] = [*effect.revision, run.run_id, run.model, run.revision]
    row += [run.label, line.report_row, line.method_id]
    for name in EFFECTS:
        row += [effect.before and number(effect.before, name), number(line, name)]
    return row


def number(line: Line, name: str) -> float | None:
    """Return a number of a line, or how many items its row has (``n``)."""
    return line.n if name == "n" else line.numbers[name].value
