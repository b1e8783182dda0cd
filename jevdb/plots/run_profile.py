"""The profile of runs: a number per type, tier and family, as dots with intervals.

Every slice is scored as `jevdb report --by` scores it. A few runs share a panel, each
on a line of its own; some have a panel each, over the same axis; many are a heatmap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jevdb.base.text import counted
from jevdb.plots.asking import (
    axis_title,
    distinct_names,
    no_value,
    scored_words,
    title_of,
)
from jevdb.plots.grammar import (
    Heading,
    Record,
    Spec,
    as_is,
    layer,
    number,
    pixels,
    tips,
    view,
    whole,
    words,
)
from jevdb.plots.listing import NAME_ROOM, Column, listed, listing
from jevdb.plots.measure import BOLD, TEXT, distinct, fitted, text_width
from jevdb.plots.measures import shown_number
from jevdb.plots.picture import Picture
from jevdb.plots.profile_heatmap import heatmap
from jevdb.plots.profile_numbers import Profile, Slice
from jevdb.plots.profile_words import facts_of, slice_name, table_of
from jevdb.plots.scales import Scale, metric_axis
from jevdb.plots.theme import (
    GRID,
    INK,
    MUTED,
    PAPER,
    SMALL_SIZE,
    TEXT_SIZE,
    Look,
    look,
)

TOGETHER = 5
"""So many runs share one panel."""
APART = 10
"""So many have a panel each; those of more would not fit a page."""
PANEL_WIDTH, SMALL_WIDTH, WIDEST = 430.0, 170.0, 1080.0
LINE, GROUP_GAP = 11.0, 22.0
LABEL_ROOM = 190.0


def profile(found: Profile) -> Picture:
    """Return the dots of `read_profile`, a line per slice and run."""
    names = distinct_names(found.runs)
    ends = [
        end
        for measures in found.of.values()
        for measure in measures.values()
        if measure.spread is not None
        for end in measure.spread.ends
    ]
    x = metric_axis(axis_title(found.number), ends, found.number.metric)
    n_runs = len(found.runs)
    title = f"Profile: {title_of(found.number)}{_by(found)}"
    where = scored_words(found.runs[0].benchmark, found.report_row, found.method_id)
    marks = (
        "lines: 95 % intervals"
        if n_runs <= APART
        else "the higher a number, the bluer its cell; \N{EN DASH}: no value"
    )
    lines = (
        where,
        f"{counted(n_runs, 'run')}; {marks}; in "
        "brackets: items of the slice that the number averages",
    )
    if n_runs <= TOGETHER:
        body, width = _shared(found, names, x)
    elif n_runs <= APART:
        body, width = _each(found, names, x)
    else:
        body, width = heatmap(found, names)
    facts = list(facts_of(found, names))
    return Picture(
        kind="profile",
        title=title,
        alt=f"{title}, {counted(n_runs, 'run')}, on {where}. {facts[0]}",
        description="\n".join([f"{title} on {where}.", *facts]),
        spec=whole(Heading(title, lines), body, width),
        table=table_of(found, names),
    )


def _by(found: Profile) -> str:
    """Return ``by type, tier and family``: the dimensions that items have."""
    *first, last = dict.fromkeys(part.dimension or "" for part in found.of)
    first = [dimension for dimension in first if dimension]
    listed = " and ".join(filter(None, [", ".join(first), last]))
    return f" by {listed}" if listed else ""


def _shared(found: Profile, names: Sequence[str], x: Scale) -> tuple[Spec, float]:
    """Return one panel for all runs, and the list of them."""
    looks = [look(place, len(found.runs)) for place in range(len(found.runs))]
    ids = [run.run_id for run in found.runs]
    [whole_row] = [part for part in found.of if part.dimension is None]
    measures = [found.of[whole_row][run_id] for run_id in ids]
    shown = listing(
        [
            Column("run", distinct(names, ids, NAME_ROOM), is_number=False),
            Column(
                title_of(found.number),
                [shown_number(one, found.number) for one in measures],
            ),
            Column("n", [str(one.value.n) for one in measures]),
        ],
        looks,
    )
    panel = _panel(found, ids, looks, x, PANEL_WIDTH, labelled=True)
    return listed([panel], PANEL_WIDTH + LABEL_ROOM, shown)


def _each(found: Profile, names: Sequence[str], x: Scale) -> tuple[Spec, float]:
    """Return a panel per run; the first of every line has the slices' names."""
    columns = max(1, int((WIDEST - LABEL_ROOM) // (SMALL_WIDTH + 24)))
    style = look(0, len(found.runs) + TOGETHER)
    ids = [run.run_id for run in found.runs]
    texts = distinct(names, ids, SMALL_WIDTH)
    panels = []
    for place, run_id in enumerate(ids):
        is_first = place % columns == 0
        panel = _panel(found, [run_id], [style], x, SMALL_WIDTH, labelled=is_first)
        heading = {
            "text": fitted(texts[place], SMALL_WIDTH, TEXT, face=BOLD),
            **{"fontSize": TEXT_SIZE, "offset": 6, "frame": "group"},
        }
        panels.append({**panel, "title": heading})
    return {
        "concat": panels,
        "columns": columns,
        "spacing": {"row": 20, "column": 18},
    }, LABEL_ROOM + columns * (SMALL_WIDTH + 18)


class _Line(NamedTuple):
    """Where a slice stands in a panel: the middle of its lines, from the top."""

    part: Slice
    top: float
    is_new_dimension: bool


def _lines(found: Profile, n_runs: int) -> list[_Line]:
    lines: list[_Line] = []
    height = LINE * n_runs + 6
    top, before = 0.0, None
    for part in found.of:
        is_new = part.dimension != before
        top += GROUP_GAP if is_new and lines else 0.0
        lines.append(_Line(part, top, is_new))
        top += height
        before = part.dimension
    return lines


def _panel(
    found: Profile,
    run_ids: Sequence[str],
    looks: Sequence[Look],
    x: Scale,
    width: float,
    *,
    labelled: bool,
) -> Spec:
    lines = _lines(found, len(run_ids))
    height = lines[-1].top + LINE * len(run_ids) + 6
    rows = [row for line in lines for row in _dots(found, line, run_ids, looks)]
    there = [row for row in rows if row["value"] is not None]
    across = number("value", scale=x.scale, axis=x.axis())
    at: Spec = {"x": across, "y": pixels("y")}
    tooltip = tips(
        **{"run": "run", "slice": "slice", "value": title_of(found.number)},
        **{"low": "from", "high": "to", "n": "n"},
    )
    return view(
        width,
        height,
        [
            _bands(lines, len(run_ids), width),
            layer(
                "rule",
                [row for row in there if row["low"] is not None],
                {**at, "x": {**across, "field": "low"}, "x2": {"field": "high"}}
                | {"color": as_is("colour")},
                **{"opacity": 0.6, "strokeWidth": 1.5},
            ),
            layer(
                "point",
                there,
                {**at, "color": as_is("colour"), "shape": as_is("shape")}
                | {"tooltip": tooltip},
                **{"filled": True, "size": 50, "opacity": 1},
                **{"stroke": PAPER, "strokeWidth": 0.75},
            ),
            *_gaps([row for row in rows if row["value"] is None], width),
            *(_names(found, lines, len(run_ids)) if labelled else []),
        ],
    )


def _bands(lines: Sequence[_Line], n_runs: int, width: float) -> Spec:
    """Return the paper behind each slice."""
    rows: list[Record] = [
        {"y": line.top + 1, "y2": line.top + LINE * n_runs + 5} for line in lines
    ]
    return layer(
        "rect",
        rows,
        {
            **{"y": pixels("y"), "y2": {"field": "y2"}},
            **{"x": {"value": 0}, "x2": {"value": width}},
        },
        **{"color": GRID, "opacity": 0.45},
    )


def _dots(
    found: Profile, line: _Line, run_ids: Sequence[str], looks: Sequence[Look]
) -> Iterator[Record]:
    names = dict(
        zip([run.run_id for run in found.runs], distinct_names(found.runs), strict=True)
    )
    for place, (run_id, style) in enumerate(zip(run_ids, looks, strict=True)):
        measure = found.of[line.part][run_id]
        spread = measure.spread
        yield {
            **{"run": names[run_id], "slice": slice_name(line.part)},
            "y": line.top + 3 + LINE * (place + 0.5),
            **{"value": measure.value.value, "n": measure.value.n},
            **{"low": spread and spread.low, "high": spread and spread.high},
            **{"colour": style.colour, "shape": style.shape},
            "text": no_value(measure.value.reason),
        }


def _gaps(rows: Sequence[Record], width: float) -> Iterator[Spec]:
    """Yield, for what has no value, the words that say so and why."""
    if rows:
        shown: list[Record] = [
            {**row, "text": fitted(str(row["text"]), width - 8, SMALL_SIZE - 1)}
            for row in rows
        ]
        yield layer(
            "text",
            shown,
            {"x": {"value": 4}, "y": pixels("y"), "text": words("text")}
            | {"color": as_is("colour")},
            **{"align": "left", "baseline": "middle", "fontSize": SMALL_SIZE - 1},
        )


def _names(found: Profile, lines: Sequence[_Line], n_runs: int) -> Iterator[Spec]:
    """Yield the names of the slices with their n, and of the dimensions above."""
    rows: list[Record] = []
    heads: list[Record] = []
    for line in lines:
        counts = {one.value.n for one in found.of[line.part].values()}
        n = f"{min(counts)}" if len(counts) == 1 else f"{min(counts)}-{max(counts)}"
        tail = f" ({n})"
        room = LABEL_ROOM - text_width(tail, TEXT_SIZE)
        middle = line.top + 3 + LINE * n_runs / 2
        rows.append(
            {"x": -8, "y": middle, "text": fitted(line.part.value, room, 11) + tail}
        )
        if line.is_new_dimension and line.part.dimension:
            heads.append({"x": -8, "y": line.top - 9, "text": line.part.dimension})
    for shown, style in (
        (rows, {"color": INK, "fontSize": TEXT_SIZE}),
        (heads, {"color": MUTED, "fontSize": SMALL_SIZE, "fontWeight": "bold"}),
    ):
        yield layer(
            "text",
            shown,
            {"x": pixels("x"), "y": pixels("y"), "text": words("text")},
            **{"align": "right", "baseline": "middle", **style},
        )
