"""The profile of many runs as a heatmap: a row per run, a column per slice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jevdb.base.metrics import decimals
from jevdb.plots.asking import interval_words, no_value, title_of
from jevdb.plots.grammar import Record, Spec, layer, number, pixels, tips, view, words
from jevdb.plots.listing import NAME_ROOM
from jevdb.plots.measure import BOLD, distinct, fitted, text_width
from jevdb.plots.profile_numbers import Profile, Slice
from jevdb.plots.profile_words import slice_name
from jevdb.plots.theme import BLUE, GRID, INK, MUTED, SMALL_SIZE, TEXT_SIZE
from jevdb.scoring.report_text import rounded

WIDEST = 1040.0
"""Cells are made narrower, and their numbers shorter, to keep below it."""
LEAST_CELL, MOST_CELL, ROW, GROUP_GAP = 15.0, 42.0, 17.0, 10.0
HEAD_ROOM = 130.0
"""Names of slices, which stand upright, are cut to this length."""
CELL_SIZE = 9.0
FAINTEST, STRONGEST = 0.05, 0.5
"""How strong the least and the greatest value are drawn; text stays readable on it."""
FEWER = 2
"""So many decimals may be left out in narrow cells."""


def heatmap(found: Profile, names: Sequence[str]) -> tuple[Spec, float]:
    """Return the cells of `read_profile` with their names, and how wide all is."""
    columns = _columns(found)
    rows = list(_cells(found, names, columns))
    there = [row for row in rows if row["value"] is not None]
    absent = [row for row in rows if row["value"] is None]
    width = columns[-1].x + columns[-1].width
    tooltip = tips(
        **{"run": "run", "slice": "slice", "value": title_of(found.number)},
        **{"interval": "95 % interval", "n": "n", "note": " "},
    )
    at: Spec = {
        **{"x": pixels("x"), "x2": {"field": "x2"}},
        **{"y": pixels("y"), "y2": {"field": "y2"}, "tooltip": tooltip},
    }
    strength = number("strength", scale=None, legend=None)
    layers = [
        layer("rect", there, {**at, "opacity": strength}, color=BLUE),
        layer("rect", absent, at, color=GRID),
        *_numbers(found, there, columns[0].width),
        _texts(
            [{**row, "text": "\N{EN DASH}"} for row in absent],
            **{"color": MUTED, "fontSize": CELL_SIZE},
        ),
        *_heads(found, columns),
        _run_names(found, names),
    ]
    return view(width, ROW * len(found.runs), layers), NAME_ROOM + width


class _Column(NamedTuple):
    """A slice, and where its column stands."""

    part: Slice
    x: float
    width: float
    is_new_dimension: bool


def _columns(found: Profile) -> list[_Column]:
    slices = list(found.of)
    is_new = [
        place > 0 and part.dimension != slices[place - 1].dimension
        for place, part in enumerate(slices)
    ]
    room = WIDEST - NAME_ROOM - GROUP_GAP * sum(is_new)
    width = min(max(room // len(slices), LEAST_CELL), MOST_CELL)
    columns: list[_Column] = []
    x = 0.0
    for part, new in zip(slices, is_new, strict=True):
        x += GROUP_GAP if new else 0.0
        columns.append(_Column(part, x, width, new))
        x += width
    return columns


def _cells(
    found: Profile, names: Sequence[str], columns: Sequence[_Column]
) -> Iterator[Record]:
    values = [
        one.value.value
        for measures in found.of.values()
        for one in measures.values()
        if one.value.value is not None
    ]
    low, high = min(values, default=0.0), max(values, default=0.0)
    length = high - low
    for column in columns:
        for place, (run, name) in enumerate(zip(found.runs, names, strict=True)):
            one = found.of[column.part][run.run_id]
            value = one.value.value
            share = (value - low) / length if value is not None and length else 0.5
            yield {
                **{"run": name, "slice": slice_name(column.part), "value": value},
                "interval": interval_words(one.interval, found.number.metric),
                "n": one.value.n,
                "note": "" if value is not None else no_value(one.value.reason),
                "strength": FAINTEST + (STRONGEST - FAINTEST) * share,
                **{"x": column.x + 0.5, "x2": column.x + column.width - 0.5},
                **{"y": ROW * place + 0.5, "y2": ROW * (place + 1) - 0.5},
                **{"middle": column.x + column.width / 2, "line": ROW * (place + 0.5)},
            }


def _numbers(found: Profile, rows: Sequence[Record], width: float) -> Iterator[Spec]:
    """Yield the numbers in the cells, with the most decimals that have room in all."""
    most = decimals(found.number.metric)
    for places in range(most, max(most - FEWER, 0) - 1, -1):
        texts = [rounded(float(str(row["value"])), places) for row in rows]
        if max((text_width(text, CELL_SIZE) for text in texts), default=0) <= width - 5:
            shown = [
                {**row, "text": text} for row, text in zip(rows, texts, strict=True)
            ]
            yield _texts(shown, color=INK, fontSize=CELL_SIZE)
            return


def _texts(rows: Sequence[Record], **looks: object) -> Spec:
    at: Spec = {"x": pixels("middle"), "y": pixels("line"), "text": words("text")}
    return layer("text", rows, at, **{"baseline": "middle", **looks})


def _heads(found: Profile, columns: Sequence[_Column]) -> Iterator[Spec]:
    """Yield the names of the slices, upright, and those of the dimensions above."""
    heads: list[Record] = []
    longest = 0.0
    for column in columns:
        counts = {one.value.n for one in found.of[column.part].values()}
        n = f"{min(counts)}" if len(counts) == 1 else f"{min(counts)}-{max(counts)}"
        tail = f" ({n})"
        room = HEAD_ROOM - text_width(tail, TEXT_SIZE)
        text = fitted(column.part.value, room, TEXT_SIZE) + tail
        longest = max(longest, text_width(text, TEXT_SIZE))
        heads.append({"middle": column.x + column.width / 2, "line": -6, "text": text})
    yield _texts(heads, color=INK, fontSize=TEXT_SIZE, angle=270, align="left")
    groups: list[Record] = []
    for dimension in dict.fromkeys(column.part.dimension for column in columns):
        mine = [column for column in columns if column.part.dimension == dimension]
        room = mine[-1].x + mine[-1].width - mine[0].x + GROUP_GAP - 3
        text = fitted(dimension or "", room, SMALL_SIZE, face=BOLD)
        groups.append({"middle": mine[0].x, "line": -longest - 18, "text": text})
    looks = {"color": MUTED, "fontSize": SMALL_SIZE, "fontWeight": "bold"}
    yield _texts(groups, align="left", **looks)


def _run_names(found: Profile, names: Sequence[str]) -> Spec:
    shown = distinct(names, [run.run_id for run in found.runs], NAME_ROOM)
    rows: list[Record] = [
        {"middle": -8, "line": ROW * (place + 0.5), "text": name}
        for place, name in enumerate(shown)
    ]
    return _texts(rows, color=INK, fontSize=TEXT_SIZE, align="right")
