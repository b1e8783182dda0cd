"""Risk-coverage curves: how often a run errs if only its surest answers are taken.

The curve is that of `jevdb calibration`: a point per distinct confidence, coverage over
all items of the scope, risk as 1 - accuracy. A ring marks the threshold of most
coverage that reaches the target accuracy. Of many runs one stands out, the others lie
grey behind it, called by their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jevdb.base.text import counted
from jevdb.plots.asking import distinct_names, no_value, scored_words
from jevdb.plots.grammar import (
    Heading,
    Record,
    Spec,
    fixed,
    layer,
    number,
    pixels,
    tips,
    view,
    whole,
    words,
)
from jevdb.plots.listing import NAME_ROOM, Column, Listing, listed, listing
from jevdb.plots.measure import distinct, fitted
from jevdb.plots.picture import Picture
from jevdb.plots.placement import spread
from jevdb.plots.risk_words import (
    Curve,
    line_of,
    n_words,
    risk_words,
    table_of,
    target_words,
    thinned,
    threshold_words,
)
from jevdb.plots.scales import Scale, linear
from jevdb.plots.theme import (
    CROWD,
    FAINT,
    INK,
    PAPER,
    SUBTITLE_SIZE,
    TEXT_SIZE,
    Look,
    look,
)

if TYPE_CHECKING:
    from jevdb.plots.depths import RunDepth
    from jevdb.scoring.calibration import Point

WIDTH, HEIGHT = 460.0, 340.0
LABEL_ROOM, LABEL_HEIGHT, NUMBER_ROOM = 150.0, 14.0, 24.0
SETTLED = 0.05
"""Below this coverage the risk is that of a few answers."""


def risk_coverage(found: Sequence[RunDepth], method_id: str) -> Picture:
    """Return the curves of `read_depths`, those of the first kind read."""
    names = distinct_names([each.run for each in found])
    there = [
        (place, name, each, each.depths[0])
        for place, (name, each) in enumerate(zip(names, found, strict=True))
        if each.depths
    ]
    first = next((at for at, *_, depth in there if depth.thresholds.curve), None)
    curves = [
        Curve(
            place + 1, name, each.run, depth, _look(place, len(found), place == first)
        )
        for place, name, each, depth in there
    ]
    kind = curves[0].depth.kind
    title = f"Risk and coverage, {kind}" if kind != "all" else "Risk and coverage"
    where = scored_words(found[0].run.benchmark, found[0].report_row, method_id)
    target = f"{curves[0].depth.thresholds.target:g}"
    lines = (
        where,
        f"{counted(len(curves), 'run')}{_standing_out(curves)}. Risk: share wrong "
        "among the answers taken, surest first; coverage: their share of all items; "
        f"ring: most coverage at an accuracy of {target}; a curve starts where its few "
        "first answers no longer leave the axis",
    )
    shown = _listing(curves)
    drawn, width = _together(curves)
    body, width = listed([drawn], width, shown)
    facts = list(map(line_of, curves))
    return Picture(
        kind="risk-coverage",
        title=title,
        alt=f"{title} of {counted(len(curves), 'run')} on {where}. " + facts[0],
        description="\n".join([f"{title} on {where}.", *facts]),
        spec=whole(Heading(title, lines), body, width),
        table=table_of(curves, found, method_id),
    )


def _look(place: int, count: int, stands_out: bool) -> Look:
    """Return the look of a curve: of its own, or of many blue for one and else grey."""
    if count <= CROWD or stands_out:
        return look(place, count)
    return Look(FAINT, "circle")


def _standing_out(curves: Sequence[Curve]) -> str:
    if len(curves) <= CROWD:
        return ""
    names = [curve.name for curve in curves if curve.look.colour != FAINT]
    return "".join(
        f", blue: {fitted(name, NAME_ROOM, SUBTITLE_SIZE)}" for name in names
    )


def _listing(curves: Sequence[Curve]) -> Listing:
    return listing(
        [
            Column("", [str(curve.number) for curve in curves]),
            Column(
                "run",
                distinct(
                    [curve.name for curve in curves],
                    [curve.run.run_id for curve in curves],
                    NAME_ROOM,
                ),
                is_number=False,
            ),
            Column("risk of all", [risk_words(curve) for curve in curves]),
            Column("n", [n_words(curve.depth) for curve in curves]),
            Column("coverage at target", [target_words(curve) for curve in curves]),
            Column("from confidence", [threshold_words(curve) for curve in curves]),
            Column(
                "no value",
                [
                    ""
                    if curve.depth.thresholds.curve
                    else no_value(curve.depth.reason)[10:]
                    for curve in curves
                ],
                is_number=False,
            ),
        ],
        [curve.look if curve.depth.thresholds.curve else None for curve in curves],
    )


def _risk_axis(curves: Sequence[Curve]) -> Scale:
    """Return an axis that only the few first answers of a curve may leave."""
    risks = [
        1 - point.accuracy
        for curve in curves
        for point in thinned(curve)
        if point.coverage >= SETTLED
    ]
    return linear("risk", [0.0, *risks], 0.0, 1.0)


def _inside(curve: Curve, y: Scale) -> list[Point]:
    """Return the points of a curve from where on it stays under the top of the axis."""
    points = thinned(curve)
    above = [at for at, point in enumerate(points) if 1 - point.accuracy > y.high]
    return points[above[-1] + 1 :] if above else points


def _together(curves: Sequence[Curve]) -> tuple[Spec, float]:
    """Return one panel, its curves named at their ends; of many, one, over the rest."""
    y = _risk_axis(curves)
    is_crowd = len(curves) > CROWD
    drawn = [curve for curve in curves if curve.depth.thresholds.curve]
    height = max(HEIGHT, LABEL_HEIGHT * len(drawn))
    behind = [curve for curve in drawn if curve.look.colour == FAINT]
    above = [curve for curve in drawn if curve.look.colour != FAINT]
    layers = [part for curve in behind for part in _grey_layers(curve, y)]
    layers += [part for curve in above for part in _curve_layers(curve, y, 2.0)]
    ends = [(1 - y.share(1 - curve.last.accuracy)) * height for curve in drawn]
    names = distinct(
        [curve.name for curve in drawn],
        [curve.run.run_id for curve in drawn],
        LABEL_ROOM - (NUMBER_ROOM if is_crowd else 0),
    )
    if is_crowd:
        names = [
            str(curve.number) + (f" {name}" if curve in above else "")
            for curve, name in zip(drawn, names, strict=True)
        ]
    rows: list[Record] = [
        {"x": WIDTH + 16, "y": place, "text": name, "end": end, "x0": WIDTH + 2}
        | {"x1": WIDTH + 13, "x2": curve.last.coverage * WIDTH}
        for curve, name, end, place in zip(
            drawn, names, ends, spread(ends, LABEL_HEIGHT, 6, height - 6), strict=True
        )
    ]
    leader = {"color": FAINT, "strokeWidth": 0.75}
    layers += [
        layer(
            "rule",
            rows,
            {"x": pixels("x0"), "x2": {"field": "x1"}, "y": pixels("end")}
            | {"y2": {"field": "y"}},
            **leader,
        ),
        layer(
            "rule",
            [row for row in rows if row["x2"] != WIDTH],
            {"x": pixels("x2"), "x2": {"field": "x0"}, "y": pixels("end")},
            **{**leader, "strokeDash": [1, 3]},
        ),
        layer(
            "text",
            rows,
            {"x": pixels("x"), "y": pixels("y"), "text": words("text")},
            **{"align": "left", "baseline": "middle", "color": INK},
            **{"fontSize": TEXT_SIZE},
        ),
    ]
    return view(WIDTH, height, layers), WIDTH + LABEL_ROOM + 40


def _points(curve: Curve, y: Scale) -> tuple[list[Record], Spec]:
    """Return the points of a curve inside the axis, and their encoding."""
    rows = [_point(curve, point) for point in _inside(curve, y)]
    across = number("coverage", scale=fixed(0, 1), axis={"title": "coverage"})
    return rows, {
        "x": across,
        "y": number("risk", scale=y.scale, axis=y.axis()),
        "tooltip": tips(
            **{"run": "run", "threshold": "confidence from", "n": "rows taken"},
            **{"coverage": "coverage", "risk": "risk"},
        ),
    }


def _point(curve: Curve, point: Point) -> Record:
    return {
        **{"coverage": point.coverage, "risk": 1 - point.accuracy, "n": point.n},
        **{"threshold": point.threshold, "run": curve.name},
    }


def _grey_layers(curve: Curve, y: Scale) -> Iterator[Spec]:
    """Yield a curve that lies behind another: without marks, to be followed by eye."""
    rows, at = _points(curve, y)
    yield layer("line", rows, at, color=FAINT, strokeWidth=1, opacity=0.7)


def _curve_layers(curve: Curve, y: Scale, stroke: float) -> Iterator[Spec]:
    rows, at = _points(curve, y)
    colour, shape = curve.look
    yield layer("line", rows, at, color=colour, strokeWidth=stroke)
    yield layer(
        "point",
        rows[-1:],
        at,
        **{"color": colour, "shape": shape, "filled": True, "size": 60, "opacity": 1},
        **{"stroke": PAPER, "strokeWidth": 1},
    )
    point = curve.depth.thresholds.in_sample
    if point is not None:
        yield layer(
            "point",
            [_point(curve, point)],
            at,
            **{"color": colour, "filled": False, "size": 90, "opacity": 1},
            **{"strokeWidth": 2},
        )
