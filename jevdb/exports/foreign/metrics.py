"""What others want to know of our metrics: unit, direction and bounds."""

from __future__ import annotations

from typing import NamedTuple

POINTS = "points"
PROPORTION = "proportion"
UNBOUNDED = "Infinity"
UNBOUNDED_BELOW = "-Infinity"

Bound = float | str


class Facts(NamedTuple):
    """A metric's title, unit, direction and bounds; an unbounded one is a word."""

    title: str
    unit: str
    lower_is_better: bool
    lowest: Bound
    highest: Bound


FACTS = {
    "intelligence": Facts("I (intelligence)", POINTS, False, UNBOUNDED_BELOW, 100.0),
    "calibration": Facts("C (calibration)", POINTS, False, 0.0, 100.0),
    "accuracy": Facts("accuracy", PROPORTION, False, 0.0, 1.0),
    "coverage": Facts("coverage (ok rows / items)", PROPORTION, False, 0.0, 1.0),
    "ece": Facts("expected calibration error", PROPORTION, True, 0.0, 1.0),
    "tvd": Facts("total variation distance", PROPORTION, True, 0.0, 1.0),
    "rps": Facts("ranked probability score", PROPORTION, True, 0.0, 1.0),
    "brier": Facts("Brier score (over all options)", "score", True, 0.0, 2.0),
    "nll": Facts("negative log-likelihood", "nats", True, 0.0, UNBOUNDED),
    "ordinal_mae": Facts("mean absolute error", "levels", True, 0.0, UNBOUNDED),
    "multi_select_f1": Facts("multi-select F1", PROPORTION, False, 0.0, 1.0),
}
RANGES = {
    POINTS: "at most 100",
    PROPORTION: "0 to 1",
}
