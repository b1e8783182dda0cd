"""Yes or no: is a candidate good enough, do numbers recompute, is the file whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from jevdb.api.base import RunName, texts
from jevdb.api.closed_words import ClusterName
from jevdb.api.looking import Looking
from jevdb.api.sources import AnyPath
from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UsageError
from jevdb.base.wording import option

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.gates.baselines import Baseline
    from jevdb.comparison.gates.margins import Margin as GateMargin
    from jevdb.comparison.gates.margins import MetricGate
    from jevdb.comparison.gates.verdict import Verdict
    from jevdb.exports.verify.verify import Verification
    from jevdb.scoring.runs import Run
    from jevdb.warehouse.checks import Integrity

Margin: TypeAlias = float | str
"""How much worse is good enough: in the metric's unit, or ``"2%"`` of the baseline."""
RequireName: TypeAlias = Literal["not-worse", "non-inferior"]
Margins: TypeAlias = Mapping[str, Margin] | Iterable[tuple[str, Margin]]


class Judging(Looking):
    """Gates, verification of published numbers, and the integrity of the file."""

    def gate(
        self,
        candidate: RunName,
        baseline: RunName | None = None,
        *,
        metrics: Margins = (),
        rules: Iterable[str] = (),
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        allow: Iterable[str] = (),
        require: RequireName = "not-worse",
        cluster: ClusterName | None = None,
        thresholds: AnyPath | None = None,
    ) -> Verdict:
        """Hold a candidate against a baseline and rules.

        Every different candidate that an approved baseline meets is a look, which is
        stored: later ones need more evidence, so that all together fail a candidate as
        good in 5 % at most. Where it cannot be stored that is said, and nothing fails.

        Parameters
        ----------
        candidate : run
            What is judged.
        baseline : run, optional
            What it is held against; the approved baseline unless given.
        metrics : mapping, or pairs
            Numbers that may not be worse, with margins: ``{"I": 1.0, "tvd": "2%"}``.
        rules : iterable of str
            Such as ``"min(p_gold) >= 0.8"``.
        row : str, optional
            Report row; the one with most items unless given.
        method : str
            Scoring method.
        allow : iterable of {'missing', 'duplicate', 'unscored'}
            Rows of the candidate that are let through.
        require : {'not-worse', 'non-inferior'}
            Fail on evidence of harm beyond the margin; or pass only on evidence that
            there is none, which needs a margin above 0.
        cluster : {'group', 'family', 'domain', 'none'}, optional
            What items that belong together share, see `compare`.
        thresholds : path, optional
            A file of `Calibration.thresholds_file`: hold the candidate to its promises.

        Returns
        -------
        Verdict
            ``outcome`` (pass, fail, inconclusive), ``passed``, ``summary`` and every
            check. Nothing is raised for a failed one.

        Examples
        --------
        >>> warehouse.gate("de-1", rules=["share(correct) >= 0.8"]).passed
        True
        """
        from jevdb.comparison.gates.gate import FAULTY_ROWS, judge
        from jevdb.comparison.gates.gate_rules import parse_rule
        from jevdb.comparison.gates.looks import Require
        from jevdb.comparison.gates.request import Request
        from jevdb.scoring.cluster_by import ClusterBy
        from jevdb.scoring.thresholds_file import read_thresholds

        gates, parsed = _gates(metrics), [parse_rule(text) for text in rules]
        allowed = frozenset(allow)
        if not gates and not parsed and thresholds is None:
            raise UsageError(
                f"a gate needs a {option('metrics', shell='metric')}, a "
                f"{option('rules', shell='rule')} or {option('thresholds')}"
            )
        if unknown := allowed - FAULTY_ROWS.keys():
            raise UsageError(
                f"nothing to allow: {min(unknown)!r}; there is {', '.join(FAULTY_ROWS)}"
            )
        promised = None if thresholds is None else read_thresholds(Path(thresholds))
        with self._reader() as connection:
            found = self._pair(connection, candidate, baseline, bool(gates))
            request = Request(
                *found[:2],
                metrics=gates,
                rules=parsed,
                method_id=method,
                report_row=row,
                allowed=allowed,
                require=Require(require),
                approval=found[2],
                cluster=cluster and ClusterBy(cluster),
                promised=promised,
            )
            verdict = judge(connection, request)
        return self._recorded(
            verdict, lambda connection, number: judge(connection, request, number)
        )

    def verify(
        self,
        file: AnyPath,
        *,
        map: AnyPath | None = None,
        run: str | None = None,
        tolerance: float | None = None,
        method: str | None = None,
    ) -> Verification:
        """Recompute published numbers: which do, which do not, and which lack data.

        Parameters
        ----------
        file : path
            An ``evaluation_results.json``, or another JSON or Markdown file.
        map : path, optional
            What the numbers mean, in TOML; or the name of a mapping that ships.
        run : str, optional
            The run meant, where the mapping names another.
        tolerance : float, optional
            How much a number may differ: 1e-9 unless given, of rounded ones half a last
            digit.
        method : str, optional
            Scoring method; the file's, or metrics-md.

        Returns
        -------
        Verification
            A verdict per number; ``passed`` unless one differs.
        """
        from jevdb.exports.verify.claims import claims_of
        from jevdb.exports.verify.verify import verify

        with self._reader() as connection:
            asked = (Path(file), None if map is None else Path(map), run, tolerance)
            named, claims = claims_of(connection, *asked, self._notify)
            by = method or named or DEFAULT_METHOD
            return verify(connection, claims, by)

    def check(self) -> Integrity:
        """Check the integrity of the warehouse.

        Returns
        -------
        Integrity
            The faults by check, ``passed`` if there is none; and where benchmarks lack
            items, which is no fault.

        Raises
        ------
        JevdbError
            A part of the file is not what was written.

        Examples
        --------
        >>> warehouse.check().passed
        True
        """
        from jevdb.scoring.kept_check import WRONG, kept_faults
        from jevdb.scoring.user_scopes import MISPLACED, misplaced
        from jevdb.suites.storing import UNSOUND, unsound
        from jevdb.warehouse.checks import foreign_faults, integrity
        from jevdb.warehouse.database import looked_into

        with self._reader() as connection:
            found = integrity(connection)
            seen = looked_into(connection)
            more = {
                **foreign_faults(seen),
                MISPLACED: misplaced(connection),
                UNSOUND: unsound(connection),
                WRONG: kept_faults(connection),
            }
            return found.joined(more, list(map(str, seen.strangers.others)))

    def _pair(
        self,
        connection: Connection,
        candidate: RunName,
        baseline: RunName | None,
        needs_baseline: bool,
    ) -> tuple[Run, Run | None, Baseline | None]:
        from jevdb.comparison.entrants import comparable
        from jevdb.comparison.gates.baselines import approval_of, baseline_of

        if baseline is not None:
            names = texts([candidate, baseline])
            run, other = comparable(connection, names, None, self._notify)
            return run, other, approval_of(connection, other)
        run = self._run(connection, candidate)
        if not needs_baseline:
            return run, None, None
        approved = baseline_of(connection, run.benchmark_id)
        return run, approved, approval_of(connection, approved)


def _gates(metrics: Margins) -> list[MetricGate]:
    from jevdb.comparison.gates.harm import gated_number
    from jevdb.comparison.gates.margins import MetricGate

    pairs = metrics.items() if isinstance(metrics, Mapping) else metrics
    return [MetricGate(gated_number(name), _margin(margin)) for name, margin in pairs]


def _margin(given: Margin) -> GateMargin:
    from jevdb.comparison.gates.margins import Margin, parse_margin

    if isinstance(given, str):
        return parse_margin(given)
    if not 0 <= given < float("inf"):
        raise UsageError(f"a margin is a number from 0, not {given}")
    return Margin(float(given), False)
