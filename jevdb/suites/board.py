"""A suite's board: its entrants best first, and its forms for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import counted
from jevdb.comparison.all_pairs import DIGITS
from jevdb.comparison.saying import joined
from jevdb.scoring.differences import INTERVAL_REASONS
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from jevdb.comparison.standing import Standing
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.differences import Unknown
    from jevdb.suites.roster import Entrant
    from jevdb.suites.scores import Area, Score, Scores, Value

PLACES = 2
"""Decimals of a score."""
REASON_WORDS = {
    "missing_member": "a member is missing",
    "one_entrant": "a rule that compares entrants needs two",
    "no_members": "no member has a value of anybody",
    "unanswered": "not every item has an ok answer",
    "no_headroom": "the base is as good as the best: nothing to gain",
    "no_common_options": "the options differ between items: no constant answer",
    "reported": "published results have no rows: no interval",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """An entrant on the board.

    ``rank`` is by the score, null where it is not ranked; ``published_rank`` shares a
    rank within the suite's tie, as its board does. ``origin`` is rows, reported or
    mixed. ``interval`` holds with 95 %, of this entrant alone; ``interval_reason`` says
    why there is none.
    """

    entrant: Entrant
    origin: str
    rank: int | None
    published_rank: int | None
    standing: Standing | None
    score: Score
    interval: Bounds | None
    interval_reason: str | None
    areas: Sequence[Area]
    values: Sequence[Value]

    @property
    def note(self) -> str | None:
        """What is out of the ordinary about the entrant, in words."""
        words = []
        if self.origin != "rows":
            words.append("as reported" if self.origin == "reported" else "mixed")
        if self.score.reason:
            words.append(REASON_WORDS.get(self.score.reason, self.score.reason))
        elif not self.score.is_ranked:
            words.append(f"{counted(self.score.n_missing, 'member')} skipped")
        return "; ".join(words) or None


@dataclass(frozen=True, slots=True, repr=False)
class SuiteBoard(Tabular):
    """A suite's entrants, best first, then those not ranked.

    ``scores`` are all numbers behind it; ``level`` is that of each pair; ``why`` is the
    reason where no pair can be tested.
    """

    scores: Scores
    entries: Sequence[Entry]
    level: float
    is_resampled: bool
    why: Unknown | None

    @property
    def ranked(self) -> list[Entry]:
        """The entries that have a rank."""
        return [entry for entry in self.entries if entry.rank is not None]

    def sentences(self) -> list[str]:
        """Return who leads, in a line."""
        return list(_sentences(self))

    def heading(self) -> list[str]:
        """Return who leads, and what the scores are made of."""
        return [*self.sentences(), *_heading(self)]

    def rows(self) -> Rows:
        """Return a row per entrant, full precision."""
        suite, rules = self.scores.request.suite, self.scores.request.suite.rules[1:]
        return Rows(
            (
                *("suite", "version", "rank", "published_rank", "title"),
                *("rank_low", "rank_high", "entrant", "model", "revision", "label"),
                *("score", "low", "high", "interval_reason", *rules, "areas"),
                *("n_members", "n_missing", "origin", "reason", "note"),
            ),
            [
                [
                    *(suite.name, suite.version, entry.rank, entry.published_rank),
                    *(entry.standing and entry.standing.title,),
                    *(entry.standing and entry.standing.rank_low,),
                    *(entry.standing and entry.standing.rank_high,),
                    *(entry.entrant.name, *entry.entrant),
                    *(entry.score.score, *(entry.interval or (None, None))),
                    entry.interval_reason,
                    *(entry.score.by(rule) for rule in rules),
                    {area.area: area.value for area in entry.areas},
                    *(entry.score.n_members, entry.score.n_missing, entry.origin),
                    *(entry.score.reason, entry.note),
                ]
                for entry in self.entries
            ],
        )

    def people_rows(self) -> Rows:
        """Return the board as people read it, rounded."""
        suite = self.scores.request.suite
        rules, scale = suite.rules[1:], float(suite.document["scale"])
        areas = sorted({area.area for entry in self.entries for area in entry.areas})
        has_tie = suite.document["tie"] > 0
        return Rows(
            (
                *("rank", "ranks", "", "entrant", "score", "95 % interval"),
                *(["published rank"] if has_tie else []),
                *(*rules, *areas, "members", "note"),
            ),
            [
                [
                    entry.rank and str(entry.rank),
                    _range_words(entry),
                    entry.standing and entry.standing.title,
                    entry.entrant.name,
                    _shown(entry.score.score),
                    _interval_words(entry),
                    *([entry.published_rank] if has_tie else []),
                    *(_shown(entry.score.by(rule)) for rule in rules),
                    *(_shown(_area(entry, area), scale) for area in areas),
                    _members(entry),
                    entry.note,
                ]
                for entry in self.entries
            ],
        ).used()


def published_ranks(scores: Sequence[float], tie: float) -> list[int]:
    """Return the ranks of scores, best first, as a board with a tie publishes them.

    A rank goes on while the gap to the score right above is at most *tie*.

    Examples
    --------
    >>> published_ranks([52.0, 51.8, 51.6, 51.3], 0.25)
    [1, 1, 1, 4]
    """
    ranks: list[int] = []
    for place, score in enumerate(scores):
        is_near = place > 0 and round(scores[place - 1] - score, DIGITS) <= tie
        ranks.append(ranks[-1] if is_near else place + 1)
    return ranks


def _shown(value: float | None, scale: float = 1.0) -> str | None:
    return None if value is None else rounded(scale * value, PLACES)


def _interval_words(entry: Entry) -> str | None:
    if entry.interval is None:
        return None
    return " to ".join(rounded(end, PLACES) for end in entry.interval)


def _range_words(entry: Entry) -> str | None:
    if entry.standing is None or entry.standing.rank_low is None:
        return None
    low, high = entry.standing.rank_low, entry.standing.rank_high
    return str(low) if low == high else f"{low}-{high}"


def _area(entry: Entry, name: str) -> float | None:
    return next((area.value for area in entry.areas if area.area == name), None)


def _members(entry: Entry) -> str:
    n, missing = entry.score.n_members, entry.score.n_missing
    return str(n) if not missing else f"{n - missing} of {n}"


def _sentences(board: SuiteBoard) -> Iterator[str]:
    ranked, suite = board.ranked, board.scores.request.suite
    with_rows = [entry for entry in ranked if entry.standing is not None]
    leaders = [e for e in with_rows if e.standing is not None and e.standing.leads]
    if not ranked:
        yield f"Nobody is ranked by {suite.id}."
    elif len(ranked) == 1:
        yield f"Only {ranked[0].entrant.name} is ranked by {suite.id}."
    elif not leaders:
        yield f"By {suite.id} in the order of scores: no pair can be tested."
    elif len(leaders) == 1:
        others = "" if len(with_rows) == len(ranked) else " with rows"
        yield (
            f"{leaders[0].entrant.name} is #1 of {len(with_rows)}{others} by "
            f"{suite.id}: it is above every other."
        )
    else:
        names = joined([entry.entrant.name for entry in leaders])
        yield (
            f"{len(leaders)} of {len(with_rows)} entrants may be first by {suite.id}: "
            f"{names}. 95 % for all ranks at once."
        )


def _heading(board: SuiteBoard) -> Iterator[str]:
    scores = board.scores
    suite = scores.request.suite
    document = suite.document
    yield (
        f"{suite.id} ({suite.sha256[:12]}): {document['aggregate']} of "
        f"{counted(len(scores.counted), 'member')} by method {suite.method}; "
        f"missing: {document['missing']}, not ok answers: {document['unanswered']}"
    )
    if any(rule in ("borda", "win_rate") for rule in suite.rules):
        complete = sum(s.n_missing == 0 for s in scores.scores.values())
        yield f"Borda points and win rates are among {complete} complete entrants"
    for member in scores.left_out:
        found = {each[member.member - 1].reason for each in scores.values.values()}
        why = ", ".join(sorted(map(str, found - {"missing_member"})))
        yield f"left out for all: {member.name} ({why})"
    for member in scores.members:
        if member.excluded:
            why = f": {member.exclude_reason}" if member.exclude_reason else ""
            yield (
                f"without {counted(len(member.excluded), 'item')} of {member.name}{why}"
            )
    yield from scores.roster.notes
    if any(entry.origin != "rows" for entry in board.ranked):
        yield (
            "reported scores are ranked by value alone: they have no interval, and the "
            "possible ranks are among those with rows"
        )
    if board.why is not None:
        yield board.why.words
    elif board.ranked:
        how = "resampled items" if board.is_resampled else "the members' variances"
        yield (
            f"ranks: which are possible, by {how}, clusters of members independent; an "
            "interval is of its entrant alone: that two overlap decides nothing"
        )


def interval_reason_words(reason: str) -> str:
    """Return a reason to have no interval as people read it."""
    return REASON_WORDS.get(reason, INTERVAL_REASONS.get(reason, reason))
