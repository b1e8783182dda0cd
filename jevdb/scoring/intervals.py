"""The intervals that stand in a report: of accuracy and I, each run alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jevdb.scoring.differences import Unknown
from jevdb.scoring.evidence import Key, read_evidence
from jevdb.scoring.report_lines import WITH_INTERVALS

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.report_lines import Line

Place = tuple[str, str, str]
"""Run, report row and method of a line."""


def report_intervals(
    connection: Connection, lines: Sequence[Line]
) -> dict[Place, dict[str, Bounds | None]]:
    """Return the intervals of the lines of one benchmark; call it inside `selected`."""
    evidence = read_evidence(connection)
    found: dict[Place, dict[str, Bounds | None]] = {}
    for line in lines:
        mine: dict[str, Bounds | None] = {}
        for name in WITH_INTERVALS:
            value = line.numbers[name].value
            key = Key(line.report_row, line.method_id, name, "all")
            alone = (
                None if value is None else evidence.alone(key, line.run.run_id, value)
            )
            mine[name] = None if isinstance(alone, Unknown) else alone
        found[line.run.run_id, line.report_row, line.method_id] = mine
    return found
