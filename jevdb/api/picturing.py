"""Pictures of runs: what `jevdb plot` draws, to show in a notebook or to write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jevdb.api.base import Base, RunName, RunNames, texts, words
from jevdb.api.closed_words import COMPARED, DIMENSIONS, KINDS, closed
from jevdb.base.defaults import DEFAULT_METHOD, TARGET
from jevdb.base.metrics import number_named
from jevdb.scoring.selection import Dimension

if TYPE_CHECKING:
    from jevdb.api.comparing import CohortName, ModalityName
    from jevdb.base.connection import Connection
    from jevdb.plots import Picture
    from jevdb.scoring.runs import Run


class Picturing(Base):
    """Pictures, each a `Picture` with ``svg()``, ``png()`` and ``html()``.

    They need the extra ``plot``. *run* is one run or
    several, every current public one of *benchmark* unless given; *row* is the report
    row, the one with most items unless given.
    """

    @closed(kinds=KINDS)
    def plot_reliability(
        self,
        run: RunNames = None,
        *,
        benchmark: str | None = None,
        kinds: Iterable[str] | None = None,
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        gold_revision: int | None = None,
        include_private: bool = False,
    ) -> Picture:
        """Draw reliability diagrams, a panel per run and kind of ECE.

        Parameters
        ----------
        kinds : iterable of str, optional
            Of choice, noul, score, pooled, all; the first three unless given.

        Examples
        --------
        >>> picture = warehouse.plot_reliability("de-1")
        >>> picture.title
        'Reliability of de-1'
        >>> picture.svg()[:4]
        '<svg'
        """
        from jevdb.plots import Scored, read_depths, reliability
        from jevdb.plots.depths import KINDS

        scored = Scored(method, row, gold_revision)
        wanted = KINDS if kinds is None else words(kinds)
        with self._reader() as connection:
            runs = self._drawn(connection, run, benchmark, include_private)
            found = read_depths(connection, runs, kinds=wanted, scored=scored)
        return reliability(found, method)

    def plot_indices(
        self,
        run: RunNames = None,
        *,
        benchmark: str | None = None,
        x: str = "I",
        y: str = "C",
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        gold_revision: int | None = None,
        include_private: bool = False,
    ) -> Picture:
        """Draw one number against another, a point per run, with intervals.

        Parameters
        ----------
        x, y : str
            The numbers to the right and upwards: ``I``, ``accuracy``, ``ece_noul``, ...

        Examples
        --------
        >>> picture = warehouse.plot_indices(benchmark="jevbench-public-231")
        >>> picture.description.splitlines()[1]
        'de-1: I 71.24 (60.95 to 81.52), n 231; C no value: no item has a reference \
distribution, n 159.'
        """
        from jevdb.plots import Scored, indices, read_measures

        scored = Scored(method, row, gold_revision)
        numbers = (number_named(x), number_named(y))
        with self._reader() as connection:
            runs = self._drawn(connection, run, benchmark, include_private)
            found = read_measures(connection, runs, numbers, scored=scored)
        return indices(found)

    def plot_history(
        self,
        model: str,
        *,
        metric: str = "I",
        benchmark: str | None = None,
        row: str | None = None,
        method: str | Iterable[str] = DEFAULT_METHOD,
    ) -> Picture:
        """Draw a number over the runs of a model, gold and method changes marked."""
        from jevdb.plots import history, read_history

        with self._reader() as connection:
            benchmark = self._benchmark_id(connection, benchmark)
            found = read_history(
                connection,
                model,
                number_named(metric),
                methods=words(method),
                benchmark_id=benchmark,
                report_row=row,
            )
        return history(found)

    @closed(by=DIMENSIONS)
    def plot_profile(
        self,
        run: RunNames = None,
        *,
        benchmark: str | None = None,
        metric: str = "accuracy",
        by: Iterable[Dimension] | None = None,
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        gold_revision: int | None = None,
        include_private: bool = False,
    ) -> Picture:
        """Draw a number per type, tier and family, as dots with intervals.

        *by* are the breakdowns drawn: these three unless given.
        """
        from jevdb.plots import Scored, profile, read_profile
        from jevdb.plots.profile_numbers import DIMENSIONS

        scored = Scored(method, row, gold_revision)
        number = number_named(metric)
        wanted = DIMENSIONS if by is None else tuple(by)
        with self._reader() as connection:
            runs = self._drawn(connection, run, benchmark, include_private)
            found = read_profile(connection, runs, number, by=wanted, scored=scored)
        return profile(found)

    @closed(by=DIMENSIONS, **COMPARED)
    def plot_won_lost(
        self,
        base: RunName,
        other: RunName,
        *,
        benchmark: str | None = None,
        by: Dimension = "family",
        cohort: CohortName = "shared",
        modality: ModalityName | None = None,
    ) -> Picture:
        """Draw the items that one of two runs got right and the other did not.

        Items, counts and tests are those of `compare`.

        Examples
        --------
        >>> picture = warehouse.plot_won_lost("de-1", "gavel-decide-4b")
        >>> picture.description.splitlines()[2]
        '25 won, 43 lost, 148 both right, 15 neither; exact McNemar p 0.0385.'
        """
        from jevdb.comparison.cohorts import Asked, Modality, Rule
        from jevdb.comparison.compare_request import Request
        from jevdb.comparison.entrants import comparable
        from jevdb.plots import read_won_lost, won_lost

        asked = Asked(Rule(cohort), modality and Modality(modality))
        with self._reader() as connection:
            names = texts([base, other])
            benchmark = self._benchmark_id(connection, benchmark)
            first, *rest = comparable(connection, names, benchmark, self._notify)
            request = Request(first, rest, asked, (DEFAULT_METHOD,), break_down=by)
            found = read_won_lost(connection, request)
        return won_lost(found)

    @closed(kind=KINDS)
    def plot_risk_coverage(
        self,
        run: RunNames = None,
        *,
        benchmark: str | None = None,
        kind: str = "all",
        target: float = TARGET,
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        gold_revision: int | None = None,
        include_private: bool = False,
    ) -> Picture:
        """Draw how often runs err if only their surest answers are taken."""
        from jevdb.plots import Scored, read_depths, risk_coverage

        scored = Scored(method, row, gold_revision)
        with self._reader() as connection:
            runs = self._drawn(connection, run, benchmark, include_private)
            found = read_depths(
                connection, runs, kinds=[kind], scored=scored, target=target
            )
        return risk_coverage(found, method)

    def plot_usage(
        self,
        run: RunNames = None,
        *,
        benchmark: str | None = None,
        metric: str = "I",
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        gold_revision: int | None = None,
        include_private: bool = False,
    ) -> Picture:
        """Draw a number of runs against the latency and cost of their rows."""
        from jevdb.plots import Scored, read_usage, usage

        scored = Scored(method, row, gold_revision)
        with self._reader() as connection:
            runs = self._drawn(connection, run, benchmark, include_private)
            found = read_usage(connection, runs, number_named(metric), scored=scored)
        return usage(found)

    def _drawn(
        self,
        connection: Connection,
        names: RunNames,
        benchmark: str | None,
        include_private: bool,
    ) -> list[Run]:
        from jevdb.plots.asking import chosen

        benchmark = self._benchmark_id(connection, benchmark)
        return chosen(
            *(connection, texts(names), benchmark, self._notify),
            include_private=include_private,
        )
