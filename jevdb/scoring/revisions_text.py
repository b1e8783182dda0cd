"""The gold revisions of a benchmark as text: each with what it did to the runs."""

from __future__ import annotations

from collections.abc import Sequence

from jevdb.base.text import aligned, counted, short_id, visible
from jevdb.scoring.report_text import rounded
from jevdb.scoring.revisions import Effect, Revision, number

SHOWN = (("I", "intelligence", 2), ("C", "calibration", 2), ("Accuracy", "accuracy", 4))


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
    when = revision.revised_at.isoformat(sep=" ", timespec="seconds")
    reason = f": {visible(revision.reason)}" if revision.reason else ""
    return (
        f"{revision.gold_revision}  {when} UTC{reason}\n"
        f"   {', '.join(changes) or 'nothing changed'}; {revision.n_items} items in all"
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
