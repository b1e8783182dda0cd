"""What a candidate is held against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.comparison.gates.looks import Require

if TYPE_CHECKING:
    from jevdb.comparison.gates.baselines import Baseline
    from jevdb.comparison.gates.gate_rules import Rule
    from jevdb.comparison.gates.margins import MetricGate
    from jevdb.scoring.cluster_by import ClusterBy
    from jevdb.scoring.runs import Run
    from jevdb.scoring.thresholds_file import Promised


class Request(NamedTuple):
    """What the candidate is held against.

    ``approval`` is that of the baseline, null where it has none; ``promised`` the
    thresholds that an earlier run was found to keep.
    """

    candidate: Run
    baseline: Run | None
    metrics: Sequence[MetricGate]
    rules: Sequence[Rule]
    method_id: str
    report_row: str | None = None
    allowed: frozenset[str] = frozenset()
    require: Require = Require.NOT_WORSE
    approval: Baseline | None = None
    cluster: ClusterBy | None = None
    promised: Promised | None = None
