"""The numbers of runs: report, every metric, one number explained, calibration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from jevdb.api.base import Base, RunName, RunNames, Then, as_of_text, words
from jevdb.api.closed_words import (
    BREAKDOWNS,
    CLUSTERS,
    DIMENSIONS,
    KINDS,
    ClusterName,
    closed,
)
from jevdb.base.defaults import DEFAULT_METHOD, TARGET
from jevdb.base.metrics import Number, number_named
from jevdb.base.output import collected
from jevdb.base.tabular import Listing
from jevdb.scoring.as_of import resolved, then
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.names import require_benchmark, require_method
from jevdb.scoring.report import (
    Intervals,
    Request,
    read_report,
    require_gold_revision,
)
from jevdb.scoring.report_text import Report
from jevdb.scoring.selection import Breakdown, Dimension, Selection, selected
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.calibration_depths import Calibration
    from jevdb.scoring.explain.explanation import Explanation
    from jevdb.scoring.repeats import Repeats
    from jevdb.scoring.revision_effects import Revisions
    from jevdb.scoring.runs import Run

ItemsName = Literal["all", "ece"]


class Scoring(Base):
    """Numbers of one run, or of several beside each other."""

    @closed(by=BREAKDOWNS, cluster=CLUSTERS)
    def report(
        self,
        run: RunNames = None,
        *,
        benchmark: str | None = None,
        method: str | Iterable[str] = DEFAULT_METHOD,
        gold_revision: int | None = None,
        by: Breakdown | None = None,
        scope_version: int | Iterable[int] = (),
        as_of: Then = None,
        cluster: ClusterName | None = None,
    ) -> Report:
        """Return Intelligence, Calibration and the typed metrics.

        Parameters
        ----------
        run : run, or several, optional
            Every current run unless given.
        benchmark : str, optional
            Only runs of this one.
        method : str or iterable of str
            Scoring methods; a line for each.
        gold_revision : int, optional
            Score by this revision, not the newest.
        by : {'type', 'tier', 'family', 'domain'}, optional
            Add a line per type, tier, ...
        scope_version : int or iterable of int
            Versions of the benchmark's own scoring, side by side.
        as_of : int, str or date, optional
            What the warehouse held then: rows, gold, names, visibility.
        cluster : {'group', 'family', 'domain', 'none'}, optional
            What items that belong together share, for the intervals; unless given
            their group, where every item of the row has one.

        Returns
        -------
        Report
            A line per run, report row and method.

        Raises
        ------
        UnknownNameError
            No such run, benchmark or method; the message has the near names.

        Examples
        --------
        >>> line = warehouse.report("de-1").lines[0]
        >>> line.report_row, round(line.numbers["intelligence"].value, 2)
        ('public_231', 71.24)
        >>> line.numbers["tvd"].value is None, line.numbers["tvd"].reason
        (True, 'no_reference')
        """
        versions = [scope_version] if isinstance(scope_version, int) else scope_version
        versions = tuple(dict.fromkeys(versions))
        with self._reader() as connection:
            seq = resolved(connection, as_of_text(as_of))
            with then(connection, seq):
                runs = self._runs(connection, run, benchmark)
            request = Request(
                runs=runs,
                methods=words(method),
                gold_revision=gold_revision,
                by=by,
                as_of=seq,
                scope_versions=versions,
                intervals=Intervals(cluster and ClusterBy(cluster)),
            )
            return Report(read_report(connection, request))

    @closed(by=DIMENSIONS)
    def metrics(
        self,
        run: RunNames = None,
        *,
        benchmark: str | None = None,
        method: str | Iterable[str] = DEFAULT_METHOD,
        gold_revision: int | None = None,
        by: Dimension | None = None,
    ) -> Listing:
        """Return every metric of every kind, a row each: the long form of `report`.

        It takes what `report` takes.

        Examples
        --------
        >>> [row["value"] for row in warehouse.metrics("de-1")
        ...  if (row["report_row"], row["metric"]) == ("hard_111", "accuracy")][0]
        0.6486486486486487
        """
        methods = words(method)
        with self._reader() as connection:
            for each in methods:
                require_method(connection, each)
            runs = self._runs(connection, run, benchmark)
            require_gold_revision(connection, gold_revision, runs)
            selection = Selection(
                run_ids=[each.run_id for each in runs],
                methods=methods,
                gold_revision=gold_revision,
                by=by,
            )
            with selected(connection, selection):
                connection.execute(query("api/metrics_listed"))
                return Listing(collected(connection))

    @closed(by=DIMENSIONS)
    def explain(
        self,
        run: RunName,
        metric: str,
        *,
        kind: str | None = None,
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        gold_revision: int | None = None,
        by: Dimension | None = None,
        scope_version: int | None = None,
        as_of: Then = None,
    ) -> Explanation:
        """Return everything behind a number.

        Parameters
        ----------
        run : run
            Whose number.
        metric : str
            ``I``, ``C``, ``accuracy``, ``ece_noul``, ...
        kind : str, optional
            Of which type: all, choice, noul, score, pooled, multi_select.
        row : str, optional
            Report row; the one with most items unless given.
        method : str
            Scoring method.
        gold_revision : int, optional
            Score by this revision, not the newest.
        by : {'type', 'tier', 'family', 'domain'}, optional
            Report rows are slices too, ``public_231/hard``.
        scope_version : int, optional
            Version of the benchmark's own scoring; report rows are ``overall@1``.
        as_of : int, str or date, optional
            What the warehouse held then.

        Returns
        -------
        Explanation
            Definition, parameters, scope, rows, bins or terms; and ``sql``, one query
            that gives the same number, digit for digit, in any DuckDB client.

        Examples
        --------
        >>> found = warehouse.explain("de-1", "accuracy")
        >>> found.value.value == found.terms.total / found.terms.n
        True
        >>> found.terms
        Terms(n=231, total=191.0)
        """
        from jevdb.scoring.explain.explain import explain
        from jevdb.scoring.explain.number_place import Asked

        number = number_named(metric, kind)
        with self._reader() as connection:
            seq, found = self._run_then(connection, run, as_of)
            where = (row, method, gold_revision, seq, by, scope_version)
            return explain(connection, Asked(found, number, *where))

    @closed(by=DIMENSIONS)
    def explain_sql(
        self,
        run: RunName,
        metric: str,
        *,
        kind: str | None = None,
        row: str | None = None,
        method: str = DEFAULT_METHOD,
        gold_revision: int | None = None,
        by: Dimension | None = None,
        scope_version: int | None = None,
        as_of: Then = None,
    ) -> str:
        """Return the query that gives a number, without the rest of `explain`."""
        from jevdb.scoring.explain.number_place import Asked, asked_query

        number = number_named(metric, kind)
        with self._reader() as connection:
            seq, found = self._run_then(connection, run, as_of)
            where = (row, method, gold_revision, seq, by, scope_version)
            return asked_query(connection, Asked(found, number, *where))

    def _run_then(
        self, connection: Connection, name: RunName, as_of: Then
    ) -> tuple[int | None, Run]:
        """Return a moment as an ingest number, and the run of that name then."""
        seq = resolved(connection, as_of_text(as_of))
        with then(connection, seq):
            return seq, self._run(connection, name)

    @closed(kinds=KINDS)
    def calibration(
        self,
        run: RunName,
        *,
        row: str | None = None,
        kinds: Sequence[str] | None = None,
        target: float = TARGET,
        items: ItemsName = "all",
        method: str = DEFAULT_METHOD,
        gold_revision: int | None = None,
    ) -> Calibration:
        """Return bins, the ECE that chance alone gives, and what a threshold buys.

        Parameters
        ----------
        run : run
            Whose confidence.
        row : str, optional
            Report row; the one with most items unless given.
        kinds : sequence of str, optional
            Of choice, noul, score, pooled, all: all five unless given.
        target : float
            The accuracy that a threshold shall promise, above 0 and at most 1.
        items : {'all', 'ece'}
            Find thresholds on all items of the types, or on those the ECE is over.
        method : str
            Scoring method.
        gold_revision : int, optional
            Score by this revision, not the newest.

        Returns
        -------
        Calibration
            A `Depth` per kind that has items; `thresholds_file` is what a gate takes.
        """
        from jevdb.scoring.calibration_report import calibration
        from jevdb.scoring.explain.number_place import Asked
        from jevdb.scoring.thresholds import KINDS, ItemsTaken

        with self._reader() as connection:
            number = Number("ece", "pooled")
            found = self._run(connection, run)
            asked = Asked(found, number, row, method, gold_revision)
            taken = ItemsTaken(items)
            return calibration(connection, asked, kinds or KINDS, target, taken)

    def repeats(
        self,
        run: RunName,
        *,
        row: str | None = None,
        k: int | None = None,
        among: Sequence[int] | None = None,
        method: str = DEFAULT_METHOD,
    ) -> Repeats:
        """Return a run's repeats: each by itself, and what they show together.

        Parameters
        ----------
        run : run
            Which asked its items several times.
        row : str, optional
            Report row; the one with most items unless given.
        k : int, optional
            Give pass_k for this k alone; for every k up to 10 unless given.
        among : sequence of int, optional
            Only these repeats, counted from 0.
        method : str
            Scoring method.

        Returns
        -------
        Repeats
            ``each``, ``together`` and ``pass_k`` hold (value, n, reason).
        """
        from jevdb.scoring.repeats import repeats_of

        with self._reader() as connection:
            found = self._run(connection, run)
            return repeats_of(
                connection, found, row=row, method_id=method, k=k, among=among
            )

    def revisions(
        self,
        benchmark: str,
        run: RunNames = None,
        *,
        method: str = DEFAULT_METHOD,
    ) -> Revisions:
        """Return what each gold revision changed, and what it did to the runs.

        Parameters
        ----------
        benchmark : str
            Whose gold.
        run : run, or several, optional
            Every current run unless given.
        method : str
            Scoring method.

        Returns
        -------
        Revisions
            ``revisions``, and their ``effects`` on runs.
        """
        from jevdb.scoring.revisions import revisions

        with self._reader() as connection:
            runs = self._runs(connection, run, benchmark)
            benchmark_id = require_benchmark(connection, benchmark)
            return revisions(connection, benchmark_id, runs, method)

    def changed_items(self, benchmark: str) -> Listing:
        """Return the items that a gold revision after the first added or changed."""
        from jevdb.scoring.revisions import changed_items

        with self._reader() as connection:
            benchmark = self._benchmark_id(connection, benchmark)
            return Listing(changed_items(connection, benchmark))
