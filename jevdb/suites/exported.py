"""A suite's board as a document: what `jevdb export --suite` writes, byte for byte.

It depends on rows, gold, method and suite alone. Ends of intervals have ten digits, so
that no machine's way to add differs in them; all else has full precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.ingest.decode.records import canonical_json

if TYPE_CHECKING:
    from jevdb.base.documents import Json
    from jevdb.suites.board import Entry, SuiteBoard
    from jevdb.suites.scores import Member, Value

SCHEMA_VERSION = 2
DIGITS = 10


def document(board: SuiteBoard) -> Json:
    """Return the board: entrants best first, unranked ones last.

    Areas and members are in [0, 1] where their values are, before the suite's scale.
    """
    suite, members = board.scores.request.suite, board.scores.members
    return {
        "schema_version": SCHEMA_VERSION,
        "suite": {
            "name": suite.name,
            "version": suite.version,
            "sha256": suite.sha256,
        },
        "entrants": [
            _entrant(entry, suite.rules[1:], members) for entry in board.entries
        ],
    }


def to_bytes(board: SuiteBoard) -> bytes:
    """Return the document as canonical JSON, one line."""
    return f"{canonical_json(document(board))}\n".encode()


def _entrant(entry: Entry, rules: list[str], members: object) -> Json:
    low, high = entry.interval or (None, None)
    return {
        "model": entry.entrant.model,
        "revision": entry.entrant.revision,
        "label": entry.entrant.label,
        "rank": entry.rank,
        "published_rank": entry.published_rank,
        "score": {
            "value": entry.score.score,
            "low": _rounded(low),
            "high": _rounded(high),
            "reason": entry.score.reason or entry.interval_reason,
        },
        "columns": {rule: entry.score.by(rule) for rule in rules},
        "areas": {area.area: area.value for area in entry.areas},
        "members": [
            _member(member, value)
            for member, value in zip(members, entry.values, strict=True)  # type: ignore[call-overload]
        ],
    }


def _member(member: Member, value: Value) -> Json:
    return {
        "benchmark": member.benchmark_id,
        "area": member.area,
        "row": member.report_row,
        "metric": member.metric,
        "kind": member.kind,
        "origin": value.origin,
        "run_id": value.run_id,
        "raw": value.raw,
        "base": value.base,
        "value": value.value,
        "n": value.n,
        "answered": value.answered,
        "reason": value.reason,
    }


def _rounded(end: float | None) -> float | None:
    return None if end is None else float(f"{end:.{DIGITS - 1}e}")
