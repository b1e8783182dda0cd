"""`python -m benchmarks.lake [RUNS]`: a lake on loopback, its server started here.

Eight writers, each with a mirror of its own, publish runs of 1,500 rows that are read
and judged already: store, write, lock, commit. Then a machine pulls a lake of RUNS runs
for the first time, pulls five more, five times over, and reports: from the mirror and
from a file that holds the same.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CHECKOUT / "tests"), str(CHECKOUT / "tests" / "lake")]

from needed import find_postgres  # noqa: E402
from places import Place, caching, copied, make_template  # noqa: E402
from servers import Postgres  # noqa: E402
from workers import CONTEXT, Job, prepare, start  # noqa: E402

from benchmarks.measure import JEVDB, compare, cost  # noqa: E402
from benchmarks.world import build  # noqa: E402
from jevdb.ingest import store_run  # noqa: E402
from jevdb.lake import initialise, pull  # noqa: E402
from jevdb.lake.publishing import publishing  # noqa: E402
from jevdb.lake.target import resolve  # noqa: E402
from jevdb.warehouse.database import open_reader, open_writer, transaction  # noqa: E402

WRITERS = 8
EACH = 15
ROWS = 1500
NEW, TIMES = 5, 5
DIGESTED = """\
create temp table digested as
with digests as (
    select
        run_id,
        count(*) as n,
        digest_of(
            prediction_digest(
                item_id, status, reason, label_index, labels, level, probabilities,
                returned, step_probabilities, latency_s, input_tokens, output_tokens,
                cost_usd, error, meta
            ),
            item_id
        ) as sha256
    from draft.predictions
    group by run_id
)

select
    runs.run_id as draft_id,
    digests.n,
    digests.sha256,
    run_digest(
        runs.benchmark_id, models.name, models.revision, runs.label,
        runs.unsupported_types, digests.sha256
    ) as run_id
from draft.runs as runs
inner join draft.models as models using (model_id)
inner join digests on runs.run_id = digests.run_id"""
IDENTIFIED = {
    "runs": "digested.run_id as run_id, sha256 as rows_sha256, n as n_rows, n as n_ok",
    "predictions": "digested.run_id as run_id",
}


def main(runs: int = 700) -> None:
    """Start a server, measure, and print."""
    program = find_postgres()
    if program is None:
        print("no PostgreSQL on this machine: `make postgres` installs it")
        return
    server = Postgres(program)
    try:
        with tempfile.TemporaryDirectory() as folder:
            publish_all(server, Path(folder))
            pull_all(server, Path(folder), runs)
    finally:
        server.stop()


def publish_all(server: Postgres, folder: Path) -> None:
    fresh = folder / "fresh.duckdb"
    with open_writer(fresh, create=True):
        pass
    place = copied(server, make_template(server, fresh, folder, ROWS), folder / "lake")
    starting, results = CONTEXT.Barrier(WRITERS + 1), CONTEXT.Queue()
    writers = [
        start(_write, place.dsn(), place.machine(f"{n}").cache, n, starting, results)
        for n in range(WRITERS)
    ]
    starting.wait()
    began = time.perf_counter()
    waits = [seconds for _ in writers for seconds in results.get()]
    seconds = time.perf_counter() - began
    for writer in writers:
        writer.join()
    print(
        f"{len(waits) / seconds:.1f} runs of {ROWS:,} rows a second from {WRITERS} "
        f"writers; a run took {statistics.median(waits):.3f} s, the slowest "
        f"{max(waits):.3f} s"
    )


def _write(dsn: str, cache: Path, number: int, starting: Any, results: Any) -> None:
    os.environ["JEVDB_CACHE"] = str(cache)
    target = resolve(dsn)
    jobs = [
        Job(f"model-{number}-{run}", f"{number}-{run}", ROWS) for run in range(EACH)
    ]
    prepared = [prepare(job, target.mirror, cache) for job in jobs]
    waits = []
    with publishing(target) as publisher:
        starting.wait()
        for rows in prepared:
            began = time.perf_counter()
            publisher.publish(lambda mirror, rows=rows: store_run(mirror, rows))
            waits.append(time.perf_counter() - began)
    results.put(waits)


def build_whole(path: Path, runs: int) -> None:
    """Write the made-up warehouse with the digests that a pull proves."""
    draft = path.with_suffix(".draft")
    build(draft, runs)
    with open_writer(path, create=True) as warehouse:
        warehouse.execute(f"attach '{draft}' as draft (read_only)")
        warehouse.execute(DIGESTED)
        with transaction(warehouse):
            for table in ("ingests", "benchmarks", "items", "golds", "models"):
                warehouse.execute(
                    f"insert into {table} from draft.{table} where seq > 0"
                )
            for table, columns in IDENTIFIED.items():
                warehouse.execute(
                    f"insert into {table} select draft.* replace ({columns}) "
                    f"from draft.{table} as draft "
                    "inner join digested on draft.run_id = digested.draft_id"
                )
    draft.unlink()


def pull_all(server: Postgres, folder: Path, runs: int) -> None:
    file = folder / "world.duckdb"
    build_whole(file, runs)
    server.psql("create database world")
    place = Place(server, "world", folder / "world", file, folder)
    with open_reader(file) as warehouse:
        initialise(place.target, warehouse, data=str(place.data))
    there = folder / "there"
    with caching(there):
        began = time.perf_counter()
        pulled = pull(place.target)
        print(f"first pull of {runs:,} runs: {time.perf_counter() - began:.2f} s")
        more, nothing = [], []
        for number in range(TIMES):
            publish_more(place, folder, pulled.path, f"new-{number}")
            for seconds, n_new in ((more, NEW), (nothing, 0)):
                began = time.perf_counter()
                assert pull(place.target).n_new == n_new
                seconds.append(time.perf_counter() - began)
        for what, seconds in ((f"{NEW} more", more), ("nothing", nothing)):
            print(
                f"pull of {what}: {statistics.median(seconds):.3f} s, the slowest of "
                f"{TIMES} {max(seconds):.3f} s"
            )
        mirrored = cost([*JEVDB, "--db", pulled.path, "report", "--format", "csv"])
    plain = cost([*JEVDB, "--db", file, "report", "--format", "csv"])
    compare("report from a mirror", mirrored, {"from a file": plain})


def publish_more(place: Place, folder: Path, mirror: Path, model: str) -> None:
    """Publish a few runs of the world's first rows from another machine."""
    from jevdb.bundles.dump import dumped
    from jevdb.ingest import Model, RunOptions, load_benchmark, prepare_run

    with open_reader(mirror) as connection:
        benchmark_id, run_id = connection.execute(
            "select benchmark_id, run_id from runs order by seq limit 1"
        ).fetchall()[0]
        rows = folder / "rows.jsonl"
        rows.write_text("".join(f"{line}\n" for line in dumped(connection, run_id)))
        benchmark = load_benchmark(connection, benchmark_id)
    other = place.machine("other")
    with caching(other.cache), publishing(place.target) as publisher:
        for number in range(NEW):
            options = RunOptions(benchmark_id, Model(f"{model}-{number}"))
            prepared = prepare_run(benchmark, [rows], options)
            publisher.publish(lambda found, p=prepared: store_run(found, p))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
