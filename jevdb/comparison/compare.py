"""Is another run better than the base: every number, paired, with its interval.

Two numbers of one row are the headline, tested in a fixed order and shared out over the
other runs; all others are exploratory and cannot change it (INFERENCE.md §4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.metrics import BY_NAME, INDICES, REGISTRY, sign
from jevdb.base.output import Rows, collected
from jevdb.comparison.bootstrap import Bootstrap, bootstrap
from jevdb.comparison.cohorts import Candidates, read_candidates, require_cohort
from jevdb.comparison.compare_request import Request
from jevdb.comparison.compared import Comparison
from jevdb.comparison.compared_line import (
    EXPLORATORY,
    HEADLINE,
    Again,
    Line,
    verdict_of,
)
from jevdb.comparison.paired import read_gold_revision, read_values
from jevdb.comparison.rules import IntervalRule
from jevdb.comparison.saying import unit_of
from jevdb.numerics.binomial import Bounds
from jevdb.numerics.discordant import LEVEL
from jevdb.numerics.estimates import Estimate
from jevdb.numerics.multiplicity import benjamini_hochberg
from jevdb.numerics.repeats import parts
from jevdb.numerics.student import MOST
from jevdb.scoring.differences import Contrast, Difference, Discordance, Unknown
from jevdb.scoring.evidence import Evidence, read_evidence
from jevdb.scoring.keys import Key
from jevdb.scoring.names import require_method
from jevdb.scoring.selection import EVERY_NUMBER, Selection, narrowed, selected
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.paired import Values
    from jevdb.scoring.runs import Run

COMPARED = [metric.name for metric in REGISTRY if not metric.is_further]
"""What a comparison of everything is of; the others are asked for by name."""
HEADLINE_NUMBERS = ("accuracy", "intelligence")
EQUIVALENCE = ("accuracy", "intelligence")
"""Metrics whose lines can be equivalent within a margin in points."""


def compare(connection: Connection, request: Request) -> Comparison:
    """Return every number of the others beside the base's, on the cohort's items.

    Raises
    ------
    UnknownNameError
        A method or report row that there is not.
    UsageError, JevdbError
        The runs cannot be compared; see `jevdb.comparison.cohorts`. By repeat, they did
        not ask equally often, or once.
    """
    repeats = _repeats(request)
    candidates, selection = _selection(connection, request)
    with selected(connection, selection, reports=[EVERY_NUMBER]):
        comparing = _read(connection, request)
        evidence = comparing.evidence
        found = list(comparing.lines())
        gold_revision = read_gold_revision(connection)
    for repeat in repeats:
        alone = replace(selection, repeats=[repeat])
        with selected(connection, alone, reports=[EVERY_NUMBER]):
            for line in _read(connection, request).beside():
                row = f"{line.key.report_row}/repeat {repeat}"
                found.append(replace(line, key=line.key._replace(report_row=row)))
    lines = _explored(found)
    row = lines[0].key.report_row if lines else ""
    clusters = evidence.clusters(row) if lines else None
    return Comparison(
        request=request,
        candidates=candidates,
        n_items=len(evidence.items.item_ids),
        gold_revision=gold_revision,
        clusters=clusters.words if clusters else "items as independent",
        lines=lines,
    )


def lines_of(
    request: Request,
    evidence: Evidence,
    values: Values,
) -> list[Line]:
    """Return the lines of a comparison: the headline, then the exploratory ones."""
    return _explored(list(_Comparing(request, evidence, values).lines()))


def compare_items(connection: Connection, request: Request) -> Rows:
    """Return the items that one of base and other got right and one did not."""
    _, selection = _selection(connection, request)
    parameters = {
        "base": request.base.run_id,
        "items": selection.item_ids,
        "method": request.methods[0],
    }
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
        by=None if request.break_down == "repeat" else request.break_down,
    )
    return candidates, selection


def _repeats(request: Request) -> range:
    """Return the repeats that are compared alone."""
    if request.break_down != "repeat":
        return range(0)
    asked = {run.n_repeats for run in request.runs}
    if len(asked) > 1 or asked == {1}:
        each = ", ".join(f"{run.name} x{run.n_repeats}" for run in request.runs)
        raise UsageError(
            f"by repeat: runs that asked several times, all equally often ({each}); "
            "without it they are compared on the mean answers of items"
        )
    return range(asked.pop())


def _read(connection: Connection, request: Request) -> _Comparing:
    """Return what lines are made from; call it inside `selected`."""
    evidence = read_evidence(connection, request.cluster)
    drawn = bootstrap(connection) if request.rule is IntervalRule.BOOTSTRAP else None
    identical = _identical_rows(connection, request, evidence)
    return _Comparing(request, evidence, read_values(connection), drawn, identical)


def _identical_rows(
    connection: Connection, request: Request, evidence: Evidence
) -> frozenset[tuple[str, str]]:
    """Return the runs, and report rows, whose answers are those of the base."""
    method = request.methods[0]
    alike = [
        run.run_id
        for run in request.others
        if any(
            _agree(evidence.discordance(key, request.base.run_id, run.run_id))
            for row in evidence.report_rows
            for key in [Key(row, method, "accuracy", "all")]
        )
    ]
    if not alike:
        return frozenset()
    rows = connection.execute(
        query("comparison/identical_rows"),
        {"base": request.base.run_id, "others": alike},
    ).fetchall()
    return frozenset((run_id, report_row) for run_id, report_row in rows)


def _agree(pairs: Discordance) -> bool:
    return pairs.n_only_base == pairs.n_only_other == 0


@dataclass(frozen=True, slots=True)
class _Comparing:
    """What the lines are made from.

    ``drawn`` gives intervals by METHOD v1.5; ``identical`` are the runs and report rows
    whose answers are those of the base.
    """

    request: Request
    evidence: Evidence
    values: Values
    drawn: Bootstrap | None = None
    identical: frozenset[tuple[str, str]] = frozenset()

    def lines(self) -> Iterator[Line]:
        """Yield the headline of each other run, then all other lines."""
        keys = list(asked_keys(self.evidence, self.request.methods))
        headline = self._headline_keys(keys)
        level = LEVEL / len(self.request.others)
        for other in self.request.others:
            before: Line | None = None
            for key in headline:
                if (other.run_id, key) not in self.values:
                    continue
                line = self._line(key, other, HEADLINE, level)
                yield _gated(line, before) if before else line
                before = before or line
        yield from self.beside(headline)

    def beside(self, headline: Sequence[Key] = ()) -> Iterator[Line]:
        """Yield an exploratory line per number that is not in the headline."""
        keys = list(asked_keys(self.evidence, self.request.methods))
        for other in self.request.others:
            for key in keys:
                if key not in headline and (other.run_id, key) in self.values:
                    yield self._line(key, other, EXPLORATORY, LEVEL)

    def _headline_keys(self, keys: Sequence[Key]) -> list[Key]:
        rows = self.evidence.report_rows
        row = self.request.row or rows[0]
        if row not in rows:
            raise UnknownNameError("report row", row, rows)
        numbers = sorted(HEADLINE_NUMBERS, key=lambda name: name != self.request.by)
        wanted = [Key(row, self.request.methods[0], name, "all") for name in numbers]
        return [key for key in wanted if key in keys]

    def _line(self, key: Key, other: Run, claim: str, level: float) -> Line:
        base_id = self.request.base.run_id
        base, value = self.values.of(base_id, key), self.values.of(other.run_id, key)
        cluster, n_clusters = self.evidence.cluster_words(key.report_row)
        line = Line(
            key=key,
            other=other,
            base_value=base,
            other_value=value,
            difference=None,
            contrast=None,
            interval=None,
            claim=claim,
            level=level,
            verdict=None,
            cluster=cluster,
            n_clusters=n_clusters,
            equivalent_within=self._within(key),
        )
        both = [base_id, other.run_id]
        if key.metric == "accuracy" and not self.evidence.is_repeated(both):
            line = replace(line, pairs=self.evidence.discordance(key, *both))
        if base.value is None or value.value is None:
            return line
        gap = value.value - base.value
        if (other.run_id, key.report_row) in self.identical:
            return replace(line, difference=gap, verdict="identical", identical=True)
        if self.drawn is not None:
            return self._resampled(replace(line, difference=gap))
        contrast = self.evidence.difference(key, base_id, other.run_id, gap)
        judged = self._judged(replace(line, difference=gap), contrast)
        if claim == HEADLINE:
            return replace(judged, again=self._again(judged))
        return judged

    def _again(self, line: Line) -> Again | None:
        """Return what asking the same items again would give."""
        run_ids = [self.request.base.run_id, line.other.run_id]
        if not isinstance(line.contrast, Difference):
            return None
        variance = self.evidence.asked_again(line.key, run_ids)
        if not variance:
            return None
        whole = line.contrast.estimate
        interval = Estimate(whole.point, variance, MOST).interval(line.level)
        return Again(interval, parts(whole.variance, variance).most_gained)

    def _judged(self, line: Line, contrast: Contrast) -> Line:
        if isinstance(contrast, Unknown):
            verdict, reason = verdict_of(line.key.metric, contrast, None, line.level)
            return replace(
                line, contrast=contrast, verdict=verdict, verdict_reason=reason
            )
        interval = contrast.interval(line.level)
        verdict, reason = verdict_of(
            *(line.key.metric, contrast, interval, line.level, line.equivalent_within)
        )
        p_value = contrast.p_value
        count = len(self.request.others)
        return replace(
            line,
            difference=line.difference
            if contrast.test == "mcnemar_exact"
            else contrast.point,
            contrast=contrast,
            interval=interval,
            verdict=verdict,
            verdict_reason=reason,
            p_adjusted=min(1.0, count * p_value) if line.claim == HEADLINE else None,
        )

    def _resampled(self, line: Line) -> Line:
        """Return a line by METHOD v1.5: 95 % percentiles, resolved if they leave 0."""
        assert self.drawn is not None
        found = self.drawn.difference(
            line.key, self.request.base.run_id, line.other.run_id
        )
        if found is None or found.low is None or found.high is None:
            return replace(line, verdict="not_resolved", level=LEVEL)
        verdict = "not_resolved"
        if not found.holds_zero:
            is_better = (found.low > 0) == (sign(line.key.metric) > 0)
            verdict = "better" if is_better else "worse"
        return replace(
            line,
            interval=Bounds(found.low, found.high),
            verdict=verdict,
            level=LEVEL,
            equivalent_within=None,
        )

    def _within(self, key: Key) -> float | None:
        within = self.request.equivalent_within
        if within is None or key.metric not in EQUIVALENCE:
            return None
        return within * unit_of(key.metric)


def _gated(line: Line, first: Line) -> Line:
    """Return the second number's line: it counts only if the first is resolved."""
    is_open = first.verdict in ("better", "worse", "identical")
    if is_open or line.verdict is None or line.interval is None:
        return line
    return replace(line, verdict="not_resolved", verdict_reason="gated")


def _explored(lines: list[Line]) -> list[Line]:
    """Return the lines, the exploratory ones judged together.

    Accuracy does not depend on the method: beside each other, methods repeat a test.
    """
    tests = {
        _test_of(line): line.p_value
        for line in lines
        if line.claim == EXPLORATORY and line.p_value is not None
    }
    p_values = [p_value for p_value in tests.values() if p_value is not None]
    adjusted = dict(zip(tests, benjamini_hochberg(p_values), strict=True))
    return [
        _explored_line(line, adjusted[_test_of(line)])
        if line.claim == EXPLORATORY and line.p_value is not None
        else line
        for line in lines
    ]


def _test_of(line: Line) -> tuple[str, ...]:
    key, is_index = line.key, line.key.metric in INDICES
    method = key.method_id if is_index or key.metric in ("ece", "nll") else ""
    return (line.other.run_id, key.report_row, method, key.metric, key.kind)


def _explored_line(line: Line, p_bh: float) -> Line:
    is_claimed = line.verdict in ("better", "worse")
    if is_claimed and p_bh > LEVEL:
        return replace(line, p_bh=p_bh, verdict="not_resolved")
    return replace(line, p_bh=p_bh)


def asked_keys(evidence: Evidence, methods: Sequence[str]) -> Iterator[Key]:
    """Yield the numbers of a comparison: what its report rows have items for."""
    for report_row in evidence.report_rows:
        types = evidence.items.types(report_row)
        for method_id in methods:
            for metric in COMPARED:
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
