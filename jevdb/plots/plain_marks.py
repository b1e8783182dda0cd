"""The marks and axes of `plain_drawing`: lines, rules, points and bars as SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Spec = Mapping[str, Any]
Record = Mapping[str, Any]

BAR_GAP = 0.5
"""What a bar leaves free on either side, in pixels."""
POINT = 30.0
"""The area of a point whose layer says none, in pixels."""


def number(value: float) -> str:
    """Return a number of pixels as short as a hundredth of one allows."""
    return f"{value:z.2f}".rstrip("0").rstrip(".")


class Frame(NamedTuple):
    """The room of the marks of a view, in pixels."""

    width: float
    height: float

    def x(self, at: Spec, row: Record) -> float:
        """Return where a row stands, from the left."""
        return self._placed(at, row[at["field"]], self.width)

    def y(self, at: Spec, row: Record) -> float:
        """Return where a row stands, from the top."""
        value = row[at["field"]]
        if at.get("scale") is None:
            return float(value)
        return self.height - self._placed(at, value, self.height)

    @staticmethod
    def _placed(at: Spec, value: float, length: float) -> float:
        if at.get("scale") is None:
            return float(value)
        low, high = map(float, at["scale"]["domain"])
        return (value - low) / (high - low) * length


class Axis(NamedTuple):
    """An axis: which, how it is scaled, and what it shows."""

    name: str
    at: Spec
    frame: Frame

    @property
    def _shown(self) -> Spec:
        shown: Spec = self.at["axis"]
        return shown

    @property
    def values(self) -> Sequence[float]:
        """Where its ticks are."""
        found: Sequence[float] = self._shown.get("values", ())
        return found

    @property
    def labels(self) -> list[tuple[float, str]]:
        """What stands beside the ticks."""
        if not self._shown.get("labels", True):
            return []
        form = self._shown.get("format", ".1f")
        return [(value, format(value, form)) for value in self.values]

    @property
    def title(self) -> str | None:
        """What the axis shows, in words."""
        title: str | None = self._shown.get("title")
        return title

    def place(self, value: float) -> float:
        """Return where a value is, from the left or the top."""
        at = {**self.at, "field": "value"}
        placed = self.frame.x if self.name == "x" else self.frame.y
        return placed(at, {"value": value})

    def grid(self, frame: Frame, colour: str) -> str:
        """Return the lines through the frame at its ticks."""
        # Vega draws none where bars stand side by side.
        is_shown = self._shown.get("grid", "bin" not in self.at)
        if not is_shown or not self.values:
            return ""
        through = (
            f"v{number(frame.height)}"
            if self.name == "x"
            else f"h{number(frame.width)}"
        )
        starts = (
            f"M{number(self.place(value))},0"
            if self.name == "x"
            else f"M0,{number(self.place(value))}"
            for value in self.values
        )
        path = "".join(f"{start}{through}" for start in starts)
        return f'<path d="{path}" stroke="{colour}"/>'

    def line(self, frame: Frame, tick: float, config: Spec) -> str:
        """Return the axis itself with its ticks."""
        if self._shown.get("domain", True) is False:
            return ""
        high = number(frame.height)
        path = (
            f"M0,{high}h{number(frame.width)}" if self.name == "x" else f"M0,0v{high}"
        )
        for value in self.values:
            at = number(self.place(value))
            is_x = self.name == "x"
            path += f"M{at},{high}v{tick}" if is_x else f"M0,{at}h{-tick}"
        return f'<path d="{path}" stroke="{config["domainColor"]}"/>'


def axis_of(layers: Sequence[Spec], name: str, frame: Frame) -> Axis | None:
    """Return the axis that the layers of a view share; None where they have none."""
    for layer in layers:
        at = layer["encoding"].get(name, {})
        if at.get("scale") is not None and at.get("axis") is not None:
            return Axis(name, at, frame)
    return None


def marks(layer: Spec, frame: Frame) -> str:
    """Return the marks of a layer; those of text are drawn where text is measured."""
    rows = layer["data"]["values"]
    return DRAWN[layer["mark"]["type"]](layer, rows, frame) if rows else ""


def _line(layer: Spec, rows: Sequence[Record], frame: Frame) -> str:
    at = layer["encoding"]
    points = [(frame.x(at["x"], row), frame.y(at["y"], row)) for row in rows]
    path = "L".join(f"{number(x)},{number(y)}" for x, y in sorted(points))
    return f'<path d="M{path}"{_stroke(layer["mark"], 2)}/>'


def _rule(layer: Spec, rows: Sequence[Record], frame: Frame) -> str:
    at = layer["encoding"]
    path = "".join(
        f"M{number(frame.x(at['x'], row))},{number(frame.y(at['y'], row))}"
        f"V{number(frame.y({**at['y'], **at['y2']}, row))}"
        for row in rows
    )
    return f'<path d="{path}"{_stroke(layer["mark"], 1)}/>'


def _point(layer: Spec, rows: Sequence[Record], frame: Frame) -> str:
    at, mark = layer["encoding"], layer["mark"]
    # Vega takes the area for that of a square around the circle.
    radius = number(math.sqrt(mark.get("size", POINT)) / 2)
    dots = "".join(
        f'<circle cx="{number(frame.x(at["x"], row))}" '
        f'cy="{number(frame.y(at["y"], row))}" r="{radius}"/>'
        for row in rows
    )
    return f"<g{_filled(mark)}>{dots}</g>"


def _boxes(gap: float) -> Callable[[Spec, Sequence[Record], Frame], str]:
    def drawn(layer: Spec, rows: Sequence[Record], frame: Frame) -> str:
        path = "".join(_box(layer["encoding"], row, frame, gap) for row in rows)
        return f'<path d="{path}"{_filled(layer["mark"])}/>'

    return drawn


def _box(at: Spec, row: Record, frame: Frame, gap: float) -> str:
    one, two = sorted((frame.x(at["x"], row), frame.x({**at["x"], **at["x2"]}, row)))
    top, bottom = sorted((frame.y(at["y"], row), frame.y({**at["y"], **at["y2"]}, row)))
    wide = number(two - one - 2 * gap)
    return f"M{number(one + gap)},{number(top)}h{wide}v{number(bottom - top)}h-{wide}z"


def _stroke(mark: Spec, width: float) -> str:
    dashes = "".join(_attributes({"stroke-dasharray": mark.get("strokeDash")}))
    looks = {
        "stroke": mark["color"],
        "stroke-width": mark.get("strokeWidth", width),
        "opacity": mark.get("opacity"),
    }
    return "".join(_attributes(looks)) + dashes


def _filled(mark: Spec) -> str:
    looks = {
        "fill": mark["color"],
        "stroke": mark.get("stroke"),
        "stroke-width": mark.get("strokeWidth"),
        "opacity": mark.get("opacity"),
    }
    return "".join(_attributes(looks))


def _attributes(looks: Mapping[str, Any]) -> Iterator[str]:
    for name, value in looks.items():
        if value is None or (name == "opacity" and value == 1):
            continue
        shown = ",".join(map(str, value)) if isinstance(value, list) else value
        yield f' {name}="{shown}"'


def _nothing(layer: Spec, rows: Sequence[Record], frame: Frame) -> str:
    return ""


DRAWN: dict[str, Callable[[Spec, Sequence[Record], Frame], str]] = {
    "line": _line,
    "rule": _rule,
    "point": _point,
    "rect": _boxes(0.0),
    "bar": _boxes(BAR_GAP),
    "text": _nothing,
}
