"""Reliability diagrams in words, and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.output import Rows
from jevdb.base.text import short_id
from jevdb.plots.asking import (
    no_value,
)
from jevdb.plots.depths import RunDepth
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from jevdb.scoring.calibration_depths import Bin, Depth
    from jevdb.scoring.runs import Run


class Panel(NamedTuple):
    """A run and kind of ECE, with the name it is shown under."""

    name: str
    run: Run
    depth: Depth


def line_of(panel: Panel) -> str:
    """Return what a diagram says in a sentence."""
    return f"{panel.name}, {panel.depth.kind}: {'; '.join(facts_of(panel.depth))}."


def facts_of(depth: Depth) -> list[str]:
    """Return ECE, the band of chance and n, or why there is no ECE."""
    n = f"n {depth.n}" + (f" of {depth.n_scope}" if depth.n != depth.n_scope else "")
    if depth.ece is None:
        return [f"ECE {no_value(depth.reason)}", n]
    if depth.null is None:
        return [f"ECE {rounded(depth.ece, 4)}", n]
    band = f"{rounded(depth.null.low, 4)} to {rounded(depth.null.high, 4)}"
    return [f"ECE {rounded(depth.ece, 4)}", f"chance {band}", n]


def cells_of(depth: Depth | None) -> tuple[str, str, str]:
    """Return ECE, the band of chance and n as they stand in a list."""
    if depth is None:
        return "", "", ""
    band = depth.null
    return (
        "no value" if depth.ece is None else rounded(depth.ece, 4),
        "" if band is None else f"{rounded(band.low, 4)} to {rounded(band.high, 4)}",
        f"{depth.n}" + (f" of {depth.n_scope}" if depth.n != depth.n_scope else ""),
    )


COLUMNS = (
    *("run_id", "run", "benchmark_id", "report_row", "method_id", "kind", "ece"),
    *("null_low", "null_high", "n", "n_scope", "bin", "lower", "upper", "bin_n"),
    *("mean_stated", "share_true", "occupancy", "note"),
)


def table_of(
    panels: Sequence[Panel], found: Sequence[RunDepth], method_id: str
) -> Rows:
    """Return a row per run, kind and bin, full precision."""
    rows = {each.run.run_id: each.report_row for each in found}
    return Rows(
        COLUMNS,
        [
            [
                *(short_id(panel.run.run_id), panel.name, panel.run.benchmark_id),
                *(rows[panel.run.run_id], method_id, panel.depth.kind, panel.depth.ece),
                panel.depth.null and panel.depth.null.low,
                panel.depth.null and panel.depth.null.high,
                *(panel.depth.n, panel.depth.n_scope, *each),
                _note(panel.depth, each),
            ]
            for panel in panels
            for each in panel.depth.bins
        ],
    )


def _note(depth: Depth, each: Bin) -> str | None:
    if depth.ece is None:
        return no_value(depth.reason)
    return None if each.n else "no value: no row in this bin"
