"""The intervals that stand in a report: of accuracy and I, each run alone.

Items that vary independently need only the tallies; rows are read for clusters, and for
runs that asked several times: of these, items have mean answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from jevdb.base.metrics import Number
from jevdb.numerics.binomial import clopper_pearson
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.report_lines import WITH_INTERVALS

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.differences import Alone
    from jevdb.scoring.evidence import Evidence
    from jevdb.scoring.report_lines import Line

    Intervals = Callable[[Line, str], Alone]
    """The interval of a line's number, which has a value."""

REPEATED = "select run_id from runs where n_repeats > 1"
NUMBERS = [Number(name, "all") for name in WITH_INTERVALS]

GROUPED = """\
select count(golden_items."group") > 0
from strata
inner join golden_items
    on strata.benchmark_id = golden_items.benchmark_id
    and strata.item_id = golden_items.item_id"""


def with_intervals(
    connection: Connection, lines: Sequence[Line], cluster: ClusterBy | None = None
) -> list[Line]:
    """Return the lines of one benchmark with intervals; call it inside `selected`.

    *cluster* is what items that belong together share; unless it is given, their group
    where every item of the row has one.
    """
    if cluster is None and not connection.execute(GROUPED).fetchall()[0][0]:
        cluster = ClusterBy.NONE
    if cluster is ClusterBy.NONE:
        return _of_items_alone(connection, lines)
    from jevdb.scoring.evidence import read_evidence

    evidence = read_evidence(connection, cluster, NUMBERS)
    interval = from_rows(evidence)
    found = []
    for line in lines:
        clusters = evidence.clusters(line.report_row)
        words = clusters.words if clusters else ""
        found.append(_with(line, interval)._replace(clusters=words))
    return found


def _of_items_alone(connection: Connection, lines: Sequence[Line]) -> list[Line]:
    """Return the lines with the intervals of items that vary independently."""
    repeated = {run_id for (run_id,) in connection.execute(REPEATED).fetchall()}
    once = several = from_tallies(connection)
    if repeated:
        from jevdb.scoring.evidence import read_evidence

        several = from_rows(read_evidence(connection, ClusterBy.NONE, NUMBERS))
    return [
        _with(line, several if line.run.run_id in repeated else once) for line in lines
    ]


def _with(line: Line, interval: Intervals) -> Line:
    known = [name for name in WITH_INTERVALS if line.numbers[name].value is not None]
    return line._replace(intervals={name: interval(line, name) for name in known})


def from_tallies(connection: Connection) -> Intervals:
    """Return the intervals of items that vary independently."""
    from jevdb.scoring.index_moments import read_index_moments

    moments = read_index_moments(connection)

    def interval(line: Line, name: str) -> Alone:
        value, n, *_ = line.numbers[name]
        assert value is not None
        if name == "accuracy":
            return clopper_pearson(round(value * n), n)
        return moments.alone(line.report_row, line.method_id, line.run.run_id, value)

    return interval


def from_rows(evidence: Evidence) -> Intervals:
    """Return the intervals that the single rows give."""
    from jevdb.scoring.keys import Key

    def interval(line: Line, name: str) -> Alone:
        value = line.numbers[name].value
        assert value is not None
        key = Key(line.report_row, line.method_id, name, "all")
        return evidence.alone(key, line.run.run_id, value)

    return interval
