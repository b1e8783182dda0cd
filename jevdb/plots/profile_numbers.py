"""A number of runs in every slice of a report row, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UsageError
from jevdb.base.metrics import Number
from jevdb.plots.asking import ACCURACY, AS_REPORTED, Scored, one_benchmark
from jevdb.plots.measures import Measure

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run
    from jevdb.scoring.selection import Dimension

DIMENSIONS: tuple[Dimension, ...] = ("type", "tier", "family")
TIERS = ("easy", "standard", "judge", "hard")
"""Tiers are ordered by difficulty, everything else by name."""


class Slice(NamedTuple):
    """A part of the report row: its dimension (None is the whole row) and value."""

    dimension: str | None
    value: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A number of runs by slice: ``of[slice][run_id]``; slices in order."""

    runs: Sequence[Run]
    benchmark_id: str
    report_row: str
    method_id: str
    number: Number
    of: dict[Slice, dict[str, Measure]]


def read_profile(
    connection: Connection,
    runs: Sequence[Run],
    number: Number = ACCURACY,
    *,
    by: Sequence[Dimension] = DIMENSIONS,
    scored: Scored = AS_REPORTED,
) -> Profile:
    """Return a number of runs in every slice of a report row, with intervals.

    Raises
    ------
    UsageError, UnknownNameError
        No runs, several benchmarks; a method, gold revision or report row that there is
        not.
    """
    from jevdb.scoring.names import require_method
    from jevdb.scoring.report import require_gold_revision

    if not by:
        raise UsageError("a profile is by type, tier, family or domain: name one")
    benchmark_id = one_benchmark(runs)
    require_method(connection, scored.method_id)
    require_gold_revision(connection, scored.gold_revision, runs)
    found: dict[Slice, dict[str, Measure]] = {}
    row = scored.report_row
    for dimension in by:
        row, part = _sliced(connection, runs, number, dimension, scored)
        found |= part
    return Profile(runs, benchmark_id, row or "", scored.method_id, number, found)


def _sliced(
    connection: Connection,
    runs: Sequence[Run],
    number: Number,
    dimension: Dimension,
    scored: Scored,
) -> tuple[str, dict[Slice, dict[str, Measure]]]:
    """Return the report row, and the number in all of it and in each slice."""
    from jevdb.comparison.paired import one_row, paired
    from jevdb.scoring.keys import Key
    from jevdb.scoring.selection import Selection
    from jevdb.scoring.terms import Items

    def chosen(items: Items) -> list[str]:
        [base] = one_row(scored.report_row)(items)
        inside = [row for row in items.report_rows if row.startswith(f"{base}/")]
        return [base, *inside]

    selection = Selection(
        run_ids=[run.run_id for run in runs],
        methods=[scored.method_id],
        gold_revision=scored.gold_revision,
        by=dimension,
    )
    found: dict[Slice, dict[str, Measure]] = {}
    with paired(connection, selection, chosen) as scores:
        base, *inside = scores.report_rows
        names = sorted(inside, key=lambda row: _order(row.removeprefix(f"{base}/")))
        for row in (base, *names):
            value = row.removeprefix(f"{base}/")
            part = Slice(None, base) if row == base else Slice(dimension, value)
            key = Key(row, scored.method_id, *number)
            found[part] = {
                run.run_id: Measure(
                    scores.value(run.run_id, key), scores.interval(key, run.run_id)
                )
                for run in runs
            }
    return base, found


def _order(value: str) -> tuple[int, str]:
    return (TIERS.index(value) if value in TIERS else -1, value)
