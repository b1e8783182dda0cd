"""What an ingest of items did, in numbers and in words."""

from __future__ import annotations

import html
import json
from dataclasses import asdict, dataclass, field
from typing import Literal

from jevdb.base.text import visible
from jevdb.base.wording import for_shell
from jevdb.ingest.ignored import ignored_words


@dataclass(frozen=True, slots=True)
class ItemsSummary:
    """What became of the items: new ones, ones with another gold, ones as before."""

    benchmark_id: str
    outcome: Literal["stored", "already_there", "dry_run"]
    scoring: str
    is_created: bool
    near_benchmarks: list[str]
    gold_revision: int
    read: int
    new: int
    changed: int
    same: int
    files: list[dict[str, str]]
    ignored_keys: list[str]
    conversions: list[str] = field(default_factory=list)
    first_items: list[dict[str, object]] | None = None
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        """Return the summary as a JSON object; only a dry run has first items."""
        document = asdict(self)
        if self.first_items is None:
            del document["first_items"]
        return document

    def __str__(self) -> str:
        return items_in_words(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def items_in_words(summary: ItemsSummary) -> str:
    """Return what became of some items."""
    lines = []
    if summary.is_created and summary.outcome != "dry_run":
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
    if summary.outcome == "dry_run":
        new = " of a new benchmark" if summary.is_created else ""
        lines.append(f"items{new}, would be stored: {', '.join(parts) or 'none'}")
    elif summary.outcome == "stored":
        lines.append(f"items: {', '.join(parts)}; {revision}")
    else:
        lines.append(f"items: already there, all {summary.same:,}; {revision}")
    lines += map(for_shell, [*summary.notes, *summary.conversions])
    lines += ignored_words(summary.ignored_keys)
    if summary.first_items is not None:
        lines.append(f"the first {len(summary.first_items)}, as they would be stored:")
        lines += [
            visible(json.dumps(item, ensure_ascii=False))
            for item in summary.first_items
        ]
    return "\n".join(lines)
