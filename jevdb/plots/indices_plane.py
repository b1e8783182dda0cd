"""Intelligence against calibration: a point per run, with intervals.

Each run is scored over its whole report row, as in its report; the intervals are those
of the paired bootstrap. A run that lacks one of the two numbers is in the list, with
the reason, not on the plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import Number, sign
from jevdb.base.output import Rows
from jevdb.base.text import counted, short_id
from jevdb.plots.asking import (
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
from jevdb.plots.measures import Measured, ordered, shown_number
from jevdb.plots.picture import Picture
from jevdb.plots.points import MIDDLE, Point, nothing, plane, strip
from jevdb.plots.scales import metric_axis
from jevdb.plots.theme import look

if TYPE_CHECKING:
    from jevdb.scoring.runs import Run

WIDTH = 440.0
AXIS_ROOM = 60.0
LEAST_HEIGHT = 380.0


def indices(measured: Measured) -> Picture:
    """Return the first number of `read_measures` to the right, the second upwards."""
    across, upwards = measured.numbers
    runs = ordered(measured, across)
    names = distinct_names(runs)
    points = _points(measured, runs, names)
    looks = {point.run_id: point.look for point in (*points.whole, *points.partial)}
    shown = listing(
        _columns(measured, runs, names), [looks.get(run.run_id) for run in runs]
    )
    title = f"{title_of(across)} against {title_of(upwards)}"
    where = scored_words(
        measured.runs[0].benchmark, measured.report_row, measured.method_id
    )
    drawn = _drawn(points, across, upwards, shown.height)
    body, width = listed([drawn], WIDTH + AXIS_ROOM, shown)
    lines = (
        where,
        f"{counted(len(runs), 'run')}; lines: 95 % intervals; "
        f"{better(across, upwards)}",
    )
    facts = [_line(measured, run, name) for run, name in zip(runs, names, strict=True)]
    return Picture(
        kind="indices",
        title=title,
        alt=f"{title}, {counted(len(looks), 'point')}, on {where}. {facts[0]}",
        description="\n".join([f"{title} on {where}.", *facts]),
        spec=whole(Heading(title, lines), body, width),
        table=table(measured, runs, names),
    )


def better(across: Number, upwards: Number) -> str:
    """Return which way is better, in words."""
    right = "right" if sign(across.metric) > 0 else "left"
    up = "up" if sign(upwards.metric) > 0 else "down"
    return f"{up} and to the {right} is better"


class _Points(NamedTuple):
    """The runs that are drawn: those with both numbers, and with the first alone."""

    whole: list[Point]
    partial: list[Point]


def _points(measured: Measured, runs: Sequence[Run], names: Sequence[str]) -> _Points:
    across, upwards = measured.numbers
    found = _Points([], [])
    for place, (run, name) in enumerate(zip(runs, names, strict=True)):
        x, y = (measured.of[run.run_id][each].spread for each in (across, upwards))
        if x is None:
            continue
        style = look(place, len(runs))
        point = Point(place + 1, name, run.run_id, x, y or MIDDLE, style)
        (found.partial if y is None else found.whole).append(point)
    return found


def _drawn(points: _Points, across: Number, upwards: Number, least: float) -> Spec:
    """Return the plane, and below it the runs that have no second number."""
    if not points.whole and not points.partial:
        return nothing("no run has these numbers", WIDTH, LEAST_HEIGHT)
    x = metric_axis(
        axis_title(across),
        [end for point in (*points.whole, *points.partial) for end in point.x.ends],
        across.metric,
    )
    below = strip(points.partial, x, f"{title_of(upwards)}: no value", WIDTH)
    if not points.whole:
        return below
    y = metric_axis(
        axis_title(upwards),
        [end for point in points.whole for end in point.y.ends],
        upwards.metric,
    )
    main = plane(points.whole, x, y, WIDTH, max(LEAST_HEIGHT, least))
    return {"vconcat": [main, *([below] if points.partial else [])], "spacing": 10}


def _columns(
    measured: Measured, runs: Sequence[Run], names: Sequence[str]
) -> list[Column]:
    ids = [run.run_id for run in runs]
    columns = [
        Column("", [str(place + 1) for place in range(len(runs))]),
        Column("run", distinct(names, ids, NAME_ROOM), is_number=False),
    ]
    for each in measured.numbers:
        found = [measured.of[run_id][each] for run_id in ids]
        columns += [
            Column(title_of(each), [shown_number(one, each) for one in found]),
            Column(
                "95 % interval",
                [interval_words(one.interval, each.metric) for one in found],
            ),
            Column("n", [str(one.value.n) for one in found]),
        ]
    notes = [_note(measured, run_id) for run_id in ids]
    return [*columns, Column("no value", notes, is_number=False)]


def _note(measured: Measured, run_id: str) -> str:
    return "; ".join(
        f"{title_of(each)}: {no_value(one.value.reason).partition(': ')[2]}"
        for each, one in measured.of[run_id].items()
        if one.value.value is None
    )


def _line(measured: Measured, run: Run, name: str) -> str:
    parts = [
        f"{title_of(each)} "
        + number_words(one.value.value, one.value.reason, one.interval, each.metric)
        + f", n {one.value.n}"
        for each, one in measured.of[run.run_id].items()
    ]
    return f"{name}: {'; '.join(parts)}."


TABLE = (
    *("run_id", "run", "benchmark_id", "report_row", "method_id", "metric", "kind"),
    *("value", "low", "high", "n", "note"),
)


def table(measured: Measured, runs: Sequence[Run], names: Sequence[str]) -> Rows:
    """Return a row per run and number, full precision."""
    rows = []
    for run, name in zip(runs, names, strict=True):
        for each, one in measured.of[run.run_id].items():
            value, ends = one.value, one.interval
            rows.append(
                [
                    *(short_id(run.run_id), name, measured.benchmark_id),
                    *(measured.report_row, measured.method_id, *each, value.value),
                    *(ends and ends.low, ends and ends.high, value.n),
                    None if value.value is not None else no_value(value.reason),
                ]
            )
    return Rows(TABLE, rows)
