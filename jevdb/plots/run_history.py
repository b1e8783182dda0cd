"""The history of a metric over the runs of a model, in order of their start.

A dot per run and method, by the gold of today, with its interval; a ring where the gold
of the ingest gave another number. Dashed lines stand where the gold or a method
changed between two runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

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
from jevdb.plots.history_words import facts_of, moment, note, short_name, table_of
from jevdb.plots.listing import Column, Listing, listed, listing
from jevdb.plots.measure import fitted, text_width
from jevdb.plots.picture import Picture
from jevdb.plots.placement import spread
from jevdb.plots.scales import Scale, metric_axis
from jevdb.plots.theme import (
    FAINT,
    INK,
    MUTED,
    PAPER,
    SMALL_SIZE,
    TEXT_SIZE,
    Look,
    look,
)
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from jevdb.comparison.history import Line
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.runs import Run

LEAST_WIDTH, STEP, HEIGHT = 420.0, 40.0, 320.0
DODGE = 7.0
"""How far apart the methods of one run stand."""
DATE_ROOM = 66.0
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
        "the gold of its ingest; dashed: gold or method changed",
    )
    shown = _listing(found)
    width = max(LEAST_WIDTH, STEP * n_runs)
    facts = list(facts_of(found))
    drawn = _drawn(found, width)
    body, broad = listed([drawn], width + METHOD_ROOM, shown)
    return Picture(
        kind="history",
        title=title,
        alt=f"{title}, {counted(n_runs, 'run')}, on {where}. {facts[0]}",
        description="\n".join([f"{title} on {where}.", *facts]),
        spec=whole(Heading(title, lines), body, broad),
        table=table_of(found),
    )


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


def _drawn(found: History, width: float) -> Spec:
    step = width / len(found.runs)
    values = [
        end
        for method, lines in found.lines.items()
        for line in lines
        for end in _ends(line, found.intervals[method][line.run.run_id])
    ]
    y = metric_axis(axis_title(found.number), values, found.number.metric)
    layers = [*_changes(found.changes, step), *_run_axis(found.runs, step)]
    for method, style in _looks(found).items():
        layers += _method(found, method, style, y, step)
    return view(width, HEIGHT, [*layers, *_method_names(found, y, step, width)])


def _ends(line: Line, interval: Bounds | None) -> Iterator[float]:
    found = [line.now.value, line.then and line.then.value]
    if line.now.value is not None and interval is not None:
        found += [interval.low, interval.high]
    yield from (end for end in found if end is not None)


def _method(
    found: History, method: str, style: Look, y: Scale, step: float
) -> Iterator[Spec]:
    """Yield the line, the intervals, the dots and the rings of a method."""
    rows = list(_dots(found, method, step))
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
        **{"color": colour, "shape": shape, "filled": True, "fill": PAPER},
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


def _dots(found: History, method: str, step: float) -> Iterator[Record]:
    aside = (list(found.lines).index(method) - (len(found.lines) - 1) / 2) * DODGE
    for place, line in enumerate(found.lines[method]):
        ends = found.intervals[method][line.run.run_id]
        has_ends = line.now.value is not None and ends is not None
        yield {
            **{"x": step * (place + 0.5) + aside, "run": line.run.name},
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


def _changes(changes: Sequence[Change], step: float) -> Iterator[Spec]:
    """Yield a dashed line per change, its words beside its upper end.

    Seen from the right, each change stands above those that its words reach over.
    """
    rows: list[Record] = []
    lanes: list[tuple[float, int]] = []
    for change in reversed(changes):
        x = step * change.before
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


def _run_axis(runs: Sequence[Run], step: float) -> Iterator[Spec]:
    """Yield the numbers of the runs, with dates where there is room for them."""
    rows: list[Record] = [
        {"x": step * (place + 0.5), "text": str(place + 1), "start": moment(run)}
        for place, run in enumerate(runs)
    ]
    for field, y, is_shown in (
        ("text", HEIGHT + 12, True),
        ("start", HEIGHT + 27, step >= DATE_ROOM),
    ):
        if is_shown:
            yield layer(
                "text",
                rows,
                {"x": pixels("x"), "y": {"value": y}, "text": words(field)},
                **{"color": MUTED, "fontSize": SMALL_SIZE, "baseline": "middle"},
            )


def _method_names(
    found: History, y: Scale, step: float, width: float
) -> Iterator[Spec]:
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
