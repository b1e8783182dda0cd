"""What a suite's scores are made of: members of an entrant, two entrants, the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UnknownNameError
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import counted, short_id
from jevdb.comparison.saying import p_words
from jevdb.scoring.differences import Unknown
from jevdb.scoring.report_text import rounded
from jevdb.suites.board import PLACES, REASON_WORDS
from jevdb.suites.rules import GRADIENTS
from jevdb.suites.scores import scored
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.differences import Difference
    from jevdb.suites.leaderboard import Made
    from jevdb.suites.roster import Entrant, Request
    from jevdb.suites.scores import Member, Scores, Value

DECIMALS = 4


def entrant_named(scores: Scores, name: str) -> Entrant:
    """Return the entrant of a name; a model's name will do where only one has it.

    Raises
    ------
    UnknownNameError
        Nobody takes part under it, or several do.
    """
    by_name = {entrant.name: entrant for entrant in scores.scores}
    of_model = [entrant for entrant in scores.scores if entrant.model == name]
    if name in by_name:
        return by_name[name]
    if len(of_model) == 1:
        return of_model[0]
    raise UnknownNameError("entrant", name, by_name)


class Line(NamedTuple):
    """A member of an entrant: its value, and what of the score it makes, in points."""

    entrant: Entrant
    member: Member
    value: Value
    contribution: float | None


@dataclass(frozen=True, slots=True, repr=False)
class SuiteReport(Tabular):
    """A line per entrant and member: what it is worth and what it adds."""

    scores: Scores
    lines: Sequence[Line]

    def rows(self) -> Rows:
        """Return a row per entrant and member, full precision."""
        return Rows(
            (
                *("entrant", "member", "benchmark", "area", "row", "metric", "kind"),
                *("origin", "run_id", "result_sha256", "raw", "base", "value"),
                *("weight", "contribution", "n", "answered", "reason"),
            ),
            [
                [
                    *(line.entrant.name, line.member.member, line.member.benchmark_id),
                    *(line.member.area, line.member.report_row, line.member.metric),
                    *(line.member.kind, line.value.origin, line.value.run_id),
                    *(line.value.result_sha256, line.value.raw, line.value.base),
                    *(line.value.value, line.member.weight, line.contribution),
                    *(line.value.n, line.value.answered, line.value.reason),
                ]
                for line in self.lines
            ],
        )

    def people_rows(self) -> Rows:
        """Return the lines as people read them, rounded."""
        return Rows(
            (
                *("entrant", "member", "area", "metric", "raw", "base", "value"),
                *("weight", "points", "n", "from", "note"),
            ),
            [
                [
                    *(line.entrant.name, line.member.name, line.member.area),
                    line.member.number,
                    *(
                        _shown(each, DECIMALS)
                        for each in (line.value.raw, line.value.base, line.value.value)
                    ),
                    f"{line.member.weight:g}",
                    _shown(line.contribution, PLACES),
                    line.value.n or None,
                    _source(line.value),
                    _note(line.value),
                ]
                for line in self.lines
            ],
        ).used()

    def heading(self) -> list[str]:
        """Return the suite, and the scores that the lines make."""
        suite = self.scores.request.suite
        names = dict.fromkeys(line.entrant for line in self.lines)
        lines = [f"{suite.id}: {suite.document['aggregate']}, method {suite.method}"]
        for entrant in names:
            score = self.scores.scores[entrant]
            said = (
                rounded(score.score, PLACES)
                if score.score is not None
                else REASON_WORDS.get(str(score.reason), str(score.reason))
            )
            lines.append(f"{entrant.name}: {said}")
        if suite.document["aggregate"] in GRADIENTS:
            lines.append(
                "points: what of the score the member makes; they add up to it"
            )
        return [*lines, *self.scores.roster.notes]


def report(scores: Scores, names: Iterable[str] = ()) -> SuiteReport:
    """Return the report of some entrants, or of all, best first."""
    chosen = [entrant_named(scores, name) for name in names]
    if not chosen:
        chosen = sorted(
            scores.scores, key=lambda e: (-(scores.scores[e].score or -1e300), e.name)
        )
    return SuiteReport(scores, [*_lines(scores, chosen)])


def _lines(scores: Scores, entrants: Sequence[Entrant]) -> Iterator[Line]:
    weights = _weights(scores, entrants)
    for place, entrant in enumerate(entrants):
        for member, value in zip(scores.members, scores.values[entrant], strict=True):
            weight = weights[place].get(member.member)
            score = scores.scores[entrant].score
            has = None not in (weight, value.value, score)
            part = weight * value.value if has else None  # type: ignore[operator]
            yield Line(entrant, member, value, part)


def _weights(scores: Scores, entrants: Sequence[Entrant]) -> Sequence[dict[int, float]]:
    """Return points per value, by member, for each entrant; none of other rules."""
    rule = str(scores.request.suite.document["aggregate"])
    if rule not in GRADIENTS or not scores.counted:
        return [{} for _ in entrants]
    found = GRADIENTS[rule](scores, entrants)
    numbers = [member.member for member in scores.counted]
    return [dict(zip(numbers, row.tolist(), strict=True)) for row in found]


def _source(value: Value) -> str | None:
    if value.run_id:
        return f"run {short_id(value.run_id)}"
    if value.result_sha256:
        return f"reported {short_id(value.result_sha256)}"
    return None


def _note(value: Value) -> str | None:
    words = []
    if value.is_left_out:
        words.append("left out for all")
    if value.reason:
        words.append(REASON_WORDS.get(value.reason, value.reason))
    if value.answered is not None and value.answered < 1:
        words.append(f"answered {value.answered:.4f}")
    return "; ".join(words) or None


def _shown(value: float | None, places: int) -> str | None:
    return None if value is None else rounded(value, places)


@dataclass(frozen=True, slots=True, repr=False)
class SuiteComparison(Tabular):
    """Two entrants by a suite: how far apart, and which members make the difference.

    ``difference`` is other minus base in points, or why nothing is known of it.
    """

    scores: Scores
    base: Entrant
    other: Entrant
    difference: Difference | Unknown
    lines: Sequence[tuple[Line, Line]]

    @property
    def gap(self) -> float | None:
        """Other minus base, in points; null where one has no score."""
        one, two = (self.scores.scores[each].score for each in (self.base, self.other))
        return None if one is None or two is None else two - one

    def rows(self) -> Rows:
        """Return a row per member, full precision, the largest difference first."""
        return Rows(
            (
                *("member", "benchmark", "area", "metric", "kind", "base_value"),
                *("other_value", "difference", "contribution", "reason"),
            ),
            [
                [
                    *(one.member.member, one.member.benchmark_id, one.member.area),
                    *(one.member.metric, one.member.kind),
                    *(one.value.value, two.value.value),
                    _minus(two.value.value, one.value.value),
                    _minus(two.contribution, one.contribution),
                    one.value.reason or two.value.reason,
                ]
                for one, two in self.lines
            ],
        )

    def people_rows(self) -> Rows:
        """Return the members as people read them, rounded."""
        return Rows(
            ("member", "area", "metric", "base", "other", "difference", "points"),
            [
                [
                    *(one.member.name, one.member.area, one.member.number),
                    _shown(one.value.value, DECIMALS),
                    _shown(two.value.value, DECIMALS),
                    _signed(_minus(two.value.value, one.value.value), DECIMALS),
                    _signed(_minus(two.contribution, one.contribution), PLACES),
                ]
                for one, two in self.lines
            ],
        ).used()

    def heading(self) -> list[str]:
        """Return the verdict, and which members make most of the difference."""
        suite = self.scores.request.suite
        names = f"{self.other.name} minus {self.base.name} by {suite.id}"
        if self.gap is None:
            return [f"{names}: one of them has no score"]
        if isinstance(self.difference, Unknown):
            return [f"{names}: {self.gap:+.2f} points ({self.difference.words})"]
        low, high = self.difference.interval()
        verdict = "not resolved"
        if self.difference.is_resolved():
            verdict = "better" if self.gap > 0 else "worse"
        return [
            f"{names}: {self.gap:+.2f} points, 95 % {low:+.2f} to {high:+.2f}, "
            f"p {p_words(self.difference.p_value)}: {verdict}"
        ]


def compare(made: Made, base: str, other: str) -> SuiteComparison:
    """Return two entrants held to each other, base first."""
    scores = made.scores
    one, two = (entrant_named(scores, name) for name in (base, other))
    half = len(scores.members)
    lines = list(_lines(scores, [one, two]))
    pairs = list(zip(lines[:half], lines[half:], strict=True))

    def size(pair: tuple[Line, Line]) -> tuple[float, int]:
        gap = _minus(pair[1].contribution, pair[0].contribution)
        if gap is None:
            gap = _minus(pair[1].value.value, pair[0].value.value)
        return -abs(gap or 0.0), pair[0].member.member

    found = made.evidence.difference(one, two)
    return SuiteComparison(scores, one, two, found, sorted(pairs, key=size))


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _signed(value: float | None, places: int) -> str | None:
    return None if value is None else f"{value:+z.{places}f}"


@dataclass(frozen=True, slots=True, repr=False)
class SuiteExplanation(Tabular):
    """A suite's score from its members down to the rows of every answer."""

    report: SuiteReport
    answers: Rows

    def rows(self) -> Rows:
        """Return a row per member and answer to an item of its number."""
        return self.answers

    def people_rows(self) -> Rows:
        """Return the members, rounded."""
        return self.report.people_rows()

    def heading(self) -> list[str]:
        """Return the score, its areas, and how to go on from a member."""
        [entrant] = dict.fromkeys(line.entrant for line in self.report.lines)
        scores = self.report.scores
        scale = float(scores.request.suite.document["scale"])
        lines = self.report.heading()
        for area in scores.areas[entrant]:
            shown = "N/A" if area.value is None else rounded(scale * area.value, PLACES)
            lines.append(
                f"area {area.area}: {shown}, weight {area.weight:g}, "
                f"{counted(area.n_members, 'member')}"
            )
        for line in self.report.lines:
            if line.value.run_id:
                member = line.member
                lines.append(
                    f"member {member.member}: jevdb explain "
                    f"{short_id(line.value.run_id)} {member.metric} --row "
                    f"{member.report_row} --kind {member.kind} --method "
                    f"{scores.request.suite.method}"
                )
        return [*lines, f"{counted(len(list(self.answers.rows)), 'answer')} behind it"]


def explain(connection: Connection, request: Request, name: str) -> SuiteExplanation:
    """Return what is behind an entrant's score, down to its answers.

    Raises
    ------
    UnknownNameError
        Nobody takes part under the name.
    """
    with scored(connection, request) as scores:
        entrant = entrant_named(scores, name)
        found = connection.execute(
            query("suites/answers"), {"entrant": entrant.name}
        ).fetchall()
        columns = tuple(str(column[0]) for column in connection.description or ())
    return SuiteExplanation(
        report(scores, [entrant.name]), Rows(columns, [list(row) for row in found])
    )
