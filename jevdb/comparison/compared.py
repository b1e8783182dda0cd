"""A comparison: its lines, its sentences, and its forms for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

from jevdb.base.errors import UsageError
from jevdb.base.metrics import REASONS, Number, decimals, sign, signed
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import counted, short_id
from jevdb.base.wording import option
from jevdb.comparison.cohorts import Asked, Candidates, dropped_words, invalid_words
from jevdb.comparison.rules import IntervalRule
from jevdb.comparison.saying import (
    BOOTSTRAP_WORDS,
    about,
    ends,
    in_points,
    interval_words,
    is_in_points,
    joined,
    p_words,
    points,
)
from jevdb.numerics.binomial import Bounds
from jevdb.numerics.estimates import items_needed
from jevdb.scoring.differences import Contrast, Difference, Discordance, Unknown
from jevdb.scoring.evidence import Key
from jevdb.scoring.report_text import rounded
from jevdb.scoring.selection import Dimension

if TYPE_CHECKING:
    from jevdb.scoring.cluster_by import ClusterBy
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run

HEADLINE, EXPLORATORY = "headline", "exploratory"

COLUMNS = (
    *("base_run_id", "run_id", "benchmark_id", "cohort", "modality"),
    *("gold_revision", "report_row", "method_id", "metric", "kind"),
    *("n_base", "n", "base_value", "value", "difference", "low", "high", "verdict"),
    *("n_both", "n_only_base", "n_only_other", "n_neither", "p_value", "reason"),
    *("claim", "level", "p_adjusted", "p_bh", "test", "verdict_reason"),
    *("interval_reason", "df", "se", "mde", "items_needed", "n_pair"),
    *("cluster", "n_clusters", "identical", "equivalent_within"),
)


BY = {"accuracy": "accuracy", "i": "intelligence", "intelligence": "intelligence"}
"""Words for the headline's first number."""


def headline_order(
    by: str, break_down: Dimension | None
) -> tuple[str, Dimension | None]:
    """Return the headline's first number and the breakdown that the words mean.

    Raises
    ------
    UsageError
        A word that is neither; two breakdowns.
    """
    if by.lower() in BY:
        return BY[by.lower()], break_down
    if by not in get_args(Dimension):
        raise UsageError(
            f"{option('by')} {by!r}: the headline is by accuracy or I; rows are added "
            f"with {option('break_down')} {', '.join(get_args(Dimension))}"
        )
    if break_down not in (None, by):
        raise UsageError(
            f"two breakdowns, {by} and {break_down}: name one with "
            f"{option('break_down')}"
        )
    return "accuracy", cast("Dimension", by)


class Request(NamedTuple):
    """What is compared with what, on which items, and what is asked of it first.

    ``by`` is the headline's first number, accuracy or I; ``row`` its report row, the
    one with most items unless given; ``break_down`` adds rows per type, tier, ...;
    ``equivalent_within`` is in points: hundredths of accuracy, or units of I.
    """

    base: Run
    others: Sequence[Run]
    asked: Asked
    methods: Sequence[str]
    by: str = "accuracy"
    row: str | None = None
    break_down: Dimension | None = None
    cluster: ClusterBy | None = None
    equivalent_within: float | None = None
    rule: IntervalRule = IntervalRule.ANALYTIC
    shows_all: bool = False

    @property
    def runs(self) -> list[Run]:
        """The base and the others, in this order."""
        return [self.base, *self.others]


@dataclass(frozen=True, slots=True)
class Line:
    """A number of the base beside that of another run, and what is said of it.

    ``difference`` is other minus base over the items where both count; ``interval`` is
    at one minus ``level``. ``verdict`` is better, worse, not_resolved, equivalent,
    identical, or null where a number is missing. Of a headline ``p_adjusted`` allows
    for the other runs; of an exploratory line ``p_bh`` for the lines beside it.
    """

    key: Key
    other: Run
    base_value: Value
    other_value: Value
    difference: float | None
    contrast: Contrast | None
    interval: Bounds | None
    claim: str
    level: float
    verdict: str | None
    verdict_reason: str | None = None
    pairs: Discordance | None = None
    p_adjusted: float | None = None
    p_bh: float | None = None
    identical: bool = False
    cluster: str = "none"
    n_clusters: int | None = None
    equivalent_within: float | None = None

    @property
    def tested(self) -> Discordance | Difference | None:
        """The contrast, where there is a test."""
        return None if isinstance(self.contrast, Unknown) else self.contrast

    @property
    def p_value(self) -> float | None:
        """The two-sided p-value, not adjusted."""
        return self.tested and self.tested.p_value

    @property
    def interval_reason(self) -> str | None:
        """Why there is no interval."""
        if self.interval is not None:
            return None
        if self.identical:
            return "identical_rows"
        if isinstance(self.contrast, Unknown):
            return self.contrast.reason
        return self.reason

    @property
    def reason(self) -> str | None:
        """Why there is no difference."""
        return self.base_value.reason or self.other_value.reason

    @property
    def items_needed(self) -> int | None:
        """How many items, mixed like these, would see this difference."""
        if self.tested is None or self.difference is None:
            return None
        return items_needed(self.tested.n, self.tested.mde, self.difference)

    @property
    def name(self) -> str:
        """The number's name as `--metric` takes it: ece alone would be pooled."""
        number = Number(self.key.metric, self.key.kind)
        return "ece_all" if number == ("ece", "all") else number.name


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
        return list(_sentences(self))

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
        return _why(line)
    low, high = (signed(end, line.key.metric) for end in line.interval)
    return f"{low} to {high}"


def _verdict_words(line: Line) -> str:
    words = (line.verdict or "").replace("_", " ")
    if line.verdict_reason in (None, line.interval_reason):
        return words
    return f"{words} ({str(line.verdict_reason).replace('_', ' ')})"


def _why(line: Line) -> str:
    """Return why a line has no interval, in words."""
    if isinstance(line.contrast, Unknown):
        return line.contrast.words
    if line.identical:
        return Unknown("identical_rows").words
    return REASONS[line.reason] if line.reason else "no replicate has a value"


def _sentences(comparison: Comparison) -> Iterator[str]:
    headline = comparison.headline
    if not headline:
        return
    if len(comparison.request.others) > 1:
        yield from _several(comparison)
        return
    first, *rest = headline
    parts = [_first(comparison, first)]
    if first.verdict != "identical":
        parts += [_second(line, first) for line in rest]
    yield " ".join(parts)


def _first(comparison: Comparison, line: Line) -> str:
    label, other = _label(line), comparison.request.others[0].name
    if line.verdict is None:
        return f"No result: {label} has no value ({_why(line)})."
    if line.verdict == "identical":
        n = counted(line.other_value.n, "item")
        return f"Identical: the same answers to all {n}."
    found = f"{label} {_measured(line)}"
    if line.verdict == "equivalent":
        within = f"{comparison.request.equivalent_within:g} points"
        return f"Equivalent within {within}: {found}."
    if line.verdict == "not_resolved":
        return f"Not resolved: {found}{_p(line)}.{_seen(line)}"
    return f"{other} is {line.verdict}: {found}{_p(line)}."


def _second(line: Line, first: Line) -> str:
    label = _label(line)
    name = label[0].upper() + label[1:]
    if line.verdict is None:
        return f"{name}: no value ({_why(line)})."
    if line.interval is None:
        return f"{name}: not resolved ({_why(line)})."
    if line.verdict_reason == "gated":
        return (
            f"{name}: {_measured(line)}, not counted: {_label(first)} is not resolved."
        )
    if line.verdict == "not_resolved":
        seen = ""
        if line.tested is not None:
            seen = f"; this benchmark can see {_size(line, line.tested.mde)}"
        found = interval_words(line.interval, _metric(line))
        return f"{name}: not resolved ({found}){seen}."
    if line.verdict == "equivalent":
        return f"{name}: equivalent, {_measured(line)}."
    return f"{name}: {line.verdict}, {_measured(line)}{_p(line)}."


def _measured(line: Line) -> str:
    metric = _metric(line)
    assert line.difference is not None
    size = points(line.difference, metric)
    unit = "" if is_in_points(metric) or line.verdict == "equivalent" else " points"
    if line.interval is None:
        return f"{size}{unit} ({_why(line)})"
    return f"{size}{unit} ({interval_words(line.interval, metric)})"


def _p(line: Line) -> str:
    if line.p_value is None:
        return ""
    exact = "exact " if isinstance(line.contrast, Discordance) else ""
    return f", {exact}p {p_words(line.p_value)}"


def _seen(line: Line) -> str:
    if line.tested is None or line.interval is None:
        return ""
    seen = f" {line.tested.n:,} items can see {_size(line, line.tested.mde)}"
    needed = line.items_needed
    if needed is None or line.difference is None or needed <= line.tested.n:
        return f"{seen}."
    size = _size(line, abs(line.difference))
    return f"{seen}; about {about(needed)} would see {size}."


def _size(line: Line, value: float) -> str:
    return f"{in_points(value, _metric(line)):.1f}"


def _metric(line: Line) -> str:
    return line.key.metric


def _label(line: Line) -> str:
    return "I" if line.key.metric == "intelligence" else line.key.metric


def _several(comparison: Comparison) -> Iterator[str]:
    """Yield, number by number, which of several runs are better, worse, neither."""
    request = comparison.request
    count = len(request.others)
    first = comparison.headline[0]
    by_number: dict[str, list[Line]] = {}
    for line in comparison.headline:
        by_number.setdefault(_label(line), []).append(line)
    share = 100 * (1 - first.level)
    together = f"at {share:.6g} % each so that all {count} hold together"
    if request.rule is IntervalRule.BOOTSTRAP:
        together = "each for itself"
    for label, lines in by_number.items():
        start = f"Against {request.base.name}, {together}: "
        if label != _label(first):
            start = f"{label[0].upper()}{label[1:]}: "
        yield start + "; ".join(_verdict_lists(lines)) + "."


def _verdict_lists(lines: Sequence[Line]) -> Iterator[str]:
    names: dict[str, list[str]] = {"better": [], "worse": [], "not_resolved": []}
    for line in lines:
        names.setdefault(line.verdict or "without a value", []).append(line.other.name)
    for verdict, runs in names.items():
        yield f"{verdict.replace('_', ' ')}: {joined(runs)}"


def _heading(comparison: Comparison) -> Iterator[str]:
    request = comparison.request
    yield f"base   {request.base.name} ({short_id(request.base.run_id)})"
    for other in request.others:
        yield f"other  {other.name} ({short_id(other.run_id)})"
    row = f" / {comparison.headline[0].key.report_row}" if comparison.headline else ""
    yield (
        f"{request.base.benchmark_id}{row}: {comparison.n_items} of "
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
    level = comparison.headline[0].level if comparison.headline else 0.05
    yield (
        f"difference = other - base; intervals of {100 * (1 - level):.6g} %, "
        f"{comparison.clusters}"
    )


def verdict_of(
    metric: str, contrast: Contrast, interval: Bounds | None, level: float,
    within: float | None = None,
) -> tuple[str, str | None]:  # fmt: skip
    """Return the verdict of a tested difference, and why it is not resolved.

    *within* is the margin of equivalence in the metric's unit.
    """
    if isinstance(contrast, Unknown):
        return "not_resolved", contrast.reason
    if contrast.is_resolved(level):
        is_better = (contrast.point > 0) == (sign(metric) > 0)
        return ("better" if is_better else "worse"), None
    if within is not None and interval is not None:
        low, high = ends(interval)
        if -within < low and high < within:
            return "equivalent", None
    return "not_resolved", None
