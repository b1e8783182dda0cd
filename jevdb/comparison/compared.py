"""A comparison, and its forms for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jevdb.base.metrics import decimals, signed
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import counted, short_id
from jevdb.comparison.cohorts import Candidates, dropped_words, invalid_words
from jevdb.comparison.compare_request import Request
from jevdb.comparison.compared_line import EXPLORATORY, HEADLINE, Line
from jevdb.comparison.compared_sentences import sentences
from jevdb.comparison.rules import IntervalRule
from jevdb.comparison.saying import (
    BOOTSTRAP_WORDS,
    interval_words,
    p_words,
)
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    pass

COLUMNS = (
    *("base_run_id", "run_id", "benchmark_id", "cohort", "modality"),
    *("gold_revision", "report_row", "method_id", "metric", "kind"),
    *("n_base", "n", "base_value", "value", "difference", "low", "high", "verdict"),
    *("n_both", "n_only_base", "n_only_other", "n_neither", "p_value", "reason"),
    *("claim", "level", "p_adjusted", "p_bh", "test", "verdict_reason"),
    *("interval_reason", "df", "se", "mde", "items_needed", "n_pair"),
    *("cluster", "n_clusters", "identical", "equivalent_within"),
)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Tabular):
    """The lines, and what they were made from; the headline's lines stand first."""

    request: Request
    candidates: Candidates
    n_items: int
    gold_revision: int
    clusters: str
    lines: list[Line]

    @property
    def headline(self) -> list[Line]:
        """The lines that are claims: two numbers per other run."""
        return [line for line in self.lines if line.claim == HEADLINE]

    @property
    def exploratory(self) -> list[Line]:
        """The lines beside them."""
        return [line for line in self.lines if line.claim == EXPLORATORY]

    def sentences(self) -> list[str]:
        """Return what the comparison says, in a line or two."""
        return list(sentences(self.request, self.headline))

    def rows(self) -> Rows:
        """Return a row per number and other run, full precision."""
        return Rows(COLUMNS, [_row(self, line) for line in self.lines])

    def people_rows(self) -> Rows:
        """Return the headline as people read it, rounded."""
        return _people_rows(self, self.headline)

    def exploratory_rows(self) -> Rows:
        """Return the other lines as people read them."""
        return _people_rows(self, self.exploratory)

    def heading(self) -> list[str]:
        """Return what is said, and what the numbers are: runs, items, gold."""
        return [*self.sentences(), *_heading(self)]

    def text(self) -> str:
        """Return the heading, the headline, and all lines where they are asked for."""
        return Tabular.text(self) + self._rest(Tabular.text)

    def markdown(self) -> str:
        """Return the same as Markdown."""
        return Tabular.markdown(self) + self._rest(Tabular.markdown)

    def _rest(self, form: object) -> str:
        if not self.request.shows_all or not self.exploratory:
            return ""
        block = _Exploratory(self)
        is_text = form is Tabular.text
        return "\n" + (block.text() if is_text else block.markdown())


@dataclass(frozen=True, slots=True, repr=False)
class _Exploratory(Tabular):
    """The lines beside the headline, under the line that says what they are."""

    comparison: Comparison

    def rows(self) -> Rows:
        return self.comparison.rows()

    def people_rows(self) -> Rows:
        return self.comparison.exploratory_rows()

    def heading(self) -> list[str]:
        n = counted(len(self.comparison.exploratory), "line")
        return [
            f"exploratory: intervals are of each line alone; verdicts allow for the {n}"
        ]


def _row(comparison: Comparison, line: Line) -> list[object]:
    request, (base, other) = comparison.request, (line.base_value, line.other_value)
    tested = line.tested
    return [
        *(request.base.run_id, line.other.run_id, request.base.benchmark_id),
        *(request.asked.rule.value, request.asked.modality),
        *(comparison.gold_revision, *line.key),
        *(base.n, other.n, base.value, other.value, line.difference),
        *(line.interval or (None, None)),
        line.verdict,
        *(line.pairs or [None] * 4),
        *(line.p_value, base.reason or other.reason),
        *(line.claim, line.level, line.p_adjusted, line.p_bh),
        _test(comparison, line),
        *(line.verdict_reason, line.interval_reason),
        *(tested and tested.df, tested and tested.se, tested and tested.mde),
        *(line.items_needed, tested and tested.n, line.cluster, line.n_clusters),
        *(line.identical, line.equivalent_within),
    ]


def _test(comparison: Comparison, line: Line) -> str | None:
    if comparison.request.rule is IntervalRule.BOOTSTRAP:
        return None if line.interval is None else "bootstrap"
    return line.tested and line.tested.test


def _people_rows(comparison: Comparison, lines: Sequence[Line]) -> Rows:
    """Return lines rounded; what never applies is left out."""
    columns = ("run", "row", "method", "number", "base", "other", "difference")
    return Rows(
        (*columns, "interval", "p", "verdict"),
        [_people_row(comparison, line) for line in lines],
    ).used()


def _people_row(comparison: Comparison, line: Line) -> list[object]:
    request, places = comparison.request, decimals(line.key.metric)
    is_exploratory = line.claim == EXPLORATORY
    several_rows = is_exploratory and len({one.key[0] for one in comparison.lines}) > 1
    return [
        line.other.name if len(request.others) > 1 else None,
        line.key.report_row if several_rows else None,
        line.key.method_id if len(request.methods) > 1 else None,
        line.name,
        rounded(line.base_value.value, places),
        rounded(line.other_value.value, places),
        None if line.difference is None else signed(line.difference, line.key.metric),
        _interval(line),
        None if line.p_value is None else p_words(line.p_value),
        line.verdict and _verdict_words(line),
    ]


def _interval(line: Line) -> str | None:
    if line.interval is None:
        return line.why
    low, high = (signed(end, line.key.metric) for end in line.interval)
    return f"{low} to {high}"


def _verdict_words(line: Line) -> str:
    words = (line.verdict or "").replace("_", " ")
    if line.verdict_reason in (None, line.interval_reason):
        return words
    return f"{words} ({str(line.verdict_reason).replace('_', ' ')})"


def _heading(comparison: Comparison) -> Iterator[str]:
    request = comparison.request
    yield f"base   {request.base.name} ({short_id(request.base.run_id)})"
    for other in request.others:
        yield f"other  {other.name} ({short_id(other.run_id)})"
    asked = [run.n_repeats for run in (request.base, *request.others)]
    if max(asked) > 1:
        each = " vs ".join(f"x{n}" for n in asked)
        yield f"asked  {each}: items have mean answers, and p is that of a t test"
    row = f" / {comparison.headline[0].key.report_row}" if comparison.headline else ""
    yield (
        f"{request.base.benchmark}{row}: {comparison.n_items} of "
        f"{counted(len(comparison.candidates.types), 'item')} "
        f"({request.asked.words}), gold revision {comparison.gold_revision}"
    )
    for words in dropped_words(comparison.candidates, request.runs):
        yield f"dropped for {words}"
    for words in invalid_words(comparison.candidates, request.runs):
        yield f"counted wrong: {words}"
    if request.rule is IntervalRule.BOOTSTRAP:
        yield f"difference = other - base; {BOOTSTRAP_WORDS}"
        return
    for line in comparison.headline:
        if line.again is not None:
            to = f" of {line.other.name}" if len(request.others) > 1 else ""
            is_index = line.key.metric == "intelligence"
            name, unit = ("I", "") if is_index else ("accuracy", " points")
            yield (
                f"these items asked again: {name}{to} "
                f"{interval_words(line.again.interval, line.key.metric)}{unit}; more "
                "answers to them can narrow the interval by at most "
                f"{100 * line.again.most_gained:.0f} %"
            )
    level = comparison.headline[0].level if comparison.headline else 0.05
    yield (
        f"difference = other - base; intervals of {100 * (1 - level):.6g} %, "
        f"{comparison.clusters}"
    )
