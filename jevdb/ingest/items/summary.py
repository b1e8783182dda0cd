"""What an ingest of items did, in numbers and in words."""

from __future__ import annotations

import html
from dataclasses import asdict, dataclass
from typing import Literal

from jevdb.ingest.ignored import ignored_words


@dataclass(frozen=True, slots=True)
class ItemsSummary:
    """What became of the items: new ones, ones with another gold, ones as before."""

    benchmark_id: str
    outcome: Literal["stored", "already_there"]
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

    def to_json(self) -> dict[str, object]:
        """Return the summary as a JSON object."""
        return asdict(self)

    def __str__(self) -> str:
        return items_in_words(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


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
    return "\n".join(lines + ignored_words(summary.ignored_keys))
