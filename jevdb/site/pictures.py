"""The pictures on pages, drawn from numbers that are there already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.defaults import TARGET
from jevdb.base.metrics import Number
from jevdb.plots.asking import CALIBRATION, INTELLIGENCE
from jevdb.plots.depths import KINDS, RunDepth
from jevdb.plots.indices_plane import indices
from jevdb.plots.measures import Measure, Measured
from jevdb.plots.reliability_diagram import reliability
from jevdb.plots.won_lost_items import won_lost
from jevdb.plots.won_lost_numbers import NO_GROUP, Item, WonLost
from jevdb.scoring.calibration import null_band
from jevdb.scoring.calibration_depths import Bin, Depth
from jevdb.scoring.evidence import Key
from jevdb.scoring.thresholds import no_thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jevdb.base.documents import Json
    from jevdb.comparison.paired import Scores
    from jevdb.plots.picture import Picture
    from jevdb.scoring.runs import Run
    from jevdb.site.answers import Answers
    from jevdb.site.numbers import Numbers
    from jevdb.site.pairs import Pair

MOST_POINTS = 60
"""More runs than this are a cloud on the plane of I and C."""

SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


class Shown(NamedTuple):
    """A picture as a page shows it: where it lies, what it says, how large it is."""

    path: str
    alt: str
    width: int
    height: int


def shown(picture: Picture, svg: str, path: str) -> Shown:
    """Return how a page shows a picture that is drawn and stored at *path*."""
    size = SIZE.search(svg)
    assert size is not None
    return Shown(path, picture.alt, int(size[1]), int(size[2]))


def plane(
    scores: Scores, runs: Sequence[Run], report_row: str, method_id: str
) -> Picture | None:
    """Return I against C of the runs of a board; None where they are too many."""
    if not 1 < len(runs) <= MOST_POINTS:
        return None
    numbers = (INTELLIGENCE, CALIBRATION)
    of: dict[str, dict[Number, Measure]] = {}
    for run in runs:
        for number in numbers:
            key = Key(report_row, method_id, *number)
            value = scores.value(run.run_id, key)
            interval = scores.interval(key, run.run_id)
            of.setdefault(run.run_id, {})[number] = Measure(value, interval)
    benchmark_id = runs[0].benchmark_id
    return indices(Measured(runs, benchmark_id, report_row, method_id, numbers, of))


def won_and_lost(pair: Pair, cohort: str, gold_revision: int) -> Picture:
    """Return the items that one of two runs won or lost, drawn."""
    [line] = [
        line
        for line in pair.lines
        if line.key.report_row == pair.report_rows[0]
        and (line.key.metric, line.key.kind) == ("accuracy", "all")
    ]
    items = [
        Item(
            each.item.item_id,
            each.outcome,
            getattr(each.item, pair.by) or NO_GROUP,
            each.item.type,
        )
        for each in pair.decided
    ]
    return won_lost(
        WonLost(
            *(pair.base, pair.other, line, pair.by, pair.groups, items, cohort),
            gold_revision=gold_revision,
        )
    )


def diagram(
    run: Run, report_row: str, numbers: Numbers, answers: Answers, method: Json
) -> Picture | None:
    """Return the reliability of a run; None where no answer has a distribution."""
    method_id, n_bins = str(method["method_id"]), method["bins"]
    assert isinstance(n_bins, int)
    depths = [
        depth
        for kind in KINDS
        if (depth := _depth(run, report_row, kind, numbers, answers, method_id, n_bins))
    ]
    if all(depth.ece is None for depth in depths):
        return None
    return reliability([RunDepth(run, report_row, depths)], method_id)


def _depth(
    run: Run,
    report_row: str,
    kind: str,
    numbers: Numbers,
    answers: Answers,
    method_id: str,
    n_bins: int,
) -> Depth | None:
    """Return what `jevdb calibration` says of a kind, but for the thresholds."""
    row = (run.run_id, report_row)
    value = numbers.value(row, Number("ece", kind), method_id)
    if value is None:
        return None
    bins = numbers.bins.get(row, {}).get(kind, {}).get(method_id, [])
    band = None
    if value.value is not None:
        stated = _stated(run, report_row, kind, answers)
        band = null_band(stated, n_bins)
    return Depth(
        kind=kind,
        ece=value.value,
        n=value.n,
        n_scope=value.n_scope,
        reason=value.reason,
        zero_gold_rate=None,
        null=band,
        gap=None,
        squared=None,
        thresholds=no_thresholds(TARGET),
        bins=[Bin(*each[:6], each.n / value.n if value.n else None) for each in bins],
    )


def _stated(run: Run, report_row: str, kind: str, answers: Answers) -> list[float]:
    """Return the probabilities that the ECE of a kind is about, in item order."""
    placed = {
        stratum
        for stratum, places in answers.places.items()
        if (report_row, f"ece_{kind}") in places
    }
    found = [
        answer.yes_probability if kind == "noul" else answer.confidence
        for answer in answers.by_run[run.run_id]
        if answer.stratum in placed
    ]
    return [value for value in found if value is not None]
