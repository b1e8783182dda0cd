"""Made-up numbers for pictures: as many runs as asked for, awkward on purpose."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta

from jevdb.comparison.compared_line import HEADLINE
from jevdb.comparison.compared_line import Line as Compared
from jevdb.comparison.history import Line, Score
from jevdb.numerics.binomial import Bounds
from jevdb.plots import (
    Picture,
    history,
    indices,
    profile,
    reliability,
    risk_coverage,
    usage,
    won_lost,
)
from jevdb.plots.asking import ACCURACY, CALIBRATION, INTELLIGENCE
from jevdb.plots.depths import RunDepth
from jevdb.plots.history_numbers import Change, History
from jevdb.plots.latency_cost import Usage, Used
from jevdb.plots.measures import Measure, Measured
from jevdb.plots.profile_numbers import Profile, Slice
from jevdb.plots.won_lost_numbers import Item, WonLost
from jevdb.scoring.calibration import NullBand, accuracy_coverage, reaching
from jevdb.scoring.calibration_depths import Bin, Depth
from jevdb.scoring.differences import Discordance
from jevdb.scoring.keys import Key
from jevdb.scoring.numbers import NO_ROWS, Value
from jevdb.scoring.runs import Run
from jevdb.scoring.thresholds import ItemsTaken, Thresholds, no_thresholds

METHOD = "metrics-md"
NAMES = (
    "tiny",
    "acme/decider-with-a-very-long-name-indeed-and-then-some-more-of-it",
    "日本語のモデルの名前はとても長い",
    "WWWWWWWWWWWWWWWW",
    '<b>bold</b> & "quoted"',
    "#0072b2",
)


def run(place: int) -> Run:
    """A run; every sixth has the same awkward name but for its revision."""
    name = NAMES[place % len(NAMES)]
    moment = datetime(2026, 1, 1 + place % 28)
    return Run(
        **{"run_id": f"{place:02x}" * 32, "benchmark_id": "made-up", "model": name},
        **{"revision": f"r{place // len(NAMES)}", "label": None, "started_at": moment},
        **{"ingested_at": moment, "is_private": False, "is_withdrawn": False},
        **{"is_superseded": place == 1, "n_rows": 9, "n_ok": 9, "n_invalid": 0},
        **{"n_unsupported": 0, "n_error": 0, "n_rejected": 0, "seq": place + 1},
    )


def measure(value: float | None, n: int = 100, half: float = 3.0) -> Measure:
    if value is None:
        return Measure(Value(None, 0, 100, "no_reference"), None)
    return Measure(Value(value, n, n, None), Bounds(value - half, value + half))


def measured(count: int, *, is_crowded: bool = True) -> Measured:
    """I and C of runs, many of them at nearly the same place, one without C."""
    runs = [run(place) for place in range(count)]
    of = {}
    for place, each in enumerate(runs):
        turn = place * 2.4
        radius = 4 if is_crowded else 30
        i = 60 + radius * math.cos(turn) * (place % 5) / 5
        c = 70 + radius * math.sin(turn) * (place % 7) / 7
        of[each.run_id] = {
            INTELLIGENCE: measure(i),
            CALIBRATION: measure(None if place == 1 else c),
        }
    numbers = (INTELLIGENCE, CALIBRATION)
    return Measured(runs, "made-up", "overall", METHOD, numbers, of)


def depth(kind: str, shift: float = 0.0) -> Depth:
    """The calibration of 400 rows, a little overconfident; two bins are empty."""
    sizes = [0, 50, 50, 50, 50, 50, 50, 1234, 50, 0]
    bins = [
        Bin(
            place,
            place / 10,
            (place + 1) / 10,
            n,
            (place + 0.5) / 10 if n else None,
            round((place + 0.5) * n * (0.08 - shift / 10)) / n if n else None,
            n / 1584,
        )
        for place, n in enumerate(sizes)
    ]
    confidences = [0.5 + (place * 37 % 400) / 800 for place in range(400)]
    right = [(place * 53 % 100) / 100 < 0.6 + shift for place in range(400)]
    curve = accuracy_coverage(confidences, right, 420)
    return Depth(
        kind=kind,
        ece=0.0832 + shift,
        n=1584,
        n_scope=1600,
        reason=None,
        zero_gold_rate=None,
        null=NullBand(0.03, 0.01, 0.05, 0.0),
        gap=None,
        squared=None,
        thresholds=Thresholds(
            ItemsTaken.ECE, 0.95, 400, 420, "not_shown", reaching(curve, 0.95), curve
        ),
        bins=bins,
    )


def no_depth(kind: str) -> Depth:
    """The calibration of a run that states no probabilities."""
    bins = [
        Bin(place, place / 10, (place + 1) / 10, 0, None, None, None)
        for place in range(10)
    ]
    return Depth(
        kind=kind,
        ece=None,
        n=0,
        n_scope=1600,
        reason="no_probabilities",
        zero_gold_rate=None,
        null=None,
        gap=None,
        squared=None,
        thresholds=no_thresholds(0.95),
        bins=bins,
    )


def depths(count: int, kinds: tuple[str, ...]) -> list[RunDepth]:
    return [
        RunDepth(
            run(place),
            "overall",
            [
                no_depth(kind) if place == 1 else depth(kind, place / 100)
                for kind in kinds
            ],
        )
        for place in range(count)
    ]


def used(count: int) -> Used:
    found = measured(count)
    of = {
        each.run_id: Usage()
        if place == 1
        else Usage(90, 0.4 + place % 3, 0.5 + place % 3, 0.9 + place % 3, 80, 1e-4)
        for place, each in enumerate(found.runs)
    }
    only_i = {
        run_id: {INTELLIGENCE: numbers[INTELLIGENCE]}
        for run_id, numbers in found.of.items()
    }
    return Used(
        Measured(found.runs, "made-up", "overall", METHOD, (INTELLIGENCE,), only_i), of
    )


def profiles(count: int) -> Profile:
    runs = [run(place) for place in range(count)]
    slices = [
        Slice(None, "overall"),
        Slice("type", "choice"),
        Slice("tier", "hard"),
        Slice("family", "a family with quite a long name, longer than there is room"),
        Slice("family", "short"),
    ]
    of = {
        part: {
            each.run_id: measure(
                None if part.value == "short" and place == 0 else 0.5 + place / 100,
                half=0.05,
            )
            for place, each in enumerate(runs)
        }
        for part in slices
    }
    return Profile(runs, "made-up", "overall", METHOD, ACCURACY, of)


def history_of(count: int) -> History:
    """Runs that get rarer: a day, then three, then five after the one before."""
    runs = [
        run(place)._replace(started_at=datetime(2026, 1, 1) + timedelta(place**2))
        for place in range(count)
    ]
    lines, intervals = {}, {}
    for shift, method in enumerate((METHOD, "jevbench-v1.5")):
        lines[method] = [
            Line(
                each,
                "overall",
                Score(1, Value(50.0, 100, 100, None), 100) if place == 2 else None,
                Score(
                    2,
                    NO_ROWS
                    if place == 3
                    else Value(55.0 + place + shift, 100, 100, None),
                    100,
                ),
                None,
            )
            for place, each in enumerate(runs)
        ]
        intervals[method] = {
            line.run.run_id: measure(line.now.value).interval for line in lines[method]
        }
    changes = [
        Change(place, f"gold {place + 1}") for place in range(1, min(count, 9))
    ] + [Change(1, "method jevbench-v1.5")]
    changes.sort(key=lambda change: change.before)
    return History("model", INTELLIGENCE, lines, intervals, changes)


def won_lost_of(count: int) -> WonLost:
    """*count* groups, with up to forty items won or lost in each."""
    items = [
        Item(
            f"{group}-{place}",
            "won" if place % 3 else "lost",
            f"group {group}",
            "choice",
        )
        for group in range(count)
        for place in range(group * 7 % 41)
    ]
    pairs = Discordance(50, 20, 30, 0)
    value = Value(0.7, 100, 100, None)
    line = Compared(
        key=Key("overall", METHOD, "accuracy", "all"),
        other=run(1),
        base_value=value,
        other_value=Value(0.8, 100, 100, None),
        difference=0.1,
        contrast=pairs,
        interval=Bounds(-0.04, 0.24),
        claim=HEADLINE,
        level=0.05,
        verdict="not_resolved",
        pairs=pairs,
    )
    groups = {f"group {group}": Discordance(5, 1, 2, 1) for group in range(count)}
    return WonLost(
        run(0), run(1), line, "family", groups, items, "100 items (shared)", 1
    )


PICTURES: dict[str, Callable[[int], Picture]] = {
    "reliability": lambda count: reliability(
        depths(count, ("choice", "noul", "score")), METHOD
    ),
    "reliability-one-kind": lambda count: reliability(
        depths(count, ("pooled",)), METHOD
    ),
    "indices": lambda count: indices(measured(count)),
    "indices-apart": lambda count: indices(measured(count, is_crowded=False)),
    "history": lambda count: history(history_of(count)),
    "profile": lambda count: profile(profiles(count)),
    "won-lost": lambda count: won_lost(won_lost_of(count)),
    "risk-coverage": lambda count: risk_coverage(depths(count, ("all",)), METHOD),
    "usage": lambda count: usage(used(count)),
}
"""Every kind of picture, of as many runs (or groups) as asked for."""
