"""Reliability diagrams: is what a run states true as often as it says.

A panel per run and kind of ECE: the share that is true in each bin over what was
stated, with Wilson intervals, the diagonal of perfect calibration, and how many rows
each of the bins holds. Of many runs a panel per kind: one run as it would be alone, the
others grey behind it, and a list. The numbers are those of `jevdb calibration`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.text import counted
from jevdb.plots.asking import (
    distinct_names,
    scored_words,
)
from jevdb.plots.depths import RunDepth
from jevdb.plots.grammar import (
    Heading,
    Spec,
    whole,
)
from jevdb.plots.listing import NAME_ROOM, Column, Listing, listed, listing
from jevdb.plots.measure import BOLD, distinct, fitted, text_width
from jevdb.plots.picture import Picture
from jevdb.plots.reliability_panel import FEW, SMALLEST, bars, diagram, empty
from jevdb.plots.reliability_words import (
    Panel,
    cells_of,
    facts_of,
    line_of,
    table_of,
)
from jevdb.plots.theme import BLUE, FAINT, SMALL_SIZE, SUBTITLE_SIZE, TEXT_SIZE, Look

if TYPE_CHECKING:
    from jevdb.scoring.calibration_depths import Depth

SIZES = ((3, 240), (9, 190), (16, 160))
"""Up to so many panels are so large; more are smaller, without titles at their axes."""
WIDEST = 1080
AXIS_ROOM, BARE_AXIS_ROOM = 62, 46
MANY = 10
"""The curves of more runs lie over each other: panels of their own would fill pages."""


def reliability(found: Sequence[RunDepth], method_id: str) -> Picture:
    """Return the diagrams of `read_depths`, a panel per run and kind, all to scale."""
    names = distinct_names([each.run for each in found])
    panels = [
        Panel(name, each.run, depth)
        for name, each in zip(names, found, strict=True)
        for depth in each.depths
    ]
    kinds = list(dict.fromkeys(panel.depth.kind for panel in panels))
    title = (
        f"Reliability of {names[0]}"
        if len(found) == 1
        else f"Reliability of {counted(len(found), 'run')}"
    )
    where = scored_words(found[0].run.benchmark, found[0].report_row, method_id)
    above = next((each for each in panels if each.depth.ece is not None), panels[0])
    if len(found) > MANY:
        n_diagrams = len(kinds)
        body, width = _overlaid(panels, kinds, above)
        name = fitted(above.name, NAME_ROOM, SUBTITLE_SIZE)
        standing_out = f"Blue: {name}; grey: the others. "
    else:
        n_diagrams = len(panels)
        named = _Named(len(found) > 1, len(kinds) > 1)
        body, width = _drawn(panels, named, len(kinds))
        standing_out = ""
    lines = (
        where,
        f"{standing_out}"
        "Dots: share true (upwards) over stated probability (to the right), with 95 % "
        f"Wilson intervals, pale and unjoined under {FEW} rows; dashed: perfect "
        "calibration; bars: rows in each bin. "
        "Chance: the ECE of a perfectly calibrated model, 95 % band.",
    )
    return Picture(
        kind="reliability",
        title=title,
        alt=f"{title} on {where}: {counted(n_diagrams, 'diagram')} of ten bins. "
        + line_of(panels[0]),
        description="\n".join([f"{title} on {where}.", *map(line_of, panels)]),
        spec=whole(Heading(title, lines), body, width),
        table=table_of(panels, found, method_id),
    )


def _overlaid(
    panels: Sequence[Panel], kinds: Sequence[str], above: Panel
) -> tuple[Spec, float]:
    """Return a diagram per kind, the run of *above* over the others, and the list."""
    size = next((size for most, size in SIZES if len(kinds) <= most), SMALLEST)
    columns = _columns(len(kinds), len(kinds), size)
    of_kind = [[each for each in panels if each.depth.kind == kind] for kind in kinds]
    drawn: Spec = {
        "concat": [_over(mine, above, size) for mine in of_kind],
        "columns": columns,
        "spacing": {"row": 26, "column": 18},
    }
    width = columns * size + (columns - 1) * _axis_room(size)
    return listed([drawn], width, _listing(panels, kinds, above))


def _over(panels: Sequence[Panel], above: Panel, size: float) -> Spec:
    """Return the diagram of a kind; its bars and its words are those of one run."""
    mine = next((each for each in panels if each.run == above.run), None)
    behind = [each for each in panels if each is not mine]
    shown = mine if mine is not None and mine.depth.ece is not None else None
    kind = panels[0].depth.kind
    parts = [diagram(shown, size, behind)]
    lines = [f"{above.name}: no items"]
    if mine is not None:
        parts.append(bars(mine.depth, size))
        lines = _panel_lines(mine.depth, _Named(by_run=False, by_kind=True), size + 14)
    return {
        "vconcat": parts,
        "spacing": 6,
        "title": {
            **{"text": kind, "subtitle": [fitted(line, size, 10) for line in lines]},
            **{"fontSize": TEXT_SIZE + 1, "subtitleFontSize": SMALL_SIZE},
            **{"offset": 6, "subtitlePadding": 3, "subtitleLineHeight": 13},
        },
    }


def _listing(panels: Sequence[Panel], kinds: Sequence[str], above: Panel) -> Listing:
    """Return the list of the runs: ECE, chance and n of each kind."""
    runs = list(dict.fromkeys((each.run, each.name) for each in panels))
    ids = [run.run_id for run, _ in runs]
    of = {(each.run.run_id, each.depth.kind): each.depth for each in panels}
    columns = [
        Column("", [str(place + 1) for place in range(len(runs))]),
        Column(
            "run",
            distinct([name for _, name in runs], ids, NAME_ROOM),
            is_number=False,
        ),
    ]
    for kind in kinds:
        cells = [cells_of(of.get((run_id, kind))) for run_id in ids]
        heads = (f"ECE {kind}", "chance", "n")
        columns += [
            Column(head, texts)
            for head, texts in zip(heads, zip(*cells, strict=True), strict=True)
        ]
    drawn = {each.run.run_id for each in panels if each.depth.ece is not None}
    colours = [BLUE if run_id == above.run.run_id else FAINT for run_id in ids]
    looks = [
        Look(colour, "circle") if run_id in drawn else None
        for run_id, colour in zip(ids, colours, strict=True)
    ]
    return listing(columns, looks)


def _drawn(panels: Sequence[Panel], named: _Named, n_kinds: int) -> tuple[Spec, float]:
    """Return the diagrams in rows, and how wide they are together."""
    size = next((size for most, size in SIZES if len(panels) <= most), SMALLEST)
    columns = _columns(len(panels), n_kinds, size)
    lines_above = [_panel_lines(panel.depth, named, size + 14) for panel in panels]
    body: Spec = {
        "concat": [
            _panel(panel, size, named, lines, max(map(len, lines_above)))
            for panel, lines in zip(panels, lines_above, strict=True)
        ],
        "columns": columns,
        "spacing": {"row": 26, "column": 18},
    }
    return body, columns * size + (columns - 1) * _axis_room(size)


def _columns(n_panels: int, n_kinds: int, size: float) -> int:
    """Return how many panels stand side by side: whole runs, where they fit."""
    most = max(1, int(WIDEST // (size + _axis_room(size))))
    together = most - most % n_kinds if 1 < n_kinds <= most else most
    return max(1, min(together, n_panels))


def _axis_room(size: float) -> float:
    return AXIS_ROOM if size > SMALLEST else BARE_AXIS_ROOM


class _Named(NamedTuple):
    """What panels differ in, and so are called by."""

    by_run: bool
    by_kind: bool


def _panel(
    panel: Panel, size: float, named: _Named, lines: Sequence[str], n_lines: int
) -> Spec:
    """Return a diagram over its bars, under as many lines as its neighbours."""
    name = panel.name if named.by_run else panel.depth.kind
    drawn = (
        empty(panel.depth, size) if panel.depth.ece is None else diagram(panel, size)
    )
    return {
        "vconcat": [drawn, bars(panel.depth, size)],
        "spacing": 6,
        "title": {
            "text": fitted(name, size + 14, TEXT_SIZE + 1, face=BOLD),
            "subtitle": [*lines, *[" "] * (n_lines - len(lines))],
            **{"fontSize": TEXT_SIZE + 1, "subtitleFontSize": SMALL_SIZE},
            **{"offset": 6, "subtitlePadding": 3, "subtitleLineHeight": 13},
        },
    }


def _panel_lines(depth: Depth, named: _Named, room: float) -> list[str]:
    """Return kind, ECE, chance and n on as few lines as they fit on."""
    ece, *rest = facts_of(depth)
    kind = [depth.kind] if named.by_run and named.by_kind else []
    facts = [*kind, *rest] if depth.ece is None else [*kind, ece, *rest]
    lines: list[list[str]] = [[]]
    for fact in facts:
        if text_width(_joined([*lines[-1], fact]), SMALL_SIZE) > room and lines[-1]:
            lines.append([])
        lines[-1].append(fact)
    return [fitted(_joined(line), room, SMALL_SIZE) for line in lines]


def _joined(facts: Sequence[str]) -> str:
    return " \N{MIDDLE DOT} ".join(facts)
