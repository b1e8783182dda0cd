"""A suite's entrants ranked, by what tests of all pairs show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jevdb.comparison.all_pairs import DIGITS
from jevdb.comparison.standing import ranks_of, standings
from jevdb.suites.board import Entry, SuiteBoard, published_ranks
from jevdb.suites.intervals import Evidence, evidence
from jevdb.suites.rows import read_rows
from jevdb.suites.scores import Scores, scored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jevdb.base.connection import Connection
    from jevdb.comparison.standing import Standing
    from jevdb.suites.roster import Entrant, Request
    from jevdb.suites.scores import Value


class Made(NamedTuple):
    """The scores of a suite, and how sure they are."""

    scores: Scores
    evidence: Evidence


def made(connection: Connection, request: Request) -> Made:
    """Return the scores of a suite with their spread."""
    with scored(connection, request) as scores:
        rows = read_rows(connection, scores) if scores.roster.run_ids else None
    rule = str(request.suite.document["aggregate"])
    return Made(scores, evidence(scores, rows, rule))


def leaderboard(connection: Connection, request: Request) -> SuiteBoard:
    """Return the board of a suite.

    Raises
    ------
    UnknownNameError, UsageError
        A name to pin, join or drop fits nobody, or two.
    """
    return board(*made(connection, request))


def board(scores: Scores, spread: Evidence) -> SuiteBoard:
    """Return the board of scores with their spread."""
    found = scores.scores

    def score(entrant: Entrant) -> float:
        value = found[entrant].score
        assert value is not None
        return value

    ranked = sorted(
        (entrant for entrant in found if found[entrant].is_ranked),
        key=lambda entrant: (-round(score(entrant), DIGITS), entrant.name),
    )
    values = [score(entrant) for entrant in ranked]
    ranks = dict(zip(ranked, ranks_of(values), strict=True))
    tie = float(scores.request.suite.document["tie"])
    published = dict(zip(ranked, published_ranks(values, tie), strict=True))
    with_rows = [entrant for entrant in ranked if entrant in spread.entrants]
    tested = spread.pairwise(with_rows)
    shown = [score(entrant) for entrant in with_rows]
    standing: dict[Entrant, Standing] = {}
    if with_rows:
        placed = standings(shown, tested, shown)
        standing = dict(zip(with_rows, placed, strict=True))
    others = sorted(found.keys() - set(ranked), key=lambda entrant: entrant.name)
    entries = []
    for entrant in [*ranked, *others]:
        sure = spread.sure(entrant)
        origin = _origin(scores.values[entrant])
        reason = None
        if sure.interval is None:
            reason = sure.reason or found[entrant].reason
            reason = "reported" if origin != "rows" else reason or "missing_member"
        entries.append(
            Entry(
                *(entrant, origin, ranks.get(entrant), published.get(entrant)),
                *(standing.get(entrant), found[entrant]),
                *(sure.interval, reason),
                *(scores.areas[entrant], scores.values[entrant]),
            )
        )
    return SuiteBoard(scores, entries, tested.level, spread.is_resampled, spread.why)


def _origin(values: Sequence[Value]) -> str:
    origins = {value.origin for value in values} - {None}
    return "mixed" if len(origins) > 1 else str(next(iter(origins), "rows"))
