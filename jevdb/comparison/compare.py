"""Is another run better than the base: every number, paired, with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import BY_NAME, sign
from jevdb.base.output import Rows, collected
from jevdb.base.tabular import Tabular
from jevdb.comparison.bootstrap import Key, bootstrap
from jevdb.comparison.cohorts import Asked, Candidates, read_candidates, require_cohort
from jevdb.comparison.paired import Scores, paired
from jevdb.comparison.replicates import METRICS
from jevdb.numerics.discordant import mcnemar_exact
from jevdb.numerics.multiplicity import holm
from jevdb.numerics.resampling import ROUNDING, Interval, rescaled
from jevdb.scoring.names import require_method
from jevdb.scoring.numbers import Value
from jevdb.scoring.selection import Selection, narrowed
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run
    from jevdb.scoring.selection import Dimension


class Request(NamedTuple):
    """What is compared with what, and on which items."""

    base: Run
    others: Sequence[Run]
    asked: Asked
    methods: Sequence[str]
    by: Dimension | None = None

    @property
    def runs(self) -> list[Run]:
        """The base and the others, in this order."""
        return [self.base, *self.others]


class Pairs(NamedTuple):
    """How many items both, only one, or neither of two runs got right."""

    n_both: int
    n_only_base: int
    n_only_other: int
    n_neither: int

    @property
    def p_value(self) -> float:
        """The exact McNemar p-value, two-sided."""
        return mcnemar_exact(self.n_only_base, self.n_only_other)


@dataclass(frozen=True, slots=True)
class Line:
    """A number of the base beside that of another run.

    ``interval`` is of the difference, other minus base; ``wide`` the same with a spread
    that is right in small blocks (`jevdb.numerics.resampling.rescaled`). Accuracy
    also has ``pairs``, and ``p_holm``: the p-value adjusted over all tests of the
    comparison.
    """

    key: Key
    other: Run
    base_value: Value
    other_value: Value
    interval: Interval | None
    wide: Interval | None
    pairs: Pairs | None = None
    p_holm: float | None = None

    @property
    def difference(self) -> float | None:
        """Other minus base; null where one of them is."""
        base, other = self.base_value.value, self.other_value.value
        return None if base is None or other is None else other - base

    @property
    def verdict(self) -> str | None:
        """What the other run is to the base: better, worse, or a statistical tie."""
        if self.interval is None or self.interval.low is None:
            return None
        if self.interval.holds_zero:
            return "tie"
        is_higher = self.interval.low > ROUNDING
        return "better" if is_higher == (sign(self.key.metric) > 0) else "worse"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Tabular):
    """The lines, and what they were made from."""

    request: Request
    candidates: Candidates
    n_items: int
    gold_revision: int
    resample_sha256: str
    lines: list[Line]

    def rows(self) -> Rows:
        """Return a row per number and other run, full precision."""
        from jevdb.comparison.compare_rows import comparison_rows

        return comparison_rows(self)

    def people_rows(self) -> Rows:
        """Return the lines as people read them, rounded."""
        from jevdb.comparison.compare_rows import people_rows

        return people_rows(self)

    def heading(self) -> Iterable[str]:
        """Return what the numbers are: runs, items, gold, resample."""
        from jevdb.comparison.compare_rows import heading

        return heading(self)


def compare(connection: Connection, request: Request) -> Comparison:
    """Return every number of the others beside the base's, on the cohort's items.

    Raises
    ------
    UnknownNameError
        A method that the warehouse does not know.
    UsageError, JevdbError
        The runs cannot be compared; see `jevdb.comparison.cohorts`.
    """
    candidates, selection = _selection(connection, request)
    with paired(connection, selection, METRICS) as scores:
        wide = bootstrap(connection, draw=rescaled)
        rows = connection.execute(
            query("comparison/compare_pairs"), {"base": request.base.run_id}
        ).fetchall()
    pairs = {
        (run_id, report_row, kind): Pairs(*counts)
        for run_id, report_row, kind, *counts in rows
    }
    return Comparison(
        request=request,
        candidates=candidates,
        n_items=len(scores.bootstrap.items.item_ids),
        gold_revision=scores.gold_revision,
        resample_sha256=scores.bootstrap.resample_sha256,
        lines=adjusted(
            list(_lines(request, scores, replace(scores, bootstrap=wide), pairs))
        ),
    )


def compare_items(connection: Connection, request: Request) -> Rows:
    """Return the items that one of base and other got right and one did not."""
    _, selection = _selection(connection, request)
    parameters = {"base": request.base.run_id, "items": selection.item_ids}
    with narrowed(connection, Selection(run_ids=selection.run_ids)):
        connection.execute(query("comparison/compare_items"), parameters)
        return collected(connection)


def _selection(
    connection: Connection, request: Request
) -> tuple[Candidates, Selection]:
    for method in request.methods:
        require_method(connection, method)
    candidates = read_candidates(
        connection, request.base.benchmark_id, request.runs, request.asked
    )
    selection = Selection(
        run_ids=[run.run_id for run in request.runs],
        methods=request.methods,
        item_ids=require_cohort(candidates, request.runs),
        by=request.by,
    )
    return candidates, selection


def _lines(
    request: Request,
    scores: Scores,
    wide: Scores,
    pairs: dict[tuple[str, str, str], Pairs],
) -> Iterator[Line]:
    base_id = request.base.run_id
    for other in request.others:
        for key in asked_keys(scores, request.methods):
            if (other.run_id, key) not in scores.values:
                continue
            place = (other.run_id, key.report_row, key.kind)
            yield Line(
                key=key,
                other=other,
                base_value=scores.value(base_id, key),
                other_value=scores.value(other.run_id, key),
                interval=scores.difference(key, base_id, other.run_id),
                wide=wide.difference(key, base_id, other.run_id),
                pairs=pairs[place] if key.metric == "accuracy" else None,
            )


def asked_keys(scores: Scores, methods: Sequence[str]) -> Iterator[Key]:
    """Yield the numbers of a comparison: what its report rows have items for."""
    for report_row in scores.bootstrap.report_rows:
        types = scores.bootstrap.items.types(report_row)
        for method_id in methods:
            for metric in BY_NAME:
                for kind in _kinds(metric, types):
                    yield Key(report_row, method_id, metric, kind)


def _kinds(metric: str, types: set[str]) -> list[str]:
    """Return the kinds of a metric, each number once: one type alone is all of it."""
    kinds = BY_NAME[metric].kinds
    if len(types) > 1:
        return list(kinds)
    if metric == "ece":
        return [kind for kind in kinds if kind in types]
    return [kind for kind in kinds if kind == "all" or "all" not in kinds]


def adjusted(lines: list[Line]) -> list[Line]:
    """Return the lines with p-values adjusted over all their tests.

    Accuracy does not depend on the method: beside each other, methods repeat a test.
    """
    tests = {
        (line.other.run_id, line.key.report_row, line.key.kind): line.pairs.p_value
        for line in lines
        if line.pairs is not None
    }
    adjusted = dict(zip(tests, holm(list(tests.values())), strict=True))
    return [
        line
        if line.pairs is None
        else replace(
            line,
            p_holm=adjusted[line.other.run_id, line.key.report_row, line.key.kind],
        )
        for line in lines
    ]
