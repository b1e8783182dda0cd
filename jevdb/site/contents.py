"""What a site shows: benchmarks, their public runs, and where each run comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.defaults import BOARD_METHODS
from jevdb.base.documents import Json
from jevdb.base.output import collected
from jevdb.base.stored_values import list_of, object_of
from jevdb.scoring.methods import method_json
from jevdb.scoring.runs import Run, all_runs
from jevdb.site.addresses import BenchmarkPages, RunPages, model_page, short_names
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class Benchmark(NamedTuple):
    """A benchmark that has items or published results, as `jevdb benchmarks` has it."""

    benchmark_id: str
    name: str
    version: str | None
    scoring: str
    n_items: int
    gold_revision: int
    incomplete: list[str] | None
    source: str | None
    items_sha256: str

    @property
    def pages(self) -> BenchmarkPages:
        """Where its pages are."""
        return BenchmarkPages.of(self.benchmark_id)


class Origin(NamedTuple):
    """Where a run comes from: its model, settings, files, digest, and what it cost.

    ``cost_usd`` is that of 1,000 rows whose cost is known.
    """

    provider: str | None
    open_weights: bool | None
    parameters: int | None
    requested_name: str | None
    resolved_name: str | None
    meta: dict[str, object]
    settings: dict[str, object]
    source_files: list[object]
    unsupported_types: list[str]
    n_duplicate: int
    rows_sha256: str
    cost_usd: float | None

    @property
    def is_made_up(self) -> bool:
        """Whether the model says of itself that it is made up."""
        return self.meta.get("synthetic") is True


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that is listed somewhere on the site."""

    benchmarks: list[Benchmark]
    runs: list[Run]
    origins: dict[str, Origin]
    methods: list[Json]
    short: dict[str, str]

    @property
    def method_ids(self) -> list[str]:
        """The methods, the first is shown unless another is asked for."""
        return [str(method["method_id"]) for method in self.methods]

    def runs_of(self, benchmark: Benchmark) -> list[Run]:
        """Return the runs of a benchmark, in the order of reports."""
        return [run for run in self.runs if run.benchmark_id == benchmark.benchmark_id]

    def pages(self, run: Run) -> RunPages:
        """Return where the pages of a run are."""
        return RunPages(f"run/{self.short[run.run_id]}")

    def model_page(self, run: Run) -> str:
        """Return where the model of a run is, with all its revisions."""
        return model_page(run.model)


def read_contents(
    connection: Connection, main_method: str, include_private: bool
) -> Contents:
    """Return every current run, private ones only if asked for, and what they need."""
    runs = [
        run
        for run in all_runs(connection)
        if run.is_current and (include_private or not run.is_private)
    ]
    origins = {
        str(run_id): _origin(str(run_id), Origin._make(origin))
        for run_id, *origin in _plain_rows(connection, "site/runs")
    }
    return Contents(
        benchmarks=_benchmarks(connection),
        runs=runs,
        origins={run.run_id: origins[run.run_id] for run in runs},
        methods=_methods(connection, main_method),
        short=short_names(run.run_id for run in runs),
    )


def _origin(run_id: str, read: Origin) -> Origin:
    """Return where a run comes from, its JSON held to the shapes that jevdb stores."""
    return read._replace(
        meta=object_of(read.meta, f"models.meta of the model of {run_id}"),
        settings=object_of(read.settings, f"runs.settings of {run_id}"),
        source_files=list_of(read.source_files, f"runs.source_files of {run_id}"),
    )


def _benchmarks(connection: Connection) -> list[Benchmark]:
    connection.execute(query("scoring/benchmarks_listed"), {"retired": False})
    columns = [str(column[0]) for column in connection.description or ()]
    rows = [dict(zip(columns, row, strict=True)) for row in connection.fetchall()]
    published = connection.execute(
        "select distinct benchmark_id from reported_states "
        "where is_current and not is_retired"
    ).fetchall()
    has_results = {benchmark_id for (benchmark_id,) in published}
    return [
        Benchmark(**{name: row[name] for name in Benchmark._fields})
        for row in rows
        if row["n_items"] or row["benchmark_id"] in has_results
    ]


def _methods(connection: Connection, main_method: str) -> list[Json]:
    found = connection.execute(
        "select method_id from methods "
        "where method_id = $main or method_id not in (select unnest($others)) "
        "order by method_id <> $main, seq, method_id",
        {"main": main_method, "others": list(BOARD_METHODS)},
    ).fetchall()
    return [method_json(connection, method_id) for (method_id,) in found]


def _plain_rows(connection: Connection, name: str) -> list[list[object]]:
    """Return the rows of a query, what is JSON read as such."""
    connection.execute(query(name))
    return list(collected(connection).plain())
