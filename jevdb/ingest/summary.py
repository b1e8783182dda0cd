"""What an ingest did, in numbers that add up and in words."""

from __future__ import annotations

import html
from dataclasses import asdict, dataclass, field
from typing import Literal

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

    expected = ok + invalid + unsupported + error + missing, the items of the benchmark;
    read = expected - missing + retries + duplicates + rejected, the rows of the files.
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
    files: list[dict[str, str]] = field(default_factory=list)
    ignored_keys: list[str] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    superseded: str | None = None
    first_rows: list[dict[str, object]] | None = None

    def to_json(self) -> dict[str, object]:
        """Return the summary as a JSON object; only a dry run has first rows."""
        document = asdict(self)
        if self.first_rows is None:
            del document["first_rows"]
        return document

    def __str__(self) -> str:
        from jevdb.ingest.words import run_in_words

        return run_in_words(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"
