"""What is said of each number of a run: its value, its formula with its own values.

Every part of a formula leads one level down, in the end to exactly the rows averaged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from jevdb.base.metrics import BY_NAME, TYPES, Number, decimals
from jevdb.base.text import counted
from jevdb.scoring.report_text import rounded
from jevdb.site.boards import heading
from jevdb.site.numbers import Agreed, agreed, in_order

if TYPE_CHECKING:
    from jevdb.base.documents import Json
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run
    from jevdb.site.numbers import Fate, Numbers, Row, Tier


SCORED = ("right", "wrong", "scored", "ok")
"""Fates that the value itself tells."""


class Piece(NamedTuple):
    """A piece of a formula: words, and where they lead on the page, if anywhere."""

    words: str
    anchor: str | None = None


class Section(NamedTuple):
    """A number with its values by method, its formula and its rows."""

    number: Number
    title: str
    long: str
    n_methods: int
    values: list[Agreed]
    formula: list[Piece]
    fates: list[Fate]

    @property
    def fates_words(self) -> str:
        """What became of rows that were not simply scored; said of a metric once."""
        if self.number.kind != next(iter(BY_NAME[self.number.metric].kinds)):
            return ""
        return "; ".join(
            f"{fate.n} {fate.fate}" + ("" if fate.is_averaged else " (left out)")
            for fate in self.fates
            if not (fate.is_averaged and fate.fate in SCORED)
        )

    @property
    def _values(self) -> list[Value]:
        return [cast("Value", same.content) for same in self.values]

    @property
    def reason(self) -> str | None:
        """Why the first method has no value."""
        return self._values[0].reason

    @property
    def is_shown(self) -> bool:
        """Whether it has a value, or a place on pages that lead here."""
        has_value = any(each.value is not None for each in self._values)
        return has_value or bool(BY_NAME[self.number.metric].paged)

    @property
    def anchor(self) -> str:
        """Where it stands on its page."""
        return f"{self.number.metric}.{self.number.kind}"


class Below(NamedTuple):
    """What numbers of a page are added up from: terms of I, bins of the ECEs."""

    tiers: list[Agreed]
    bins: list[tuple[str, list[Agreed]]]


def sections(
    numbers: Numbers,
    run: Run,
    report_row: str,
    methods: Sequence[Json],
) -> list[Section]:
    """Return the numbers of a run's report row, in the order of the documents."""
    row = (run.run_id, report_row)
    return [
        Section(
            number=number,
            title=heading(number),
            long=BY_NAME[number.metric].long,
            n_methods=len(methods),
            values=agreed(numbers.values[row][number]),
            formula=list(_formula(numbers, row, number, methods[0])),
            fates=numbers.fates.get(row, {}).get(number, []),
        )
        for number in in_order(numbers.values[row])
    ]


def below(numbers: Numbers, run: Run, report_row: str) -> Below:
    """Return what the numbers of a report row are added up from."""
    row = (run.run_id, report_row)
    bins = numbers.bins.get(row, {})
    binned = in_order(Number("ece", kind) for kind in bins)
    return Below(
        tiers=_by_kind(numbers.tiers.get(row, {})),
        bins=[(each.kind, agreed(bins[each.kind])) for each in binned],
    )


def _formula(
    numbers: Numbers, row: Row, number: Number, method: Json
) -> Iterator[Piece]:
    """Yield the formula by the first method, its own values put in."""
    metric, kind = number
    method_id = str(method["method_id"])
    value = numbers.value(row, number, method_id)
    if value is None or value.value is None:
        return
    if BY_NAME[metric].is_index and kind == "all":
        yield from _index(numbers, row, number, method)
    elif metric == "intelligence":
        tiers = numbers.tiers.get(row, {}).get(kind, {}).get(method_id, [])
        yield from _component(kind, tiers)
    elif metric == "calibration":
        parts = numbers.parts.get(row, {}).get(kind, {}).get(method_id, [])
        yield Piece("mean of ")
        for place, part in enumerate(parts):
            name = Number(part.part, "all" if part.part == "tvd" else kind)
            yield Piece(", " if place else "")
            yield Piece(f"{part.part.upper()} {rounded(part.value, 4)}", _at(name))
            yield Piece(f" as {rounded(part.points, 2)} points")
    elif number.is_binned:
        yield Piece("sum over ")
        yield Piece("bins", f"bins.{kind}")
        yield Piece(" of share of rows x |stated - true|")
    else:
        yield from _mean(number, value)


def _index(numbers: Numbers, row: Row, number: Number, method: Json) -> Iterator[Piece]:
    weights = method["type_weights"]
    assert isinstance(weights, dict)
    # A method's type weights act on I alone (SCORING.md §5).
    is_weighted = number.metric == "intelligence" and len(set(weights.values())) > 1
    yield Piece("weighted mean of " if is_weighted else "mean of ")
    is_first = True
    for kind in TYPES:
        part = Number(number.metric, kind)
        value = numbers.value(row, part, str(method["method_id"]))
        if value is None:
            continue
        yield Piece("" if is_first else ", ")
        yield Piece(
            f"{kind} {rounded(value.value, decimals(number.metric))}", _at(part)
        )
        if is_weighted:
            yield Piece(f" x {weights[kind]:g}")
        is_first = False


def _component(kind: str, tiers: Sequence[Tier]) -> Iterator[Piece]:
    if len(tiers) != 1:
        yield Piece("weighted mean of ")
        yield Piece(f"{len(tiers)} tiers", "terms")
        return
    [tier] = tiers
    if kind == "choice" and tier.chance is not None:
        right, chance = rounded(tier.n_right / tier.n, 4), rounded(tier.chance, 4)
        yield Piece(
            f"100 x ({tier.n_right:,} / {tier.n:,} - {chance}) / (1 - {chance})"
        )
        yield Piece(f": {right} right, {chance} by chance")
    elif kind == "noul":
        yield Piece(f"{tier.n_clear:,} clear and right of {tier.n:,}")
    else:
        error = rounded(tier.rating_error, 4)
        guess = rounded(tier.chance_rating_error, 4)
        yield Piece(f"100 x (1 - {error} / {guess}): error over that of a guess")


def _mean(number: Number, value: Value) -> Iterator[Piece]:
    metric = BY_NAME[number.metric]
    assert value.value is not None
    if metric.term in ("is_right", "is_ok"):
        word = "right" if metric.term == "is_right" else "ok"
        yield Piece(f"{round(value.value * value.n):,} {word} of {value.n:,}")
    elif metric.term is not None:
        yield Piece(f"mean over {counted(value.n, 'row', form=',')}")


def _at(number: Number) -> str:
    return f"{number.metric}.{number.kind}"


def _by_kind(found: object) -> list[Agreed]:
    """Return lines of several types as one table, by what methods agree on."""
    assert isinstance(found, dict)
    joined: dict[str, list[tuple[str, object]]] = {}
    for kind in TYPES:
        for method_id, lines in found.get(kind, {}).items():
            joined.setdefault(method_id, []).extend((kind, line) for line in lines)
    return agreed(joined)
