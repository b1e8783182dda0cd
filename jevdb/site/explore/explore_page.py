"""The page Explore: the engine, the warehouse's copy, the query of every number."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from jevdb.base.metrics import NUMBERS
from jevdb.base.text import visible
from jevdb.scoring.explain.number_place import number_query
from jevdb.scoring.explain.written_out import Place
from jevdb.site.addresses import EXPLORE, slug
from jevdb.site.cohorts import OWN
from jevdb.site.explore.engine import CLIENT, WASM, WORKER
from jevdb.site.explore.public_copy import ALIKE, PUBLISHED, digests, write_copy
from jevdb.site.rendering import EXPLORE_POLICY
from jevdb.site.reproducing import scope_without
from jevdb.warehouse.scope_views import scoring_rules_view
from jevdb.warehouse.sqlfiles import program

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.site.contents import Benchmark, Contents
    from jevdb.site.rendering import Pages

BETWEEN = "\n),\n\n"
RUN, ROW, METHOD = "{RUN}", "{ROW}", "{METHOD}"
QUESTIONS = (
    (
        "How does each run stand?",
        "select model, report_row, round(intelligence, 2) as i,\n"
        "    round(calibration, 2) as c, round(accuracy, 4) as accuracy\n"
        "from report\nwhere method_id = 'metrics-md'\norder by i desc",
    ),
    (
        "Which items did every run get wrong?",
        "select benchmark_id, item_id, family, count(*) as runs\nfrom scored\n"
        "group by all\nhaving not bool_or(is_right)\norder by all",
    ),
    (
        "Where are models sure and wrong?",
        "select model, item_id, top_label, round(confidence, 3) as confidence\n"
        "from scored\ninner join run_states using (run_id)\n"
        "where not is_right and confidence > 0.95\norder by confidence desc\nlimit 50",
    ),
    (
        "How often does each run disagree with each other?",
        "select one.run_id[:12] as one, two.run_id[:12] as two,\n"
        "    count_if(one.is_right <> two.is_right) as decided, count(*) as items\n"
        "from scored as one\ninner join scored as two using (benchmark_id, item_id)\n"
        "where one.run_id < two.run_id\ngroup by all\norder by decided desc",
    ),
    (
        "What do the bins of ECE hold?",
        "select model, kind, bin, n, mean_stated, share_true\nfrom report_bins\n"
        "inner join run_states using (run_id)\nwhere n > 0\norder by all\nlimit 200",
    ),
)

Cohorts = Mapping[str, Mapping[str, frozenset[str]]]
"""The items of every cohort whose numbers are explained, by benchmark and cohort."""


def write_explore(
    connection: Connection,
    contents: Contents,
    pages: Pages,
    cohorts: Cohorts,
    engine: Path,
) -> dict[str, str]:
    """Write the page and what it loads; return the digest of every table it holds."""
    pages.file("explore/duckdb.js", (engine / CLIENT).read_bytes())
    parts = {"wasm": engine / WASM, "worker": engine / WORKER}
    packed = {name: _packed(path.read_bytes()) for name, path in parts.items()}
    script = f"window.jevdbEngine = {json.dumps(packed)};\n"
    pages.file("explore/engine.js", script.encode())
    source = connection.execute(
        "select path from duckdb_databases() where database_name = current_database()"
    ).fetchall()[0][0]
    with TemporaryDirectory(prefix="jevdb-public-") as folder:
        copy = Path(folder) / "public.duckdb"
        benchmarks = [each.benchmark_id for each in contents.benchmarks]
        runs = [run.run_id for run in contents.runs]
        write_copy(Path(source), copy, benchmarks, runs)
        found = digests(copy)
        data = f"window.jevdbData = {json.dumps(_packed(copy.read_bytes()))};\n"
    pages.file("explore/data.js", data.encode())
    pages.file("explore/tables.json", (json.dumps(found, indent=1) + "\n").encode())
    views = [item.name for item in program() if item.kind == "view"]
    facts = {
        "methods": contents.method_ids,
        "runs": [
            {
                "id": run.run_id,
                "name": visible(run.name),
                "benchmark": run.benchmark_id,
            }
            for run in contents.runs
        ],
        "questions": QUESTIONS,
        "names": sorted({*PUBLISHED, *ALIKE, *views}),
        **_queries(connection, contents, cohorts),
        "items": _items(connection, contents),
    }
    text = json.dumps(facts, separators=(",", ":")).replace("<", "\\u003c")
    pages.page(
        EXPLORE,
        "explore.html",
        policy=EXPLORE_POLICY,
        data=text,
        megabytes=round((len(script) + len(data)) / 1e6) + 1,
    )
    return found


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def _queries(
    connection: Connection, contents: Contents, cohorts: Cohorts
) -> dict[str, object]:
    """Return the text of `explain --sql` of every number, cut into common blocks.

    A run, report row and method are put in by the page.
    """
    blocks: dict[str, int] = {}
    queries: dict[str, dict[str, list[int]]] = {}
    for benchmark in contents.benchmarks:
        if not contents.runs_of(benchmark):
            continue
        held = cohorts[benchmark.benchmark_id]
        for cohort, items in ((OWN.key, None), *held.items()):
            place = _place(connection, benchmark, items)
            queries[f"{benchmark.benchmark_id}|{cohort}"] = {
                f"{number.metric}.{number.kind}": [
                    blocks.setdefault(block, len(blocks))
                    for block in number_query(place, number, ROW).split(BETWEEN)
                ]
                for number in NUMBERS
            }
    return {"blocks": list(blocks), "queries": queries}


def _place(
    connection: Connection, benchmark: Benchmark, items: frozenset[str] | None
) -> Place:
    scope = scope_without(
        connection, benchmark, _left_out(connection, benchmark, items)
    )
    return Place(
        run_id=RUN,
        benchmark_id=benchmark.benchmark_id,
        gold_revision=benchmark.gold_revision,
        method_id=METHOD,
        scope=scope,
        scope_file=scope,
        rules=scoring_rules_view(connection, benchmark.scoring),
    )


def _left_out(
    connection: Connection, benchmark: Benchmark, items: frozenset[str] | None
) -> Sequence[str]:
    if items is None:
        return ()
    return [item_id for item_id in _ids(connection, benchmark) if item_id not in items]


def _ids(connection: Connection, benchmark: Benchmark) -> list[str]:
    rows = connection.execute(
        "select item_id from golden_items where benchmark_id = $benchmark "
        "order by item_id",
        {"benchmark": benchmark.benchmark_id},
    ).fetchall()
    return [item_id for (item_id,) in rows]


def _items(connection: Connection, contents: Contents) -> dict[str, object]:
    """Return where the items of every benchmark are, for links."""
    from jevdb.site.item_pages import CHUNK

    found: dict[str, object] = {}
    for benchmark in contents.benchmarks:
        ids = _ids(connection, benchmark)
        found[benchmark.benchmark_id] = {
            "folder": benchmark.pages.folder,
            "chunk": CHUNK,
            "ids": ids,
            "slugs": {n: slug(i) for n, i in enumerate(ids) if slug(i) != i},
        }
    return found
