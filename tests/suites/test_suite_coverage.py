"""Suite intervals hold the truth as often as they say, over made-up worlds.

Two members ask about the same items, another's items come in groups; an entrant is
right where its ability, and luck, exceed an item's difficulty. What it would score over
endless items is known: the share is Phi(ability / sqrt(1 + luck^2)).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from jevdb.suites.document import Suite
from jevdb.suites.intervals import evidence
from jevdb.suites.items import Item
from jevdb.suites.roster import Entrant, Entry, Request, Roster
from jevdb.suites.rows import Rows
from jevdb.suites.scores import Member, Score, Scores, Value

SIZES = {1: 80, 2: 80, 3: 50, 4: 120}
CLUSTERS = {1: "c", 2: "c", 3: "d", 4: "e"}
GROUP = 4
AREAS = {1: "one", 2: "one", 3: "two", 4: "two"}
WEIGHTS = {"one": 1.0, "two": 2.0}
ABILITIES = (0.2, 0.5, 0.9)
LUCK = 0.8


def phi(x: float) -> float:
    return (1 + math.erf(x / math.sqrt(2))) / 2


TRUTHS = [100 * phi(each / math.sqrt(1 + LUCK**2)) for each in ABILITIES]
"""Every member has the same: so has each weighted mean of them."""


def world(rng: np.random.Generator, rule: str) -> tuple[Scores, Rows]:
    shared = rng.normal(size=SIZES[1])
    right: dict[int, Any] = {}
    for number, n in SIZES.items():
        difficulty = shared if number < 3 else rng.normal(size=n)
        if number == 4:
            difficulty = np.repeat(rng.normal(size=n // GROUP), GROUP)
        noise = rng.normal(size=(len(ABILITIES), n)) * LUCK
        ability = np.array(ABILITIES)[:, np.newaxis]
        right[number] = (ability + noise > difficulty).astype(float)
    entrants = [Entrant(f"m{place}") for place in range(len(ABILITIES))]
    document = {
        **{"name": "s", "version": "1", "method": "m", "aggregate": rule, "also": []},
        **{"missing": "unranked", "unanswered": "wrong", "tie": 0.0, "scale": 100.0},
        **{"areas": WEIGHTS, "member": []},
    }
    members = [
        Member(
            *(number, f"b{number}", AREAS[number], WEIGHTS[AREAS[number]]),
            *("overall", "overall"),
            *("accuracy", "all", 1.0, "none", None, None, 1.0, False, 0),
            *(CLUSTERS[number], [], None),
        )
        for number in SIZES
    ]
    values = {
        entrant: [
            Value(
                *(number, "rows", f"{entrant.model}/{number}", None),
                *(mine := float(right[number][place].mean()), None, mine),
                *(SIZES[number], SIZES[number], 1.0, None, False),
            )
            for number in SIZES
        ]
        for place, entrant in enumerate(entrants)
    }
    scores = {}
    for entrant, mine in values.items():
        found = [value.value or 0.0 for value in mine]
        one, two = np.mean(found[:2]), np.mean(found[2:])
        areas = 100 * float(one + 2 * two) / 3
        mean = 100 * float(np.mean(found))
        middle = ((0.1 + 0.9 * one) * (0.1 + 0.9 * two) ** 2) ** (1 / 3)
        geometric = float(100 * (middle - 0.1) / 0.9)
        score = {"areas": areas, "mean": mean, "geometric": geometric}[rule]
        scores[entrant] = Score(
            *(score, mean, areas, geometric, None, None, None),
            *(len(found), 0, False, True, None),
        )
    entries = [
        Entry(entrant, value.member, "rows", value.run_id, None)
        for entrant in entrants
        for value in values[entrant]
    ]
    request = Request(Suite(document))
    items = {
        number: [
            Item(
                f"i{place}",
                f"g{place // GROUP}" if number == 4 else f"i{place}",
                *("choice", None, ["a", "b"], 0, None, None),
            )
            for place in range(n)
        ]
        for number, n in SIZES.items()
    }
    rows = Rows(
        items=items,
        places={number: np.arange(n) for number, n in SIZES.items()},
        runs={
            f"{entrant.model}/{number}": place
            for number in SIZES
            for place, entrant in enumerate(entrants)
        },
        columns={
            f"b{number}": {"is_right": mine, "is_ok": np.ones_like(mine)}
            for number, mine in right.items()
        },
        method=None,  # type: ignore[arg-type]
        unsupported={entry.source: frozenset() for entry in entries},
        repeats={entry.source: 1 for entry in entries},
    )
    return (
        Scores(
            request, Roster(entries), members, values, {e: [] for e in entrants}, scores
        ),
        rows,
    )


def shares(rule: str, worlds: int, seed: int) -> tuple[float, float]:
    """How often intervals hold the truth: of scores, and of differences."""
    rng = np.random.default_rng(seed)
    alone = pairs = 0
    for _ in range(worlds):
        scores, rows = world(rng, rule)
        found = evidence(scores, rows, rule)
        for place, entrant in enumerate(found.entrants):
            interval = found.sure(entrant).interval
            assert interval is not None
            alone += interval.low <= TRUTHS[place] <= interval.high
        for one, two in ((0, 1), (0, 2), (1, 2)):
            difference = found.difference(found.entrants[one], found.entrants[two])
            low, high = difference.interval()  # type: ignore[union-attr]
            pairs += low <= TRUTHS[two] - TRUTHS[one] <= high
    return alone / (3 * worlds), pairs / (3 * worlds)


@pytest.mark.parametrize("rule", ["areas", "mean"])
def test_intervals_hold_the_truth(rule: str):
    """200 worlds, 600 intervals: 0.95 less three standard errors is above 0.92."""
    alone, pairs = shares(rule, 200, 11)
    assert alone >= 0.92
    assert pairs >= 0.92


@pytest.mark.long
@pytest.mark.parametrize("rule", ["areas", "mean"])
def test_intervals_hold_the_truth_in_at_least_94_percent(rule: str):
    alone, pairs = shares(rule, 4000, 12)
    assert 0.94 <= alone <= 0.965
    assert 0.94 <= pairs <= 0.965


@pytest.mark.long
def test_resampled_intervals_hold_the_truth_in_at_least_94_percent():
    """Areas of equal worth have their geometric mean where they are."""
    alone, pairs = shares("geometric", 1000, 13)
    assert 0.94 <= alone <= 0.97
    assert 0.94 <= pairs <= 0.97
