"""Runs beside each other: compared, ranked, over time, and held to a baseline."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

from jevdb.api.base import Base, RunName, RunNames, Then, as_of_text, texts, words
from jevdb.api.closed_words import (
    BREAKDOWNS,
    CLUSTERS,
    COMPARED,
    INTERVALS,
    ClusterName,
    closed,
)
from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import BusyError, JevdbError, UnknownNameError, UsageError
from jevdb.base.metrics import number_named
from jevdb.base.tabular import Listing
from jevdb.base.wording import either, option
from jevdb.scoring.selection import Breakdown

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.board import Leaderboard
    from jevdb.comparison.boards import Leaderboards
    from jevdb.comparison.cohorts import Asked
    from jevdb.comparison.compared import Comparison
    from jevdb.comparison.history import History
    from jevdb.comparison.method_effects import MethodRanks
    from jevdb.scoring.runs import Run

CohortName = Literal["shared", "shared-probability", "strict", "own"]
ModalityName = Literal["text", "image", "text_rendered"]
IntervalName = Literal["analytic", "bootstrap"]


class BoardOptions(TypedDict, total=False):
    """The parameters of `Comparing.leaderboard` that any benchmark may be ranked by."""

    cohort: CohortName
    modality: ModalityName | None
    metric: str
    by: str | None
    row: str | None
    method: str
    as_of: Then
    least_share: float | None
    include_private: bool
    reported: bool
    rank_reported: bool
    cluster: ClusterName | None
    interval: IntervalName
    all: bool


class Comparing(Base):
    """Comparisons of runs on the items they share."""

    @closed(break_down=BREAKDOWNS, cluster=CLUSTERS, interval=INTERVALS, **COMPARED)
    def compare(
        self,
        base: RunName,
        *others: RunName,
        benchmark: str | None = None,
        cohort: CohortName = "shared",
        modality: ModalityName | None = None,
        method: str | Iterable[str] = DEFAULT_METHOD,
        metric: str = "accuracy",
        row: str | None = None,
        by: str | None = None,
        break_down: Breakdown | None = None,
        cluster: ClusterName | None = None,
        equivalent_within: float | None = None,
        interval: IntervalName = "analytic",
        all: bool = False,
    ) -> Comparison:
        """Compare runs on the same items: is another better than the base.

        Two numbers of one report row are the headline; every other line is exploratory
        and cannot change it.

        Parameters
        ----------
        base : run
            What the others are held against.
        *others : run
            The runs beside it.
        benchmark : str, optional
            Where the runs are looked up.
        cohort : {'shared', 'shared-probability', 'strict', 'own'}
            The items compared: where every run has an ok or invalid row (shared), and
            a distribution (shared-probability); the same but refusing to leave any out
            (strict); all items, what a run lacks counting as wrong (own). An invalid
            row counts wrong.
        modality : {'text', 'image', 'text_rendered'}, optional
            Only items of this one.
        method : str or iterable of str
            Scoring methods.
        metric : {'accuracy', 'I'}
            The headline's first number; the other counts only if this is resolved.
        row : str, optional
            The headline's report row; the one with most items unless given.
        by : {'type', 'tier', 'family', 'domain', 'repeat'}, optional
            Add rows per type, tier, ...; or each repeat of the runs compared alone. The
            words of *metric* still mean that.
        break_down : optional
            Another name of *by*.
        cluster : {'group', 'family', 'domain', 'none'}, optional
            What items that belong together share; unless given their group, where
            every item of the row has one.
        equivalent_within : float, optional
            Points of accuracy or I: a difference whose interval lies inside is called
            equivalent.
        interval : {'analytic', 'bootstrap'}
            Bootstrap is METHOD v1.5's rule, for those who must follow it.
        all : bool
            Show people every line, not only the headline.

        Returns
        -------
        Comparison
            A line per number and other run: both values, their difference, its interval
            and what it says: better, worse, not_resolved, equivalent or identical.

        Raises
        ------
        UsageError
            A margin that is not above 0, or a word that is no number of a headline; by
            repeat, runs that did not ask equally often, or once.

        Examples
        --------
        >>> found = warehouse.compare("de-1", "gavel-decide-4b")
        >>> line = found.lines[0]
        >>> line.key.metric, line.key.report_row, line.verdict
        ('accuracy', 'public_231', 'worse')
        """
        from jevdb.comparison.compare import compare
        from jevdb.comparison.compare_request import Request, headline_order
        from jevdb.comparison.rules import IntervalRule
        from jevdb.scoring.cluster_by import ClusterBy

        first, dimension = headline_order(metric, by, break_down)
        require_margin(equivalent_within)
        with self._reader() as connection:
            runs = self._comparable(connection, [base, *others], benchmark)
            request = Request(
                base=runs[0],
                others=runs[1:],
                asked=_asked(cohort, modality),
                methods=words(method),
                by=first,
                row=row,
                break_down=dimension,
                cluster=cluster and ClusterBy(cluster),
                equivalent_within=equivalent_within,
                rule=IntervalRule(interval),
                shows_all=all,
            )
            return compare(connection, request)

    @closed(**COMPARED)
    def compare_items(
        self,
        base: RunName,
        *others: RunName,
        benchmark: str | None = None,
        cohort: CohortName = "shared",
        modality: ModalityName | None = None,
    ) -> Listing:
        """Return the items that one of two runs got right and the other did not."""
        from jevdb.comparison.compare import compare_items
        from jevdb.comparison.compare_request import Request

        with self._reader() as connection:
            runs = self._comparable(connection, [base, *others], benchmark)
            asked = _asked(cohort, modality)
            request = Request(runs[0], runs[1:], asked, (DEFAULT_METHOD,))
            return Listing(compare_items(connection, request))

    @closed(**COMPARED)
    def leaderboard(
        self,
        benchmark: str | None = None,
        run: RunNames = None,
        *,
        cohort: CohortName = "shared",
        modality: ModalityName | None = None,
        metric: str = "I",
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        as_of: Then = None,
        least_share: float | None = None,
        include_private: bool = False,
        reported: bool = False,
        rank_reported: bool = False,
        cluster: ClusterName | None = None,
        interval: IntervalName = "analytic",
        all: bool = False,
        by: str | None = None,
    ) -> Leaderboard:
        """Rank runs on the items they share, by what tests of all pairs show.

        Parameters
        ----------
        benchmark : str, optional
            Whose runs are ranked; the only one unless given, see `leaderboards`.
        run : run, or several, optional
            The latest public run of each model and revision unless given.
        cohort, modality
            The items, see `compare`.
        metric : str
            The number ranked by: ``I``, ``C``, ``accuracy``, ``ece_noul``, ...
        row : str, optional
            Report row; the one with most items unless given.
        method : str
            Scoring method.
        as_of : int, str or date, optional
            What the warehouse held then.
        least_share : float, optional
            Runs that miss many items are left unranked until the others share this
            part of the items, 0.9 unless given; 0 ranks every run, as naming them does.
        include_private : bool
            Private runs too.
        reported : bool
            Published results below, marked, unranked.
        rank_reported : bool
            Published results among the runs, marked, ranked by value alone.
        cluster, interval
            See `compare`.
        all : bool
            Show people the other numbers too.
        by : str, optional
            The former name of *metric*.

        Returns
        -------
        Leaderboard
            The entries, best first, then those not ranked. Each has the ranks that are
            possible, all ranges together with 95 %.

        Examples
        --------
        >>> board = warehouse.leaderboard("jevbench-public-231")
        >>> [(entry.standing.rank, entry.run.model) for entry in board.entries]
        [(1, 'de-1'), (2, 'gavel-decide-4b')]
        """
        from jevdb.comparison.board import Request, listed_below, ranked_together
        from jevdb.comparison.entrants import LEAST_SHARE, entrants, unshown
        from jevdb.comparison.leaderboard import leaderboard
        from jevdb.comparison.leaderboard_reported import read_reported
        from jevdb.comparison.rules import IntervalRule
        from jevdb.scoring.as_of import resolved, then
        from jevdb.scoring.cluster_by import ClusterBy
        from jevdb.scoring.names import only_benchmark

        if rank_reported and (row is not None or modality is not None):
            raise UsageError(
                f"{option('rank_reported')}: published numbers are of all rows; leave "
                f"out {option('row')} and {option('modality')}, or list them below "
                f"with {option('reported', value=True)}"
            )
        number, names = number_named(by or metric), texts(run)
        least = LEAST_SHARE if least_share is None else least_share
        with self._reader() as connection:
            seq = resolved(connection, as_of_text(as_of))
            with then(connection, seq):
                if benchmark is None:
                    benchmark = only_benchmark(connection)
                benchmark = self._benchmark_id(connection, benchmark)
                runs = entrants(
                    *(connection, names, benchmark, self._notify),
                    include_private=include_private,
                )
                others = unshown(connection, runs, include_private=include_private)
                is_asked = reported or rank_reported
                beside = (
                    read_reported(connection, benchmark, number) if is_asked else ()
                )
            request = Request(
                benchmark_id=benchmark,
                runs=runs,
                asked=_asked(cohort, modality),
                number=number,
                method_id=method,
                report_row=row,
                as_of=seq,
                least_share=0 if names else least,
                cluster=cluster and ClusterBy(cluster),
                rule=IntervalRule(interval),
                unshown=others,
                shows_all=all,
            )
            has_value = any(result.value is not None for result in beside)
            if rank_reported and not has_value:
                self._notify(f"no published result of {benchmark} has {number.name}")
            is_mixed = rank_reported and has_value
            placed = ranked_together if is_mixed else listed_below
            board = leaderboard(connection, request)
        return replace(board, reported=beside, placed=placed)

    def leaderboards(
        self, run: RunNames = None, **options: Unpack[BoardOptions]
    ) -> Leaderboards:
        """Rank the runs of every benchmark, each on a board of its own.

        Parameters
        ----------
        run : run, or several, optional
            Only benchmarks on which each of these has a run.
        **options
            See `leaderboard`.

        Returns
        -------
        Leaderboards
            By the benchmark's id. One that cannot be ranked is left out, and it is said
            why.

        Raises
        ------
        JevdbError
            None can be ranked: the reason of the first.

        Examples
        --------
        >>> [board.ranked[0].run.model for board in warehouse.leaderboards()]
        ['synthetic-bold', 'de-1']
        """
        from jevdb.comparison.boards import Leaderboards

        boards: list[Leaderboard] = []
        faults: dict[str, JevdbError] = {}
        for benchmark in self._ranked_benchmarks(texts(run)):
            try:
                boards.append(self.leaderboard(benchmark, run, **options))
            except BusyError:
                raise
            except JevdbError as error:
                faults[benchmark] = error
        if not boards:
            raise next(iter(faults.values()))
        for benchmark, fault in faults.items():
            why = either(str(fault), fault.in_shell)
            self._notify(f"{benchmark} is left out: {why}")
        return Leaderboards(boards)

    @closed(cluster=CLUSTERS)
    def history(
        self,
        model: str,
        metric: str = "I",
        *,
        benchmark: str | None = None,
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        cluster: ClusterName | None = None,
    ) -> History:
        """Return every run of a model, a line each, by started, then by ingest.

        Parameters
        ----------
        model : str
            A model, or ``model@revision``.
        metric : str
            ``I``, ``C``, ``accuracy``, ``ece_noul``, ...
        benchmark : str, optional
            Only runs on this one.
        row : str, optional
            Report row; the one with most items unless given.
        method : str
            Scoring method.
        cluster : {'group', 'family', 'domain', 'none'}, optional
            What items that belong together share; unless given their group, where
            every item of the row has one.

        Returns
        -------
        History
            The number by the gold of the run's ingest and of today; the change is
            against the line before, by the gold of today.
        """
        from jevdb.comparison.history import Asked, history
        from jevdb.scoring.cluster_by import ClusterBy

        by = cluster and ClusterBy(cluster)
        with self._reader() as connection:
            benchmark = self._benchmark_id(connection, benchmark)
            asked = Asked(model, number_named(metric), method, benchmark, row, by)
            return history(connection, asked)

    def compare_methods(
        self,
        benchmark: str,
        method: Iterable[str],
        *,
        metric: str = "I",
        row: str | None = None,
        old: RunName | None = None,
        new: RunName | None = None,
    ) -> MethodRanks:
        """Rank a benchmark's runs by several methods; tell method from model.

        With *old* and *new*: the step from the one by the first method to the other by
        the last, as the part that the model makes and the part that the method makes.
        """
        from jevdb.comparison.method_effects import Asked, standings

        methods = words(method)
        names = texts([each for each in (old, new) if each is not None])
        if len(methods) < 2:  # noqa: PLR2004
            raise UsageError(f"name two methods or more with {option('method')}")
        if len(names) == 1:
            raise UsageError("name two runs, the old one first, or none")
        asked = Asked(benchmark, methods, number_named(metric).name, row)
        with self._reader() as connection:
            return standings(connection, asked, names, self._notify)

    def _ranked_benchmarks(self, names: list[str]) -> list[str]:
        """Return the benchmarks with runs, and with a run of each name."""
        from jevdb.scoring.names import benchmarks_with_runs
        from jevdb.scoring.runs import asked_for

        def has_all(connection: Connection, benchmark: str) -> bool:
            try:
                asked_for(connection, names, benchmark)
            except UnknownNameError:
                return False
            return True

        with self._reader() as connection:
            known = benchmarks_with_runs(connection)
            found = [each for each in known if has_all(connection, each)]
            if not found:
                runs = asked_for(connection, names)
                listed = ", ".join(f"{run.name} on {run.benchmark_id}" for run in runs)
                raise UsageError(f"these runs share no benchmark: {listed}")
        return found

    def _comparable(
        self, connection: Connection, runs: Iterable[RunName], benchmark: str | None
    ) -> list[Run]:
        from jevdb.comparison.entrants import comparable

        named = texts(runs)
        if len(named) == 1:
            raise UsageError("name two runs or more: the base, and what to hold to it")
        benchmark = self._benchmark_id(connection, benchmark)
        found = comparable(connection, named, benchmark, self._notify)
        if len(set(found)) < len(found):
            raise UsageError("a run is named twice; tell runs apart by id or #label")
        return found


def _asked(cohort: CohortName, modality: ModalityName | None) -> Asked:
    from jevdb.comparison.cohorts import Asked, Modality, Rule

    return Asked(Rule(cohort), modality and Modality(modality))


def require_margin(margin: float | None) -> None:
    """Refuse a margin of equivalence that nothing can lie within: UsageError."""
    if margin is not None and not 0 < margin < math.inf:
        raise UsageError(
            f"{option('equivalent_within')} is a number of points above 0, not "
            f"{margin:g}: no interval lies within it"
        )
