"""What a warehouse holds: runs, models, benchmarks, methods, items, predictions."""

from __future__ import annotations

from jevdb.api.base import Base, RunName, Then
from jevdb.base.output import collected
from jevdb.base.tabular import Listing, Records
from jevdb.comparison.gates.baselines import Baseline
from jevdb.scoring.run_listing import Runs
from jevdb.scoring.runs import Run, all_runs
from jevdb.warehouse.sqlfiles import query


class Listings(Base):
    """Lists of what is stored."""

    def runs(self, benchmark: str | None = None, *, as_of: Then = None) -> Runs:
        """Return the runs, withdrawn and superseded ones too.

        Parameters
        ----------
        benchmark : str, optional
            Only runs of this one.
        as_of : int, str or date, optional
            What there was then: an ingest number, a date (its end), a date and time.

        Returns
        -------
        Runs
            A sequence of `Run`; its rows have settings, files and digests too.

        Examples
        --------
        >>> [run.name for run in warehouse.runs("jevbench-public-231")]
        ['de-1', 'gavel-decide-4b']
        """
        from jevdb.api.base import as_of_text
        from jevdb.scoring.as_of import resolved, then

        with (
            self._reader() as connection,
            then(connection, resolved(connection, as_of_text(as_of))),
        ):
            benchmark = self._benchmark_id(connection, benchmark)
            known = {run.run_id: run for run in all_runs(connection)}
            connection.execute(query("api/runs_listed"), {"benchmark": benchmark})
            listed = collected(connection)
        place = listed.columns.index("run_id")
        return Runs([known[str(row[place])] for row in listed.rows], listed)

    def run(self, name: RunName) -> Run:
        """Return the one run that a name means.

        Raises
        ------
        UnknownNameError
            There is none; the message has the near names.
        """
        with self._reader() as connection:
            return self._run(connection, name)

    def models(self, *, as_of: Then = None, retired: bool = False) -> Listing:
        """Return the models: a row per name and revision, with its runs.

        Those that are retired are listed with *retired* alone.
        """
        named = {"retired": retired}
        return Listing(self._queried("api/models_listed", named, as_of))

    def benchmarks(self, *, as_of: Then = None, retired: bool = False) -> Listing:
        """Return the benchmarks: items, gold revision, scoring, runs.

        Those that are retired are listed with *retired* alone.

        Examples
        --------
        >>> [(each["benchmark_id"], each["n_items"]) for each in warehouse.benchmarks()
        ...  if each["n_items"]]
        [('cmdb-1500-synthetic', 1500), ('jevbench-public-231', 231)]
        """
        return Listing(
            self._queried("scoring/benchmarks_listed", {"retired": retired}, as_of)
        )

    def methods(self) -> Listing:
        """Return the scoring methods with every parameter."""
        return Listing(self._queried("scoring/methods_listed", {}))

    def scorings(self) -> Listing:
        """Return the scorings, each with the view that defines its scopes."""
        return Listing(self._queried("scoring/scorings_listed", {}))

    def scope_counts(self, benchmark: str) -> Listing:
        """Return how many items of each type a benchmark's report rows cover."""
        return Listing(self._queried("scoring/scope_counts", {"benchmark": benchmark}))

    def items(self, benchmark: str, *, gold_revision: int | None = None) -> Listing:
        """Return the items of a benchmark with their gold, the newest unless asked."""
        from jevdb.scoring.selection import Selection, narrowed

        with self._reader() as connection:
            benchmark = self._benchmark_id(connection, benchmark)
            with narrowed(connection, Selection(gold_revision=gold_revision)):
                connection.execute(query("api/items_listed"), {"benchmark": benchmark})
                return Listing(collected(connection))

    def predictions(self, run: RunName) -> Listing:
        """Return the answers of a run, as canonical records, by item.

        Ingested again under the same names they are the same run.
        """
        return self._of_run("bundles/run_rows", run)

    def rejects(self, run: RunName) -> Listing:
        """Return the rows that `ingest_run` refused of a run and kept beside it."""
        return self._of_run("api/run_rejects", run)

    def baselines(self) -> Records[Baseline]:
        """Return the approved baseline of each benchmark that has one."""
        from jevdb.comparison.gates.baselines import read_baselines

        with self._reader() as connection:
            return Records(Baseline._fields, read_baselines(connection))

    def results(
        self, benchmark: str | None = None, *, view: str = "overall"
    ) -> Listing:
        """Return the published results: numbers as reported, never computed here.

        Parameters
        ----------
        benchmark : str, optional
            Only results on this one.
        view : str
            The slice, such as ``family:reasoning``.
        """
        from jevdb.base.errors import UnknownNameError

        names = self._queried("api/reported_view_names", {}).rows
        known = [str(row[0]) for row in names]
        if known and view not in known:
            raise UnknownNameError("view", view, known)
        parameters = {"view": view, "benchmark": benchmark}
        return Listing(self._queried("api/reported_listed", parameters))

    def snapshots(self) -> Listing:
        """Return the exports that were kept by name; `snapshot` has their bytes."""
        return Listing(self._queried("api/snapshots_listed", {}))

    def _of_run(self, name: str, run: RunName) -> Listing:
        with self._reader() as connection:
            found = self._run(connection, run)
            connection.execute(query(name), {"run_id": found.run_id})
            return Listing(collected(connection))
