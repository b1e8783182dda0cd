"""The profile of runs in words, and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jevdb.base.output import Rows
from jevdb.base.text import short_id
from jevdb.plots.asking import (
    no_value,
    number_words,
)
from jevdb.plots.profile_numbers import Profile, Slice

if TYPE_CHECKING:
    pass


def slice_name(part: Slice) -> str:
    """Return what a slice is called: ``family routing``."""
    return part.value if part.dimension is None else f"{part.dimension} {part.value}"


def facts_of(found: Profile, names: Sequence[str]) -> Iterator[str]:
    """Yield a line per slice and run."""
    for part, measures in found.of.items():
        for run, name in zip(found.runs, names, strict=True):
            one = measures[run.run_id]
            value = number_words(
                one.value.value, one.value.reason, one.interval, found.number.metric
            )
            yield f"{name}, {slice_name(part)}: {value}, n {one.value.n}."


TABLE = (
    *("run_id", "run", "benchmark_id", "report_row", "method_id", "metric", "kind"),
    *("dimension", "slice", "value", "low", "high", "n", "note"),
)


def table_of(found: Profile, names: Sequence[str]) -> Rows:
    """Return a row per slice and run, full precision."""
    rows = []
    for part, measures in found.of.items():
        for run, name in zip(found.runs, names, strict=True):
            one = measures[run.run_id]
            value, ends = one.value, one.interval
            rows.append(
                [
                    *(short_id(run.run_id), name, found.benchmark_id),
                    *(found.report_row, found.method_id, *found.number),
                    *(part.dimension, part.value, value.value),
                    *(ends and ends.low, ends and ends.high, value.n),
                    None if value.value is not None else no_value(value.reason),
                ]
            )
    return Rows(TABLE, rows)
