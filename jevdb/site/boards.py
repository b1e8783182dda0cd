"""A leaderboard as a page shows it: cells with links, intervals on one axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import BY_NAME, Number
from jevdb.comparison.board import ALSO_SHOWN
from jevdb.site.charts import Axis, Point, axis_of, plane, scale, strip

if TYPE_CHECKING:
    from jevdb.comparison.board import Entry, Leaderboard
    from jevdb.comparison.standing import Standing
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run
    from jevdb.site.contents import Origin

RANKED_BY = Number("intelligence", "all")
NUMBERS = list(ALSO_SHOWN)
ALWAYS = ("intelligence", "calibration", "accuracy")
"""Shown by every method and without asking; the others are a click away."""
MOST_POINTS = 100
"""More runs than this are a cloud on the plane of I and C."""

BUCKETS = (
    (10**9, "under 1B"),
    (4 * 10**9, "1B to 4B"),
    (10 * 10**9, "4B to 10B"),
    (40 * 10**9, "10B to 40B"),
)
LARGEST, UNKNOWN = "40B and more", "not stated"

Href = Callable[["Run", Number], str]


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

    @property
    def is_always_shown(self) -> bool:
        """Whether the column is there without asking for all."""
        return self.number.metric in ALWAYS


class Row(NamedTuple):
    """A run on a board."""

    run: Run
    origin: Origin
    standing: Standing | None
    note: str | None
    coverage: float
    strip: str
    cells: list[Cell]

    @property
    def size_group(self) -> str:
        """The range of sizes the model is in."""
        parameters = self.origin.parameters
        if parameters is None:
            return UNKNOWN
        return next((words for top, words in BUCKETS if parameters < top), LARGEST)

    @property
    def date(self) -> str:
        """The day the run started, or was stored where nobody said."""
        return (self.run.started_at or self.run.ingested_at).date().isoformat()

    @property
    def leads(self) -> bool:
        """Whether the run may be first."""
        return bool(self.standing and self.standing.title)

    def cell(self, metric: str) -> Cell | None:
        """Return the first cell of a metric; None where the board has none."""
        return next((cell for cell in self.cells if cell.metric == metric), None)


class Table(NamedTuple):
    """A board: heads, rows ranked and not, the axis of their intervals."""

    headings: list[Heading]
    rows: list[Row]
    axis: Axis | None

    @property
    def scale(self) -> str:
        """The head of the column of intervals."""
        return scale(self.axis)

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
    def has_providers(self) -> bool:
        """Whether it is known of any model who provides it."""
        return any(row.origin.provider is not None for row in self.rows)

    @property
    def has_costs(self) -> bool:
        """Whether it is known of any run what it cost."""
        return any(row.origin.cost_usd is not None for row in self.rows)

    @property
    def newest(self) -> str | None:
        """The day of the newest run."""
        return max((row.date for row in self.rows), default=None)


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
    *,
    is_whole: bool,
) -> Table:
    """Return the board as a table; *href* says where a number is explained.

    It is whole, or has the numbers of `ALWAYS` alone: another method changes I.
    """
    by_rank = board.request.number
    indices = [number for number in NUMBERS if number.metric == "calibration"]
    ordered = list(dict.fromkeys([by_rank, *indices, *NUMBERS]))
    used = [
        number
        for number in ordered
        if _is_used(board, number) and (is_whole or number.metric in ALWAYS)
    ]
    axis = axis_of(
        end
        for entry in board.entries
        if entry.standing
        for end in (entry.value.value, *(entry.interval or (None, None)))
    )
    rows = [
        Row(
            run=entry.run,
            origin=origins[entry.run.run_id],
            standing=entry.standing,
            note=entry.note,
            coverage=entry.coverage,
            strip=strip(axis, entry.value.value, entry.interval)
            if entry.standing
            else "",
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
        axis,
    )


def plane_of(table: Table, href: Callable[[Run], str]) -> str:
    """Return I against C of the runs of a board; nothing where few or too many."""
    points = [
        Point(
            href(row.run), row.run.name, first.value, c.value, first.interval, True
        )._replace(leads=row.leads)
        for row in table.ranked
        if (first := row.cells[0]).value is not None
        and (c := row.cell("calibration")) is not None
        and c.value is not None
    ]
    return plane(points, "I", "C") if 1 < len(points) <= MOST_POINTS else ""


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
