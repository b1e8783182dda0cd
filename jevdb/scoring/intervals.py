"""The intervals that stand in a report: of accuracy and I, each run alone.

Items that vary independently need only the tallies; rows are read for clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from jevdb.numerics.binomial import clopper_pearson
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.differences import Unknown
from jevdb.scoring.report_lines import WITH_INTERVALS

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.differences import Alone
    from jevdb.scoring.report_lines import Line

Place = tuple[str, str, str]
"""Run, report row and method of a line."""

GROUPED = """\
select count(golden_items."group") > 0
from strata
inner join golden_items
    on strata.benchmark_id = golden_items.benchmark_id
    and strata.item_id = golden_items.item_id"""


def report_intervals(
    connection: Connection, lines: Sequence[Line], cluster: ClusterBy | None = None
) -> dict[Place, dict[str, Bounds | None]]:
    """Return the intervals of the lines of one benchmark; call it inside `selected`.

    *cluster* is what items that belong together share; unless it is given, their group
    where every item of the row has one.
    """
    if cluster is None and not connection.execute(GROUPED).fetchall()[0][0]:
        cluster = ClusterBy.NONE
    read = from_tallies if cluster is ClusterBy.NONE else from_rows
    interval = read(connection, cluster)
    found: dict[Place, dict[str, Bounds | None]] = {}
    for line in lines:
        mine: dict[str, Bounds | None] = {}
        for name in WITH_INTERVALS:
            is_missing = line.numbers[name].value is None
            alone = None if is_missing else interval(line, name)
            mine[name] = None if isinstance(alone, Unknown) else alone
        found[line.run.run_id, line.report_row, line.method_id] = mine
    return found


def from_tallies(
    connection: Connection, _cluster: ClusterBy | None = None
) -> Callable[[Line, str], Alone]:
    """Return the interval of a line's number, of items that vary independently."""
    from jevdb.scoring.index_moments import read_index_moments

    moments = read_index_moments(connection)

    def interval(line: Line, name: str) -> Alone:
        value, n, *_ = line.numbers[name]
        assert value is not None
        if name == "accuracy":
            return clopper_pearson(round(value * n), n)
        return moments.alone(line.report_row, line.method_id, line.run.run_id, value)

    return interval


def from_rows(
    connection: Connection, cluster: ClusterBy | None
) -> Callable[[Line, str], Alone]:
    """Return the interval of a line's number, from the single rows."""
    from jevdb.scoring.evidence import Key, read_evidence

    evidence = read_evidence(connection, cluster)

    def interval(line: Line, name: str) -> Alone:
        value = line.numbers[name].value
        assert value is not None
        key = Key(line.report_row, line.method_id, name, "all")
        return evidence.alone(key, line.run.run_id, value)

    return interval
