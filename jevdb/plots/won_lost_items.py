"""Items won and lost between two runs: a square per item, group by group.

To the right what only the other run got right, to the left what only the base did. The
items are those of `jevdb compare --items`, the counts, the interval and McNemar's test
those of `jevdb compare`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import signed
from jevdb.base.output import Rows
from jevdb.base.text import counted, short_id
from jevdb.plots.asking import distinct_names
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
from jevdb.plots.measure import BOLD, fitted, text_width
from jevdb.plots.picture import Picture
from jevdb.plots.theme import (
    BLUE,
    FAINT,
    INK,
    MUTED,
    PAPER,
    TEXT_SIZE,
    VERMILLION,
)
from jevdb.plots.won_lost_numbers import Item, WonLost
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from jevdb.scoring.differences import Discordance

WIDTH, ROW_HEIGHT, BAR_HEIGHT = 520.0, 24.0, 14.0
LABEL_ROOM = 190.0
SQUARE_FROM = 4.0
"""Items of fewer pixels than this have no gap between them."""
MOST_SQUARES = 4000
"""More items than this are drawn as one bar per group and side."""
SMALLEST_P = 0.0001


def won_lost(found: WonLost) -> Picture:
    """Return the squares of `read_won_lost`, groups with most won above."""
    base, other = distinct_names([found.base, found.other])
    groups = _groups(found)
    title = f"Won and lost: {other} against {base}"
    facts = list(_facts(found, base, other))
    lines = (*facts, f"A square is an item; they are grouped by {found.by}.")
    return Picture(
        kind="won-lost",
        title=title,
        alt=f"{title}. {' '.join(facts)}",
        description="\n".join([f"{title}.", *facts, *_lines(found, groups)]),
        spec=whole(
            Heading(title, lines), _drawn(found, groups, base, other), WIDTH + 330
        ),
        table=_table(found, base, other),
    )


def _facts(found: WonLost, base: str, other: str) -> Iterator[str]:
    line = found.line
    yield (
        f"{found.base.benchmark}, report row {line.key.report_row}, "
        f"{found.cohort}, gold revision {found.gold_revision}."
    )
    pairs = line.pairs
    if pairs is not None:
        yield (
            f"{pairs.n_only_other} won, {pairs.n_only_base} lost, {pairs.n_both} both "
            f"right, {pairs.n_neither} neither; exact McNemar p "
            f"{_p_words(pairs.p_value)}."
        )
    if line.difference is None:
        return
    ends = ""
    if line.interval is not None:
        low, high = (signed(end, "accuracy") for end in line.interval)
        ends = f" (95 % {low} to {high}): {(line.verdict or '').replace('_', ' ')}"
    yield (
        f"Accuracy {rounded(line.base_value.value, 4)} of {base}, "
        f"{rounded(line.other_value.value, 4)} of {other}, difference "
        f"{signed(line.difference, 'accuracy')}{ends}."
    )


def _p_words(p_value: float) -> str:
    return f"{p_value:.4f}" if p_value >= SMALLEST_P else f"below {SMALLEST_P}"


class _Group(NamedTuple):
    """A group with its items, and the pairs of all its items where they are known."""

    name: str
    won: list[Item]
    lost: list[Item]
    pairs: Discordance | None


def _groups(found: WonLost) -> list[_Group]:
    names = dict.fromkeys((*found.groups, *(item.group for item in found.items)))
    groups = [
        _Group(
            name,
            [
                item
                for item in found.items
                if (item.group, item.outcome) == (name, "won")
            ],
            [
                item
                for item in found.items
                if (item.group, item.outcome) == (name, "lost")
            ],
            found.groups.get(name),
        )
        for name in names
    ]
    return sorted(groups, key=lambda each: (len(each.lost) - len(each.won), each.name))


def _lines(found: WonLost, groups: Sequence[_Group]) -> Iterator[str]:
    for group in groups:
        rest = (
            f", {group.pairs.n_both} both right, {group.pairs.n_neither} neither, "
            f"n {sum(group.pairs)}"
            if group.pairs
            else ""
        )
        yield (
            f"{found.by} {group.name}: {len(group.won)} won, {len(group.lost)} lost"
            f"{rest}."
        )


def _drawn(found: WonLost, groups: Sequence[_Group], base: str, other: str) -> Spec:
    most = max((max(len(each.won), len(each.lost)) for each in groups), default=0) or 1
    unit = WIDTH / (2 * (most + 4))
    height = ROW_HEIGHT * max(len(groups), 1)
    scale = {"domain": [-most - 4, most + 4], "nice": False}
    squares = list(_squares(groups, is_single=len(found.items) <= MOST_SQUARES))
    edge = 0.75 if unit >= SQUARE_FROM else 0.0
    x = number(
        "start",
        scale=scale,
        axis={"labels": False, "ticks": False, "grid": False, "domain": False}
        | {"title": None},
    )
    bars = [
        layer(
            "rect",
            [square for square in squares if square["outcome"] == outcome],
            {
                **{"x": x, "x2": {"field": "end"}, "y": pixels("top")},
                **{"y2": {"field": "bottom"}},
                "tooltip": tips(**{"item": "item", "outcome": "outcome"})
                + tips(group=found.by),
            },
            **{"color": colour, "stroke": PAPER, "strokeWidth": edge, "opacity": 1},
        )
        for outcome, colour in (("won", BLUE), ("lost", VERMILLION))
    ]
    middle: list[Record] = [{"x": WIDTH / 2, "y": -4, "y2": height}]
    axis = layer(
        "rule",
        middle,
        {"x": pixels("x"), "y": pixels("y"), "y2": {"field": "y2"}},
        color=FAINT,
    )
    return view(
        WIDTH,
        height,
        [*bars, axis, *_texts(groups, unit), *_sides(*_winners(found, base, other))],
    )


def _squares(groups: Sequence[_Group], *, is_single: bool) -> Iterator[Record]:
    """Yield a rectangle per item, or one per group and side where they are too many."""
    for row, group in enumerate(groups):
        top = ROW_HEIGHT * row + (ROW_HEIGHT - BAR_HEIGHT) / 2
        for outcome, items, way in (("won", group.won, 1), ("lost", group.lost, -1)):
            shared = {"outcome": outcome, "group": group.name}
            place = {"top": top, "bottom": top + BAR_HEIGHT}
            if is_single:
                for at, item in enumerate(items):
                    yield {
                        **{"item": item.item_id, **shared, **place},
                        **{"start": way * at, "end": way * (at + 1)},
                    }
            elif items:
                name = counted(len(items), "item")
                yield {"item": name, **shared, **place} | {
                    **{"start": 0, "end": way * len(items)},
                }


def _texts(groups: Sequence[_Group], unit: float) -> Iterator[Spec]:
    """Yield counts at the ends of bars, names to the left, the rest to the right."""
    names: list[Record] = []
    counts: list[Record] = []
    rest: list[Record] = []
    for row, group in enumerate(groups):
        y = ROW_HEIGHT * (row + 0.5)
        tail = f" ({sum(group.pairs)})" if group.pairs else ""
        room = LABEL_ROOM - text_width(tail, TEXT_SIZE)
        names.append({"x": -8, "y": y, "text": fitted(group.name, room, 11) + tail})
        for count, way, align in (
            (len(group.won), 1, "left"),
            (len(group.lost), -1, "right"),
        ):
            x = WIDTH / 2 + way * (count * unit + 5)
            counts.append({"x": x, "y": y, "text": str(count), "align": align})
        if group.pairs:
            words_ = f"both {group.pairs.n_both}, neither {group.pairs.n_neither}"
            rest.append({"x": WIDTH + 8, "y": y, "text": words_})
    at: Spec = {"x": pixels("x"), "y": pixels("y"), "text": words("text")}
    looks = {"baseline": "middle", "fontSize": TEXT_SIZE}
    yield layer("text", names, at, **looks, align="right", color=INK)
    for align in ("left", "right"):
        shown = [count for count in counts if count["align"] == align]
        yield layer("text", shown, at, **looks, align=align, color=INK)
    yield layer("text", rest, at, **looks, align="left", color=MUTED)


def _winners(found: WonLost, base: str, other: str) -> tuple[str, str]:
    """Return what the items of each side have in common."""
    if found.base.n_repeats == found.other.n_repeats == 1:
        return f"only {base} right", f"only {other} right"
    return f"{base} right more often", f"{other} right more often"


def _sides(left: str, right: str) -> Iterator[Spec]:
    """Yield what is left and right, above the squares."""
    room = WIDTH / 2 - 10
    at: Spec = {"x": pixels("x"), "y": pixels("y"), "text": words("text")}
    for text, x, align, colour in (
        (left, WIDTH / 2 - 8, "right", VERMILLION),
        (right, WIDTH / 2 + 8, "left", BLUE),
    ):
        rows: list[Record] = [
            {"x": x, "y": -12, "text": fitted(text, room, TEXT_SIZE, face=BOLD)}
        ]
        yield layer(
            "text",
            rows,
            at,
            **{"align": align, "baseline": "middle", "color": colour},
            **{"fontSize": TEXT_SIZE, "fontWeight": "bold"},
        )


TABLE = ("base", "other", "benchmark_id", "item_id", "outcome", "type", "group")


def _table(found: WonLost, base: str, other: str) -> Rows:
    names = (
        f"{base} ({short_id(found.base.run_id)})",
        f"{other} ({short_id(found.other.run_id)})",
    )
    return Rows(
        TABLE,
        [
            [
                *(*names, found.base.benchmark_id, item.item_id, item.outcome),
                *(item.type, item.group),
            ]
            for item in found.items
        ],
    )
