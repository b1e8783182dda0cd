"""The history of a metric over the runs of a model, each where its start is in time.

A dot per run and method, by the gold of today, with its interval; a ring where the gold
of the ingest gave another number. Dashed lines stand where the gold or a method
changed between two runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import decimals
from jevdb.base.text import counted
from jevdb.plots.asking import (
    axis_title,
    interval_words,
    title_of,
)
from jevdb.plots.grammar import (
    Heading,
    Record,
    Spec,
    layer,
    number,
    pixels,
    tips,
    view,
    whole,
    words,
)
from jevdb.plots.history_numbers import Change, History, gold_then
from jevdb.plots.history_words import (
    facts_of,
    moment,
    note,
    short_name,
    started,
    table_of,
)
from jevdb.plots.listing import BROADEST, Column, Listing, listed, listing
from jevdb.plots.measure import fitted, text_width
from jevdb.plots.picture import Picture
from jevdb.plots.placement import spread
from jevdb.plots.scales import Scale, metric_axis
from jevdb.plots.theme import (
    FAINT,
    GRID,
    INK,
    MUTED,
    PAPER,
    SMALL_SIZE,
    TEXT_SIZE,
    Look,
    look,
)
from jevdb.plots.times import Tick, time_axis
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from jevdb.comparison.history import Line
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.runs import Run

LEAST_WIDTH, STEP, HEIGHT = 420.0, 40.0, 320.0
EDGE = 20.0
"""How far from the frame the first and the last run stand."""
DODGE = 7.0
"""How far apart the methods of one run stand."""
METHOD_ROOM = 140.0
LANE = 14.0


def history(found: History) -> Picture:
    """Return the dots of `read_history`, the runs numbered from the first."""
    runs, n_runs = found.runs, len(found.runs)
    first = next(iter(found.lines.values()))
    title = f"{title_of(found.number)} of {found.model} over time"
    where = f"{runs[0].benchmark}, report row {first[0].report_row}"
    methods = ", ".join(found.lines)
    lines = (
        f"{where}, method {methods}",
        f"{counted(n_runs, 'run')} by start; lines: 95 % intervals; ring: by "
        "the gold of its ingest; dashed: gold or method changed between two runs",
    )
    shown = _listing(found)
    facts = list(facts_of(found))
    across = _across(runs)
    drawn = _drawn(found, across)
    body, broad = listed([drawn], across.width + METHOD_ROOM, shown)
    return Picture(
        kind="history",
        title=title,
        alt=f"{title}, {counted(n_runs, 'run')}, on {where}. {facts[0]}",
        description="\n".join([f"{title} on {where}.", *facts]),
        spec=whole(Heading(title, lines), body, broad),
        table=table_of(found),
    )


class _Across(NamedTuple):
    """The width of the frame, the place of each run in it, and dates to mark."""

    width: float
    places: Sequence[float]
    ticks: Sequence[Tick]

    def before(self, run: int) -> float:
        """Return the place of what happened before a run, or after the last."""
        places = [*self.places, self.width]
        return (places[run - 1] + places[run]) / 2


def _across(runs: Sequence[Run]) -> _Across:
    roomy = min(STEP * len(runs), BROADEST - METHOD_ROOM)
    width = max(LEAST_WIDTH, roomy, _number_room(runs) * len(runs))
    moments = [started(run) for run in runs]
    axis = time_axis(moments, EDGE, width - EDGE)
    return _Across(width, [axis.at(moment) for moment in moments], axis.ticks())


def _number_room(runs: Sequence[Run]) -> float:
    return text_width(str(len(runs)), SMALL_SIZE) + 5


def _looks(found: History) -> dict[str, Look]:
    return {
        method: look(place, len(found.lines))
        for place, method in enumerate(found.lines)
    }


def _listing(found: History) -> Listing:
    runs = found.runs
    columns = [
        Column("", [str(place + 1) for place in range(len(runs))]),
        Column("start", [moment(run) for run in runs], is_number=False),
        Column(
            "run", [fitted(short_name(run), 150, 11) for run in runs], is_number=False
        ),
    ]
    metric = found.number.metric
    for method, lines in found.lines.items():
        head = (
            title_of(found.number) if len(found.lines) == 1 else fitted(method, 110, 10)
        )
        columns += [
            Column(
                head,
                [
                    "no value"
                    if line.now.value is None
                    else rounded(line.now.value, decimals(metric))
                    for line in lines
                ],
            ),
            Column(
                "95 % interval",
                [
                    interval_words(found.intervals[method][line.run.run_id], metric)
                    for line in lines
                ],
            ),
            Column("n", [str(line.now.n) for line in lines]),
        ]
    first = next(iter(found.lines.values()))
    columns += [
        Column("gold", [str(gold_then(line)) for line in first]),
        Column("", [note(line) for line in first], is_number=False),
    ]
    return listing(columns, [None] * len(runs))


def _drawn(found: History, across: _Across) -> Spec:
    values = [
        end
        for method, lines in found.lines.items()
        for line in lines
        for end in _ends(line, found.intervals[method][line.run.run_id])
    ]
    y = metric_axis(axis_title(found.number), values, found.number.metric)
    layers = [*_dates(across), *_changes(found.changes, across)]
    layers += _run_numbers(found.runs, across)
    for method, style in _looks(found).items():
        layers += _method(found, method, style, y, across)
    names = _method_names(found, y, across.width)
    return view(across.width, HEIGHT, [*layers, *names])


def _ends(line: Line, interval: Bounds | None) -> Iterator[float]:
    found = [line.now.value, line.then and line.then.value]
    if line.now.value is not None and interval is not None:
        found += [interval.low, interval.high]
    yield from (end for end in found if end is not None)


def _method(
    found: History, method: str, style: Look, y: Scale, across: _Across
) -> Iterator[Spec]:
    """Yield the line, the intervals, the dots and the rings of a method."""
    rows = list(_dots(found, method, across))
    there = [row for row in rows if row["value"] is not None]
    up = number("value", scale=y.scale, axis=y.axis())
    at: Spec = {"x": pixels("x"), "y": up}
    colour, shape = style
    yield layer("line", there, at, color=colour, opacity=0.5, strokeWidth=1.5)
    yield layer(
        "rule",
        [row for row in there if row["low"] is not None],
        {**at, "y": {**up, "field": "low"}, "y2": {"field": "high"}},
        **{"color": colour, "opacity": 0.6, "strokeWidth": 1.5},
    )
    moved = [row for row in there if row["then"] not in (None, row["value"])]
    yield layer(
        "rule",
        moved,
        {**at, "y2": {"field": "then"}},
        **{"color": colour, "strokeDash": [2, 2]},
    )
    yield layer(
        "point",
        moved,
        {**at, "y": {**up, "field": "then"}},
        **{"shape": shape, "filled": True, "fill": PAPER},
        **{"size": 60, "opacity": 1, "stroke": colour, "strokeWidth": 1.5},
    )
    tooltip = tips(
        **{"run": "run", "start": "start", "method": "method"},
        **{"value": title_of(found.number), "low": "from", "high": "to", "n": "n"},
        **{"then": "by the gold of its ingest"},
    )
    yield layer(
        "point",
        there,
        {**at, "tooltip": tooltip},
        **{"color": colour, "shape": shape, "filled": True, "size": 70},
        **{"opacity": 1, "stroke": PAPER, "strokeWidth": 1},
    )
    yield from _missing([row for row in rows if row["value"] is None])


def _dots(found: History, method: str, across: _Across) -> Iterator[Record]:
    aside = (list(found.lines).index(method) - (len(found.lines) - 1) / 2) * DODGE
    for place, line in enumerate(found.lines[method]):
        ends = found.intervals[method][line.run.run_id]
        has_ends = line.now.value is not None and ends is not None
        yield {
            **{"x": across.places[place] + aside, "run": line.run.name},
            "method": method,
            **{"start": moment(line.run), "value": line.now.value, "n": line.now.n},
            "low": ends.low if has_ends and ends else None,
            "high": ends.high if has_ends and ends else None,
            "then": line.then.value if line.then else None,
        }


def _missing(rows: Sequence[Record]) -> Iterator[Spec]:
    """Yield a mark at the bottom where a run has no value; the list says why."""
    if rows:
        yield layer(
            "point",
            [{**row, "y": HEIGHT - 9} for row in rows],
            {"x": pixels("x"), "y": pixels("y")},
            **{"color": MUTED, "shape": "M-1,-1L1,1M-1,1L1,-1", "size": 50},
            **{"filled": False, "opacity": 1},
        )


def _changes(changes: Sequence[Change], across: _Across) -> Iterator[Spec]:
    """Yield a dashed line per change, its words beside its upper end.

    Seen from the right, each change stands above those that its words reach over.
    """
    rows: list[Record] = []
    lanes: list[tuple[float, int]] = []
    for change in reversed(changes):
        x = across.before(change.before)
        right = x + text_width(change.words, SMALL_SIZE) + 6
        lane = max((at + 1 for left, at in lanes if left < right), default=0)
        lanes.append((x, lane))
        top = -8 - LANE * lane
        rows.append({"x": x, "y": top, "y2": HEIGHT, "text": change.words})
    at: Spec = {"x": pixels("x"), "y": pixels("y")}
    dashes = {"color": FAINT, "strokeDash": [4, 3]}
    yield layer("rule", rows, {**at, "y2": {"field": "y2"}}, **dashes)
    yield layer(
        "text",
        rows,
        {**at, "text": words("text")},
        **{"align": "left", "baseline": "middle", "dx": 3, "color": MUTED},
        **{"fontSize": SMALL_SIZE},
    )


def _dates(across: _Across) -> Iterator[Spec]:
    """Yield the dates of the axis, a line up from each."""
    rows: list[Record] = [
        {"x": tick.x, "y": 0, "y2": HEIGHT, "text": tick.text} for tick in across.ticks
    ]
    at: Spec = {"x": pixels("x"), "y": pixels("y")}
    yield layer("rule", rows, {**at, "y2": {"field": "y2"}}, color=GRID)
    yield layer(
        "text",
        rows,
        {"x": pixels("x"), "y": {"value": HEIGHT + 32}, "text": words("text")},
        **{"color": MUTED, "fontSize": SMALL_SIZE, "baseline": "middle"},
    )


def _run_numbers(runs: Sequence[Run], across: _Across) -> Iterator[Spec]:
    """Yield the numbers of the runs, side by side, each with a line to its place."""
    room = _number_room(runs)
    spots = spread(across.places, room, room / 2, across.width - room / 2)
    rows: list[Record] = [
        {"x": place, "x2": spot, "y": HEIGHT, "y2": HEIGHT + 9, "text": str(number)}
        for number, (place, spot) in enumerate(
            zip(across.places, spots, strict=True), 1
        )
    ]
    yield layer(
        "rule",
        rows,
        {
            **{"x": pixels("x"), "y": pixels("y")},
            **{"x2": {"field": "x2"}, "y2": {"field": "y2"}},
        },
        **{"color": FAINT, "strokeWidth": 0.75},
    )
    yield layer(
        "text",
        rows,
        {"x": pixels("x2"), "y": {"value": HEIGHT + 16}, "text": words("text")},
        **{"color": INK, "fontSize": SMALL_SIZE, "baseline": "middle"},
    )


def _method_names(found: History, y: Scale, width: float) -> Iterator[Spec]:
    """Yield the names of the methods at the ends of their lines, where several."""
    ends = [
        (method, [line.now.value for line in lines if line.now.value is not None])
        for method, lines in found.lines.items()
    ]
    drawn = [(method, values[-1]) for method, values in ends if values]
    if len(found.lines) == 1 or not drawn:
        return
    wanted = [(1 - y.share(value)) * HEIGHT for _, value in drawn]
    places = spread(wanted, LANE, 6, HEIGHT - 6)
    looks = _looks(found)
    for (method, _), place in zip(drawn, places, strict=True):
        rows: list[Record] = [
            {"x": width + 6, "y": place, "text": fitted(method, METHOD_ROOM, TEXT_SIZE)}
        ]
        yield layer(
            "text",
            rows,
            {"x": pixels("x"), "y": pixels("y"), "text": words("text")},
            **{"align": "left", "baseline": "middle", "fontSize": TEXT_SIZE},
            **{"color": looks[method].colour if len(drawn) > 1 else INK},
        )
