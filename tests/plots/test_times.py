"""An axis of time: places in proportion, round dates, and what there is room for."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from made_up import history_of

from jevdb.plots import Picture, history
from jevdb.plots.times import Tick, time_axis

NEW_YEAR = datetime(2026, 1, 1)


def ticks(first: datetime, last: datetime, room: float) -> list[str]:
    return [tick.text for tick in time_axis([last, first], 0, room).ticks()]


def test_places_are_as_far_apart_as_the_moments():
    moments = [NEW_YEAR + timedelta(days) for days in (0, 2, 10)]
    axis = time_axis(moments, 20, 400)
    # Two days of ten: a fifth of 380 pixels.
    assert [axis.at(moment) for moment in moments] == pytest.approx([20, 96, 400])


def test_dates_are_round_and_have_room():
    # The first of January 2026 was a Thursday.
    mondays = ["2026-01-05", "2026-01-12", "2026-01-19", "2026-01-26"]
    assert ticks(NEW_YEAR, datetime(2026, 1, 28), 400) == mondays
    assert ticks(NEW_YEAR, datetime(2026, 3, 31), 300) == [
        *("2026-01", "2026-02", "2026-03")
    ]
    # Three even years would need 240 pixels, years of five need less.
    assert ticks(datetime(2020, 6, 1), datetime(2026, 6, 1), 239) == ["2025"]
    assert ticks(datetime(2020, 6, 1), datetime(2026, 6, 1), 240) == [
        *("2022", "2024", "2026")
    ]
    evening = datetime(2025, 12, 31, 22, 50)
    assert ticks(evening, datetime(2026, 1, 1, 1, 10), 240) == [
        *("12-31 23:00", "01-01 00:00", "01-01 01:00")
    ]


def test_a_date_stands_at_its_place():
    [_, second, _] = time_axis([NEW_YEAR, datetime(2026, 3, 31)], 0, 300).ticks()
    # January has 31 of the 89 days.
    assert second == Tick(pytest.approx(31 / 89 * 300), "2026-02")


def test_one_moment_stands_in_the_middle_and_is_written_out():
    moment = datetime(2026, 1, 1, 9, 31, 7)
    axis = time_axis([moment, moment], 0, 300)
    assert axis.ticks() == [Tick(150, "2026-01-01 09:31")]


def drawn_at(picture: Picture) -> list[float]:
    """Return where the runs stand, by their numbers below the axis."""
    [drawn, _] = picture.spec.get("hconcat") or picture.spec["vconcat"]
    [places] = [
        [row["x"] for row in layer["data"]["values"]]
        for layer in drawn["layer"]
        if layer["mark"]["type"] == "text"
        and [row["text"] for row in layer["data"]["values"]] == ["1", "2", "3"]
    ]
    return places


def test_a_history_is_drawn_over_time():
    """Runs of the first, the second and the fifth of January, in 420 pixels."""
    assert drawn_at(history(history_of(3))) == pytest.approx([20, 115, 400])
