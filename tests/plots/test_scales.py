"""Axes end at round numbers, show them as they are, and stay in what can be."""

from __future__ import annotations

import pytest

from jevdb.plots.scales import linear, metric_axis, wide


def test_ends_and_ticks_are_round():
    axis = linear("x", [0.83, 0.91])
    assert (axis.low, axis.high) == (0.82, 0.92)
    assert list(axis.ticks) == [0.82, 0.84, 0.86, 0.88, 0.9, 0.92]
    assert axis.axis()["format"] == ".2f"


def test_an_axis_stays_inside_what_a_metric_can_be():
    accuracy = metric_axis("accuracy", [0.0, 1.0], "accuracy")
    assert (accuracy.low, accuracy.high) == (0.0, 1.0)
    # I may be negative, and is at most 100.
    index = metric_axis("I", [-20.0, 99.0], "intelligence")
    assert (index.low, index.high) == (-50.0, 100.0)


@pytest.mark.parametrize("values", [[], [3.0], [0.0], [5.0, 5.0]])
def test_one_value_or_none_has_an_axis(values: list[float]):
    axis = linear("x", values)
    assert axis.low < axis.high
    assert all(axis.low <= value <= axis.high for value in values)


def test_amounts_that_differ_little_are_linear():
    assert wide("s", [1.0, 19.0]).form == "linear"


def test_amounts_that_differ_much_are_logarithmic():
    axis = wide("s", [0.1, 10.0])
    assert axis.form == "log"
    # 1 is the geometric mean of 0.1 and 10.
    assert axis.share(1.0) == pytest.approx(0.5)


def test_nothing_spent_is_at_the_end_of_a_wide_axis():
    axis = wide("s", [0.0, 0.001, 100.0])
    assert (axis.form, axis.low) == ("symlog", 0.0)
    assert axis.share(0.0) == 0.0
    assert 0 < axis.share(0.001) < axis.share(100.0) < 1
    assert axis.scale["constant"] == 0.001
