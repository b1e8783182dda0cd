"""Many machines publish at once: every run once, and never two under one name."""

from __future__ import annotations

from collections import Counter

import pytest
from places import Place, assert_each_once
from workers import Job, publish_at_once

from jevdb.lake.connecting import Lake


def race(place: Place, machines: int, names: int) -> None:
    """Every machine publishes every name; of half of them each has rows of its own."""
    jobs = [
        [
            Job(f"model-{name}", f"{name}" if name % 2 else f"{name}-{machine}")
            for name in range(names)
        ]
        for machine in range(machines)
    ]
    outcomes = publish_at_once(place, jobs)
    others = (machines - 1) * names // 2
    assert Counter(outcome.word for outcome in outcomes) == {
        "stored": names,
        "already_there": others,
        "conflict": others,
    }
    assert_each_once(place)


def test_machines_that_publish_the_same_names(place: Place):
    race(place, machines=3, names=2)


@pytest.mark.long
def test_eight_machines_and_twenty_names(place: Place):
    race(place, machines=8, names=20)


def distinct(place: Place, machines: int, runs: int, size: int) -> None:
    jobs = [
        [Job(f"model-{machine}-{run}", f"{machine}-{run}", size) for run in range(runs)]
        for machine in range(machines)
    ]
    outcomes = publish_at_once(place, jobs)
    assert Counter(outcome.word for outcome in outcomes) == {"stored": machines * runs}
    with Lake(place.target, read_only=True) as lake:
        rows = lake.rows("select count(*), sum(n_rows) from runs")
    assert rows == [(machines * runs, machines * runs * size)]
    assert_each_once(place)


def test_machines_that_publish_runs_of_their_own(place: Place):
    distinct(place, machines=3, runs=2, size=20)


@pytest.mark.long
def test_eight_machines_with_twenty_runs_each(large_place: Place):
    distinct(large_place, machines=8, runs=20, size=1500)
