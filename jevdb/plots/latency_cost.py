"""Latency and cost against intelligence: what a run's score takes.

Latency is the median over the rows that state one, with the middle half of them; cost
is the mean per 1,000 rows. The number upwards is that of the report, with its interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import Number
from jevdb.base.output import Rows
from jevdb.base.text import counted, short_id
from jevdb.plots.asking import (
    AS_REPORTED,
    INTELLIGENCE,
    Scored,
    axis_title,
    distinct_names,
    interval_words,
    no_value,
    number_words,
    scored_words,
    title_of,
)
from jevdb.plots.grammar import Heading, Spec, whole
from jevdb.plots.listing import NAME_ROOM, Column, listed, listing
from jevdb.plots.measure import distinct
from jevdb.plots.measures import Measured, ordered, read_measures, shown_number
from jevdb.plots.picture import Picture
from jevdb.plots.points import Point, Spread, nothing, plane
from jevdb.plots.scales import metric_axis, wide
from jevdb.plots.theme import look
from jevdb.scoring.report_text import rounded
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run

WIDTH, LEAST_HEIGHT = 330.0, 340.0
ROWS = 1000
"""Costs are shown for so many rows."""
DIGITS = 3
NO_LATENCY, NO_COST = "no row states a latency", "no row states a cost"


class Usage(NamedTuple):
    """What a run's rows took; null where no row says. Seconds and US dollars."""

    n_latency: int = 0
    latency_low: float | None = None
    latency_median: float | None = None
    latency_high: float | None = None
    n_cost: int = 0
    cost_mean: float | None = None

    @property
    def latency(self) -> Spread | None:
        """The median with the middle half."""
        if self.latency_median is None:
            return None
        return Spread(self.latency_median, self.latency_low, self.latency_high)

    @property
    def cost(self) -> Spread | None:
        """The mean of `ROWS` rows."""
        return None if self.cost_mean is None else Spread(self.cost_mean * ROWS)


class Used(NamedTuple):
    """A number of runs, and what they took for it."""

    measured: Measured
    of: dict[str, Usage]


def read_usage(
    connection: Connection,
    runs: Sequence[Run],
    number: Number = INTELLIGENCE,
    *,
    scored: Scored = AS_REPORTED,
) -> Used:
    """Return a number of runs, and the latency and cost that their rows state.

    Raises
    ------
    UsageError, UnknownNameError
        See `jevdb.plots.measures.read_measures`.
    """
    measured = read_measures(connection, runs, [number], scored=scored)
    rows = connection.execute(
        query("plots/usage"), {"runs": [run.run_id for run in runs]}
    ).fetchall()
    of = {run.run_id: Usage() for run in runs}
    return Used(measured, of | {run_id: Usage(*rest) for run_id, *rest in rows})


def usage(used: Used) -> Picture:
    """Return the number over latency, and over cost, of `read_usage`."""
    measured = used.measured
    [number] = measured.numbers
    runs = ordered(measured, number)
    names = distinct_names(runs)
    looks = {run.run_id: look(place, len(runs)) for place, run in enumerate(runs)}
    shown = listing(_columns(used, runs, names), list(looks.values()))
    height = max(LEAST_HEIGHT, shown.height)
    panels = [
        _panel(used, runs, names, "latency", height),
        _panel(used, runs, names, "cost", height),
    ]
    title = f"{title_of(number)} against latency and cost"
    where = scored_words(
        measured.runs[0].benchmark, measured.report_row, measured.method_id
    )
    lines = (
        where,
        f"{counted(len(runs), 'run')}. Upwards: 95 % intervals. Latency: "
        f"median and middle half of the rows. Cost: mean of {ROWS:,} rows. Over all "
        "rows that state them.",
    )
    facts = list(_facts(used, runs, names))
    body, width = listed(panels, 2 * WIDTH + 120, shown)
    return Picture(
        kind="usage",
        title=title,
        alt=f"{title} of {counted(len(runs), 'run')} on {where}. {facts[0]}",
        description="\n".join([f"{title} on {where}.", *facts]),
        spec=whole(Heading(title, lines), body, width),
        table=_table(used, runs, names),
    )


def _panel(
    used: Used, runs: Sequence[Run], names: Sequence[str], which: str, height: float
) -> Spec:
    [number] = used.measured.numbers
    points = []
    for place, (run, name) in enumerate(zip(runs, names, strict=True)):
        took = used.of[run.run_id]
        x = took.latency if which == "latency" else took.cost
        y = used.measured.of[run.run_id][number].spread
        if x is not None and y is not None:
            style = look(place, len(runs))
            points.append(Point(place + 1, name, run.run_id, x, y, style))
    if not points:
        reason = NO_LATENCY if which == "latency" else NO_COST
        return nothing(f"no value: {reason}", WIDTH, height)
    titles = {"latency": "latency, s", "cost": f"US dollars per {ROWS:,} rows"}
    x_axis = wide(titles[which], [end for point in points for end in point.x.ends])
    y_axis = metric_axis(
        axis_title(number),
        [end for point in points for end in point.y.ends],
        number.metric,
    )
    return plane(points, x_axis, y_axis, WIDTH, height)


def _columns(used: Used, runs: Sequence[Run], names: Sequence[str]) -> list[Column]:
    ids = [run.run_id for run in runs]
    [number] = used.measured.numbers
    found = [used.measured.of[run_id][number] for run_id in ids]
    took = [used.of[run_id] for run_id in ids]
    return [
        Column("", [str(place + 1) for place in range(len(runs))]),
        Column("run", distinct(names, ids, NAME_ROOM), is_number=False),
        Column(title_of(number), [shown_number(one, number) for one in found]),
        Column(
            "95 % interval",
            [interval_words(one.interval, number.metric) for one in found],
        ),
        Column("n", [str(one.value.n) for one in found]),
        Column("latency, s", _amounts([one.latency for one in took])),
        Column("n", [str(one.n_latency) for one in took]),
        Column("USD", _amounts([one.cost for one in took])),
        Column("n", [str(one.n_cost) for one in took]),
        Column("no value", [_note(used, run_id) for run_id in ids], is_number=False),
    ]


def _amounts(spreads: Sequence[Spread | None]) -> list[str]:
    """Return amounts of at least 0 with as many decimals as the least of them needs.

    Those are what shows three digits of it, so that a column can be read downwards.
    """
    least = min((one.value for one in spreads if one and one.value), default=1.0)
    places = max(0, DIGITS - 1 - floor(log10(least)))
    return [
        "no value" if one is None else rounded(one.value, places) for one in spreads
    ]


def _note(used: Used, run_id: str) -> str:
    [number] = used.measured.numbers
    value, took = used.measured.of[run_id][number].value, used.of[run_id]
    notes = []
    if value.value is None:
        notes.append(f"{title_of(number)}: {no_value(value.reason)[10:]}")
    if took.latency is None:
        notes.append(NO_LATENCY)
    if took.cost is None:
        notes.append(NO_COST)
    return "; ".join(notes)


def _facts(used: Used, runs: Sequence[Run], names: Sequence[str]) -> Iterator[str]:
    """Yield a line per run, its amounts as they stand in the list."""
    [number] = used.measured.numbers
    took = [used.of[run.run_id] for run in runs]
    latencies = _amounts([one.latency for one in took])
    costs = _amounts([one.cost for one in took])
    for run, name, amounts, latency, cost in zip(
        runs, names, took, latencies, costs, strict=True
    ):
        one = used.measured.of[run.run_id][number]
        value = number_words(
            one.value.value, one.value.reason, one.interval, number.metric
        )
        seconds = (
            f"no value: {NO_LATENCY}" if amounts.latency is None else f"{latency} s"
        )
        dollars = f"no value: {NO_COST}" if amounts.cost is None else cost
        yield (
            f"{name}: {title_of(number)} {value}, n {one.value.n}; median latency "
            f"{seconds}, n {amounts.n_latency}; US dollars per {ROWS:,} rows "
            f"{dollars}, n {amounts.n_cost}."
        )


TABLE = (
    *("run_id", "run", "benchmark_id", "report_row", "method_id", "metric", "kind"),
    *("value", "low", "high", "n", "n_latency", "latency_low", "latency_median"),
    *("latency_high", "n_cost", "cost_mean", "note"),
)


def _table(used: Used, runs: Sequence[Run], names: Sequence[str]) -> Rows:
    measured = used.measured
    [number] = measured.numbers
    rows = []
    for run, name in zip(runs, names, strict=True):
        one = measured.of[run.run_id][number]
        ends = one.interval
        rows.append(
            [
                *(short_id(run.run_id), name, measured.benchmark_id),
                *(measured.report_row, measured.method_id, *number, one.value.value),
                *(ends and ends.low, ends and ends.high, one.value.n),
                *used.of[run.run_id],
                _note(used, run.run_id) or None,
            ]
        )
    return Rows(TABLE, rows)
