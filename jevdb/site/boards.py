"""A leaderboard as a page shows it: cells with links, intervals as strokes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import BY_NAME, Number
from jevdb.comparison.board import ALSO_SHOWN

if TYPE_CHECKING:
    from jevdb.comparison.board import Entry, Leaderboard
    from jevdb.comparison.standing import Standing
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run
    from jevdb.site.contents import Origin

NUMBERS = list(ALSO_SHOWN)
STROKE = 120
"""Width of the stroke that shows an interval, in pixels."""

BUCKETS = (
    (10**9, "under 1B"),
    (4 * 10**9, "1B to 4B"),
    (10 * 10**9, "4B to 10B"),
    (40 * 10**9, "10B to 40B"),
)
LARGEST, UNKNOWN = "40B and more", "not stated"

Href = Callable[["Run", Number], str]


class Stroke(NamedTuple):
    """An interval on the board's common scale, in pixels."""

    low: float
    value: float
    high: float


class Cell(NamedTuple):
    """A number on a board, where it is explained, and its interval if it has one."""

    value: float | None
    metric: str
    href: str | None
    interval: Bounds | None = None


class Heading(NamedTuple):
    """The head of a column of numbers."""

    number: Number
    words: str
    is_higher_better: bool


class Row(NamedTuple):
    """A run on a board."""

    run: Run
    origin: Origin
    standing: Standing | None
    note: str | None
    coverage: float
    stroke: Stroke | None
    cells: list[Cell]

    @property
    def size_group(self) -> str:
        """The range of sizes the model is in."""
        parameters = self.origin.parameters
        if parameters is None:
            return UNKNOWN
        return next((words for top, words in BUCKETS if parameters < top), LARGEST)


class Table(NamedTuple):
    """A board: heads, rows ranked and not, the ends of the common scale."""

    headings: list[Heading]
    rows: list[Row]
    scale: tuple[float, float] | None

    @property
    def ranked(self) -> list[Row]:
        """The rows that have a rank."""
        return [row for row in self.rows if row.standing is not None]

    @property
    def others(self) -> list[Row]:
        """The rows that have none."""
        return [row for row in self.rows if row.standing is None]

    @property
    def has_sizes(self) -> bool:
        """Whether the size of any model is known."""
        return any(row.origin.parameters is not None for row in self.rows)

    @property
    def has_openness(self) -> bool:
        """Whether it is known of any model if its weights are open."""
        return any(row.origin.open_weights is not None for row in self.rows)

    @property
    def lacks_items(self) -> bool:
        """Whether any coverage is below 1."""
        return any(row.coverage < 1 for row in self.rows)


def heading(number: Number) -> str:
    """Return the words of a number: ``ECE choice``."""
    metric = BY_NAME[number.metric]
    if number.name == metric.name and not metric.main_kind:
        return metric.heading
    return f"{metric.heading} {number.kind}"


def board_table(
    board: Leaderboard,
    origins: Mapping[str, Origin],
    href: Href,
    interval: Callable[[Run, Number], Bounds | None],
) -> Table:
    """Return the board as a table; *href* says where a number is explained."""
    by_rank = board.request.number
    indices = [number for number in NUMBERS if number.metric == "calibration"]
    ordered = list(dict.fromkeys([by_rank, *indices, *NUMBERS]))
    used = [number for number in ordered if _is_used(board, number)]
    scale = _scale(board.entries)
    rows = [
        Row(
            run=entry.run,
            origin=origins[entry.run.run_id],
            standing=entry.standing,
            note=entry.note,
            coverage=entry.coverage,
            stroke=_stroke(entry, scale),
            cells=[
                _cell(entry.run, number, _value(board, entry, number), href, interval)
                for number in used
            ],
        )
        for entry in board.entries
    ]
    return Table(
        [
            Heading(number, heading(number), BY_NAME[number.metric].is_higher_better)
            for number in used
        ],
        rows,
        scale,
    )


def _cell(
    run: Run,
    number: Number,
    value: Value,
    href: Href,
    interval: Callable[[Run, Number], Bounds | None],
) -> Cell:
    if value.reason == "no_rows":
        return Cell(None, number.metric, None)
    return Cell(value.value, number.metric, href(run, number), interval(run, number))


def _value(board: Leaderboard, entry: Entry, number: Number) -> Value:
    if number == board.request.number:
        return entry.value
    return entry.numbers[NUMBERS.index(number)]


def _is_used(board: Leaderboard, number: Number) -> bool:
    return any(
        _value(board, entry, number).reason != "no_rows" for entry in board.entries
    )


def _scale(entries: Sequence[Entry]) -> tuple[float, float] | None:
    """Return the least and the largest end of the intervals."""
    ends = [
        end
        for entry in entries
        if entry.standing and entry.interval
        for end in (entry.interval.low, entry.interval.high, entry.value.value)
        if end is not None
    ]
    return (min(ends), max(ends)) if ends and min(ends) < max(ends) else None


def _stroke(entry: Entry, scale: tuple[float, float] | None) -> Stroke | None:
    interval, value = entry.interval, entry.value.value
    if scale is None or interval is None or value is None:
        return None
    least, largest = scale

    def place(end: float) -> float:
        return round(3 + (STROKE - 6) * (end - least) / (largest - least), 2)

    return Stroke(place(interval.low), place(value), place(interval.high))
