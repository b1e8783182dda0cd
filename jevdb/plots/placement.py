"""Where labels go, so that none covers another label or a point.

Deterministic and greedy: the point with the closest neighbours chooses first; each
label takes the nearest free place on rings around its point, a leader line where it
ends up away from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

GAP = 2.0
RINGS = (6.0, 9.0, 14.0, 20.0, 28.0, 38.0, 50.0, 64.0, 80.0, 100.0, 125.0, 150.0)
LEADER_FROM = 10.0
"""A label further from its point than this gets a line to it."""
DIRECTIONS = 16


class Box(NamedTuple):
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether the two share more than an edge."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: Box) -> bool:
        """Return whether the other lies inside."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


class Dot(NamedTuple):
    """A point to label, and the size of its label."""

    x: float
    y: float
    width: float
    height: float


class Place(NamedTuple):
    """Where a label stands, and the ring it was found on."""

    box: Box
    distance: float

    @property
    def has_leader(self) -> bool:
        """Whether the label is far enough away to need a line to its point."""
        return self.distance > LEADER_FROM


def placed(
    dots: Sequence[Dot],
    frame: Box,
    radius: float,
    rings: Sequence[float] = RINGS,
    lines: Sequence[Box] = (),
) -> list[Place | None]:
    """Return a place inside *frame* for each label, or None where there is none.

    Parameters
    ----------
    dots : sequence of Dot
    frame : Box
        What labels must stay inside.
    radius : float
        Half the size of a mark; labels keep off every mark.
    rings : sequence of float
        Distances tried, in pixels from the edge of the mark.
    lines : sequence of Box
        What labels keep off where they can, such as intervals.
    """
    marks = [
        Box(dot.x - radius, dot.y - radius, dot.x + radius, dot.y + radius)
        for dot in dots
    ]
    taken: list[Box] = list(marks)
    found: list[Place | None] = [None] * len(dots)
    for index in sorted(
        range(len(dots)), key=lambda place: (_room(dots, place), place)
    ):
        free = [
            place
            for place in _candidates(dots[index], radius, rings)
            if frame.holds(place.box) and not any(map(place.box.meets, taken))
        ]
        if free:
            clear = (place for place in free if not any(map(place.box.meets, lines)))
            place = next(clear, free[0])
            found[index] = place
            taken.append(_padded(place.box))
    return found


def _room(dots: Sequence[Dot], index: int) -> float:
    """Return the distance to the nearest other point."""
    me = dots[index]
    return min(
        (
            math.hypot(other.x - me.x, other.y - me.y)
            for place, other in enumerate(dots)
            if place != index
        ),
        default=math.inf,
    )


def _padded(box: Box) -> Box:
    return Box(box.left - GAP, box.top - GAP, box.right + GAP, box.bottom + GAP)


def _candidates(dot: Dot, radius: float, rings: Sequence[float]) -> Iterator[Place]:
    """Yield places around a point, nearest first, the right-hand side preferred."""
    for ring in rings:
        for step in _turns():
            angle = 2 * math.pi * step / DIRECTIONS
            away_x, away_y = math.cos(angle), -math.sin(angle)
            x = dot.x + away_x * (radius + ring)
            y = dot.y + away_y * (radius + ring)
            left = x - dot.width * (1 - away_x) / 2
            top = y - dot.height * (1 - away_y) / 2
            box = Box(left, top, left + dot.width, top + dot.height)
            yield Place(box, ring)


def _turns() -> Iterator[int]:
    """Yield directions, counted from the right: the upper right first, then others."""
    yield from sorted(range(DIRECTIONS), key=lambda step: (abs(step - 1.5), step))


def spread(
    wanted: Sequence[float], height: float, top: float, bottom: float
) -> list[float]:
    """Return places as near to those wanted as possible, *height* apart, in order.

    For labels at the ends of lines; if they do not fit between *top* and *bottom* they
    run over the bottom.
    """
    order = sorted(range(len(wanted)), key=lambda place: (wanted[place], place))
    places = [0.0] * len(wanted)
    at = top - height
    for index in order:
        at = max(wanted[index], at + height)
        places[index] = at
    at = max(bottom, top + height * (len(wanted) - 1)) + height
    for index in reversed(order):
        at = min(places[index], at - height)
        places[index] = at
    return places
